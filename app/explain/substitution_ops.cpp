// The formula of a number, by the operation that made it.

#include <fmt/format.h>

#include <cmath>

#include "app/explain/inspection_parts.h"
#include "app/explain/substitution_parts.h"
#include "app/timeline/labels.h"
#include "app/timeline/roles.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace app::substitution {
namespace {

using attn::Cell;
using attn::Explanation;
using attn::Op;
using attn::Role;

/// Decimals of what is close to nothing: means, variances, angles, ε.
constexpr int kFine = 4;

/// ε without a power of ten: 0.00001.
std::string decimals_of(float epsilon) {
    std::string text = fmt::format("{:.12f}", epsilon);
    while (text.ends_with('0')) text.pop_back();
    return text;
}

std::string fraction(const std::string& above, const std::string& below) {
    return fmt::format("\\frac{{{}}}{{{}}}", above, below);
}

std::string squared(const std::string& base) { return base + "^2"; }

/// 1/√n as a whole number n; 0: it is none.
int root_of(float factor) {
    const double width = 1.0 / (static_cast<double>(factor) * static_cast<double>(factor)), whole = std::round(width);
    return whole >= 1 && std::abs(width - whole) < 1e-4 * whole ? static_cast<int>(whole) : 0;
}

bool is_mixture(Role left) { return left == Role::Weights || left == Role::LocalWeights || left == Role::Drawn; }

/// The letters of a product whose sense is told by them: a score, a mixture of values.
std::string product_in_symbols(const Writer& w, Cell cell) {
    const attn::Step& step = w.trace[cell.step];
    if (step.tag.pass != 0) return {};
    const Role left = w.trace[step.inputs[0]].tag.role;
    const int i = cell.row + 1, j = cell.col + 1;
    const bool raw = looks_at_itself(w.trace);
    if (step.tag.role == Role::Scores && left == Role::Queries) {
        const std::string q = fmt::format("{{\\q q}}_{{{}}}", i);
        const std::string k = fmt::format("{{{}}}_{{{}}}", scores_by_place(w.trace, cell.step) ? "\\q w" : "\\k k", j);
        return w.columns() ? k + " \\cdot " + q : q + " \\cdot " + k;
    }
    if (step.tag.role == Role::Scores && raw) return fmt::format("{{\\x x}}_{{{}}} \\cdot {{\\x x}}_{{{}}}", i, j);
    if (is_mixture(left)) {
        const std::string a = w.columns() ? fmt::format("{{\\s a}}_{{t,{}}}", i) : fmt::format("{{\\s a}}_{{{},t}}", i);
        const std::string v = fmt::format("{{{} {}}}_{{{}}}", raw ? "\\x" : "\\v", raw ? 'x' : 'v',
                                          w.columns() ? fmt::format("{},t", j) : fmt::format("t,{}", j));
        return w.columns() ? "\\sum_{t} " + v + "\\," + a : "\\sum_{t} " + a + "\\," + v;
    }
    return {};
}

Said product(Writer& w, const Explanation& e) { return {product_in_symbols(w, e.cell), w.sum(e), {}}; }

/// A score divided by √d together with the product that it was.
Said scaled(Writer& w, const Explanation& e) {
    const float by = e.as<attn::ScaleParams>().factor;
    const Cell from = e.terms[0].left;
    const Explanation before = attn::explain(w.trace, from);
    const bool whole = before.op == Op::MatMul && !before.edited;
    const std::string number = w.number(from), sum = whole ? w.sum(before) : std::string();
    const int root = w.trace[e.cell.step].tag.role == Role::Scaled ? root_of(by) : 0;
    if (root == 0) {
        const std::string factor = by < 0 ? fmt::format("({:g})", by) : fmt::format("{:g}", by);
        if (!whole) return {{}, factor + " \\cdot " + w.safe(from), {}};
        return {{}, fmt::format("{} \\cdot ({})", factor, sum), {factor + " \\cdot " + w.safe(from)}};
    }
    const std::string below = fmt::format("\\sqrt{{{}}}", root);
    const std::string symbols = whole ? product_in_symbols(w, from) : std::string();
    const bool by_width = whole && w.trace[w.trace[from.step].inputs[0]].value.cols() == root;
    const std::string width = looks_at_itself(w.trace) ? "\\sqrt{d}" : "\\sqrt{d_k}";
    const std::string general = symbols.empty() ? symbols : fraction(symbols, by_width ? width : below);
    if (!whole) return {general, fraction(number, below), {}};
    return {general, fraction(sum, below), {fraction(number, number_formula(std::sqrt(double(root))))}};
}

/// e^{x − maximum}, over the temperature where there is one.
std::string exponential(Writer& w, const Explanation& e, Cell cell) {
    const float temperature = e.as<attn::SoftmaxParams>().temperature;
    const std::string below = number_formula(static_cast<double>(e.measured<attn::SoftmaxMeasures>().maximum));
    const std::string off = below[0] == '-' ? w.number(cell) + " + " + below.substr(1) : w.number(cell) + " - " + below;
    if (temperature == 1) return fmt::format("e^{{{}}}", off);
    return fmt::format("e^{{({})/{:g}}}", off, temperature);
}

Said softmax(Writer& w, const Explanation& e) {
    const float temperature = e.as<attn::SoftmaxParams>().temperature;
    const attn::Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
    if (e.state == attn::RowState::AllMasked) return {{}, "0", {}};
    std::vector<std::size_t> counted;
    for (std::size_t j = 0; j < e.terms.size(); ++j)
        if (!e.terms[j].masked) counted.push_back(j);
    const int row = e.cell.row + 1, col = e.cell.col + 1;
    const auto score = [&](const std::string& i, const std::string& j) {
        return w.columns() ? fmt::format("{{\\s s}}_{{{},{}}}", j, i) : fmt::format("{{\\s s}}_{{{},{}}}", i, j);
    };
    const bool usual = temperature == 1 && w.trace[e.cell.step].tag.role == Role::Weights;
    const std::string general =
        usual ? fraction(fmt::format("e^{{{} - m}}", score(std::to_string(row), std::to_string(col))),
                         fmt::format("\\sum_{{t}} e^{{{} - m}}", score(std::to_string(row), "t")))
              : std::string();
    const std::string shares =
        fraction(number_formula(static_cast<double>(own.value)), number_formula(static_cast<double>(e.measured<attn::SoftmaxMeasures>().sum)));
    // At the limits every exponential is 0 or 1: there is nothing to write out.
    if (!(temperature > 0) || std::isinf(temperature)) return {{}, shares, {}};
    const std::string above = own.masked ? fmt::format("e^{{{}}}", w.number(own.left)) : exponential(w, e, own.left);
    const std::string below = w.sum(
        counted.size(),
        [&](std::size_t i, bool first) { return (first ? "" : " + ") + exponential(w, e, e.terms[counted[i]].left); },
        [&](std::size_t i) { return static_cast<double>(e.terms[counted[i]].value); });
    return {general, fraction(above, below), {shares}};
}

Said sparsemax(Writer& w, const Explanation& e) {
    const float temperature = e.as<attn::SoftmaxParams>().temperature;
    const auto& m = e.measured<attn::SparsemaxMeasures>();
    const attn::Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
    if (e.state == attn::RowState::AllMasked || own.masked) return {{}, "0", {}};
    if (!(temperature > 0)) return {{}, number_formula(static_cast<double>(own.value)), {}};
    const std::string off = w.number(own.left) + " - " + safe_formula(static_cast<double>(m.maximum));
    const std::string z = temperature == 1 ? off : fmt::format("({})/{:g}", off, temperature);
    return {"\\max(0,\\; z - \\tau)", fmt::format("\\max(0,\\; {} - {})", z, safe_formula(m.threshold, kFine)), {}};
}

/// √(0.31² + 0.20² + …) and the number over it.
Said unit(Writer& w, const Explanation& e) {
    const float length = e.measured<attn::UnitMeasures>().length;
    const Cell own = e.terms[static_cast<std::size_t>(e.cell.col)].left;
    if (!(length > 0)) return {{}, "0", {}};
    const std::string squares = w.sum(
        e.terms.size(),
        [&](std::size_t i, bool first) { return (first ? "" : " + ") + squared(w.safe(e.terms[i].left)); },
        [&](std::size_t i) { return static_cast<double>(e.terms[i].value) * static_cast<double>(e.terms[i].value); });
    const std::string x = w.number(own);
    return {{},
            fraction(x, "\\sqrt{" + squares + "}"),
            {fraction(w.number(own), number_formula(static_cast<double>(length)))}};
}

/// The cell of γ (slot 1) or β (slot 2) that a norm uses.
Cell norm_parameter(const Writer& w, const Explanation& e, std::size_t slot) { return {w.trace[e.cell.step].inputs[slot], 0, e.cell.col}; }

std::string norm_root(const Explanation& e, double spread) {
    return fmt::format("\\sqrt{{{} + {}}}", number_formula(spread, kFine), decimals_of(e.as<attn::NormParams>().epsilon));
}

Said rms_norm(Writer& w, const Explanation& e) {
    const Cell own = e.terms[static_cast<std::size_t>(e.cell.col)].left;
    return {"\\gamma\\, \\frac{x}{\\sqrt{\\bar{x^2} + \\epsilon}}",
            w.number(norm_parameter(w, e, 1)) + " \\cdot " + fraction(w.number(own), norm_root(e, e.measured<attn::RmsNormMeasures>().mean_square)),
            {}};
}

Said layer_norm(Writer& w, const Explanation& e) {
    const auto& m = e.measured<attn::LayerNormMeasures>();
    const Cell own = e.terms[static_cast<std::size_t>(e.cell.col)].left;
    const std::string off = w.number(own) + (m.mean < 0 ? " + " : " - ") + number_formula(std::abs(m.mean), kFine);
    return {"\\gamma\\, \\frac{x - \\bar{x}}{\\sqrt{\\sigma^2 + \\epsilon}} + \\beta",
            w.number(norm_parameter(w, e, 1)) + " \\cdot " + fraction(off, norm_root(e, m.variance)) + w.summand(norm_parameter(w, e, 2), false),
            {}};
}

Said rotated(Writer& w, const Explanation& e) {
    const double turn = e.measured<attn::RotateMeasures>().angle;
    const std::string angle = fmt::format("{:.4f}", turn);
    const auto sine = static_cast<float>(std::sin(turn));
    const bool minus = e.terms[1].value != w.value(e.terms[1].left) * sine;
    return {{},
            fmt::format("{} \\cdot \\cos({}) {} {} \\cdot \\sin({})", w.number(e.terms[0].left), angle,
                        minus ? "-" : "+", w.safe(e.terms[1].left), angle),
            {}};
}

Said activated(Writer& w, const Explanation& e) {
    const attn::Activation activation = e.as<attn::ActivateParams>().activation;
    const std::string x = w.number(e.terms[0].left);
    if (activation == attn::Activation::Relu) return {{}, "\\max(0,\\; " + x + ")", {}};
    return {{}, fmt::format("\\word{{{}}}({})", name_of(activation), x), {}};
}

Said recurrent(Writer& w, const Explanation& e) {
    return {"\\tanh(z + h_{t-1} U)",
            "\\tanh(" + w.sum(e) + ")",
            {fmt::format("\\tanh({})", number_formula(double(e.measured<attn::SumMeasures>().sum)))}};
}

Said largest(Writer& w, const Explanation& e) {
    std::string inner;
    const std::size_t shown = std::min(e.terms.size(), w.listed);
    for (std::size_t i = 0; i < shown; ++i) inner += (i == 0 ? "" : ",\\; ") + w.number(e.terms[i].left);
    return {{}, "\\max(" + inner + (shown < e.terms.size() ? ",\\; \\dots" : "") + ")", {}};
}

Said masked(Writer& w, const Explanation& e) {
    const attn::Term& term = e.terms[0];
    return {{}, w.number(term.left) + (term.masked ? " + (-\\infty)" : " + 0"), {}};
}

Said kept(Writer& w, const Explanation& e) {
    const attn::Term& term = e.terms[0];
    const std::string least = number_formula(e.measured<attn::KeptMeasures>().least);
    const std::string condition = w.number(term.left) + (term.masked ? " < " : " \\ge ") + least;
    return {{}, term.masked ? "-\\infty" : w.number(term.left), {}, "(" + condition + ")"};
}

Said local(Writer& w, const Explanation& e) {
    const std::string off = fmt::format("{:g} - ", e.measured<attn::ColumnMeasures>().position) + w.safe(e.terms[0].left);
    if (e.op == Op::Gaussian)
        return {"e^{-(j - p)^2 / 2 \\sigma^2}", fmt::format("e^{{-({})^2/(2 \\cdot {:g}^2)}}", off, e.as<attn::GaussianParams>().sigma), {}};
    const bool inside = e.computed != 0;
    return {{}, inside ? "1" : "0", {}, fmt::format("(\\abs{{{}}} {} {:g})", off, inside ? "\\le" : ">", e.as<attn::WindowParams>().reach)};
}

/// p (g − Σ g p) / τ: what is below the row's mean gradient gives way to what is above it.
Said softmax_gradient(Writer& w, const Explanation& e) {
    const float temperature = e.as<attn::SoftmaxParams>().temperature;
    const attn::Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
    const std::string off = w.number(own.left) + " - (" + w.sum(e) + ")";
    const std::string made = w.number(*own.right) + " \\cdot (" + off + ")";
    return {"p\\,(g - \\sum_{t} g_t p_t)", temperature == 1 ? made : fraction(made, fmt::format("{:g}", temperature)), {}};
}

/// (u − mean(u) − x̂ mean(u x̂)) / s
Said norm_gradient(Writer& w, const Explanation& e) {
    const auto& m = e.measured<attn::NormGradientMeasures>();
    const attn::Term& own = e.terms[static_cast<std::size_t>(e.cell.col)];
    const std::string u = w.number(own.left) + " \\cdot " + w.safe(*own.right);
    const std::string above = fmt::format("{} - {} - {} \\cdot {}", u, safe_formula(m.mean, kFine), safe_formula(m.normed, kFine),
                                          safe_formula(m.along, kFine));
    return {{}, fraction(above, number_formula(static_cast<double>(m.spread), kFine)), {}};
}

Said penalty(Writer& w, const Explanation& e) {
    const std::string squares = w.sum(
        e.terms.size(),
        [&](std::size_t i, bool first) {
            return fmt::format("{}(1 - {})^2", first ? "" : " + ", w.safe(e.terms[i].left));
        },
        [&](std::size_t i) {
            const double off = 1 - static_cast<double>(w.value(e.terms[i].left));
            return off * off;
        });
    return {"\\lambda \\sum (1 - c)^2", fmt::format("{:g}({})", e.as<attn::PenaltyParams>().lambda, squares), {}};
}

Said pairwise(Writer& w, const Explanation& e) {
    const Cell left = e.terms[0].left, right = *e.terms[0].right;
    if (e.op == Op::Multiply) return {{}, w.number(left) + " \\cdot " + w.safe(right), {}};
    if (e.op == Op::Divide) return {{}, fraction(w.number(left), w.number(right)), {}};
    const std::string below = number_formula(static_cast<double>(w.value(right)));
    const std::string off = w.number(left) + (below[0] == '-' ? " + " : " - ") + w.number(right, true);
    return {{}, "e^{" + off + "}", {}};
}

}  // namespace

Said say(Writer& w, const Explanation& e) {
    switch (e.op) {
        case Op::Input:
            return {};
        case Op::MatMul:
            return product(w, e);
        case Op::Scale:
            return scaled(w, e);
        case Op::Add:
        case Op::AddRow:
        case Op::PairSum:
            return {{}, w.sum(e), {}};
        case Op::Collect:
        case Op::RowSum:
        case Op::ColumnSum:
            return {{}, e.terms.empty() ? "0" : w.sum(e), {}};
        case Op::Multiply:
        case Op::Divide:
        case Op::ExpShift:
            return pairwise(w, e);
        case Op::Activate:
            return activated(w, e);
        case Op::Unit:
            return unit(w, e);
        case Op::LayerNorm:
            return layer_norm(w, e);
        case Op::RmsNorm:
            return rms_norm(w, e);
        case Op::Rotate:
            return rotated(w, e);
        case Op::Window:
        case Op::Gaussian:
            return local(w, e);
        case Op::Mask:
            return masked(w, e);
        case Op::TopK:
        case Op::TopP:
            return kept(w, e);
        case Op::Softmax:
            return softmax(w, e);
        case Op::Sparsemax:
            return sparsemax(w, e);
        case Op::SoftmaxGradient:
            return softmax_gradient(w, e);
        case Op::NormGradient:
            return norm_gradient(w, e);
        case Op::Draw:
            return {{}, fraction(std::to_string(e.terms.size()), std::to_string(e.as<attn::DrawParams>().draws)), {}};
        case Op::RowMax:
            return largest(w, e);
        case Op::Penalty:
            return penalty(w, e);
        case Op::Recur:
            return recurrent(w, e);
#define OP(name, id, rows)
#define CARRY(name, id, rows) case Op::name:
#include "core/trace/ops.inc"
#undef OP
            return {w.indexed(e.terms[0].left), w.number(e.terms[0].left), {}};
    }
    return {};
}

}  // namespace app::substitution
