// Every field of an explanation against the reference and the definitions (explain_expected.h).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/gradient/gradient.h"
#include "core/ops/ops.h"
#include "tests/core/explain_expected.h"

namespace attn::test {
namespace {

void expect_close(double found, double expected, double size, const char* what) {
    if (found == expected || std::isnan(expected)) return;
    EXPECT_NEAR(found, expected, kClose * std::max(size, std::fabs(expected))) << what;
}

/// The magnitude that rounding errors are relative to: the largest number that is read or made.
double size_of(const Case& c, const Step& step, StepId id) {
    double size = 0;
    const auto look = [&](const Numbers& numbers) {
        for (const double x : numbers.reshaped())
            if (std::isfinite(x)) size = std::max(size, std::fabs(x));
    };
    look(c.of(id));
    for (const StepId input : step.inputs) look(c.of(input));
    return size;
}

/// Whether a term must be marked as masked.
bool is_hidden(const Case& c, const Explanation& found, const Term& term) {
    switch (found.op) {
        case Op::Softmax:
        case Op::Sparsemax:
        case Op::ExpShift:
            return c.at(term.left) == kHidden;
        case Op::Mask:
            return c.at(*term.right) == 0;
        case Op::TopK:
        case Op::TopP:
            return c.at(found.cell) == kHidden;
        default:
            return false;
    }
}

void check_terms(const Case& c, const Explanation& found, const Expected& e, double size) {
    ASSERT_EQ(found.terms.size(), e.values.size());
    for (std::size_t i = 0; i < e.values.size(); ++i) {
        const Term& term = found.terms[i];
        SCOPED_TRACE(testing::Message() << "term " << i);
        if (e.values[i] == kHidden)
            EXPECT_TRUE(std::isinf(term.value) && term.value < 0);
        else
            expect_close(static_cast<double>(term.value), e.values[i], size, "value");
        EXPECT_EQ(term.masked, is_hidden(c, found, term));
    }
}

template <class... Own>
struct OneOf : Own... {
    using Own::operator()...;
};
template <class... Own>
OneOf(Own...) -> OneOf<Own...>;

/// The parameters and the named values of the tree, under the names of Fields; what an operation does not have is as in
/// an empty explanation.
Fields fields_of(const Explanation& e) {
    Fields f;
    const auto d = [](float x) { return static_cast<double>(x); };
    std::visit(OneOf{[](const auto&) {},
                     [&](const ScaleParams& p) { f.factor = d(p.factor); },
                     [&](const NormParams& p) { f.factor = d(p.epsilon); },
                     [&](const NormGradientParams& p) { f.factor = d(p.epsilon); },
                     [&](const RotateParams& p) { f.factor = d(p.base); },
                     [&](const WindowParams& p) { f.factor = d(p.reach); },
                     [&](const GaussianParams& p) { f.factor = d(p.sigma); },
                     [&](const PenaltyParams& p) { f.factor = d(p.lambda); },
                     [&](const SoftmaxParams& p) { f.temperature = d(p.temperature); },
                     [&](const DrawParams& p) { f.draws = p.draws; },
                     [&](const TopPParams& p) { f.factor = d(p.p), f.temperature = d(p.temperature); }},
               e.params);
    for (const auto& [name, field] : {std::pair{Name::Maximum, &Fields::maximum}, {Name::Sum, &Fields::sum}, {Name::SlopeSum, &Fields::sum},
                                      {Name::Length, &Fields::sum}, {Name::Spread, &Fields::sum}, {Name::Threshold, &Fields::threshold},
                                      {Name::Least, &Fields::threshold}, {Name::Normed, &Fields::threshold}, {Name::Mean, &Fields::mean},
                                      {Name::Variance, &Fields::variance}, {Name::Along, &Fields::variance}, {Name::Gain, &Fields::gain},
                                      {Name::Bias, &Fields::bias}, {Name::Weight, &Fields::factor}, {Name::Angle, &Fields::angle},
                                      {Name::Position, &Fields::position}})
        if (e.tree.find(name)) f.*field = e.named(name);
    return f;
}

void check_fields(const Case& c, Cell cell) {
    const Explanation found = explain(c.trace, cell);
    const Step& step = c.trace[cell.step];
    const Expected e = expected_of(c, found);
    const double size = size_of(c, step, cell.step);
    EXPECT_EQ(found.op, step.op);
    EXPECT_EQ(found.cell, cell);
    EXPECT_FALSE(found.edited);
    EXPECT_EQ(found.computed, found.result);
    if (c.at(cell) == kHidden)
        EXPECT_TRUE(std::isinf(found.result) && found.result < 0);
    else
        expect_close(static_cast<double>(found.result), c.at(cell), size, "result");
    if (step.op != Op::Input && std::isfinite(c.at(cell)))
        expect_close(recompute(c.trace, found), c.at(cell), size, "recomputed");
    const Fields &f = e.fields, of = fields_of(found);
    expect_close(of.factor, f.factor, 0, "factor");
    EXPECT_EQ(static_cast<float>(of.temperature), static_cast<float>(f.temperature));
    expect_close(of.maximum, f.maximum, size, "maximum");
    expect_close(of.sum, f.sum, size, "sum");
    expect_close(of.threshold, f.threshold, size, "threshold");
    // These are relative to the size of differences and of squares.
    expect_close(of.mean, f.mean, step.op == Op::RmsNorm ? 0 : size, "mean");
    expect_close(of.variance, f.variance, 1e-2 * size * size, "variance");
    expect_close(of.gain, f.gain, 0, "gain");
    expect_close(of.bias, f.bias, 0, "bias");
    expect_close(of.angle, f.angle, 0, "angle");
    expect_close(of.position, f.position, 0, "position");
    EXPECT_EQ(of.draws, f.draws);
    EXPECT_EQ(found.state.has_value(), c.is_masked(cell.step, cell.row));
    EXPECT_EQ(found.state.value_or(RowState::AllMasked), RowState::AllMasked);
    check_terms(c, found, e, size);
}

TEST(ExplainFields, AgreeWithTheReference) {
    std::map<Op, int> seen;
    std::set<Activation> functions;
    std::size_t turn = 0;
    for (const JsonValue& one : reference_cases()) {
        const Case c = case_of(one);
        SCOPED_TRACE(text_of(*one.find("document")).substr(0, 1500));
        for (StepId id = 0; id < c.trace.size(); ++id) {
            SCOPED_TRACE(step_name(c.trace[id].tag));
            const auto rows = static_cast<int>(c.of(id).rows()), cols = static_cast<int>(c.of(id).cols());
            // One cell per step, another in each, and the last cell.
            const int at = static_cast<int>(turn++ % static_cast<std::size_t>(rows * cols));
            check_fields(c, {id, at / cols, at % cols});
            check_fields(c, {id, rows - 1, cols - 1});
            ++seen[c.trace[id].op];
            if (c.trace[id].op == Op::Activate) functions.insert(explain(c.trace, {id, 0, 0}).as<ActivateParams>().activation);
        }
        if (HasFailure()) return;  // one document is enough to read
    }
    // Two operations, the slopes and −log occur in reverse passes only: the next test covers them.
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kOpCount) - 2) << "an operation that the reference has not";
    EXPECT_EQ(functions.size(), static_cast<std::size_t>(Activation::TanhSlope))
        << "a function that the reference has not";
}

/// A case whose reference values are the trace's own numbers.
Case case_of_gradients(const std::string& settings) {
    Case out;
    out.doc = document_of(settings);
    out.trace = run_valid(out.doc).trace;
    const StepId end = out.trace.size() - 1;
    Matrix seed = out.trace[end].value.matrix();
    for (Eigen::Index i = 0; i < seed.size(); ++i) seed.data()[i] = 0.3f * static_cast<float>(i % 7) - 0.8f;
    record_gradients(out.trace, {{objective_of(out.trace, end, seed)}});
    for (const Step& step : out.trace.steps) out.numbers.push_back(step.value.cast<double>());
    return out;
}

TEST(ExplainFields, OfAReversePassAgreeWithItsDefinitions) {
    std::map<Op, int> seen;
    std::set<Activation> functions;
    const std::string rest = R"("text":"the tired cat sat down","weights":"random","width":8,"heads":2,)";
    for (const std::string& settings :
         {rest + R"("variant":"encoder","temperature":1.5,"position":"rope_half")",
          rest + R"("variant":"encoder","norm":"rms_norm","activation":"swiglu","position":"rope")",
          rest + R"("variant":"encoder","activation":"gelu")", rest + R"("variant":"encoder","activation":"gelu_tanh")", rest + R"("variant":"encoder","activation":"gelu_quick")",
          rest + R"("variant":"encoder","norm":"rms_norm","epsilon":0.3,"position":"rope","rope_base":3)",
          rest + R"("variant":"encoder","epsilon":0.3)",
          std::string(R"("text":"a b","heads":1,"variant":"linear","X":[[-30, 1], [2, -25]])"),
          rest + R"("variant":"linear")", rest + R"("score":"gat")", rest + R"("score":"additive")",
          rest + R"("scope":"local_p")"}) {
        const Case c = case_of_gradients("{" + settings + "}");
        SCOPED_TRACE(settings);
        for (StepId id = 0; id < c.trace.size(); ++id) {
            const Step& step = c.trace[id];
            const bool slope = step.op == Op::Activate && step.as<ActivateParams>().activation >= Activation::TanhSlope;
            const bool turned_back = step.op == Op::Rotate && step.as<RotateParams>().backward;
            if (step.op != Op::SoftmaxGradient && step.op != Op::NormGradient && !slope && !turned_back) continue;
            SCOPED_TRACE(step_name(step.tag));
            const auto rows = static_cast<int>(c.of(id).rows()), cols = static_cast<int>(c.of(id).cols());
            for (int at = 0; at < rows * cols; at += 3) check_fields(c, {id, at / cols, at % cols});
            ++seen[step.op];
            if (slope) functions.insert(step.as<ActivateParams>().activation);
        }
        if (HasFailure()) return;
    }
    EXPECT_EQ(seen.size(), 4u);
    // All but the logarithm: it occurs only with draws, which have no gradient.
    EXPECT_EQ(functions.size(), static_cast<std::size_t>(Activation::TanhSlope) - 1);
}

/// The named values, recomputed from the cells alone, equal the measured ones, and so does the whole expression.
TEST(Derivation, NamedValuesFollowFromTheirParts) {
    std::set<Op> seen;
    const auto check = [&](const Trace& trace) {
        for (StepId id = 0; id < trace.size(); ++id) {
            const Step& step = trace[id];
            seen.insert(step.op);
            const Cell cell{id, static_cast<int>(step.value.rows()) - 1, static_cast<int>(step.value.cols()) / 2};
            const Explanation e = explain(trace, cell);
            SCOPED_TRACE(explain_text(trace, e));
            if (e.state) continue;
            for (int i = 1; i < kNameCount; ++i) {
                const Node* const node = e.tree.find(static_cast<Name>(i));
                if (node == nullptr || !node->value || !std::isfinite(*node->value)) continue;
                EXPECT_NEAR(value_of(trace, e.terms, *node, true), *node->value, 1e-4 * std::max(1.0, std::fabs(*node->value))) << i;
            }
            const auto computed = static_cast<double>(e.computed);
            if (std::isfinite(computed)) {
                EXPECT_NEAR(recompute(trace, e), computed, 1e-4 * std::max(1.0, std::fabs(computed)));
                EXPECT_EQ(value_of(trace, e.terms, transposed(e.tree), true), recompute(trace, e)) << "columns";
            }
        }
    };
    const std::string rest = R"({"text":"the tired cat sat down","weights":"random","width":8,"heads":2,)";
    for (const JsonValue& one : reference_cases()) check(case_of(one).trace);
    for (const char* settings : {R"("variant":"encoder","temperature":1.5})", R"("variant":"encoder","norm":"rms_norm"})"})
        check(case_of_gradients(rest + settings).trace);
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kOpCount)) << "an operation whose derivation was not tried";
}

/// Two printings of one tree: factors and names are swapped where tokens are columns.
TEST(Derivation, ColumnsAreTheTransposedTree) {
    Trace t = trace_of((Matrix(1, 2) << 2, 3).finished());
    const StepId right = input(t, (Matrix(2, 1) << 5, 7).finished(), {Role::Values}, {}, {}, {});
    const Cell cell{matmul(t, 0, right, {Role::Output}), 0, 0};
    const Explanation e = explain(t, cell);
    EXPECT_THAT(explain_text(t, e), testing::HasSubstr(" = 2*5 + 3*7 = 31"));
    EXPECT_THAT(explain_text(t, e, Convention::Columns), testing::HasSubstr(" = 5*2 + 7*3 = 31"));
}

/// The sources of inputs: given by the document, following from a formula, or drawn by hand.
TEST(ExplainFields, NameTheSourcesOfInputs) {
    for (const JsonValue& one : reference_cases()) {
        const Case c = case_of(one);
        const JsonValue* given = one.find("document")->find("parameters");
        for (StepId id = 0; id < c.trace.size(); ++id) {
            const Step& step = c.trace[id];
            if (step.op != Op::Input) continue;
            const Explanation e = explain(c.trace, {id, 0, 0});
            SCOPED_TRACE(step_name(step.tag));
            const bool by_name = given && given->find(step_name(step.tag));
            const bool by_formula = step.tag.role == Role::CausalPattern || step.tag.role == Role::DistanceBias ||
                                    step.tag.role == Role::BucketShares || step.tag.role == Role::HeadShares ||
                                    (step.tag.role == Role::Positions && c.doc.config.position.starts_with("sinusoidal")) ||
                                    (step.tag.role == Role::Centers && c.doc.config.scope == "local_m") ||
                                    (step.tag.role == Role::MaskPattern && c.doc.config.mask != "drawn");
            const bool drawn =
                step.tag.role == Role::MaskPattern && c.doc.config.mask == "drawn" && step.tag.part == Part::Main;
            if (by_name || step.tag.role == Role::Embeddings) {
                EXPECT_EQ(e.source, Source::Given);
            } else if (by_formula) {
                EXPECT_EQ(e.source, Source::Formula);
            } else if (drawn) {
                EXPECT_EQ(e.source, Source::Drawn);
            }
        }
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace attn::test
