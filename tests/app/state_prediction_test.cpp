// The screen of predictions: choosing a position, appending a token, the logit lens; nothing is computed within a frame.
#include "app/screens/prediction/prediction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "app/screens/heads/heads.h"
#include "app/state/edits.h"
#include "app/state/screens.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

using app_test::Bench;

attn::Document of_language(std::string_view text) {
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("language"));
    doc.text = text;
    return doc;
}

class PredictionScreen : public testing::Test {
protected:
    void show(const attn::Document& document) {
        b_.edit(document);
        b_.act(ChangeView{[](ViewState& v) { v.screen = Screen::Prediction; }});
        finish();
    }
    template <class Change>
    void choose(Change change) {
        b_.act(ChangeView{[change](ViewState& v) { change(v.part<PredictionLook>()); }});
        finish();
    }
    /// The effect of the button (take_word in app/screens/prediction/view.cpp).
    void take(const attn::LikelyWord& word) {
        b_.act(EditDocument{[word](attn::Document& d) { d = attn::with_predicted(std::move(d), word); }});
        b_.act(ChangeView{[ids = data().ids, id = word.id](ViewState& v) { v.part<PredictionLook>().write(ids, id); }});
        finish();
    }
    void finish() { b_.deriver.finish(b_.state, b_.derived); }
    const PredictionData& data() { return b_.derived.part<PredictionData>(); }
    const attn::Trace& trace() { return b_.derived.run->trace; }

    Bench b_;
};

TEST_F(PredictionScreen, OnlyFormsThatPredictWordsHaveIt) {
    EXPECT_FALSE(is_available(Screen::Prediction, attn::Document{}));
    EXPECT_TRUE(is_available(Screen::Prediction, of_language("the")));
    attn::Document decoder;
    attn::choose_form(decoder, "decoder");
    EXPECT_TRUE(is_available(Screen::Prediction, decoder));
}

/// Every number is the softmax of the run's own last row of logits.
TEST_F(PredictionScreen, ShowsTheSoftmaxOfTheLastRow) {
    show(of_language("the river"));
    ASSERT_FALSE(data().computing);
    EXPECT_EQ(data().generation, b_.derived.generation);
    ASSERT_EQ(data().row, 1);
    const attn::Matrix& logits = trace()[attn::logits_step(trace())].value;
    double sum = 0, entropy = 0;
    for (const float one : logits.row(1)) sum += std::exp(static_cast<double>(one));
    for (const float one : logits.row(1)) {
        const double p = std::exp(static_cast<double>(one)) / sum;
        entropy -= p * std::log2(p);
    }
    for (const PredictedToken& one : data().words) {
        EXPECT_EQ(one.logit, logits(1, one.word.id));
        EXPECT_NEAR(one.word.probability, std::exp(static_cast<double>(one.logit)) / sum, 1e-6);
    }
    EXPECT_NEAR(data().entropy, entropy, 1e-4);
    EXPECT_EQ(data().vocabulary, logits.cols());
    EXPECT_EQ(data().taken.word.id, data().words.front().word.id);
    EXPECT_EQ(data().taken.drawn_by, 1);
    EXPECT_TRUE(data().refused.empty());
    // "river", after "the".
    double first = 0;
    for (const float one : logits.row(0)) first += std::exp(static_cast<double>(one));
    ASSERT_TRUE(data().given_of(1));
    EXPECT_NEAR(data().given_of(1)->probability, std::exp(static_cast<double>(logits(0, data().ids[1]))) / first, 1e-6);
}

/// A softmax over a vocabulary takes too long for a frame: the old numbers stay until the new ones are ready.
TEST_F(PredictionScreen, IsComputedOnTheThread) {
    show(of_language("the river"));
    const auto before = data().words.front().word.id;
    b_.edit(of_language("red"));
    if (b_.derived.part<PredictionData>().computing) {
        EXPECT_NE(data().generation, b_.derived.generation);
        EXPECT_EQ(data().words.front().word.id, before);
    }
    finish();
    EXPECT_FALSE(data().computing);
    EXPECT_EQ(data().generation, b_.derived.generation);
    EXPECT_EQ(data().ids.size(), 1U);
}

/// Pressing the button repeatedly writes the same as `attenscope next --sample` with the same seed, and undo removes each
/// token.
TEST_F(PredictionScreen, WritesTheSameAsTheCommandLine) {
    for (const bool draw : {false, true}) {
        const attn::Document doc = of_language("the river");
        const attn::Sampling how{5, draw, 1.4f, 50, 0.9f, draw ? 11U : 1U};
        const auto longer = attn::going_on(doc, how);
        ASSERT_TRUE(longer) << longer.error().text();
        auto run = attn::run(*longer);
        ASSERT_TRUE(run) << run.error().text();
        show(doc);
        choose([&](PredictionLook& l) {
            l = {};
            l.draw = draw;
            l.temperature = how.temperature;
            l.top_k = how.top_k;
            l.top_p = how.top_p;
            l.seed = how.seed;
        });
        int time = 0;
        for (const attn::SampledWord& one : attn::sampled_words(run->trace, how.words)) {
            EXPECT_EQ(data().written, time++);
            EXPECT_EQ(data().taken.word.id, one.word.id);
            EXPECT_NEAR(data().taken.drawn_by, one.drawn_by, 1e-5);
            take(data().taken.word);
        }
        EXPECT_EQ(trace().tokens.size(), 7U);
        const int second = data().ids[3];
        for (int i = 0; i < 4; ++i) b_.act(Undo{});
        finish();
        EXPECT_EQ(data().written, 1);
        EXPECT_EQ(data().taken.word.id, second) << "what was taken back is drawn again";
        b_.act(Undo{});
        EXPECT_EQ(b_.state.document.text, "the river");
    }
}

TEST_F(PredictionScreen, DrawsFromTheTopKTokens) {
    show(of_language("the river"));
    choose([](PredictionLook& l) {
        l.draw = true;
        l.top_k = 3;
        l.temperature = 0.5f;
    });
    EXPECT_EQ(data().candidates, 3);
    const auto& w = data().words;
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += std::exp(2.0 * static_cast<double>(w[static_cast<std::size_t>(i)].logit));
    for (std::size_t i = 0; i < w.size(); ++i)
        EXPECT_NEAR(w[i].drawn_by, i < 3 ? std::exp(2.0 * static_cast<double>(w[i].logit)) / sum : 0, 1e-5);
}

/// Inside the text, the actual next token is shown with its rank.
TEST_F(PredictionScreen, PredictsInsideTheText) {
    show(of_language("the river is"));
    choose([](PredictionLook& l) { l.place = 1; });
    EXPECT_EQ(data().row, 1);
    ASSERT_TRUE(data().actual);
    EXPECT_EQ(data().actual->word.text, " is");
    const auto rank = static_cast<std::size_t>(data().actual_rank);
    ASSERT_GE(rank, 1U);
    ASSERT_LE(rank, data().words.size());
    EXPECT_EQ(data().words[rank - 1].word.text, " is");
    EXPECT_EQ(data().actual_rank, data().given_of(2)->rank);
}

/// Bahdanau's decoder predicts each token without having read it: a click selects the position, and the token may be replaced.
TEST_F(PredictionScreen, ARecurrentDecoderPredictsAtEachPosition) {
    attn::Document doc;
    attn::take_model(doc, attn::shipped_model("alignment"));
    doc.source = "the black cat saw the red house .";
    doc.text = "fr le chat";
    ASSERT_TRUE(is_available(Screen::Prediction, doc));
    show(doc);
    ASSERT_EQ(data().rows, 3);
    EXPECT_TRUE(data().own_place);
    EXPECT_EQ(data().row, 2) << "the last one's";
    EXPECT_FALSE(data().mask);
    const attn::Matrix& logits = trace()[attn::logits_step(trace())].value;
    double sum = 0;
    for (const float one : logits.row(2)) sum += std::exp(static_cast<double>(one));
    for (const PredictedToken& one : data().words) EXPECT_NEAR(one.word.probability, std::exp(static_cast<double>(one.logit)) / sum, 1e-6);
    ASSERT_TRUE(data().actual);
    EXPECT_EQ(data().actual->word.text, "chat");
    EXPECT_EQ(data().actual->logit, logits(2, data().actual->word.id));
    ASSERT_TRUE(data().given_of(2));
    EXPECT_EQ(data().given_of(2)->rank, data().actual_rank);
    EXPECT_GT(data().given_of(0)->rank, 0) << "the first is said, too";
    choose([](PredictionLook& l) { l.place = 1; });
    EXPECT_EQ(data().row, 1);
    EXPECT_EQ(data().actual->word.text, "le");
    const attn::LikelyWord other = data().words[3].word;
    attn::Document replaced = b_.state.document;
    take_predicted(replaced, data(), other);
    EXPECT_EQ(attn::tokens_of(replaced), (std::vector<std::string>{"fr", other.text, "chat"}));
}

/// The top line of the lens is the model's answer; a token that is followed ends at its probability.
TEST_F(PredictionScreen, TheLensEndsWithTheSameAnswer) {
    show(of_language("the river bank"));
    EXPECT_TRUE(data().lens.cells.empty()) << "the page is not looked at";
    choose([](PredictionLook& l) { l.page = "lens"; });
    ASSERT_EQ(data().lens.layers, 4);
    ASSERT_EQ(data().lens.rows, 3);
    const auto& answer = data().lens.at(4, data().lens_row);
    for (std::size_t i = 0; i < answer.size(); ++i) {
        EXPECT_EQ(answer[i].id, data().words[i].word.id);
        EXPECT_EQ(answer[i].probability, data().words[i].word.probability);
    }
    EXPECT_EQ(data().target.id, data().words.front().word.id);
    EXPECT_EQ(data().ranks.back().rank, 1);
    const int other = data().words[6].word.id;
    choose([other](PredictionLook& l) { l.target = other; });
    EXPECT_EQ(data().target.id, other);
    EXPECT_EQ(data().ranks.back().rank, 7);
    EXPECT_EQ(data().ranks.back().probability, data().words[6].word.probability);
}

/// Through the layers, and the measures of the maps, on the screen of the heads.
TEST_F(PredictionScreen, TheHeadsScreenHasAllLayersAndOtherMeasures) {
    b_.edit(of_language("the river bank was"));
    finish();
    const auto look = [&](auto change) {
        b_.act(ChangeView{[change](ViewState& v) {
            v.screen = Screen::Heads;
            change(v.part<HeadsChoice>());
        }});
        finish();
    };
    const auto stacks = attn::layer_maps(trace());
    look([](HeadsChoice& h) { h.page = "through"; });
    ASSERT_TRUE(b_.derived.part<HeadsData>().through.map);
    EXPECT_EQ(*b_.derived.part<HeadsData>().through.map, attn::attention_rollout(stacks[0].means));
    EXPECT_EQ(b_.derived.part<HeadsData>().through.layers, 4);
    look([](HeadsChoice& h) {
        h.through = "flow";
        h.layers = 2;
    });
    EXPECT_EQ(b_.derived.part<HeadsData>().through.used, 2);
    EXPECT_EQ(*b_.derived.part<HeadsData>().through.map, attn::attention_flow({stacks[0].means[0], stacks[0].means[1]}));
    look([](HeadsChoice& h) {
        h.hide_first = h.renormalise = true;
        h.through = "average";
    });
    EXPECT_TRUE(std::isnan((*b_.derived.part<HeadsData>().through.map)(2, 0)));
    EXPECT_NEAR((*b_.derived.part<HeadsData>().through.map).row(3).tail(3).sum(), 1, 1e-5);
    look([](HeadsChoice& h) {
        h = {};
        h.page = "grid";
        h.measure = "norm";
    });
    ASSERT_EQ(b_.derived.part<HeadsData>().measure, attn::Measure::Norm);
    for (std::size_t i = 0; i < b_.derived.part<HeadsData>().maps.size(); ++i)
        EXPECT_EQ(*b_.derived.part<HeadsData>().weights[i], *attn::map_in(trace(), b_.derived.part<HeadsData>().maps[i], attn::Measure::Norm));
    look([](HeadsChoice& h) { h.measure = "part"; });
    double all = 0;
    for (int head = 0; head < 4; ++head) all += static_cast<double>(b_.derived.part<HeadsData>().weights_of(*b_.derived.part<HeadsData>().here(), head).row(2).sum());
    EXPECT_NEAR(all, 1, 1e-4);
}

/// If the screen is left before it is ready, nothing waits, so the window may sleep; it is there when the screen is shown
/// again.
TEST_F(PredictionScreen, AnUnreadResultCausesNoFrames) {
    b_.edit(of_language("the river"));
    b_.act(ChangeView{[](ViewState& v) { v.screen = Screen::Prediction; }});
    b_.act(ChangeView{[](ViewState& v) { v.screen = Screen::Stage; }});
    finish();
    EXPECT_FALSE(b_.deriver.ready());
    EXPECT_FALSE(b_.deriver.busy());
    b_.act(ChangeView{[](ViewState& v) { v.screen = Screen::Prediction; }});
    finish();
    EXPECT_FALSE(data().words.empty());
}

/// The effect of a head that is off stays visible: old and new values are side by side, and the parts add up to the logit.
TEST_F(PredictionScreen, ASwitchedOffHeadIsShownBeforeAndAfter) {
    show(of_language("the river"));
    EXPECT_FALSE(data().divergence);
    const float logit = data().words.front().logit;
    const int word = data().words.front().word.id;
    attn::Tag at;
    at.layer = 1;
    b_.act(EditDocument{[at](attn::Document& d) { switch_head(d, at, 2); }});
    finish();
    ASSERT_EQ(b_.state.document.interventions.size(), 1U);
    EXPECT_TRUE(head_is_off(b_.state.document, at, 2));
    EXPECT_FALSE(head_is_off(b_.state.document, at, 1));
    ASSERT_TRUE(data().divergence);
    EXPECT_GT(*data().divergence, 0);
    const auto same = std::find_if(data().words.begin(), data().words.end(), [&](const PredictedToken& one) { return one.word.id == word; });
    ASSERT_NE(same, data().words.end());
    EXPECT_EQ(same->logit_before, logit);
    EXPECT_NE(same->logit, logit);
    choose([](PredictionLook& look) { look.page = "parts"; });
    ASSERT_TRUE(data().parts) << data().no_parts;
    EXPECT_NEAR(data().parts->made.sum(), data().parts->made.logit, 1e-3);
    double in_map = 0, elsewhere = 0;
    for (const LogitParts::Cell& cell : data().parts->cells) in_map += cell.value;
    for (const attn::Contribution& one : data().parts->made.parts)
        if (one.layer == attn::kNoLayer) elsewhere += one.value;
    EXPECT_NEAR(in_map + elsewhere, data().parts->made.logit, 1e-3);
    EXPECT_EQ(data().parts->rows.size(), 4U);
    EXPECT_EQ(data().parts->heads, 4);
    ASSERT_TRUE(data().against);
    EXPECT_NE(data().against->id, data().target.id);
    choose([](PredictionLook& look) { look.against = kNoOther; });
    EXPECT_FALSE(data().against);
    choose([](PredictionLook& look) { look.measure = "gradient"; });
    EXPECT_TRUE(std::all_of(data().parts->made.parts.begin(), data().parts->made.parts.end(), [](const attn::Contribution& one) { return one.what == attn::Contributor::Head; }));
    EXPECT_TRUE(data().neurons.empty()) << "nobody looks at them";
    choose([](PredictionLook& look) { look.measure = "neurons"; });
    ASSERT_EQ(data().neurons.size(), 40U);
    double in_layers = 0;
    for (const attn::Contribution& one : data().parts->made.parts)
        if (one.what == attn::Contributor::FeedForward)
            for (const double each : one.neurons) in_layers = std::max(in_layers, std::abs(each));
    EXPECT_EQ(std::abs(data().neurons[0].neuron.value), in_layers) << "the largest of all layers comes first";
    EXPECT_EQ(data().neurons[0].raises.size(), 4U);
    EXPECT_FALSE(data().neurons[0].raises[0].text.empty());
    EXPECT_FALSE(data().stream) << "nobody looks at it";
    choose([](PredictionLook& look) { look.page = "stream"; });
    ASSERT_TRUE(data().stream);
    EXPECT_EQ(data().stream->points.size(), 9U);
    EXPECT_EQ(data().stream_row, data().above + data().row);
    b_.act(EditDocument{[at](attn::Document& d) { switch_head(d, at, 2); }});
    finish();
    EXPECT_TRUE(b_.state.document.interventions.empty());
    EXPECT_FALSE(data().divergence);
}

}  // namespace
}  // namespace app
