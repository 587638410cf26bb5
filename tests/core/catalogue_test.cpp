// What docs/adding.md promises of the catalogues: one function and one row are enough, the rest follows from the row.
#include <gtest/gtest.h>

#include "core/attention/forms/shared.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/document/fields.h"
#include "core/ops/ops.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

float half(int) { return 0.5f; }

/// Q Kᵀ / 2.
StepId halved_dot(Trace& t, const Attend& a, StepId queries, StepId keys) {
    const StepId above = transpose(t, keys, a.tag.as(Role::KeysTransposed));
    return scale(t, matmul(t, queries, above, a.tag.as(Role::Scores)), half(0), a.tag.as(Role::Scaled));
}

Refusals refuse_eight_heads(const AttentionConfig& c, const Form&) {
    if (c.heads < 8) return {};
    return {{"score", "was made for a few heads"}};
}

constexpr Score kHalvedDot = {
    .id = "halved_dot",
    .source = "this test",
    .formula = {"$q$k^T", "$k^T$q"},
    .divisor = "2",
    .inner_product = true,
    .equal_widths = true,
    .factor = half,
    .refuses = refuse_eight_heads,
    .run = halved_dot,
};

Document halved(std::string_view form = "multi_head") {
    Document doc;
    doc.text = "the cat sat";
    doc.config.form = form;
    doc.config.score = "halved_dot";
    return doc;
}

bool says(const std::vector<Error>& wrong, std::string_view key, std::string_view words) {
    return std::any_of(wrong.begin(), wrong.end(), [&](const Error& error) {
        return error.key == key && error.message.find(words) != std::string::npos;
    });
}

TEST(Catalogue, ARowExistsDuringItsScope) {
    const std::size_t before = scores().size();
    EXPECT_TRUE(says(problems(halved()), "score", "there is no \"halved_dot\""));
    {
        const ScopedRow<Score> row(score_catalogue(), kHalvedDot);
        EXPECT_EQ(scores().size(), before + 1);
        EXPECT_NE(find_score("halved_dot"), nullptr);
        EXPECT_TRUE(problems(halved()).empty());
    }
    EXPECT_EQ(scores().size(), before);
    EXPECT_EQ(find_score("halved_dot"), nullptr);
}

TEST(Catalogue, AScoreIsComputedAndExplained) {
    const ScopedRow<Score> row(score_catalogue(), kHalvedDot);
    for (const std::string_view form : {"raw", "multi_head", "encoder", "decoder", "generate", "luong"}) {
        SCOPED_TRACE(form);
        const Document doc = halved(form);
        const attn::Run run = run_valid(doc);
        EXPECT_EQ(anything_wrong(doc, run), "");
    }
    const attn::Run run = run_valid(halved());
    const Matrix &q = find(run.trace, {Role::Queries})->value, &k = find(run.trace, {Role::Keys})->value;
    EXPECT_TRUE(close(find(run.trace, {Role::Scaled})->value, Matrix(q * k.transpose() * 0.5f), 1e-6));
}

/// Forms that are restricted in their scores ask the score's row.
TEST(Catalogue, AScoreIsAcceptedIfItsRowAllowsIt) {
    const ScopedRow<Score> row(score_catalogue(), kHalvedDot);
    Document doc = halved();
    for (const std::string_view position : {"rope", "relative", "alibi"}) {
        doc.config.position = position;
        EXPECT_TRUE(problems(doc).empty()) << position;
        EXPECT_EQ(anything_wrong(doc, run_valid(doc)), "");
    }
    // The tiled and the plain form agree.
    const Matrix tiled(find(run_valid(halved("online")).trace, {Role::Output})->value.matrix());
    EXPECT_TRUE(close(tiled, find(run_valid(halved()).trace, {Role::Output})->value, 1e-5));
    EXPECT_TRUE(says(problems(halved("bahdanau")), "score", "twice as wide"));
}

TEST(Catalogue, ARefusalComesFromTheRow) {
    const ScopedRow<Score> row(score_catalogue(), kHalvedDot);
    Document doc = halved();
    doc.config.heads = 8;
    EXPECT_TRUE(says(problems(doc), "score", "\"halved_dot\" was made for a few heads"));
    // Errors of other fields that list the possible scores list it, too.
    Document other = halved();
    other.config.score = "additive";
    other.config.position = "relative";
    EXPECT_TRUE(says(problems(other), "position", "dot and scaled_dot and halved_dot"));
}

TEST(Catalogue, FormulaSchemaAndJsonFollow) {
    const ScopedRow<Score> row(score_catalogue(), kHalvedDot);
    const Document doc = halved();
    const Form& form = *find_form(doc.config.form);
    EXPECT_NE(form.formula(doc.config, Convention::Rows)
                  .find("\\part{scale}{\\frac{\\part{scores}{{\\q Q}{\\k K}^T}}{2}}"),
              std::string::npos);
    EXPECT_NE(form.formula(doc.config, Convention::Columns).find("\\part{scores}{{\\k K}^T{\\q Q}}"),
              std::string::npos);
    EXPECT_NE(document_schema().find("\"halved_dot\""), std::string::npos);
    const auto again = document_from_json(document_to_json(doc), "test.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->config.score, "halved_dot");
}

Matrix first_only(const Inputs&, const AttentionConfig&, MaskShape shape) {
    Matrix pattern = Matrix::Zero(shape.queries, shape.keys);
    pattern.col(0).setOnes();
    return pattern;
}

Matrix ramp(int n, int d) {
    Matrix places(n, d);
    for (int i = 0; i < n; ++i) places.row(i).setConstant(static_cast<float>(i));
    return places;
}

StepId first_place(Trace& t, const Attend& a, int queries, int) {
    return input(t, Matrix(Matrix::Zero(queries, 1)), {Role::Centers, kNoHead, a.tag.layer, a.tag.time, a.tag.part},
                 {Axis::Kind::Tokens}, {}, {Source::Formula});
}

StepId cold(Trace& t, const Attend& a, StepId scores) { return softmax(t, scores, 0.25f, a.tag.as(Role::Weights)); }

/// The same for the other catalogues: a row in the table is enough.
TEST(Catalogue, MasksPositionsScopesAndSelectionsToo) {
    const ScopedRow<Mask> mask(mask_catalogue(), {.id = "first_only", .pattern = first_only, .formula = "{\\m F}"});
    const ScopedRow<Position> position(position_catalogue(),
                                       {.id = "ramp", .kind = PositionKind::Added, .encoding = ramp});
    const ScopedRow<Scope> scope(scope_catalogue(), {.id = "at_first", .centers = first_place, .on_scores = " + B"});
    const ScopedRow<Selection> selection(
        selection_catalogue(), {.id = "cold", .source = "", .formula = "\\word{cold}($s)", .symbol = "\\word{cold}", .run = cold});
    Document doc;
    doc.text = "the cat sat";
    doc.config.mask = "first_only";
    doc.config.position = "ramp";
    doc.config.scope = "at_first";
    doc.config.selection = "cold";
    ASSERT_TRUE(problems(doc).empty());
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(anything_wrong(doc, run), "");
    const Matrix& weights = find(run.trace, {Role::Weights})->value;
    EXPECT_EQ(weights.col(0).sum(), 3.0f);
    const std::string formula = find_form(doc.config.form)->formula(doc.config, Convention::Rows);
    for (const std::string_view part : {"\\word{cold}(", " + B", " + {\\m F}"})
        EXPECT_NE(formula.find(part), std::string::npos) << formula;
    for (const std::string_view id : {"first_only", "ramp", "at_first", "cold"})
        EXPECT_NE(document_schema().find(id), std::string::npos) << id;
}

void run_twice(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    scale(t, attend(t, {in, config, {}, x}, x, x, x, Role::Context), 2, {Role::Output});
}

std::string twice_formula(const AttentionConfig& config, Convention shown) {
    return "{\\o Y} = 2\\," + form::attention_formula(config, shown, kVectors);
}

/// A form is one file, here without its line in forms.inc: computed, explained, refused, costed, and in the schema.
TEST(Catalogue, AFormIsOneFile) {
    const std::string without = document_schema();
    const ScopedRow<Form> row(form_catalogue(), {.id = "twice",
                                                 .score = "dot",
                                                 .formula = twice_formula,
                                                 .where = find_form("raw")->where,
                                                 .reads = Reads::Attend | Reads::Order | Reads::Target,
                                                 .run = run_twice,
                                                 .letters = kVectors});
    Document doc;
    doc.text = "the cat sat";
    doc.config.form = "raw";
    const Matrix once = find(run_valid(doc).trace, {Role::Output})->value;
    doc.config.form = "twice";
    doc.config.mask = "causal";
    ASSERT_TRUE(problems(doc).empty());
    EXPECT_EQ(anything_wrong(doc, run_valid(doc)), "");
    doc.config.mask = "none";
    EXPECT_TRUE(close(find(run_valid(doc).trace, {Role::Output})->value, Matrix(once * 2), 1e-6));
    EXPECT_NE(find_form("twice")->formula(doc.config, Convention::Rows).find("2\\,"), std::string::npos);
    EXPECT_EQ(without.find("\"twice\""), std::string::npos);
    EXPECT_NE(document_schema().find("\"twice\""), std::string::npos);
    const auto again = document_from_json(document_to_json(doc), "test.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->config.form, "twice");
    doc.config.heads = 4;
    EXPECT_TRUE(says(problems(doc), "heads", "twice"));
}

}  // namespace
}  // namespace attn::test
