// A run over shapes: the same steps without numbers, an exact prediction of their cost, and fast at any length.
#include <gtest/gtest.h>

#include "core/attention/forms/attention.h"
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

std::string words(int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += "w" + std::to_string(i % 97) + " ";
    return text;
}

/// A document that uses everything a form reads: heads, layers, tokens to generate.
Document large(const Form& form, int n) {
    Document doc;
    doc.text = words(n);
    doc.source = words(n);
    doc.vectors = "random";
    doc.width = 64;
    doc.config.form = form.id;
    if (has(form.reads, Reads::Heads)) doc.config.heads = 16;
    if (has(form.reads, Reads::Blocks)) doc.config.layers = 12;
    if (has(form.reads, Reads::Generate)) doc.config.generate = 32;
    return doc;
}

/// Each step is a step of the real run, with the same operation, axes and shape, and has no numbers.
void expect_the_same_steps(const Trace& shapes, const Trace& real) {
    for (const Step& step : shapes.steps) {
        const Step* made = find(real, step.tag);
        ASSERT_NE(made, nullptr) << step_name(step.tag);
        EXPECT_EQ(step.op, made->op) << step_name(step.tag);
        EXPECT_EQ(step.rows, made->rows) << step_name(step.tag);
        EXPECT_EQ(step.cols, made->cols) << step_name(step.tag);
        EXPECT_EQ(step.value.rows(), made->value.rows()) << step_name(step.tag);
        EXPECT_EQ(step.value.cols(), made->value.cols()) << step_name(step.tag);
        EXPECT_TRUE(step.op == Op::Input || !step.value.held()) << step_name(step.tag);
    }
}

TEST(Shapes, StepsAreThoseOfTheRun) {
    for_each_table_document(
        [](const Document& doc, const attn::Run& run) { expect_the_same_steps(run_shapes(run.inputs, doc.config), run.trace); });
}

/// Loops with too few iterations to repeat a cost, with one more, and with many; tiles with and without a remainder;
/// heads that are switched off.
TEST(Shapes, LoopsOfAnyLengthAreCounted) {
    for (const Form& form : forms())
        for (const int n : {1, 2, 3, 7}) {
            Document doc;
            doc.text = words(n);
            doc.source = words(5);
            doc.config.form = form.id;
            if (has(form.reads, Reads::Blocks)) doc.config.layers = 3;
            if (has(form.reads, Reads::Generate)) doc.config.generate = 5;
            for (const int tile : {1, 2, 3})
                for (const int heads : {1, 2, 4})
                    for (const std::vector<int>& off : {std::vector<int>{}, {0}, {heads - 1}}) {
                        if (tile != 2 && !has(form.reads, Reads::Tile)) continue;
                        if (heads > 1 && !has(form.reads, Reads::Heads)) continue;
                        if (!off.empty() && !has(form.reads, Reads::Heads)) continue;
                        doc.config.tile = tile;
                        doc.config.heads = heads;
                        doc.config.heads_off = off;
                        for (const std::string_view mask : {"none", "causal", "padding"}) {
                            doc.config.mask = mask;
                            doc.padding = mask == "padding" ? 2 : 0;
                            if (!problems(doc).empty()) continue;
                            SCOPED_TRACE(name_of(doc) + " of " + std::to_string(n));
                            EXPECT_EQ(cost_is_exact(run_valid(doc), doc), "");
                            if (HasFailure()) return;
                        }
                    }
        }
}

/// A bias given to one head or one layer is a step that the others do not have.
TEST(Shapes, ABiasOfOneHeadOrLayerIsCounted) {
    for (const char* json : {R"({"variant":"sliced_input","heads":4,"head_width":3,"text":"a b c","parameters":{"query_bias.h3":[[1,2,3]]}})",
                             R"({"variant":"encoder","layers":4,"vectors":"one_hot","text":"a b c","parameters":{"l3.key_bias":[[1,2,3]]}})",
                             R"({"variant":"decoder","layers":3,"vectors":"one_hot","text":"a b","source":"c","parameters":{"cross.l2.value_bias":[[1,2,3]]}})",
                             R"({"variant":"generate","layers":3,"generate":4,"vectors":"one_hot","text":"a b c","activation":"swiglu","parameters":{"l2.side_bias":[[1,2,3,4,5,6,7,8,9,10,11,12]]}})"}) {
        const auto doc = document_from_json(json, "test");
        ASSERT_TRUE(doc.ok()) << doc.error().message << " " << doc.error().key;
        EXPECT_EQ(cost_is_exact(run_valid(*doc), *doc), "") << json;
    }
}

/// Linear attention takes other steps where its features underflow float32, which only the numbers show.
TEST(Shapes, UnderflowingFeaturesArePredicted) {
    const auto steps = [](const char* json) {
        const Document doc = document_of(json);
        const attn::Run run = run_valid(doc);
        EXPECT_EQ(cost_is_exact(run, doc), "") << json;
        return find(run.trace, {Role::QueryExponents}) || find(run.trace, {Role::QueryExponents, 0});
    };
    EXPECT_FALSE(steps(R"({"variant":"linear","text":"a b c"})"));
    EXPECT_FALSE(steps(R"({"variant":"linear","text":"a b c","mask":"causal","vectors":"random","width":64,"weights":"random"})"));
    EXPECT_TRUE(steps(R"({"variant":"linear","tokens":["a","b","c"],"X":[[-60,-60],[-50,-70],[1,1]]})"));
    EXPECT_TRUE(steps(R"({"variant":"linear","tokens":["a","b","c"],"X":[[-60,-60],[-50,-70],[1,1]],"mask":"causal"})"));
    // If one head of two underflows, both take these steps. Large positive numbers do not.
    EXPECT_TRUE(steps(R"({"variant":"linear","tokens":["a","b","c"],"X":[[-60,1],[1,1],[1,1]],"heads":2})"));
    EXPECT_FALSE(steps(R"({"variant":"linear","tokens":["a","b"],"X":[[60,1],[1,1]]})"));
    EXPECT_TRUE(steps(R"({"variant":"linear","tokens":["a","b"],"X":[[1],[1]],"W_Q":[[-20]],"mask":"causal"})"));
    EXPECT_TRUE(steps(R"({"variant":"linear","tokens":["a","b"],"X":[[1],[1]],"W_K":[[1]],"b_K":[-20]})"));
    // A typed-over number can cause it, too.
    EXPECT_TRUE(steps(R"({"variant":"linear","text":"a b","edits":[{"step":"keys","row":1,"column":2,"value":-30}]})"));
    EXPECT_TRUE(steps(R"({"variant":"linear","text":"a b","heads":2,"edits":[{"step":"queries.h2","row":1,"column":2,"value":-30}]})"));
}

/// The prediction runs at each keystroke, so it must not grow with the text: a few hundred steps, whatever the options.
TEST(Shapes, LongTextsTakeNoMoreSteps) {
    for (const Form& form : forms()) {
        Document doc = large(form, 400), longer = large(form, 4000);
        const auto steps = [](const Document& d) {
            const Sizes s = sizes_of(d);
            Inputs in;
            in.x = FrozenMatrix::of_shape(s.n, s.d);
            in.source_x = FrozenMatrix::of_shape(s.m, s.d);
            in.word_vectors = FrozenMatrix::of_shape(s.words, s.d);
            const Projection square{FrozenMatrix::of_shape(s.d, s.d), {}};
            in.query = in.key = in.value = in.output = square;
            return run_shapes(in, d.config).size();
        };
        for (const std::string_view mask : {"none", "causal"}) {
            doc.config.mask = longer.config.mask = mask;
            EXPECT_EQ(steps(longer), steps(doc)) << form.id;
            EXPECT_LT(steps(longer), has(form.reads, Reads::Generate) ? 5000 : 500) << form.id;
        }
    }
}

TEST(Shapes, AMatrixOfAShapeHoldsNothing) {
    FrozenMatrix shape = FrozenMatrix::of_shape(4096, 4096);
    EXPECT_EQ(shape.rows(), 4096);
    EXPECT_EQ(shape.size(), 4096 * 4096);
    EXPECT_EQ(shape.held(), nullptr);
    FrozenMatrix other;
    other = shape;
    EXPECT_EQ(other.cols(), 4096);
    const FrozenMatrix moved = std::move(other);
    EXPECT_EQ(moved.cols(), 4096);
    shape = Matrix(Matrix::Ones(2, 3));
    EXPECT_EQ(shape.rows(), 2);
    EXPECT_EQ(shape(1, 2), 1.0f);
}

/// The limit is reported before anything is computed, with the predicted cost.
TEST(Shapes, TooMuchIsRefusedBeforeItIsComputed) {
    Document doc = large(*find_form("encoder"), 4000);
    const auto wrong = problems(doc);
    ASSERT_EQ(wrong.size(), 1u);
    EXPECT_NE(wrong.front().message.find("GB for every step"), std::string::npos);
    EXPECT_GT(cost_of(doc).bytes, kMaxBytes);
}

}  // namespace
}  // namespace attn::test
