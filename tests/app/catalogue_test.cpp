// A row of a catalogue, and what the program shows of it without changes in other files: list, settings, formula, timeline.
#include <gmock/gmock.h>

#include "app/state/refusals.h"
#include "app/timeline/roles.h"
#include "core/attention/parts/score.h"
#include "core/ops/ops.h"
#include "tests/app/app_fixture.h"
#include "tests/app/cli_fixture.h"

namespace app {
namespace {

using attn::Role;
using attn::StepId;
using testing::HasSubstr;

StepId half_of_product(attn::Trace& t, const attn::Attend& a, StepId queries, StepId keys) {
    const StepId above = attn::transpose(t, keys, a.tag.as(Role::KeysTransposed));
    return attn::scale(t, attn::matmul(t, queries, above, a.tag.as(Role::Scores)), 0.5f, a.tag.as(Role::Scaled));
}

attn::Refusals refuse_many_heads(const attn::AttentionConfig& c, const attn::Form&) {
    if (c.heads < 4) return {};
    return {{"score", "was made for a few heads"}};
}

constexpr attn::Score kHalved = {
    .id = "halved",
    .source = "this test",
    .formula = {"\\word{Half}($q, $k)"},
    .divisor = "\\word{two}",
    .symbol = {"\\word{Half}"},
    .says = "scores_pairs",
    .equal_widths = true,
    .refuses = refuse_many_heads,
    .run = half_of_product,
};

attn::Document halved() {
    attn::Document doc;
    doc.config.score = "halved";
    return doc;
}

TEST(CatalogueRow, IsListedAndComputedOnTheCommandLine) {
    const attn::ScopedRow<attn::Score> row(attn::score_catalogue(), kHalved);
    EXPECT_THAT(cli_test::run({"list", "score"}).out, HasSubstr("halved"));
    EXPECT_THAT(cli_test::run({"schema"}).out, HasSubstr("\"halved\""));
    const auto trace = cli_test::run({"trace", "--text", "早上好", "--set", "score=halved"});
    EXPECT_EQ(trace.status, 0) << trace.err;
    EXPECT_THAT(cli_test::run({"trace", "--set", "score=halved", "--set", "heads=4"}).err, HasSubstr("a few heads"));
}

TEST(CatalogueRow, HasItsSymbolAndLabels) {
    const attn::ScopedRow<attn::Score> row(attn::score_catalogue(), kHalved);
    const auto run = attn::run(halved());
    ASSERT_TRUE(run.ok());
    for (const auto shown : {attn::Convention::Rows, attn::Convention::Columns}) {
        EXPECT_EQ(symbol_of(Stage::Scores, run->config, shown), "\\word{Half}");
        EXPECT_EQ(symbol_of(Stage::Scale, run->config, shown), "\\s /\\word{two}");
    }
    EXPECT_EQ(say_of(*run, attn::find_id(run->trace, {Role::Scores})), Str::say_scores_pairs);
}

TEST(CatalogueRow, IsOfferedAndRefused) {
    const attn::ScopedRow<attn::Score> row(attn::score_catalogue(), kHalved);
    attn::Document doc;
    doc.text = "the cat";
    const auto names = [](const std::vector<Refusal>& refused) {
        return std::any_of(refused.begin(), refused.end(),
                           [](const Refusal& r) { return r.field == "score" && r.id == "halved"; });
    };
    EXPECT_FALSE(names(refused_by(doc)));
    doc.config.heads = 4;
    EXPECT_TRUE(names(refused_by(doc)));
    choose(doc, "variant", "bahdanau");
    EXPECT_TRUE(names(refused_by(doc))) << "annotations are twice as wide as states, and its row asks for equal widths";
}

/// The timeline's formula for each score: only a product Q Kᵀ is written as one.
TEST(CatalogueRow, NoScoreIsShownAsAnother) {
    for (const attn::Score& score : attn::scores()) {
        attn::AttentionConfig config;
        config.score = score.id;
        const std::string symbol = symbol_of(Stage::Scores, config, attn::Convention::Rows);
        EXPECT_EQ(symbol == "{\\q Q}{\\k K}^T", score.factor != nullptr) << score.id << ": " << symbol;
        config.form = "raw";
        EXPECT_EQ(symbol_of(Stage::Scores, config, attn::Convention::Rows).find("Q"), std::string::npos) << score.id;
    }
    attn::AttentionConfig config;
    config.form = "bahdanau";
    EXPECT_THAT(symbol_of(Stage::Scores, config, attn::Convention::Rows), HasSubstr("tanh"));
    config.form = "linear";
    EXPECT_THAT(symbol_of(Stage::Scores, config, attn::Convention::Rows), HasSubstr("\\phi"));
    config.form = "multi_head";
    config.selection = "sparsemax";
    EXPECT_THAT(symbol_of(Stage::Softmax, config, attn::Convention::Rows), HasSubstr("sparsemax"));
}

int count_text(const Drawing& drawing, std::string_view text) {
    return static_cast<int>(std::count_if(drawing.items.begin(), drawing.items.end(), [&](const DrawnItem& item) {
        return item.kind == DrawnItem::Kind::Text && item.text == text;
    }));
}

using CatalogueFrame = AppFrame;

TEST_F(CatalogueFrame, ARowIsDrawnInFormulaSettingsAndTimeline) {
    const attn::ScopedRow<attn::Score> row(attn::score_catalogue(), kHalved);
    app_->apply(becomes(halved()));
    frame();
    Drawing drawing;
    FrameLog log;
    log.drawing = &drawing;
    app_->build_frame(kSize, 0, &log);
    EXPECT_EQ(count_text(drawing, "Half"), 3) << "formula, list of steps and timeline";
    EXPECT_GE(count_text(drawing, "halved"), 1) << "the settings";
    app_->apply(becomes(attn::Document{}));
    frame();
}

}  // namespace
}  // namespace app
