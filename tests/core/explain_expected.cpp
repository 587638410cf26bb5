#include "tests/core/explain_expected.h"

#include <cmath>

namespace attn::test {
namespace {

/// The numerators of the softmax: exp((x − max) / τ), and its limits.
double exponential(double x, double maximum, double temperature) {
    if (x == kHidden) return 0;
    if (x == maximum) return 1;
    return temperature == 0 ? 0 : std::exp((x - maximum) / temperature);
}

double temperature_of(const Case& c, const Step& step) {
    const AttentionConfig& config = c.doc.config;
    if (step.tag.role == Role::Weights) return static_cast<double>(config.temperature);
    if (config.form != "generate") return 1;
    return config.choose == "sample" ? static_cast<double>(config.choose_temperature) : 0;
}

/// The factor by which the reference multiplied, read off the largest number.
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
        case Activation::GeluQuick:
            return x / (1 + std::exp(-1.702 * x));
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
        case Activation::GeluQuickSlope:
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

/// The position of a row of queries or keys in the text: when tokens are generated, new queries come after the prompt.
int place_of(const Case& c, const Step& step, int row) {
    const bool queries = step.tag.role == Role::RotatedQueries;
    const bool later = queries && c.doc.config.form == "generate" && step.tag.time > 0;
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
    e.fields.angle = (step.as<RotateParams>().backward ? -place : place) / std::pow(e.fields.factor, 2.0 * pair / width);
    e.values = {from(cell.row, cell.col) * std::cos(e.fields.angle),
                from(cell.row, other) * std::sin(e.fields.angle) * (first ? -1 : 1)};
}

void expect_shares(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto row = c.of(step.inputs[0]).row(cell.row);
    const double t = e.fields.temperature = temperature_of(c, step);
    const double maximum = e.fields.maximum = row.maxCoeff();
    for (Eigen::Index j = 0; j < row.size(); ++j) {
        const double share = maximum == kHidden ? 0 : exponential(row[j], maximum, t);
        // Softmax shares are computed here; sparsemax values, the nearest point of the simplex, are the reference's.
        e.values.push_back(step.op == Op::Softmax ? share : c.of(cell.step)(cell.row, j));
        if (step.op == Op::Softmax) e.fields.sum += share;
    }
    // The largest score has z = 0, so its value z − τ gives the threshold τ.
    if (step.op == Op::Sparsemax && maximum != kHidden) e.fields.threshold = -c.of(cell.step).row(cell.row).maxCoeff();
}

void expect_kept(const Case& c, const Step& step, Cell cell, Expected& e) {
    const auto made = c.of(cell.step).row(cell.row);
    double least = std::numeric_limits<double>::infinity();
    for (const double x : made)
        if (x != kHidden) least = std::min(least, x);
    // If a mask has left fewer than k, the k-th largest is −∞.
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

/// (u − mean(u) − x̂ mean(u x̂)) / s with u = g γ; an RMS norm leaves out mean(u).
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

/// The terms are entries of the reference's tensors that are only added or copied.
void expect_carried(const Case& c, const Explanation& found, Expected& e) {
    for (const Term& term : found.terms) e.values.push_back(c.at(term.left));
    double sum = 0;
    for (const double v : e.values) sum += v;
    // The result shows that they are the right ones.
    EXPECT_NEAR(sum, c.at(found.cell), kClose * std::max(1.0, std::fabs(sum)));
}

}  // namespace

Case case_of(const JsonValue& one) {
    Case out;
    out.doc = document_of(text_of(*one.find("document")));
    out.trace = run_valid(out.doc).trace;
    for (const Step& step : out.trace.steps)
        out.numbers.push_back(numbers_of(*one.find("steps")->find(step_name(step.tag))));
    out.all_masked = one.find("all_masked");
    return out;
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
            e.values = {function_of(found.as<ActivateParams>().activation, in(0)(cell.row, cell.col))};
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

}  // namespace attn::test
