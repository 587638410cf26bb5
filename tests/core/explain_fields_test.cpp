// Every field of an explanation against numbers that our kernels had no part in: the reference's float64 values of the
// steps that are read and made, the document's settings, and definitions written out here.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/explain.h"
#include "core/gradient.h"
#include "tests/core/reference.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();
constexpr double kClose = 1e-5;

/// What a field must be; what an operation does not use must be as in an explanation of nothing.
struct Fields {
    double factor = 1, temperature = 1, maximum = 0, sum = 0, threshold = 0, mean = 0, variance = 0, gain = 1, bias = 0,
           angle = 0, position = 0;
    int draws = 0;
};

/// A term as the reference has it.
struct Expected {
    std::vector<double> values;
    Fields fields;
};

/// A document of the reference, its run, and the reference's numbers of each step of it.
struct Case {
    Document doc;
    Trace trace;
    std::vector<Numbers> numbers;
    const JsonValue* all_masked = nullptr;  ///< null: no row is

    const Numbers& of(StepId id) const { return numbers[static_cast<std::size_t>(id)]; }
    double at(Cell cell) const { return of(cell.step)(cell.row, cell.col); }
    bool is_masked(StepId id, int row) const {
        const JsonValue* rows = all_masked ? all_masked->find(step_name(trace[id].tag)) : nullptr;
        if (!rows) return false;
        for (const JsonValue& one : rows->items)
            if (one.integer == row) return true;
        return false;
    }
};

Case case_of(const JsonValue& one) {
    Case out;
    out.doc = document_of(text_of(*one.find("document")));
    out.trace = run_valid(out.doc).trace;
    for (const Step& step : out.trace.steps)
        out.numbers.push_back(numbers_of(*one.find("steps")->find(step_name(step.tag))));
    out.all_masked = one.find("all_masked");
    return out;
}

/// What the shares are of: exp((x − max) / τ), and its limits.
double exponential(double x, double maximum, double temperature) {
    if (x == kHidden) return 0;
    if (x == maximum) return 1;
    return temperature == 0 ? 0 : std::exp((x - maximum) / temperature);
}

double temperature_of(const Case& c, const Step& step) {
    const AttentionConfig& config = c.doc.config;
    if (step.tag.role == Role::Weights) return static_cast<double>(config.temperature);
    if (config.variant != "generate") return 1;
    return config.choose == "sample" ? static_cast<double>(config.choose_temperature) : 0;
}

/// By what the reference multiplied, read off the largest number.
double factor_between(const Numbers& from, const Numbers& to) {
    Eigen::Index r = 0, col = 0;
    const double largest = from.cwiseAbs().maxCoeff(&r, &col);
    return largest == 0 ? std::nan("") : to(r, col) / from(r, col);
}

double function_of(Activation activation, double x) {
    const double sigmoid = 1 / (1 + std::exp(-x));
    switch (activation) {
        case Activation::Tanh:
            return (std::exp(2 * x) - 1) / (std::exp(2 * x) + 1);
        case Activation::Sigmoid:
            return sigmoid;
        case Activation::Relu:
            return std::max(x, 0.0);
        case Activation::LeakyRelu:
            return std::max(x, 0.2 * x);
        case Activation::Gelu:
            return x * std::erfc(-x / std::sqrt(2.0)) / 2;
        case Activation::GeluTanh:
            return x / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
        case Activation::Silu:
            return x * sigmoid;
        case Activation::EluPlusOne:
            return x > 0 ? x + 1 : std::exp(x);
        case Activation::Log:
            return std::log(x);
        case Activation::LogEluPlusOne:
            return x > 0 ? std::log(x + 1) : x;
        case Activation::TanhSlope:
        case Activation::SigmoidSlope:
        case Activation::ReluSlope:
        case Activation::LeakyReluSlope:
        case Activation::GeluSlope:
        case Activation::GeluTanhSlope:
        case Activation::SiluSlope:
        case Activation::EluPlusOneSlope:
        case Activation::LogEluPlusOneSlope:
        case Activation::LogSlope: {
            constexpr double kNudge = 1e-6;
            for (int i = 0; i < kActivationCount; ++i) {
                const auto function = static_cast<Activation>(i);
                if (i < static_cast<int>(Activation::TanhSlope) && slope_of(function) == activation)
                    return (function_of(function, x + kNudge) - function_of(function, x - kNudge)) / (2 * kNudge);
            }
            return 0;
        }
        case Activation::MinusLog:
            return -std::log(x);
    }
    return 0;
}

/// The place of a row of queries or keys in the text: while tokens are added, new queries come after the prompt.
int place_of(const Case& c, const Step& step, int row) {
    const bool queries = step.tag.role == Role::RotatedQueries;
    const bool later = queries && c.doc.config.variant == "generate" && step.tag.time > 0;
    return row + (later ? static_cast<int>(c.of(0).rows()) + step.tag.time - 1 : 0);
}

void expect_norm(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto row = c.of(step.inputs[0]).row(cell.row);
    const auto count = static_cast<double>(row.size());
    double sum = 0, squares = 0, off = 0;
    for (const double x : row) sum += x, squares += x * x;
    for (const double x : row) off += (x - sum / count) * (x - sum / count);
    e.values.assign(row.begin(), row.end());
    if (step.op == Op::Unit) {
        e.fields.sum = std::sqrt(squares);
        return;
    }
    e.fields.factor = static_cast<double>(c.doc.config.epsilon);
    e.fields.gain = c.of(step.inputs[1])(0, cell.col);
    e.fields.mean = step.op == Op::RmsNorm ? squares / count : sum / count;
    if (step.op == Op::RmsNorm) return;
    e.fields.variance = off / count;
    e.fields.bias = c.of(step.inputs[2])(0, cell.col);
}

void expect_rotation(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto& from = c.of(step.inputs[0]);
    const int width = static_cast<int>(from.cols()), half = width / 2, place = place_of(c, step, cell.row);
    const bool halves = c.doc.config.position == "rope_half";
    const int pair = halves ? cell.col % half : cell.col / 2;
    const bool first = halves ? cell.col < half : cell.col % 2 == 0;
    const int other = halves ? (cell.col + half) % width : cell.col + (first ? 1 : -1);
    e.fields.position = place;
    e.fields.factor = static_cast<double>(c.doc.config.rope_base);
    e.fields.angle = (step.params.backward ? -place : place) / std::pow(e.fields.factor, 2.0 * pair / width);
    e.values = {from(cell.row, cell.col) * std::cos(e.fields.angle),
                from(cell.row, other) * std::sin(e.fields.angle) * (first ? -1 : 1)};
}

void expect_shares(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto row = c.of(step.inputs[0]).row(cell.row);
    const double t = e.fields.temperature = temperature_of(c, step);
    const double maximum = e.fields.maximum = row.maxCoeff();
    for (Eigen::Index j = 0; j < row.size(); ++j) {
        const double share = maximum == kHidden ? 0 : exponential(row[j], maximum, t);
        // The nearest point of the simplex is what is above the threshold, as the reference has it.
        e.values.push_back(step.op == Op::Softmax ? share : c.of(cell.step)(cell.row, j));
        if (step.op == Op::Softmax) e.fields.sum += share;
    }
    // z − τ is what is left of the largest, whose z is 0.
    if (step.op == Op::Sparsemax && maximum != kHidden) e.fields.threshold = -c.of(cell.step).row(cell.row).maxCoeff();
}

void expect_kept(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto made = c.of(cell.step).row(cell.row);
    double least = std::numeric_limits<double>::infinity();
    for (const double x : made)
        if (x != kHidden) least = std::min(least, x);
    // Where a mask has left fewer than k, the k-th is −∞.
    const auto kept = static_cast<int>((made.array() != kHidden).count());
    const bool fewer = step.op == Op::TopK && kept < std::min<int>(c.doc.config.top_k, static_cast<int>(made.size()));
    e.fields.threshold = fewer || kept == 0 ? kHidden : least;
    if (step.op == Op::TopP) {
        e.fields.factor = static_cast<double>(c.doc.config.choose_top_p);
        e.fields.temperature = static_cast<double>(c.doc.config.choose_temperature);
    }
    e.values = {made[cell.col]};
}

void expect_recurrence(const Case& c, const Step& step, Cell cell, Expected& e) {
    const Numbers &made = c.of(cell.step), &weight = c.of(step.inputs[1]);
    e.values = {c.of(step.inputs[0])(cell.row, cell.col)};
    const bool backward = step.tag.role == Role::BackwardStates;
    const Eigen::Index before = cell.row + (backward ? 1 : -1);
    if (before >= 0 && before < made.rows())
        for (Eigen::Index f = 0; f < made.cols(); ++f) e.values.push_back(made(before, f) * weight(f, cell.col));
    for (const double v : e.values) e.fields.sum += v;
}

/// p (g − Σ g p) / τ.
void expect_softmax_gradient(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto p = c.of(step.inputs[0]).row(cell.row), g = c.of(step.inputs[1]).row(cell.row);
    e.fields.temperature = static_cast<double>(c.doc.config.temperature);
    e.fields.factor = p[cell.col];
    for (Eigen::Index j = 0; j < p.size(); ++j) e.values.push_back(g[j] * p[j]);
    for (const double v : e.values) e.fields.sum += v;
}

/// (u − mean(u) − x̂ mean(u x̂)) / s with u = g γ; of an RMS norm without mean(u).
void expect_norm_gradient(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto x = c.of(step.inputs[0]).row(cell.row), g = c.of(step.inputs[2]).row(cell.row);
    const auto gain = c.of(step.inputs[1]).row(0);
    const bool centred = c.doc.config.norm != "rms_norm";
    const Eigen::RowVectorXd u = g.array() * gain.array();
    const Eigen::RowVectorXd off = x.array() - (centred ? x.mean() : 0.0);
    e.fields.factor = static_cast<double>(c.doc.config.epsilon);
    const double spread = std::sqrt(off.array().square().mean() + e.fields.factor);
    e.values.assign(u.begin(), u.end());
    e.fields.sum = spread;
    e.fields.threshold = off[cell.col] / spread;
    e.fields.mean = centred ? u.mean() : 0;
    e.fields.variance = u.dot(off) / spread / static_cast<double>(u.size());
}

/// A part of the reference's tensor as terms: what is added up or carried over, without anything between.
void expect_carried(const Case& c, const Explanation& found, Expected& e) {
    for (const Term& term : found.terms) e.values.push_back(c.at(term.left));
    double sum = 0;
    for (const double v : e.values) sum += v;
    // That they are the right ones the result says.
    EXPECT_NEAR(sum, c.at(found.cell), kClose * std::max(1.0, std::fabs(sum)));
}

Expected expected_of(const Case& c, const Explanation& found) {
    const Step& step = c.trace[found.cell.step];
    const Cell cell = found.cell;
    const auto in = [&](std::size_t i) -> const Numbers& { return c.of(step.inputs[i]); };
    const auto beside = [&](std::size_t i) { return in(i)(cell.row, in(i).cols() == 1 ? 0 : cell.col); };
    Expected e;
    switch (step.op) {
        case Op::Input:
            return e;
        case Op::MatMul:
            for (Eigen::Index f = 0; f < in(0).cols(); ++f) e.values.push_back(in(0)(cell.row, f) * in(1)(f, cell.col));
            for (const double term : e.values) e.fields.sum += term;
            return e;
        case Op::Scale:
            e.fields.factor = factor_between(in(0), c.of(cell.step));
            e.values = {c.at(cell)};
            return e;
        case Op::Activate:
            e.values = {function_of(found.activation, in(0)(cell.row, cell.col))};
            EXPECT_NEAR(e.values[0], c.at(cell), kClose * std::max(1.0, std::fabs(e.values[0])));
            return e;
        case Op::Multiply:
            e.values = {in(0)(cell.row, cell.col) * beside(1)};
            return e;
        case Op::Divide:
            e.values = {in(0)(cell.row, cell.col) == 0 && beside(1) == 0 ? 0 : in(0)(cell.row, cell.col) / beside(1)};
            return e;
        case Op::AddRow:
            e.values = {in(0)(cell.row, cell.col), in(1)(0, cell.col)};
            return e;
        case Op::Add:
            e.values = {in(0)(cell.row, cell.col), in(1)(cell.row, cell.col)};
            return e;
        case Op::Unit:
        case Op::LayerNorm:
        case Op::RmsNorm:
            expect_norm(c, step, cell, e);
            return e;
        case Op::Rotate:
            expect_rotation(c, step, cell, e);
            return e;
        case Op::Window:
        case Op::Gaussian:
            e.fields.factor = c.doc.config.window / (step.op == Op::Gaussian ? 2.0 : 1.0);
            e.fields.position = cell.col;
            e.values = {c.at(cell)};
            return e;
        case Op::Mask:
            e.values = {in(1)(cell.row, cell.col) != 0 ? in(0)(cell.row, cell.col) : kHidden};
            return e;
        case Op::TopK:
        case Op::TopP:
            expect_kept(c, step, cell, e);
            return e;
        case Op::Softmax:
        case Op::Sparsemax:
            expect_shares(c, step, cell, e);
            return e;
        case Op::Draw:
            e.fields.draws = step.tag.role == Role::Choice || step.tag.role == Role::OneDraw ? 1 : c.doc.config.draws;
            e.values.assign(static_cast<std::size_t>(std::lround(c.at(cell) * e.fields.draws)), 1.0 / e.fields.draws);
            return e;
        case Op::RowMax:
            for (const double x : in(0).row(cell.row)) e.values.push_back(x);
            if (step.inputs.size() > 1) e.values.push_back(in(1)(cell.row, 0));
            return e;
        case Op::RowSum:
            for (const double x : in(0).row(cell.row)) e.values.push_back(x);
            return e;
        case Op::ColumnSum:
            for (const double x : in(0).col(cell.col)) e.values.push_back(x);
            return e;
        case Op::ExpShift:
            e.values = {exponential(in(0)(cell.row, cell.col), in(1)(cell.row, 0), 1)};
            return e;
        case Op::Penalty:
            e.fields.factor = static_cast<double>(c.doc.config.penalty);
            for (const double x : in(0).row(0)) e.values.push_back(e.fields.factor * (1 - x) * (1 - x));
            return e;
        case Op::Recur:
            expect_recurrence(c, step, cell, e);
            return e;
        case Op::SoftmaxGradient:
            expect_softmax_gradient(c, step, cell, e);
            return e;
        case Op::NormGradient:
            expect_norm_gradient(c, step, cell, e);
            return e;
        case Op::Transpose:
        case Op::PairSum:
        case Op::PairConcat:
        case Op::Fold:
        case Op::Spread:
        case Op::Collect:
        case Op::Slice:
        case Op::SliceRows:
        case Op::Concat:
        case Op::Stack:
            expect_carried(c, found, e);
            return e;
    }
    return e;
}

void expect_close(double found, double expected, double size, const char* what) {
    if (found == expected || std::isnan(expected)) return;
    EXPECT_NEAR(found, expected, kClose * std::max(size, std::fabs(expected))) << what;
}

/// The magnitude that rounding is measured by: of what is read, and of what is made.
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

/// Whether a term is marked as one that weighs nothing.
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
        expect_close(recompute(found), c.at(cell), size, "recomputed");
    const Fields& f = e.fields;
    expect_close(static_cast<double>(found.factor), f.factor, 0, "factor");
    EXPECT_EQ(found.temperature, static_cast<float>(f.temperature));
    expect_close(static_cast<double>(found.maximum), f.maximum, size, "maximum");
    expect_close(static_cast<double>(found.sum), f.sum, size, "sum");
    expect_close(found.threshold, f.threshold, size, "threshold");
    // Of squares and of differences: by their own size.
    expect_close(found.mean, f.mean, step.op == Op::RmsNorm ? 0 : size, "mean");
    expect_close(found.variance, f.variance, 1e-2 * size * size, "variance");
    expect_close(static_cast<double>(found.gain), f.gain, 0, "gain");
    expect_close(static_cast<double>(found.bias), f.bias, 0, "bias");
    expect_close(found.angle, f.angle, 0, "angle");
    expect_close(static_cast<double>(found.position), f.position, 0, "position");
    EXPECT_EQ(found.draws, f.draws);
    EXPECT_EQ(found.state.has_value(), c.is_masked(cell.step, cell.row));
    EXPECT_EQ(found.state.value_or(RowState::AllMasked), RowState::AllMasked);
    EXPECT_TRUE(step.op == Op::Activate || found.activation == Activation::Tanh);
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
            // One cell after the other from step to step, and the last.
            const int at = static_cast<int>(turn++ % static_cast<std::size_t>(rows * cols));
            check_fields(c, {id, at / cols, at % cols});
            check_fields(c, {id, rows - 1, cols - 1});
            ++seen[c.trace[id].op];
            if (c.trace[id].op == Op::Activate) functions.insert(explain(c.trace, {id, 0, 0}).activation);
        }
        if (HasFailure()) return;  // one document is enough to read
    }
    // Two operations, the slopes and −log are of reverse passes: the next test's.
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(kOpCount) - 2) << "an operation that the reference has not";
    EXPECT_EQ(functions.size(), static_cast<std::size_t>(Activation::TanhSlope))
        << "a function that the reference has not";
}

/// The numbers of the trace itself, as a reference of what is made of them.
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
          rest + R"("variant":"encoder","activation":"gelu")", rest + R"("variant":"encoder","activation":"gelu_tanh")",
          rest + R"("variant":"encoder","norm":"rms_norm","epsilon":0.3,"position":"rope","rope_base":3)",
          rest + R"("variant":"encoder","epsilon":0.3)",
          std::string(R"("text":"a b","heads":1,"variant":"linear","X":[[-30, 1], [2, -25]])"),
          rest + R"("variant":"linear")", rest + R"("score":"gat")", rest + R"("score":"additive")",
          rest + R"("scope":"local_p")"}) {
        const Case c = case_of_gradients("{" + settings + "}");
        SCOPED_TRACE(settings);
        for (StepId id = 0; id < c.trace.size(); ++id) {
            const Step& step = c.trace[id];
            const bool slope = step.op == Op::Activate && step.params.activation >= Activation::TanhSlope;
            const bool turned_back = step.op == Op::Rotate && step.params.backward;
            if (step.op != Op::SoftmaxGradient && step.op != Op::NormGradient && !slope && !turned_back) continue;
            SCOPED_TRACE(step_name(step.tag));
            const auto rows = static_cast<int>(c.of(id).rows()), cols = static_cast<int>(c.of(id).cols());
            for (int at = 0; at < rows * cols; at += 3) check_fields(c, {id, at / cols, at % cols});
            ++seen[step.op];
            if (slope) functions.insert(step.params.activation);
        }
        if (HasFailure()) return;
    }
    EXPECT_EQ(seen.size(), 4u);
    // All but the logarithm: it is taken beside draws alone, which have no gradient.
    EXPECT_EQ(functions.size(), static_cast<std::size_t>(Activation::TanhSlope) - 1);
}

/// Where numbers come from: what the document gives, what follows from a formula, what a hand drew.
TEST(ExplainFields, SayWhereInputsComeFrom) {
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
