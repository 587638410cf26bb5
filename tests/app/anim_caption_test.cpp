// The caption of a moment: every possible step has one in both languages, and it is true.

#include "app/explain/caption.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/content/number_text.h"
#include "app/explain/inspection.h"
#include "app/state/examples.h"
#include "core/analysis/telling.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"

namespace {

using namespace app;
using attn::Op;
using attn::Role;
using testing::HasSubstr;

constexpr Language kBoth[] = {Language::English, Language::Chinese};
constexpr Moment kMoments[] = {Moment::Cell, Moment::Row, Moment::All};

attn::Document of_form(std::string_view form, std::string_view text = "the tired cat sat") {
    attn::Document doc;
    doc.text = text;
    attn::choose_form(doc, form);
    if (form != "raw") doc.weights = "random";
    return doc;
}

struct Captions {
    attn::Run run;
    Timeline timeline;

    explicit Captions(const attn::Document& document, WalkPace pace = WalkPace::Story)
        : run(*attn::run(document)),
          timeline(make_timeline(run.trace, document.config.heads > 1 ? 0 : attn::kNoHead, pace)) {}

    Caption at(const Stop& stop, Moment moment, Language language, News news) const {
        const AxisLabels labels = labels_of(run.trace, language);
        const auto pair = attn::telling_pair(run.trace, stop.step);
        const attn::Cell cell = pair ? attn::telling_cell(run.trace, stop.step, *pair) : attn::Cell{stop.step, 0, 0};
        return caption({run, labels, stop.step, moment, cell, news, language});
    }
    Caption at(Role role, Moment moment, Language language = Language::English) const {
        for (const Stop& stop : timeline.stops)
            if (run.trace[stop.step].tag.role == role) return at(stop, moment, language, stop.news);
        return {};
    }
    std::string said(const Stop& stop, Moment moment, Language language, News news) const {
        return at(stop, moment, language, news).text();
    }
    std::string said(Role role, Moment moment, Language language = Language::English) const {
        return at(role, moment, language).text();
    }
};

/// Characters as they are counted on a page: bytes that begin one.
std::size_t letters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

TEST(Caption, ExistsForEveryRoleOperationAndLanguage) {
    attn::Run run = *attn::run(of_form("multi_head", "a b"));
    attn::Step source, made;
    source.value = attn::Matrix::Ones(2, 2);
    source.rows.kind = attn::Axis::Kind::Tokens;
    made = source;
    made.inputs = {0, 0};
    run.trace.steps = {source, made};
    for (const Language language : kBoth) {
        const AxisLabels labels = labels_of(run.trace, language);
        for (int role = 0; role < attn::kRoleCount; ++role)
            for (int op = 0; op < attn::kOpCount; ++op)
                for (const Moment moment : kMoments) {
                    attn::Step& step = run.trace.steps[1];
                    step.op = static_cast<Op>(op);
                    step.tag.role = static_cast<Role>(role);
                    const std::string text =
                        caption({run, labels, 1, moment, {1, 1, 1}, News::Usual, language}).text();
                    ASSERT_FALSE(text.empty()) << attn::role_id(step.tag.role) << " " << attn::op_id(step.op);
                    ASSERT_EQ(text.find('{'), std::string::npos) << text;
                }
    }
}

/// A number that is not 0 is never written as 0.00.
TEST(Caption, WritesSmallNumbersWithSignificantDigits) {
    attn::Run run;
    attn::Step source, made;
    source.value = attn::Matrix::Ones(2, 2);
    made.value = attn::Matrix::Constant(1, 1, 0.0042f);
    made.inputs = {0};
    made.op = Op::Penalty;
    made.tag.role = Role::Penalty;
    run.trace.steps = {source, made};
    for (const Language language : kBoth)
        EXPECT_THAT(caption({run, labels_of(run.trace, language), 1, Moment::All, {1, 0, 0}, News::Usual, language}).text(), testing::HasSubstr("0.0042"));
}

TEST(Caption, IsShortInEveryForm) {
    for (const attn::Form& form : attn::forms()) {
        attn::Document doc = of_form(form.id);
        const auto run = attn::run(doc);
        ASSERT_TRUE(run) << form.id << run.error().text();
        const Captions captions(doc, WalkPace::Deep);
        for (const Stop& stop : captions.timeline.stops)
            for (const Moment moment : kMoments)
                for (const News news : {News::Nothing, News::Again, News::Usual}) {
                    const std::string english = captions.said(stop, moment, Language::English, news),
                                      chinese = captions.said(stop, moment, Language::Chinese, news);
                    EXPECT_GT(letters(english), 3u);
                    EXPECT_LE(letters(english), 90u) << english;
                    EXPECT_GE(letters(chinese), 2u);
                    EXPECT_LE(letters(chinese), 50u) << chinese;
                }
    }
}

TEST(Caption, OfTheOpening) {
    const Captions captions(opening_document(Language::English));
    EXPECT_THAT(captions.said(Role::Scores, Moment::Cell), HasSubstr("asks “"));
    const attn::StepId weights = attn::find_id(captions.run.trace, {Role::Weights, 0});
    const auto pair = attn::telling_pair(captions.run.trace, weights);
    ASSERT_TRUE(pair);
    const std::string& who = captions.run.trace.tokens[static_cast<std::size_t>(pair->query)];
    const std::string& whom = captions.run.trace.tokens[static_cast<std::size_t>(pair->key)];
    const std::string share = fmt::format("{:.0f}%", 100 * captions.run.trace[weights].value(pair->query, pair->key));
    EXPECT_EQ(captions.said(Role::Weights, Moment::All),
              fmt::format("“{}” asks; “{}” answers loudest: {} of its attention", who, whom, share));
    EXPECT_THAT(captions.said(Role::Weights, Moment::All, Language::Chinese), HasSubstr(share));
}

/// While the other numbers of the row are highlighted, the caption is about the row, not about the explained number alone.
TEST(Caption, IsAboutTheRowWhileItsNumbersAreHighlighted) {
    for (const attn::Form& form : attn::forms()) {
        const Captions captions(of_form(form.id), WalkPace::Deep);
        for (const Stop& stop : captions.timeline.stops) {
            const attn::Step& step = captions.run.trace[stop.step];
            if (step.op != Op::MatMul || step.value.cols() < 2 || stop.reverse || step.tag.pass != 0) continue;
            const auto pair = attn::telling_pair(captions.run.trace, stop.step);
            const attn::Cell cell = pair ? attn::telling_cell(captions.run.trace, stop.step, *pair) : attn::Cell{stop.step, 0, 0};
            const std::string number = telling_text(step.value(cell.row, cell.col));
            for (const Language language : kBoth)
                EXPECT_EQ(captions.said(stop, Moment::Row, language, News::Usual).find(": " + number), std::string::npos) << form.id << " " << attn::step_name(step.tag);
        }
    }
    const Captions opening(opening_document(Language::English));
    EXPECT_THAT(opening.said(Role::Scores, Moment::Row), HasSubstr("asks all the others"));
    EXPECT_THAT(opening.said(Role::Scores, Moment::All), HasSubstr("answers loudest"));
}

TEST(Caption, CallsTheOutputAChangeIfThereIsAResidual) {
    const Captions residual(of_form("encoder")), none(of_form("multi_head"));
    EXPECT_THAT(residual.said(Role::Attended, Moment::Cell), HasSubstr("into the change that is added to it"));
    EXPECT_THAT(residual.said(Role::Attended, Moment::Cell, Language::Chinese), HasSubstr("要加给它的改变"));
    EXPECT_THAT(none.said(Role::Output, Moment::Cell), HasSubstr("into its new vector"));
}

TEST(Caption, AWeightIsAPercentage) {
    EXPECT_EQ(weight_text(0.944), "94%");
    EXPECT_EQ(weight_text(1), "100%");
    EXPECT_EQ(weight_text(0), "0%");
    EXPECT_EQ(weight_text(0.997), "99.7%");
    EXPECT_EQ(weight_text(0.9996), ">99.9%");
    EXPECT_EQ(weight_text(static_cast<double>(0.9999999f)), "100%") << "a sum of weights, rounded";
    EXPECT_EQ(weight_text(0.0042), "0.4%");
    EXPECT_EQ(weight_text(0.00001), "<0.01%");
    const Captions captions(opening_document(Language::English));
    for (const Moment moment : {Moment::Row, Moment::All})
        for (const Role role : {Role::Weights, Role::HeadOutput})
            for (const Language language : kBoth) EXPECT_THAT(captions.said(role, moment, language), HasSubstr("%"));
    EXPECT_THAT(captions.said(Role::HeadOutput, Moment::All), HasSubstr(" takes most from “"));
    EXPECT_THAT(captions.said(Role::HeadOutput, Moment::All, Language::Chinese), HasSubstr("取得最多："));
}

TEST(Caption, AnEncodersOutputIsNotAnAnnotation) {
    const Captions translation(of_form("decoder"));
    for (const attn::Step& step : translation.run.trace.steps) {
        if (step.tag.role != Role::Annotations) continue;
        const attn::StepId id = attn::find_id(translation.run.trace, step.tag);
        EXPECT_EQ(name_of(translation.run.trace, id, Language::English), "encoder output");
        EXPECT_EQ(name_of(translation.run.trace, id, Language::Chinese), "编码器输出");
        return;
    }
    FAIL() << "no output of an encoder";
}

TEST(Caption, SaysPlainlyThatNothingChanges) {
    attn::Document doc = of_form("multi_head");
    doc.weights = "identity";
    const Captions captions(doc);
    EXPECT_EQ(captions.said(Role::Queries, Moment::All), "W_Q is the identity: nothing changes");
    EXPECT_EQ(captions.said(Role::Queries, Moment::All, Language::Chinese), "W_Q 是单位矩阵，什么都不变");
    for (const Language language : {Language::English, Language::Chinese})
        EXPECT_TRUE(captions.at(Role::Queries, Moment::All, language).parts.front().formula) << "set as on the stage";
}

TEST(Caption, OfAWhollyMaskedRow) {
    attn::Document doc = of_form("raw", "a b c");
    doc.config.mask = "drawn";
    doc.mask_pattern = attn::Matrix::Ones(3, 3);
    doc.mask_pattern.row(1).setZero();
    const Captions captions(doc);
    const attn::StepId weights = attn::find_id(captions.run.trace, {Role::Weights});
    const AxisLabels labels = labels_of(captions.run.trace, Language::English);
    EXPECT_EQ(caption({captions.run, labels, weights, Moment::All, {weights, 1, 0}, News::Telling}).text(),
              "“b” may look at nothing: all its weights are 0");
}

/// A state takes its part of words that were projected together before: the first state has no previous one.
TEST(Caption, OfGatedUnitsExplainsEachNumber) {
    attn::Document doc = of_form("bahdanau", "I saw it");
    doc.config.unit = "gru";
    const Captions captions(doc);
    const auto of = [&](Role role, int time, Op op) {
        for (const Stop& stop : captions.timeline.stops) {
            const attn::Step& step = captions.run.trace[stop.step];
            if (step.tag.role != role || step.tag.time != time || step.op != op) continue;
            EXPECT_NE(stop.news, News::Again) << attn::role_id(role);
            return captions.said(stop, Moment::Cell, Language::English, stop.news);
        }
        return std::string("no such step");
    };
    EXPECT_EQ(of(Role::UpdateProducts, 0, Op::Input), "No word comes before the first: zeros take its place");
    EXPECT_EQ(of(Role::UpdateProducts, 1, Op::SliceRows), "What the word before contributes");
    EXPECT_EQ(of(Role::Update, 0, Op::Activate), "The update gate lets in this much of the new state");
    EXPECT_EQ(of(Role::KeptState, 0, Op::Multiply), "What the reset gate leaves of the old state");
    EXPECT_EQ(of(Role::MinusState, 0, Op::Scale), "With the opposite sign");
    EXPECT_EQ(of(Role::State, 0, Op::Add), "The old state plus the change that was let in");
}

TEST(Caption, OfCrossAttentionNamesTheOtherText) {
    for (const std::string_view form : {"cross", "bahdanau", "luong"})
        EXPECT_THAT(Captions(of_form(form)).said(Role::Output, Moment::All), HasSubstr("something of what it looked at")) << form;
    EXPECT_THAT(Captions(of_form("multi_head")).said(Role::Output, Moment::All), HasSubstr("something of the others"));
}

/// In a stack that ends in a norm, heads were mixed long before, and an encoder of a Transformer has no two directions.
TEST(Caption, OfAStackThatEndsInANormNamesTheNorm) {
    for (const std::string_view model : {"language", "translation"}) {
        attn::Document doc;
        attn::take_model(doc, attn::shipped_model(model));
        const Captions captions(doc);
        const AxisLabels labels = labels_of(captions.run.trace, Language::English);
        int ends = 0;
        for (const Stop& stop : captions.timeline.stops) {
            const attn::Step& step = captions.run.trace[stop.step];
            const bool norm = step.op == Op::LayerNorm || step.op == Op::RmsNorm;
            if ((step.tag.role != Role::Output && step.tag.role != Role::Annotations) || !norm) continue;
            ++ends;
            EXPECT_THAT(caption({captions.run, labels, stop.step, Moment::All, {stop.step, 0, 0}, News::Usual}).text(), HasSubstr("brought to the common scale")) << model;
            EXPECT_EQ(say_of(captions.run, stop.step), Str::say_norm) << model;
        }
        EXPECT_GE(ends, 1) << model;
    }
}

TEST(Caption, WritesATokenWithoutItsSpaceMarker) {
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("language"));
    doc.text = "the Lord said unto the";
    const Captions captions(doc);
    for (const Stop& stop : captions.timeline.stops) EXPECT_EQ(captions.said(stop, Moment::All, Language::English, stop.news).find("␣"), std::string::npos);
}

/// The token attends to itself, not to another token with the same text.
TEST(Caption, OfANearlyUniformRow) {
    const auto said_of = [](const Captions& captions, int token) {
        const attn::StepId weights = attn::find_id(captions.run.trace, {Role::Weights});
        const AxisLabels labels = labels_of(captions.run.trace, Language::English);
        return std::pair(caption({captions.run, labels, weights, Moment::All, {weights, token, token}, News::Telling}).text(),
                         100 * captions.run.trace[weights].value(token, token));
    };
    attn::Document warm = of_form("raw", "早上好");
    warm.config.temperature = 4;
    const auto [even, of_even] = said_of(Captions(warm), 1);
    EXPECT_EQ(even, fmt::format("“上” looks at all about equally; most at itself: {:.0f}%", of_even));
    // 0.36, 0.49 and 0.15: the largest is below one and a half times the uniform weight, but the weights are not equal.
    const auto [uneven, of_uneven] = said_of(Captions(of_form("raw", "早上好")), 1);
    EXPECT_EQ(uneven, fmt::format("“上” looks at itself most: {:.0f}% of its attention", of_uneven));
    // Two thirds and one third are not alike.
    attn::Document two = of_form("bahdanau", "早上好");
    two.weights = attn::Document().weights;
    const Captions captions(two);
    const AxisLabels labels = labels_of(captions.run.trace, Language::English);
    attn::StepId last = attn::kNoStep;
    for (attn::StepId id = 0; id < captions.run.trace.size(); ++id)
        if (captions.run.trace[id].tag.role == Role::Weights && captions.run.trace[id].value.rows() == 1) last = id;
    ASSERT_NE(last, attn::kNoStep);
    ASSERT_NEAR(captions.run.trace[last].value(0, 0), 0.66f, 0.01f);
    EXPECT_THAT(caption({captions.run, labels, last, Moment::All, {last, 0, 0}, News::Telling}).text(), Not(HasSubstr("equally")));
}

TEST(StoryPace, TheWholeWalkEndsBySecond24) {
    for (const std::string_view id : {"asked", "asked_zh", "asked_cat", "cat", "morning", "heads", "causal", "animal"}) {
        const Captions captions(example_document(id).document);
        EXPECT_GE(captions.timeline.length(), 20) << id;
        EXPECT_LE(captions.timeline.length(), 24) << id;
        EXPECT_NE(ends_on(captions.run.trace, 0), attn::kNoStep) << id;
        EXPECT_EQ(captions.timeline.stops.back().rest, kStepSeconds + kArcsSeconds) << id;
    }
    for (const std::string_view id : {"encoder", "generate", "translation"}) {
        const Captions captions(example_document(id).document);
        EXPECT_LE(captions.timeline.length(), 32) << id;
    }
}

/// Two layers: the first finds what decides the meaning of the pronoun; the second, at no higher speed, the referent.
TEST(StoryPace, TheSecondOfTwoLayersIsAsSlowAndEndsTheStory) {
    for (const std::string_view id : {"tired", "wide", "tired_zh"}) {
        const Captions captions(example_document(id).document);
        EXPECT_LE(captions.timeline.length(), 32) << id;
        const auto stop_with = [&](Role role, int layer) {
            const auto& stops = captions.timeline.stops;
            const auto at = std::find_if(stops.begin(), stops.end(), [&](const Stop& stop) {
                const attn::Tag& tag = captions.run.trace[stop.step].tag;
                return tag.role == role && tag.layer == layer;
            });
            EXPECT_NE(at, stops.end()) << id;
            return at == stops.end() ? Stop{} : *at;
        };
        const Stop first = stop_with(Role::Weights, 0), second = stop_with(Role::Weights, 1);
        EXPECT_EQ(first.news, News::Telling) << id;
        EXPECT_EQ(second.news, News::Telling) << id;
        EXPECT_GE(first.motion + first.rest, 3) << id;
        EXPECT_NEAR(second.motion + second.rest, first.motion + first.rest, 0.01) << id;
        EXPECT_GE(stop_with(Role::Scores, 1).motion, 0.6) << id << ": what they are made of is seen";
        // The last picture is the arc of the second layer.
        EXPECT_EQ(ends_on(captions.run.trace, 0), second.step) << id;
        EXPECT_EQ(captions.timeline.stops.back().rest, kStepSeconds + kArcsSeconds) << id;
    }
    attn::Document goes_on;
    attn::take_model(goes_on, attn::shipped_model("language"));
    const attn::Trace trace = Captions(goes_on).run.trace;
    EXPECT_NE(ends_before(trace, ends_on(trace, 0)), attn::kNoStep) << "it ends on the words that may come";
    for (const std::string_view model : {"translation", "alignment"}) {
        attn::Document doc;
        attn::take_model(doc, attn::shipped_model(model));
        const Captions captions(doc);
        EXPECT_EQ(ends_on(captions.run.trace, 0), attn::kNoStep) << model;
        EXPECT_TRUE(ends_across(captions.run.trace, 0)) << model << " ends on both texts";
        EXPECT_LE(captions.timeline.length(), 32) << model;
    }
}

TEST(StoryPace, StepsWithoutEffectAreShort) {
    attn::Document doc = of_form("multi_head");
    doc.weights = "identity";
    const Captions captions(doc);
    int blinks = 0;
    for (const Stop& stop : captions.timeline.stops) {
        const Role role = captions.run.trace[stop.step].tag.role;
        if (role != Role::Queries && role != Role::Keys && role != Role::Values && role != Role::Output) continue;
        EXPECT_EQ(stop.news, News::Nothing) << attn::role_id(role);
        const bool last = stop.step == captions.timeline.stops.back().step;  // then the arcs appear
        EXPECT_LE(stop.motion + (last ? 0 : stop.rest), kBlink + 1e-9);
        ++blinks;
    }
    EXPECT_EQ(blinks, 4);
}

TEST(StoryPace, TheAnswerTakesLongest) {
    const Captions captions(opening_document(Language::English));
    double longest = 0, scores = 0, weights = 0;
    for (const Stop& stop : captions.timeline.stops) {
        longest = std::max(longest, stop.motion);
        if (captions.run.trace[stop.step].tag.role == Role::Scores) scores = stop.motion;
        if (captions.run.trace[stop.step].tag.role == Role::Weights) weights = stop.motion;
    }
    EXPECT_EQ(weights, longest);
    EXPECT_GT(scores, 0.75 * longest);
}

TEST(StoryPace, DeepModelsTakeAsLongAsTheirOperations) {
    const Captions story(opening_document(Language::English)), deep(opening_document(Language::English), WalkPace::Deep);
    EXPECT_EQ(story.timeline.stops.size(), deep.timeline.stops.size());
    EXPECT_GT(deep.timeline.length(), story.timeline.length());
    for (const Stop& stop : deep.timeline.stops) EXPECT_NE(stop.news, News::Again);
}

/// Captions make no claim about a word that the model never saw, be it query or key: they say that it is unknown, and give no
/// number. A pair of known words of the same text has its usual caption.
TEST(Caption, MakesNoClaimAboutAnUnknownWord) {
    attn::Document document = opening_document(Language::English);
    document.text = "she plays the xylophom and it sounds nice";
    const Captions captions(document);
    constexpr int kBlank = 3, kAsks = 5;
    ASSERT_TRUE(attn::is_blank(captions.run, kBlank));
    int seen = 0;
    for (const Language language : kBoth) {
        const AxisLabels labels = labels_of(captions.run.trace, language);
        const std::string_view blank = language == Language::English ? "is blank to it" : "它是空白";
        for (const Role role : {Role::Scores, Role::Scaled, Role::Weights})
            for (const Moment moment : kMoments) {
                const attn::StepId id = attn::find_id(captions.run.trace, {role, 0});
                ASSERT_NE(id, attn::kNoStep);
                const auto said = [&](int row, int col) { return caption({captions.run, labels, id, moment, {id, row, col}, News::Usual, language}).text(); };
                for (const std::string& sentence : {said(kBlank, kAsks), said(kAsks, kBlank), said(kBlank, kBlank)}) {
                    EXPECT_THAT(sentence, HasSubstr(blank));
                    EXPECT_THAT(sentence, HasSubstr("xylophom"));
                    EXPECT_EQ(sentence.find('0'), std::string::npos) << sentence;
                    ++seen;
                }
                EXPECT_EQ(said(kAsks, 0).find(blank), std::string::npos) << said(kAsks, 0);
            }
    }
    EXPECT_EQ(seen, 2 * 3 * 3 * 3);
}

TEST(WalkPaces, AreFoundByName) {
    for (const WalkPace pace : kWalkPaces) EXPECT_EQ(find_walk_pace(walk_pace_id(pace)), pace);
    EXPECT_EQ(find_walk_pace("fast"), std::nullopt);
}

/// As in the timeline and the inspector.
TEST(Caption, EqualBlocksAreCounted) {
    attn::Document doc = of_form("encoder");
    doc.config.layers = 2;
    const attn::Run run = *attn::run(doc);
    const attn::StepId step = attn::find_step(run.trace, "l2.weights");
    ASSERT_NE(step, attn::kNoStep);
    const AxisLabels labels = labels_of(run.trace, Language::English);
    CaptionInput in{run, labels, step, Moment::All, {step, 0, 0}, News::Again};
    EXPECT_THAT(caption(in).text(), HasSubstr("Layer 2 "));
    in.count = attn::CountFrom::Zero;
    EXPECT_THAT(caption(in).text(), HasSubstr("Layer 1 "));
}

}  // namespace
