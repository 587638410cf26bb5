// The reverse pass in the walk: after the run, in its own hue, with a name, a symbol and a sentence for each of its steps;
// and the effect of leaving it.
#include <gmock/gmock.h>

#include <set>

#include "app/timeline/reverse.h"
#include "app/ui/formula.h"
#include "core/document/gradient_request.h"
#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using app_test::document_of;
using attn::Role;

attn::Document turned_back(std::string_view of = "output,3,1", int heads = 2) {
    attn::Document doc = document_of("the tired cat sat", heads);
    doc.gradient = *attn::parse_gradient(of);
    return doc;
}

TEST(Reverse, FollowsTheUnchangedRun) {
    attn::Document plain = turned_back();
    plain.gradient.reset();
    const Bench without(plain), with(turned_back());
    const auto &before = without.derived.timeline.stops, &stops = with.derived.timeline.stops;
    ASSERT_GT(stops.size(), before.size() + 8);
    for (std::size_t i = 0; i < stops.size(); ++i) {
        EXPECT_EQ(stops[i].reverse, i >= before.size());
        if (i >= before.size()) continue;
        EXPECT_EQ(stops[i].step, before[i].step);
        EXPECT_EQ(stops[i].start, before[i].start) << "a story of the same length";
    }
    // From the number whose gradient is shown, down to the tokens.
    const attn::Trace& trace = with.derived.run->trace;
    EXPECT_EQ(trace[stops[before.size()].step].tag, attn::Tag{Role::Output}.of_pass(1));
    std::set<Role> met;
    for (const Section& section : with.derived.timeline.sections)
        if (section.reverse) met.insert(section.role);
    for (const Role role : {Role::Output, Role::Joined, Role::HeadOutput, Role::Weights, Role::Scores, Role::Queries, Role::Keys, Role::Values,
                            Role::QueryWeight, Role::Embeddings})
        EXPECT_TRUE(met.contains(role)) << attn::role_id(role);
    EXPECT_LT(with.derived.timeline.length() - without.derived.timeline.length(), 45);
}

TEST(Reverse, HasTheHueOfGradients) {
    const Bench bench(turned_back());
    const Derived& d = bench.derived;
    for (attn::StepId id = 0; id < d.run->trace.size(); ++id) {
        const bool back = d.run->trace[id].tag.pass != 0;
        EXPECT_EQ(hue_of(d.run->trace[id].tag) == Hue::Gradient, back);
        if (!back || d.run->trace[id].value.size() == 0) continue;
        // A factor that is only transposed is not a derivative.
        if (d.run->trace[id].op == attn::Op::Transpose && d.run->trace[d.run->trace[id].inputs[0]].tag.pass == 0) {
            EXPECT_NE(hue_of(d.run->trace, id), Hue::Gradient);
            continue;
        }
        const ColorScale scale = color_scale(d.run->trace, d.computed->ranges, id, false);
        EXPECT_EQ(scale.hue, Hue::Gradient);
        EXPECT_TRUE(scale.diverging);
        EXPECT_TRUE(inspect(d.run->trace, {id, 0, 0}, d.labels, Language::English, attn::Convention::Rows).shares.empty());
    }
}

/// Each form: for every step, a symbol that can be typeset, a name, a sentence and an explanation, in both languages.
TEST(Reverse, EveryStepOfEveryFormHasSymbolNameAndSentence) {
    for (const attn::Form& form : attn::forms()) {
        attn::Document doc;
        doc.text = "the tired cat";
        attn::choose_form(doc, form.id);
        const auto run = attn::run(doc);
        ASSERT_TRUE(run.ok());
        for (attn::StepId id = run->trace.size(); id-- > 0 && !doc.gradient;)
            if (run->trace[id].op != attn::Op::Draw && run->trace[id].value.size() > 0)
                doc.gradient = attn::GradientOf{false, run->trace[id].tag, 0, 0};
        const auto back = attn::run(doc);
        ASSERT_TRUE(back.ok());
        ASSERT_FALSE(back->no_gradient) << form.id;
        const attn::Trace& trace = back->trace;
        const Timeline timeline = make_timeline(trace, attn::kNoHead);
        for (const Language language : {Language::English, Language::Chinese}) {
            const AxisLabels labels = labels_of(trace, language);
            for (attn::StepId id = run->trace.size(); id < trace.size(); ++id) {
                for (const auto convention : {attn::Convention::Rows, attn::Convention::Columns})
                    EXPECT_TRUE(parse_formula(symbol_of(trace, id, convention)).ok()) << symbol_of(trace, id, convention);
                EXPECT_FALSE(name_of(trace, id, language).empty());
                if (trace[id].value.size() == 0) continue;
                for (const Moment moment : {Moment::Cell, Moment::All})
                    EXPECT_FALSE(caption({*back, labels, id, moment, {id, 0, 0}, News::Usual, language}).empty()) << attn::step_name(trace[id].tag);
                const Inspection in = inspect(trace, {id, 0, 0}, labels, language, attn::Convention::Rows);
                EXPECT_FALSE(in.matrix.empty());
                for (const Substitution::Line& line : substitute(trace, {id, 0, 0}, language, attn::Convention::Rows).lines)
                    EXPECT_TRUE(parse_formula(line.text).ok()) << line.text;
            }
        }
        EXPECT_GT(std::count_if(timeline.stops.begin(), timeline.stops.end(), [](const Stop& stop) { return stop.reverse; }), 0) << form.id;
    }
}

TEST(Reverse, ItsSymbolNamesItsVariable) {
    const Bench bench(turned_back());
    const attn::Trace& trace = bench.derived.run->trace;
    EXPECT_EQ(symbol_of(trace, attn::find_id(trace, attn::Tag{Role::Queries}.of_pass(1)), attn::Convention::Rows), "{\\g \\partial y/\\partial}\\,{\\q Q}");
    attn::Document loss;
    loss.text = "good day";
    loss.source = "the tired cat";
    attn::choose_form(loss, "decoder");
    loss.gradient = attn::GradientOf{true, {}, 0, 0};
    const auto run = attn::run(loss);
    ASSERT_TRUE(run.ok()) << run.error().text();
    EXPECT_EQ(letter_of_objective(run->trace), "L");
}

TEST(Reverse, LeavingItReturnsToTheStepOfTheGradient) {
    Bench bench(turned_back());
    bench.view().playhead = {attn::Tag{Role::Weights, 0}.of_pass(1), 0.4};
    bench.view().pinned = CellRef{attn::Tag{Role::Queries, 0}.of_pass(1), 1, 1};
    bench.act(EditDocument{[](attn::Document& d) { d.gradient.reset(); }});
    EXPECT_EQ(bench.view().playhead, (Playhead{{Role::Weights, 0}, 1}));
    EXPECT_EQ(bench.view().pinned, (CellRef{{Role::Queries, 0}, 1, 1}));
    bench.act(Undo{});
    EXPECT_TRUE(bench.state.document.gradient);
}

/// Code that shows a run's attention does not take a gradient for it.
TEST(Reverse, DoesNotCountAsAttentionOfTheRun) {
    attn::Document plain = turned_back();
    plain.gradient.reset();
    Bench without(plain), with(turned_back());
    for (Bench* bench : {&without, &with})
        bench->act(ChangeView{[](ViewState& v) { v.screen = Screen::Flow; }});
    EXPECT_EQ(attn::attention_maps(with.derived.run->trace).size(), attn::attention_maps(without.derived.run->trace).size());
    EXPECT_EQ(with.derived.flow.nodes.size(), without.derived.flow.nodes.size());
    EXPECT_EQ(with.derived.places.size(), without.derived.places.size());
}

}  // namespace
