#include "app/ui/formula.h"

#include <gtest/gtest.h>

#include "app/timeline/roles.h"
#include "app/ui/fonts.h"
#include "core/attention/forms/attention.h"

namespace app {
namespace {

/// Letters are half an em wide, and all as high as capitals.
TextExtent measure(std::string_view text, Type type) {
    const float em = type == Type::MathLarge || type == Type::MathUprightLarge ? 24.0f
                     : type == Type::Math || type == Type::MathUpright         ? 17.0f
                     : type == Type::MathSign                                  ? 34.0f
                                                                               : 12.0f;
    return {0.5f * em * static_cast<float>(text.size()), 0.65f * em, 0.1f * em, 0.0f};
}

FormulaLayout lay_out(std::string_view source) {
    const auto formula = parse_formula(source);
    EXPECT_TRUE(formula) << source << ": " << (formula ? "" : formula.error().message);
    if (!formula) return {};
    return lay_out_formula(*formula, formula_style(themes().front(), FormulaSize::Large), measure);
}

FormulaLayout lay_out(std::string_view source, FormulaRoom room) {
    const auto formula = parse_formula(source);
    if (!formula) return {};
    return lay_out_formula(*formula, formula_style(themes().front(), FormulaSize::Large), measure, room);
}

const FormulaLayout::Run& run_of(const FormulaLayout& layout, std::string_view text) {
    for (const auto& run : layout.runs) {
        if (run.text == text) return run;
    }
    ADD_FAILURE() << text << " is not there";
    return layout.runs.front();
}

/// A bracket comes after the subscripts of its contents, and its own subscripts follow it.
TEST(FormulaLayoutTest, AFenceEndsAfterASubscript) {
    const FormulaLayout layout = lay_out("(X w_\\beta)_{5,1}");
    const auto& beta = run_of(layout, "β");
    EXPECT_GE(run_of(layout, ")").at.x, beta.at.x + measure(beta.text, beta.type).width);
    EXPECT_GT(run_of(layout, "5").at.x, run_of(layout, ")").at.x);
}

TEST(FormulaParse, ReadsEveryFormulaOfTheProgram) {
    for (const char* source :
         {"\\part{all}{\\word{softmax}(\\part{scores}{\\frac{{\\q Q}{\\k K}^T}{\\sqrt{d_k}}} + M)\\,{\\v V}}",
          "\\word{Concat}(\\word{head}_1, \\dots, \\word{head}_h)\\,W_O",
          "\\word{head}_i = \\word{Attention}(XW_i^Q, XW_i^K, XW_i^V)", "q·k = 0.31×1.20 + \\dots",
          "\\frac{e^{x-m}}{\\sum_{j=1}^{n} e^{x_j-m}}", "PE_{(pos,2i)} = \\sin(pos/10000^{2i/d})", "[a, b]",
          "\\hat{x} \\tilde{h} \\bar{y}", "q_早·k_{\\text{上 x}}", "\\norm{q}\\abs{\\cos\\theta}", "f'(x)", ""}) {
        EXPECT_TRUE(parse_formula(source)) << source;
    }
}

/// Symbols of roles and stages, and every form's formula, with tokens as rows and as columns.
TEST(FormulaParse, ReadsBothConventions) {
    for (const attn::Convention shown : {attn::Convention::Rows, attn::Convention::Columns}) {
        for (int i = 0; i < attn::kRoleCount; ++i) {
            const std::string_view symbol = symbol_of(static_cast<attn::Role>(i), shown);
            EXPECT_TRUE(parse_formula(symbol) && !symbol.empty()) << symbol;
        }
        for (int i = 0; i < kStageCount; ++i)
            EXPECT_TRUE(parse_formula(look_of(static_cast<Stage>(i)).symbol_in(shown)));
        for (const attn::Form& form : attn::forms()) {
            attn::AttentionConfig config;
            config.form = form.id;
            EXPECT_TRUE(parse_formula(form.formula(config, shown))) << form.id;
            EXPECT_TRUE(parse_formula(form.where(config, shown))) << form.id;
        }
    }
}

/// A matrix left of the result is written on the left: the symbols of a product agree with the stage.
TEST(FormulaParse, ColumnsReverseProducts) {
    using attn::Role;
    const auto columns = [](Role role) { return symbol_of(role, attn::Convention::Columns); };
    EXPECT_EQ(columns(Role::QueryProducts), "\\q W^q X");
    EXPECT_EQ(columns(Role::HeadOutput), "\\o V A");
    EXPECT_EQ(columns(Role::Logits), "E^T Y");
    EXPECT_EQ(columns(Role::Queries), symbol_of(Role::Queries, attn::Convention::Rows));
    attn::AttentionConfig config;
    const attn::Form* form = attn::find_form("multi_head");
    EXPECT_NE(form->formula(config, attn::Convention::Columns).find("{\\k K}^T{\\q Q}"), std::string::npos);
}

TEST(FormulaParse, ReportsThePositionOfErrors) {
    for (const char* source : {"{", "}", "(", "a)", "\\frac{a}", "\\nonsense", "\\part{x", "x^2^3", "\\", "x^"}) {
        const auto formula = parse_formula(source);
        ASSERT_FALSE(formula) << source;
        EXPECT_NE(formula.error().message.find("column"), std::string::npos) << source;
    }
    EXPECT_FALSE(parse_formula(std::string(5000, '{')));
    EXPECT_FALSE(parse_formula(std::string(5000, '(')));
}

TEST(FormulaLayoutTest, FractionsAreCentredOnTheAxis) {
    const FormulaLayout layout = lay_out("\\frac{a}{b}");
    EXPECT_LT(run_of(layout, "a").at.y, 0.0f);
    EXPECT_GT(run_of(layout, "b").at.y, 0.0f);
    ASSERT_EQ(layout.strokes.size(), 1u);
    EXPECT_NEAR(layout.strokes[0].points[0].y, -6.0f, 0.01f);  // a quarter of 24 px
    EXPECT_NEAR(run_of(layout, "a").at.x, run_of(layout, "b").at.x, 0.01f);
}

TEST(FormulaLayoutTest, ScriptsAreSmallerAndBesideTheirBase) {
    const FormulaLayout layout = lay_out("x_i^2");
    EXPECT_EQ(run_of(layout, "x").type, Type::MathLarge);
    EXPECT_EQ(run_of(layout, "i").type, Type::Math);
    EXPECT_EQ(run_of(layout, "2").type, Type::MathUpright);
    EXPECT_LT(run_of(layout, "2").at.y, 0.0f);
    EXPECT_GT(run_of(layout, "i").at.y, 0.0f);
    EXPECT_GE(run_of(layout, "i").at.x, 11.9f);
}

TEST(FormulaLayoutTest, LimitsAreAboveAndBelow) {
    const FormulaLayout layout = lay_out("\\sum_j^n x");
    EXPECT_EQ(run_of(layout, "∑").type, Type::MathSign);
    EXPECT_GT(run_of(layout, "j").at.y, 10.0f);
    EXPECT_LT(run_of(layout, "n").at.y, -10.0f);
    EXPECT_GT(run_of(layout, "x").at.x, run_of(layout, "∑").at.x + 20.0f);
}

TEST(FormulaLayoutTest, FencesGrowOnlyWhenTheyMust) {
    EXPECT_TRUE(lay_out("(x)").strokes.empty());
    const FormulaLayout tall = lay_out("(\\frac{a}{b})");
    ASSERT_EQ(tall.strokes.size(), 3u);  // two delimiters and the bar
    EXPECT_GE(tall.ascent, lay_out("\\frac{a}{b}").ascent);
}

TEST(FormulaLayoutTest, MinusIsASignOrAnOperation) {
    const FormulaLayout sign = lay_out("-x"), operation = lay_out("y-x");
    const float after_sign = run_of(sign, "x").at.x - run_of(sign, "−").at.x;
    const float after_operation = run_of(operation, "x").at.x - run_of(operation, "−").at.x;
    EXPECT_GT(after_operation, after_sign + 2.0f);
}

TEST(FormulaLayoutTest, PartsHoldWhatTheyName) {
    const FormulaLayout layout = lay_out("\\part{all}{\\word{softmax}(\\part{scores}{\\q Q K^T})\\v V}");
    ASSERT_NE(layout.find("scores"), nullptr);
    const Rect scores = layout.find("scores")->rect, all = layout.find("all")->rect;
    EXPECT_TRUE(all.contains(scores.center()));
    EXPECT_LT(scores.w, all.w);
    EXPECT_EQ(layout.part_at(scores.center())->name, "scores");
    EXPECT_EQ(layout.part_at({1.0f, -1.0f})->name, "all");
    EXPECT_EQ(layout.part_at({-50.0f, 0.0f}), nullptr);
    EXPECT_TRUE(layout.inside(run_of(layout, "Q").part, "scores"));
    EXPECT_TRUE(layout.inside(run_of(layout, "Q").part, "all"));
    EXPECT_FALSE(layout.inside(run_of(layout, "V").part, "scores"));
}

TEST(FormulaLayoutTest, ColoursLastAsLongAsTheirGroup) {
    const FormulaLayout layout = lay_out("{\\q Q x}\\k{K}V");
    EXPECT_EQ(run_of(layout, "Q").hue, Hue::Query);
    EXPECT_EQ(run_of(layout, "x").hue, Hue::Query);
    EXPECT_EQ(run_of(layout, "K").hue, Hue::Key);
    EXPECT_EQ(run_of(layout, "V").hue, Hue::Ink);
}

TEST(FormulaLayoutRoom, BreaksBeforeRelationsThenBeforeSigns) {
    const std::string_view source = "y = a + b = c + d";
    const FormulaLayout whole = lay_out(source);
    EXPECT_FLOAT_EQ(lay_out(source, {false, whole.width + 1}).width, whole.width);
    const FormulaLayout two = lay_out(source, {false, whole.width * 0.8f});
    EXPECT_LE(two.width, whole.width * 0.8f);
    EXPECT_FLOAT_EQ(run_of(two, "y").at.y, run_of(two, "a").at.y);
    EXPECT_GT(run_of(two, "c").at.y, run_of(two, "a").at.y + 10) << "the second = begins a line";
    EXPECT_FLOAT_EQ(run_of(two, "c").at.y, run_of(two, "d").at.y);
    EXPECT_FLOAT_EQ(two.descent, whole.descent) << "the last line stands on the baseline";
    EXPECT_GT(two.ascent, whole.ascent);
    const FormulaLayout signs = lay_out(source, {false, whole.width * 0.45f});
    EXPECT_LE(signs.width, whole.width * 0.45f);
    EXPECT_GT(run_of(signs, "d").at.y, run_of(signs, "c").at.y + 10) << "before the +, too";
}

TEST(FormulaLayoutRoom, KeepsUnbreakablePartsWhole) {
    const FormulaLayout whole = lay_out("\\word{softmax}(abcdef)"),
                        narrow = lay_out("\\word{softmax}(abcdef)", {false, 20});
    EXPECT_FLOAT_EQ(narrow.width, whole.width);
    EXPECT_FLOAT_EQ(narrow.ascent, whole.ascent);
}

TEST(FormulaLayoutRoom, InlineFractionsAreLow) {
    for (const char* source : {"\\frac{1}{1+x}", "\\sum_{i}^{n} a_i"}) {
        const FormulaLayout alone = lay_out(source), inside = lay_out(source, {true, 0});
        EXPECT_LT(inside.ascent + inside.descent, 0.95f * (alone.ascent + alone.descent)) << source;
    }
}

}  // namespace
}  // namespace app
