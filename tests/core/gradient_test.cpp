// The reverse pass against central differences of an independent float64 engine, for every operation and every form.
#include "core/gradient/gradient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/random.h"
#include "core/document/fields.h"
#include "core/ops/explain.h"
#include "core/ops/ops.h"
#include "tests/core/cross_entropy.h"
#include "tests/core/double_engine.h"
#include "tests/core/properties.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kOfDifferences = 1e-4;
constexpr double kNudge = 1e-5;

/// Steps that no other step reads.
std::vector<StepId> unread_steps(const Trace& t) {
    std::vector<bool> read(static_cast<std::size_t>(t.size()), false);
    for (const Step& step : t.steps)
        for (const StepId input : step.inputs) read[static_cast<std::size_t>(input)] = true;
    std::vector<StepId> out;
    for (StepId id = 0; id < t.size(); ++id)
        if (!read[static_cast<std::size_t>(id)]) out.push_back(id);
    return out;
}

MatrixD nudge_direction(std::uint64_t seed, Eigen::Index rows, Eigen::Index cols) {
    return seeded_matrix(seed, static_cast<int>(rows), static_cast<int>(cols)).cast<double>();
}

/// Σ G ⊙ value over all ends; −∞ counts as nothing.
double objective_value(const std::vector<MatrixD>& values, const std::vector<std::pair<StepId, MatrixD>>& seeds) {
    double sum = 0;
    for (const auto& [id, g] : seeds) {
        const MatrixD& value = values[static_cast<std::size_t>(id)];
        for (Eigen::Index i = 0; i < g.size(); ++i)
            if (std::isfinite(value.data()[i])) sum += g.data()[i] * value.data()[i];
    }
    return sum;
}

bool none_overflowed(const Trace& t) {
    for (const Note& note : t.notes)
        if (note.state == RowState::Overflow) return false;
    return true;
}

/// Whether a row of zeros is normalised: its direction has no derivative.
bool has_corner(const Trace& t) {
    for (const Step& step : t.steps)
        if (step.op == Op::Unit && (t[step.inputs[0]].value.rowwise().squaredNorm().array() == 0).any()) return true;
    return false;
}

/// Compares the gradient with respect to every step's value, each along its own direction (`part` of kStepParts: with
/// respect to every input's, and that part of the other steps'). Returns what is wrong.
constexpr int kStepParts = 8;
std::string gradients_disagree(Trace t, std::set<Op>* ops = nullptr, int part = -1) {
    if (!none_overflowed(t) || has_corner(t)) return "";
    const StepId before = t.size();
    std::vector<std::pair<StepId, MatrixD>> seeds;
    std::vector<Objective> objectives;
    for (const StepId end : unread_steps(t)) {
        const MatrixD g = nudge_direction(static_cast<std::uint64_t>(end) + 77, t[end].value.rows(), t[end].value.cols());
        seeds.emplace_back(end, g);
        objectives.push_back(objective_of(t, end, g.cast<float>()));
    }
    const Gradients gradients = record_gradients(t, objectives);
    for (StepId id = 0; id < before; ++id) {
        if (ops) ops->insert(t[id].op);
        if (part >= 0 && id % kStepParts != part && (t[id].op != Op::Input || id % 2 == part % 2)) continue;
        const auto rows = t[id].value.rows(), cols = t[id].value.cols();
        MatrixD d = nudge_direction(static_cast<std::uint64_t>(id) + 5, rows, cols);
        for (Eigen::Index i = 0; i < d.size(); ++i)
            if (!std::isfinite(t[id].value.data()[i])) d.data()[i] = 0;
        const StepId of = gradients.of[static_cast<std::size_t>(id)];
        double computed = 0, size = 1e-5;
        if (of != kNoStep) {
            const MatrixD g = t[of].value.cast<double>();
            if (g.rows() != rows || g.cols() != cols) return step_name(t[id].tag) + ": its gradient has another shape";
            computed = (g.array() * d.array()).sum();
            size += (g.array() * d.array()).abs().sum() + 0.1 * g.norm() * d.norm();
        }
        const auto at = [&](double h) { return objective_value(evaluate_in_double(t, before, {{id, h * d}}), seeds); };
        double measured = (at(kNudge) - at(-kNudge)) / (2 * kNudge);
        if (std::abs(computed - measured) > kOfDifferences * size)  // a corner may lie in between: take a smaller step
            measured = (at(kNudge / 100) - at(-kNudge / 100)) / (2 * kNudge / 100);
        if (!(std::abs(computed - measured) <= kOfDifferences * size + 1e-5))
            return step_name(t[id].tag) + " (" + std::string(op_id(t[id].op)) + "): told " + std::to_string(computed) +
                   ", measured " + std::to_string(measured) + ", size " + std::to_string(size);
    }
    if (part > 1) return "";
    for (const auto& check :
         {inputs_come_earlier, names_are_unique_and_read_back, every_cell_is_explained, every_step_computes_again})
        if (std::string wrong = check(t); !wrong.empty()) return wrong;
    return every_row_and_column_has_a_label(t);
}

TEST(Gradient, EveryFormAgreesWithFiniteDifferences) {
    std::set<Op> ops;
    int checked = 0, met = 0;
    // Every third document: each row of each table still meets each form.
    for_each_table_document([&](const Document& document, const attn::Run&) {
        if (met++ % 3 != 0) return;
        Document doc = document;
        doc.weights = "random";
        if (!problems(doc).empty()) doc = document;
        if (doc.vectors == "meaning" && !doc.matrix(Given::X)) {  // its many zeros are corners
            doc.vectors = "random";
            doc.width = 8;
        }
        EXPECT_EQ(gradients_disagree(run_valid(doc).trace, &ops, checked % kStepParts), "") << name_of(doc);
        ++checked;
    });
    EXPECT_GT(checked, 150 / table_share());
    EXPECT_GE(ops.size(), table_share() > 1 ? 20u : 30u);  // the other operations follow below
}

class GradientForm : public testing::TestWithParam<const char*> {};

TEST_P(GradientForm, AgreesWithFiniteDifferences) {
    EXPECT_EQ(gradients_disagree(run_valid(document_of(GetParam())).trace), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, GradientForm,
    testing::Values(
        R"({"text": "a b c", "variant": "encoder", "weights": "random", "layers": 2, "heads": 2, "activation": "gelu"})",
        R"({"text": "a b c", "variant": "encoder", "weights": "random", "activation": "gelu_tanh", "block": "pre_norm"})",
        R"({"text": "a b c", "variant": "encoder", "weights": "random", "activation": "swiglu", "norm": "rms_norm", "block": "pre_norm", "heads": 4, "kv_heads": 2, "position": "rope_half"})",
        R"({"text": "a b c", "variant": "decoder", "weights": "random", "layers": 2, "position": "learned", "heads": 2})",
        R"({"text": "a b c", "variant": "generate", "weights": "random", "generate": 3, "position": "rope"})",
        R"({"text": "a b c d", "weights": "random", "scope": "local_p", "gate": "sigmoid", "penalty": 0.5, "window": 2})",
        R"({"text": "a b c d", "weights": "random", "selection": "sparsemax", "temperature": 0.7})",
        R"({"text": "a b c d", "weights": "random", "selection": "top_k", "score": "cosine", "top_k": 2})",
        R"({"text": "a b c d", "weights": "random", "selection": "hard", "draws": 3})",
        R"({"text": "a b c d", "weights": "random", "temperature": 2.5, "mask": "causal", "position": "relative", "heads": 2})",
        R"({"text": "a b c d", "weights": "random", "temperature": 0})",
        R"({"text": "a b c d", "weights": "random", "temperature": "inf"})",
        R"({"text": "a b c", "variant": "encoder", "weights": "random", "epsilon": 0.3, "position": "rope", "rope_base": 3, "head_width": 4, "heads": 2})",
        R"({"text": "a b c", "variant": "encoder", "weights": "random", "epsilon": 0.3, "norm": "rms_norm", "position": "rope_half", "rope_base": 3})",
        R"({"text": "a b c", "variant": "encoder", "vectors": "random", "width": 4, "weights": "random", "parameters": {"l1.query_bias": [[0.5, -1, 2, 0.25]], "l1.value_bias": [[1, 0.5, -0.5, 2]]}})",
        R"({"text": "a b c", "weights": "random", "score": "additive", "score_width": 3})",
        R"({"text": "a b c", "source": "d e", "variant": "bahdanau", "weights": "random", "unit": "gru"})",
        R"({"text": "a b c", "source": "d e", "variant": "bahdanau", "weights": "random", "unit": "gru", "unembedding": "own"})",
        R"({"text": "a b c", "variant": "generate", "weights": "random", "generate": 3, "choose": "sample", "choose_temperature": 2, "choose_top_p": 0.7})",
        R"({"text": "a b c", "variant": "linear", "X": [[-30, 1], [2, -25], [-20, -18]]})",
        R"({"text": "a b c", "variant": "linear", "mask": "causal", "X": [[-30, 1], [2, -25], [-20, -18]]})",
        R"({"text": "a b c d", "weights": "random", "variant": "multi_head", "heads": 2, "heads_off": [2], "edits": [{"step": "queries", "row": 1, "column": 2, "value": 0.5}, {"step": "weights.h1", "row": 2, "column": 1, "value": 0.25}, {"step": "scaled.h2", "row": 1, "column": 1, "value": 1}]})",
        R"({"text": "a b c d", "variant": "luong", "weights": "random", "edits": [{"step": "states", "row": 2, "column": 3, "value": 0.3}]})"));

/// Operations that no form above ends with, on their own numbers; some with typed-over ones.
TEST(Gradient, RemainingOperationsAgree) {
    for (const bool edited : {false, true}) {
        Trace t;
        t.tokens = {"a", "b", "c", "d"};
        const Axis tokens{Axis::Kind::Tokens};
        int made = 0;
        const auto numbers = [&](int rows, int cols) {
            const int which = ++made;
            return input(t, seeded_matrix(static_cast<std::uint64_t>(which), rows, cols), {Role::Embeddings, which}, {}, {},
                         {Source::Given});
        };
        if (edited)
            for (const Role role : {Role::Normed, Role::Shifted, Role::RunningOutput, Role::UnitKeys, Role::States, Role::Gaussian})
                t.edits.push_back({{role}, 1, 0, 0.4f});
        const StepId x = numbers(4, 3), gain = numbers(1, 3), bias = numbers(1, 3), square = numbers(3, 3);
        layer_norm(t, x, gain, bias, {Role::Normed});
        rms_norm(t, x, gain, {Role::Normed, 1});
        layer_norm(t, x, gain, bias, {Role::Normed, 2}, 0.5f);
        rms_norm(t, x, gain, {Role::Normed, 3}, 0.5f);
        unit(t, x, {Role::UnitKeys});
        recur(t, x, square, false, {Role::States});
        recur(t, x, square, true, {Role::BackwardStates});
        const StepId scores = numbers(4, 4), centers = numbers(4, 1);
        const StepId most = row_max(t, scores, kNoStep, {Role::RunningMax});
        const StepId more = row_max(t, numbers(4, 4), most, {Role::RunningMax, 1});
        const StepId shifted = exp_shift(t, scores, more, {Role::Shifted});
        divide(t, shifted, row_sum(t, shifted, {Role::TileSum}), {Role::RunningOutput});
        divide(t, scores, numbers(4, 4), {Role::RunningOutput, 1});
        multiply(t, scores, scores, {Role::Gated});
        multiply(t, x, centers, {Role::Gated, 1});
        gaussian(t, centers, 1.5f, 4, tokens, {Role::Gaussian});
        rotate(t, scores, 2, false, {Role::RotatedQueries}, 3);
        rotate(t, scores, 2, true, {Role::RotatedQueries, 1}, 3);
        top_p(t, scores, 0.6f, {Role::LogitsTopK});
        top_p(t, scores, 0.6f, {Role::LogitsTopK, 1}, 0.3f);
        top_k(t, scores, 2, {Role::ScoresTopK});
        penalty(t, column_sum(t, softmax(t, scores, 1, {Role::Weights}), {Role::Coverage}), 0.7f, {Role::Penalty});
        slice(t, x, 0, 2, {Role::KeyTile});
        slice(t, x, 1, 2, {Role::KeyTile, 1});  // overlaps
        slice_rows(t, x, 1, 1, {Role::KeyRow});
        slice_rows(t, x, 1, 2, {Role::KeyRow, 1});
        stack(t, {x, square}, {Role::CachedKeys});
        const StepId shares = softmax(t, scores, 2, {Role::Weights, 1});
        for (int f = 0; f < static_cast<int>(Activation::TanhSlope); ++f) {
            const auto function = static_cast<Activation>(f);  // negative numbers have no logarithm
            activate(t, function == Activation::Log ? shares : x, function, {Role::Activated, f});
        }
        ASSERT_TRUE(none_overflowed(t));  // otherwise nothing is compared
        EXPECT_EQ(gradients_disagree(t), "") << (edited ? "edited" : "");
    }
}

TEST(Gradient, OfCrossEntropyIsProbabilityLessTarget) {
    Trace t = trace_of(seeded_matrix(3, 4, 5));
    const std::vector<int> targets = {2, kNoTarget, 0, 4};
    const CrossEntropy loss = cross_entropy(t, 0, targets);
    const MatrixD z = t[0].value.cast<double>();
    const auto mean = [&](const MatrixD& logits) {
        double sum = 0;
        for (const Eigen::Index r : {0, 2, 3})
            sum += std::log(logits.row(r).array().exp().sum()) - logits(r, targets[static_cast<std::size_t>(r)]);
        return sum / 3;
    };
    EXPECT_NEAR(static_cast<double>(t[loss.loss].value(0, 0)), mean(z), 1e-6);
    const Gradients g = record_gradients(t, {{loss.objective}});
    ASSERT_NE(g.of[0], kNoStep);
    for (Eigen::Index r = 0; r < 4; ++r)
        for (Eigen::Index c = 0; c < 5; ++c) {
            MatrixD up = z, down = z;
            up(r, c) += kNudge;
            down(r, c) -= kNudge;
            EXPECT_NEAR(static_cast<double>(t[g.of[0]].value(r, c)), (mean(up) - mean(down)) / (2 * kNudge), 1e-6);
        }
    EXPECT_EQ(every_cell_is_explained(t), "");
}

TEST(Gradient, OfOneCellAndOnlyWhatIsWanted) {
    attn::Run run = run_valid(document_of(R"({"text": "a b c", "weights": "random"})"));
    Trace& t = run.trace;
    const StepId output = find_id(t, {Role::Output}), query = find_id(t, {Role::QueryWeight});
    std::vector<bool> wanted(static_cast<std::size_t>(t.size()), false);
    wanted[static_cast<std::size_t>(query)] = true;
    const Objective objective = objective_at(t, {output, 1, 2});
    const Gradients g = record_gradients(t, {{objective}}, wanted);
    EXPECT_NE(g.of[static_cast<std::size_t>(query)], kNoStep);
    EXPECT_EQ(g.of[static_cast<std::size_t>(find_id(t, {Role::ValueWeight}))], kNoStep);
    EXPECT_EQ(find(t, Tag{Role::QueryWeight}.of_pass(1)), &t[g.of[static_cast<std::size_t>(query)]]);
    EXPECT_EQ(step_name(Tag{Role::QueryWeight}.of_pass(1)), "grad.query_weight");
    EXPECT_EQ(find_step(t, "weights"), find_id(t, {Role::Weights}));  // never the gradient's step
}

}  // namespace
}  // namespace attn::test
