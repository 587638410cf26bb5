// Integrated gradients on the page of parts, on the checkpoint whose circuit was set by hand.
#include "app/screens/prediction/integrated.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/integrated.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "places.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

using app_test::Bench;

constexpr std::string_view kPlantedText = "green winter cloud table stone bread river horse seven window night apple green winter cloud table stone bread river horse seven";

class IntegratedShares : public testing::Test {
protected:
    void open(const std::string& folder, std::string_view text) {
        const auto model = attn::find_model(std::string(ATTN_SOURCE_DIR "/tests/data/") + folder, {.folders = true});
        ASSERT_TRUE(model) << model.error().text();
        attn::Document document;
        attn::take_model(document, *model);
        document.text = text;
        b_.edit(document);
        b_.act(ChangeView{[](ViewState& v) {
            v.screen = Screen::Prediction;
            v.part<PredictionLook>().page = "parts";
            v.part<PredictionLook>().measure = "integrated";
            v.part<PredictionLook>().against = kNoOther;
        }});
        finish();
    }
    template <class Change>
    void choose(Change change) {
        b_.act(ChangeView{[change](ViewState& v) { change(v.part<PredictionLook>()); }});
        finish();
    }
    void finish() { b_.deriver.finish(b_.state, b_.derived); }
    const PredictionData& words() { return b_.derived.part<PredictionData>(); }
    const IntegratedData& data() { return b_.derived.part<IntegratedData>(); }
    int made() { return b_.deriver.made().at("prediction"); }

    Bench b_;
};

/// The numbers of `attenscope attribute --measure integrated`.
TEST_F(IntegratedShares, AreThoseOfTheEngine) {
    open("planted", kPlantedText);
    ASSERT_TRUE(data().made) << data().error;
    EXPECT_FALSE(data().computing);
    EXPECT_EQ(data().done, 33U);
    EXPECT_EQ(data().runs, 33U);
    const auto compute = [](const attn::Document& document, const attn::OtherRuns& others) { return attn::run(document, {}, {}, others); };
    const auto wanted = attn::integrated_gradients(b_.state.document, *b_.derived.run, {.row = words().row, .target = words().target.id}, attn::PutBy::Mean, 32, compute);
    ASSERT_TRUE(wanted);
    EXPECT_EQ(data().made->logit, wanted->logit);
    EXPECT_EQ(data().made->baseline, wanted->baseline);
    ASSERT_EQ(data().made->parts.size(), 1U);
    EXPECT_EQ(data().made->parts.front().sources, wanted->parts.front().sources);
    ASSERT_EQ(data().largest_first.size(), 21U);
    EXPECT_EQ(data().largest, std::abs(data().largest_first.front().share));
    EXPECT_NEAR(data().made->sum(), data().made->logit - data().made->baseline, 0.05 * std::abs(data().made->logit));
}

/// Shares that were computed are kept until the document is another one.
TEST_F(IntegratedShares, AreKept) {
    open("planted", kPlantedText);
    ASSERT_TRUE(data().made);
    const double mean = data().made->baseline;
    int now = made();
    choose([](PredictionLook& look) { look.integrated.baseline = "zero"; });
    ASSERT_TRUE(data().made);
    EXPECT_NE(data().made->baseline, mean);
    EXPECT_EQ(made(), now + 1) << "the runs, not the words";
    choose([](PredictionLook& look) { look.integrated.baseline = "mean"; });
    EXPECT_EQ(data().made->baseline, mean);
    EXPECT_EQ(made(), now + 1) << "the first shares are still there";
    choose([](PredictionLook& look) { look.integrated.points = 16; });
    EXPECT_EQ(made(), now + 2);
    EXPECT_EQ(data().runs, 17U);
    choose([](PredictionLook& look) { look.measure = "direct"; });
    choose([](PredictionLook& look) { look.measure = "integrated"; });
    EXPECT_EQ(made(), now + 2) << "neither the words nor the shares";
    now = made();
    const int other = words().words[1].word.id;
    choose([other](PredictionLook& look) { look.target = other; });
    EXPECT_EQ(made(), now + 2) << "the words, and their shares";
    ASSERT_TRUE(data().made);
}

/// They are stopped and go on from where they were.
TEST_F(IntegratedShares, AreStoppedAndGoOn) {
    open("planted", kPlantedText);
    choose([](PredictionLook& look) {
        look.integrated.points = 64;
        look.integrated.stopped = true;
    });
    EXPECT_FALSE(data().computing);
    EXPECT_FALSE(data().made);
    EXPECT_EQ(data().done, 0U);
    choose([](PredictionLook& look) { look.integrated.stopped = false; });
    EXPECT_TRUE(data().made);

    IntegratedWork work{.of = IntegratedRequest{.document = b_.state.document, .row = words().row, .target = words().target.id, .against = {}, .points = 8}};
    std::stop_source stop;
    const attn::Run& run = *b_.derived.run;
    work = go_on_integrating(run, std::move(work), stop.get_token(), [&](const IntegratedWork& part) {
        EXPECT_FALSE(part.finished());
        stop.request_stop();
    });
    EXPECT_FALSE(work.finished());
    ASSERT_TRUE(work.path);
    EXPECT_TRUE(work.error.empty());
    const IntegratedWork whole = go_on_integrating(run, std::move(work), {});
    ASSERT_TRUE(whole.made);
    EXPECT_EQ(whole.made->parts.front().sources.size(), 21U);
}

/// BERT's logits are no sums of parts; each token still has its share. What has no layers is told.
TEST_F(IntegratedShares, ExistWhereALogitIsNoSum) {
    open("checkpoints/bert", "the cat");
    choose([](PredictionLook& look) { look.place = 1; });
    EXPECT_FALSE(words().parts);
    EXPECT_FALSE(words().no_parts.empty());
    ASSERT_TRUE(data().made) << data().error;
    EXPECT_FALSE(data().largest_first.empty());
}

}  // namespace
}  // namespace app
