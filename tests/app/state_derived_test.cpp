// What is derived from the state, and when it is derived again.

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <semaphore>
#include <set>

#include "app/screens/experiments/experiments.h"
#include "app/state/screens.h"
#include "core/analysis/telling.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/remake/remake.h"
#include "tests/app/state_fixture.h"

namespace {

using namespace app;
using app_test::Bench;
using app_test::document_of;
using app_test::large_document;
using attn::Role;

TEST(Deriver, GenerationChangesWithTheComputationOnly) {
    Bench b(document_of("the tired cat sat down", 2));
    const auto generation = b.derived.generation;
    const auto computed = b.derived.computed;
    for (const Action& action : std::initializer_list<Action>{
             Play{true}, Advance{0.05}, Seek{3}, StepBy{1}, ChooseHead{1}, Pin{b.cell(Role::Weights, 1, 0, 0)},
             PointAt{b.cell(Role::Scores, 1, 0, 0)}, becomes(b.state.view), becomes(b.state.document)})
        b.act(action);
    EXPECT_EQ(b.derived.generation, generation);
    EXPECT_EQ(b.derived.computed, computed);
    b.edit(document_of("the tired cat sat up", 2));
    EXPECT_NE(b.derived.generation, generation);
}

TEST(Deriver, TheComputationIsTheEngines) {
    Bench b;
    const auto run = attn::run(b.state.document);
    ASSERT_TRUE(run);
    ASSERT_EQ(b.derived.run->trace.size(), run->trace.size());
    for (attn::StepId id = 0; id < run->trace.size(); ++id)
        EXPECT_TRUE(b.derived.run->trace[id].value == run->trace[id].value) << id;
    EXPECT_EQ(b.derived.computed->ranges.size(), run->trace.steps.size());
    EXPECT_EQ(b.derived.labels.tokens, run->trace.tokens);
}

TEST(Deriver, RangesExcludeNonFiniteNumbers) {
    Bench b(document_of("the tired cat", 1, "causal"));
    const attn::StepId masked = attn::find_id(b.derived.run->trace, {Role::Masked});
    ASSERT_NE(masked, attn::kNoStep);
    const StepRange range = b.derived.computed->ranges[static_cast<std::size_t>(masked)];
    EXPECT_TRUE(std::isfinite(range.low) && std::isfinite(range.high));
    EXPECT_LE(range.low, range.high);
    EXPECT_FLOAT_EQ(range.largest(), std::max(std::abs(range.low), std::abs(range.high)));
}

TEST(Deriver, AnErrorKeepsTheLastGoodRun) {
    Bench b;
    const auto generation = b.derived.generation;
    b.edit(document_of("the tired cat sat down", 3));  // 3 does not divide 8
    ASSERT_TRUE(b.derived.error);
    EXPECT_EQ(b.derived.generation, generation);
    EXPECT_EQ(b.derived.run->trace.tokens.size(), 5u);
    b.act(Undo{});
    EXPECT_FALSE(b.derived.error);
}

TEST(Deriver, AFirstDocumentThatCannotBeRunShowsNothing) {
    Bench b(document_of("cat", 3));
    EXPECT_TRUE(b.derived.error);
    ASSERT_TRUE(b.derived.computed);
    EXPECT_EQ(b.derived.run->trace.size(), 0);
    EXPECT_TRUE(b.derived.timeline.stops.empty());
    EXPECT_FALSE(b.derived.focus);
}

TEST(Deriver, NoTokens) {
    for (const char* text : {"", "   ", "\xEF\xBB\xBF"}) {
        Bench b(document_of(text));
        EXPECT_FALSE(b.derived.error);
        EXPECT_TRUE(b.derived.run->trace.tokens.empty());
        EXPECT_EQ(b.derived.pose.step, attn::kNoStep);
        EXPECT_EQ(b.derived.last_rest(), 0);
    }
}

TEST(Deriver, LargeDocumentsAreComputedOnAThread) {
    Bench b;
    const auto generation = b.derived.generation;
    b.edit(large_document());
    EXPECT_EQ(b.derived.run->trace.tokens.size(), 5u);  // the last picture stays …
    EXPECT_TRUE(b.derived.computing);
    b.deriver.finish(b.state, b.derived);
    EXPECT_FALSE(b.derived.computing);  // … until the new one is ready
    EXPECT_EQ(b.derived.run->trace.tokens.size(), 400u);
    EXPECT_EQ(b.derived.generation, generation + 1);
}

TEST(Deriver, AResultWakesTheWindow) {
    Bench b;
    std::counting_semaphore<> woken{0};
    b.deriver.on_ready([&](JobEnd) { woken.release(); });
    b.edit(large_document());
    while (b.derived.computing) {  // on a slow machine it is woken for progress, too
        woken.acquire();
        b.deriver.refresh(b.state, b.derived);
    }
    EXPECT_FALSE(b.deriver.ready());
    EXPECT_EQ(b.derived.run->trace.tokens.size(), 400u);
}

/// While a long run is computed, the share that is done grows and wakes the window; undoing the edit cancels it.
TEST(Deriver, ALongRunReportsHowMuchIsDone) {
    attn::Document large = large_document();
    large.config.form = "encoder";
    large.config.heads = 2;
    large.config.layers = 8;
    for (int i = 0; i < 2000; ++i) large.text += " cat";
    Bench b;
    std::counting_semaphore<> woken{0};
    b.deriver.on_ready([&](JobEnd) { woken.release(); });
    b.edit(large);
    EXPECT_TRUE(b.derived.computing);
    EXPECT_EQ(b.derived.share, 0);
    std::set<float> shares;
    while (b.derived.computing && shares.empty()) {
        woken.acquire();
        b.deriver.refresh(b.state, b.derived);
        if (b.derived.computing && b.derived.share > 0) shares.insert(b.derived.share);
    }
    ASSERT_FALSE(shares.empty());
    EXPECT_GT(*shares.begin(), 0);
    EXPECT_LT(*shares.rbegin(), 1);
    ASSERT_TRUE(b.derived.computing);
    const auto before = std::chrono::steady_clock::now();
    b.act(app::Undo{});
    EXPECT_FALSE(b.derived.computing);
    EXPECT_EQ(b.derived.run->trace.tokens.size(), 5u);
    b.deriver.finish(b.state, b.derived);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5)) << "the run is given up, not awaited";
    EXPECT_EQ(b.derived.run->trace.tokens.size(), 5u) << "a late result is not shown";
}

TEST(Deriver, OldResultsAreDropped) {
    Bench b;
    const auto generation = b.derived.generation;
    b.edit(large_document(1));
    b.edit(large_document(2));
    b.edit(document_of("早上好"));  // at once: the result in progress is no longer needed
    EXPECT_FALSE(b.derived.computing);
    EXPECT_EQ(b.derived.generation, generation + 1);
    b.edit(large_document(3));
    b.deriver.finish(b.state, b.derived);
    EXPECT_EQ(b.derived.generation, generation + 2);
    const auto expected = attn::run(large_document(3));
    const auto* output = attn::find(b.derived.run->trace, {Role::Output});
    ASSERT_TRUE(expected && output);
    EXPECT_TRUE(output->value == attn::find(expected->trace, {Role::Output})->value);
}

TEST(Deriver, LargeDocumentsReportErrorsToo) {
    Bench b;
    attn::Document wrong = large_document();
    wrong.config.heads = 3;
    b.edit(wrong);
    b.deriver.finish(b.state, b.derived);
    EXPECT_FALSE(b.derived.computing);
    EXPECT_TRUE(b.derived.error);
    EXPECT_EQ(b.derived.run->trace.tokens.size(), 5u);
}

TEST(Deriver, EndsWhileItComputes) {
    Bench b;
    b.edit(large_document());  // no crash, no leak: the sanitizers check this
}

TEST(Deriver, TheFocusIsPointedOrPinnedOrShown) {
    Bench b;
    const attn::StepId shown = b.derived.pose.step;
    const auto pair = attn::telling_pair(b.derived.run->trace, shown);
    ASSERT_TRUE(pair);
    EXPECT_EQ(b.derived.focus, attn::telling_cell(b.derived.run->trace, shown, *pair));
    EXPECT_FALSE(b.derived.focus_pinned);
    b.act(Pin{b.cell(Role::Weights, attn::kNoHead, 1, 2)});
    const attn::StepId weights = attn::find_id(b.derived.run->trace, {Role::Weights});
    EXPECT_EQ(b.derived.focus, (attn::Cell{weights, 1, 2}));
    EXPECT_TRUE(b.derived.focus_pinned);
    b.act(PointAt{b.cell(Role::Weights, attn::kNoHead, 0, 0)});
    EXPECT_EQ(b.derived.focus, (attn::Cell{weights, 0, 0}));
    EXPECT_EQ(b.derived.inspection.cell, b.derived.focus);
}

TEST(Deriver, AMissingPinFallsBackToTheShownCell) {
    Bench b;
    b.act(Pin{b.cell(Role::Weights, attn::kNoHead, 4, 4)});
    b.edit(document_of("a cat"));
    ASSERT_TRUE(b.derived.focus);
    EXPECT_EQ(b.derived.focus->step, b.derived.pose.step);
    b.act(Undo{});  // and is restored with its place
    EXPECT_TRUE(b.derived.focus_pinned);
}

TEST(Deriver, LabelsFollowTheLanguage) {
    Bench b;
    const auto generation = b.derived.generation;
    ASSERT_FALSE(b.derived.labels.features.empty());
    EXPECT_EQ(b.derived.labels.features.front(), "living");
    ViewState view = b.state.view;
    view.language = Language::Chinese;
    b.act(becomes(view));
    EXPECT_EQ(b.derived.labels.features.front(), "生物");
    EXPECT_EQ(b.derived.generation, generation);
}

TEST(Deriver, TheTimelineFollowsTheHead) {
    Bench b(document_of("the tired cat", 2));
    const auto head_of = [&] {
        for (const Stop& stop : b.derived.timeline.stops)
            if (const int head = b.derived.run->trace[stop.step].tag.head; head != attn::kNoHead) return head;
        return attn::kNoHead;
    };
    EXPECT_EQ(head_of(), 0);
    b.act(ChooseHead{1});
    EXPECT_EQ(head_of(), 1);
}

/// The story of a head follows one word, also through the steps that all heads share.
TEST(Deriver, AStoryFollowsOneWordOfItsHead) {
    attn::Document doc;
    doc.text = "the small girl who saw the old house last year gave the big dog a red ball because she was very hungry";
    attn::take_model(doc, attn::shipped_model("questions"));
    Bench b(doc);
    for (int head = 0; head < doc.config.heads; ++head) {
        b.act(ChooseHead{head});
        const attn::Trace& trace = b.derived.run->trace;
        std::set<int> asking;
        for (int stop = 0; stop <= b.last_stop(); ++stop) {
            b.act(GoToStop{stop, 1});
            ASSERT_TRUE(b.derived.explained);
            const Role role = trace[b.derived.explained->step].tag.role;
            if (role == Role::Embeddings || role == Role::Queries || role == Role::Scores || role == Role::Weights || role == Role::Output)
                asking.insert(b.derived.explained->row);
        }
        EXPECT_EQ(asking.size(), 1u) << "head " << head + 1;
    }
}

/// If the last step changes nothing, the end of the story is still about the weights.
TEST(Deriver, AStoryEndsWithTheAnswer) {
    Bench b;
    attn::Document doc = app_test::document_of("早上好");
    doc.weights = "identity";
    b.edit(doc);
    b.act(GoToStop{b.last_stop(), 1});
    EXPECT_FALSE(b.derived.ending);
    b.act(PlayNext{});
    ASSERT_TRUE(b.derived.ending);
    EXPECT_EQ(b.derived.ending->arrived, 1);
    EXPECT_NE(b.derived.caption.text().find("looks at"), std::string::npos) << b.derived.caption.text();
}

TEST(Deriver, RestBelongsToTheStopThatMoved) {
    Bench b;
    b.act(GoToStop{1, 1});
    b.act(Play{true});
    ASSERT_GT(b.derived.timeline.stops[1].rest, 0.4);
    for (int i = 0; i < 4; ++i) b.pass(0.1);
    EXPECT_EQ(b.derived.pose.stop, 1);
    EXPECT_DOUBLE_EQ(b.derived.pose.progress, 1);
    EXPECT_NEAR(b.derived.time, time_of(b.derived.timeline, 1, 1) + 0.4, 1e-9);
}

/// The parts that an action derives again, by name.
std::map<std::string_view, int> remade_by(Bench& b, const Action& action) {
    const auto before = b.deriver.made();
    b.act(action);
    std::map<std::string_view, int> out;
    for (const auto& [part, count] : b.deriver.made())
        if (count != before.at(part)) out[part] = count - before.at(part);
    return out;
}

std::map<std::string_view, int> remade_by_screen(Bench& b, Screen screen) {
    return remade_by(b, ChangeView{[screen](ViewState& v) { v.screen = screen; }});
}

using Remade = std::map<std::string_view, int>;

TEST(Deriver, NothingIsDerivedAgainWithoutAChange) {
    for (const ScreenRow& row : screens()) {
        Bench b(document_of("the tired cat sat down", 2));
        remade_by_screen(b, row.screen);
        EXPECT_EQ(remade_by(b, ChangeView{[](ViewState&) {}}), Remade{}) << row.id;
        EXPECT_EQ(remade_by(b, PointAt{}), Remade{}) << row.id;
    }
}

/// One refresh is enough: no part is derived from an outdated one.
TEST(Deriver, TheOrderOfItsPartsDoesNotMatter) {
    for (const ScreenRow& row : screens()) {
        Bench b(document_of("the tired cat sat down", 2));
        remade_by_screen(b, row.screen);
        for (const Action& action : {Action{becomes(document_of("a cat sat up", 2))}, Action{ChooseHead{1}},
                                     Action{Pin{b.cell(Role::Weights, 1, 1, 0)}}, Action{Undo{}}}) {
            b.act(action);
            const auto made = b.deriver.made();
            const auto focus = b.derived.focus;
            b.deriver.refresh(b.state, b.derived);
            EXPECT_EQ(b.deriver.made(), made) << row.id;
            EXPECT_EQ(b.derived.focus, focus) << row.id;
        }
    }
}

/// The second run is derived separately: nothing that depends on the first is derived again.
TEST(Deriver, EnteringCompareDerivesNothingElse) {
    attn::Document document = document_of("the tired cat sat down", 2);
    document.edits.push_back({{Role::Scores, 0}, 0, 0, 2.0f});
    Bench b(document);
    const auto generation = b.derived.generation;
    EXPECT_EQ(remade_by_screen(b, Screen::Compare), (Remade{{"compare", 1}, {"edit_change", 1}}));
    EXPECT_EQ(b.derived.generation, generation);
    EXPECT_EQ(remade_by_screen(b, Screen::Stage), (Remade{{"edit_change", 1}}));
    EXPECT_EQ(remade_by_screen(b, Screen::Experiments), (Remade{{"experiments", 1}}));
    EXPECT_EQ(remade_by_screen(b, Screen::Heads), (Remade{{"heads", 1}, {"inspection", 1}}));
    EXPECT_EQ(remade_by_screen(b, Screen::Flow), (Remade{{"flow", 1}, {"inspection", 1}, {"map", 1}, {"places", 1}}));
    EXPECT_EQ(remade_by_screen(b, Screen::Experiments), Remade{});
}

/// The paths of a long text take a tenth of a second: until they are ready the page is drawn without them.
TEST(Deriver, PathsOfALongTextAreMeasuredOnAThread) {
    Bench b(large_document());
    b.act(ChangeView{[](ViewState& v) {
        v.screen = Screen::Experiments;
        v.part<ExperimentsLook>().page = "paths";
    }});
    EXPECT_TRUE(b.deriver.busy() || b.deriver.ready());
    EXPECT_EQ(b.derived.part<ExperimentData>().paths.n, 0);
    b.deriver.finish(b.state, b.derived);
    EXPECT_EQ(b.derived.part<ExperimentData>().paths.n, 400);
    // With another end the old paths stay until the new ones are computed.
    b.act(ChangeView{[](ViewState& v) { v.part<ExperimentsLook>().paths.to = 7; }});
    EXPECT_EQ(b.derived.part<ExperimentData>().paths.n, 400);
    EXPECT_EQ(b.derived.part<ExperimentData>().paths.to, 399);
    b.deriver.finish(b.state, b.derived);
    EXPECT_EQ(b.derived.part<ExperimentData>().paths.to, 7);
    // Another run has other tokens.
    b.edit(document_of("a short text"));
    EXPECT_EQ(b.derived.part<ExperimentData>().paths.n, 3);
}

/// A new memory budget computes everything again: what was refused or accepted before may change.
TEST(Deriver, AnotherMemoryBudgetComputesAgain) {
    Bench b;
    const double before = attn::memory_budget();
    const auto generation = b.derived.generation;
    b.act(ChangeView{[](ViewState& v) { v.memory = 4096; }});
    EXPECT_EQ(attn::memory_budget(), 4096 * kMiB);
    EXPECT_GT(b.derived.generation, generation);
    b.act(ChangeView{[](ViewState& v) { v.memory = 0; }});
    EXPECT_EQ(attn::memory_budget(), attn::usual_memory_budget());
    attn::set_memory_budget(before);
}

}  // namespace
