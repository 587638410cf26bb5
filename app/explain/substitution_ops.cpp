// The formula of a number: the tree of its derivation, typeset.

#include <fmt/format.h>

#include <cmath>

#include "app/explain/inspection_parts.h"
#include "app/explain/substitution_parts.h"
#include "app/timeline/labels.h"
#include "app/timeline/roles.h"
#include "core/ops/ops.h"

namespace app::substitution {
namespace {

using attn::Cell;
using attn::Explanation;
using attn::Name;
using attn::Node;
using attn::Op;
using attn::Role;
using attn::Term;
using attn::Tight;
using Kind = attn::Node::Kind;
using Written = attn::Written;

/// ε in decimal notation: 0.00001.
std::string decimals_of(float epsilon) {
    std::string text = fmt::format("{:.12f}", epsilon);
    while (text.ends_with('0')) text.pop_back();
    return text;
}

std::string fraction(const std::string& above, const std::string& below) {
    return fmt::format("\\frac{{{}}}{{{}}}", above, below);
}

bool is_mixture(Role left) { return left == Role::Weights || left == Role::LocalWeights || left == Role::Drawn; }

/// The symbols of a product whose meaning they show: a score, or a mixture of values.
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

/// The exponential's share of the row, for the standard softmax of scores.
std::string softmax_in_symbols(const Writer& w, const Explanation& e) {
    if (e.as<attn::SoftmaxParams>().temperature != 1 || w.trace[e.cell.step].tag.role != Role::Weights) return {};
    const auto score = [&](int i, const std::string& j) {
        return w.columns() ? fmt::format("{{\\s s}}_{{{},{}}}", j, i) : fmt::format("{{\\s s}}_{{{},{}}}", i, j);
    };
    const int row = e.cell.row + 1;
    return fraction(fmt::format("e^{{{} - m}}", score(row, std::to_string(e.cell.col + 1))), fmt::format("\\sum_{{t}} e^{{{} - m}}", score(row, "t")));
}

std::string in_symbols(const Writer& w, const Explanation& e) {
    switch (e.op) {
        case Op::MatMul:
            return product_in_symbols(w, e.cell);
        case Op::Softmax:
            return softmax_in_symbols(w, e);
        case Op::Sparsemax:
            return "\\max(0,\\; z - \\tau)";
        case Op::LayerNorm:
            return "\\gamma\\, \\frac{x - \\bar{x}}{\\sqrt{\\sigma^2 + \\epsilon}} + \\beta";
        case Op::RmsNorm:
            return "\\gamma\\, \\frac{x}{\\sqrt{\\bar{x^2} + \\epsilon}}";
        case Op::Recur:
            return "\\tanh(z + h_{t-1} U)";
        case Op::Gaussian:
            return "e^{-(j - p)^2 / 2 \\sigma^2}";
        case Op::SoftmaxGradient:
            return "p\\,(g - \\sum_{t} g_t p_t)";
        case Op::Penalty:
            return "\\lambda \\sum (1 - c)^2";
        default:
            return {};
    }
}

/// The digits of a value that is not in a cell.
std::string digits_of(const Node& node, double value) {
    if (node.name == Name::Epsilon) return decimals_of(static_cast<float>(value));
    const int decimals = attn::row_of(node.name).decimals;
    return decimals == 0 && node.is_leaf() && std::isfinite(value) ? fmt::format("{:g}", value) : number_formula(value, decimals == 0 ? 2 : decimals);
}

struct Setter {
    Writer& w;
    const std::vector<Term>& terms;
    bool worked_out = false;
    std::string own = {};  ///< how the own number was made; empty: it is written itself
    bool in_exponent = false;

    double value(const Node& node, const Term* term = nullptr) const { return attn::value_of(w.trace, terms, node, false, term); }
    bool is_number(const Node& node) const {
        if (node.is_leaf()) return !node.own || own.empty();
        // At a limit of the temperature each exponential is 0 or 1: there is nothing to write out.
        if (node.kind == Kind::Total && node.parts[0].written == Written::Value) return true;
        return node.written == Written::Value || (worked_out && node.written == Written::ThenValue);
    }
    std::optional<Cell> cell_of(const Node& node, const Term* term) const {
        if (node.kind == Kind::Left) return term->left;
        if (node.kind == Kind::Right) return term->right;
        return node.kind == Kind::Cell ? std::optional(node.cell) : std::nullopt;
    }
    bool is_negative(const Node& node, const Term* term) const {
        const auto cell = cell_of(node, term);
        return (cell ? number_formula(static_cast<double>(w.value(*cell))) : digits_of(node, value(node, term)))[0] == '-';
    }
    std::string number(const Node& node, const Term* term, bool plain = false) const {
        if (const auto cell = cell_of(node, term)) return w.number(*cell, plain);
        const std::string digits = digits_of(node, node.kind == Kind::Exp && term != nullptr ? static_cast<double>(term->value) : value(node, term));
        return plain && digits[0] == '-' ? digits.substr(1) : digits;
    }

    /// " − 0.55 · 0.08": the sign of its first number joins it to what precedes.
    std::string joined(const Node& node, const Term* term, bool minus) {
        if (node.name == Name::Mask && std::isinf(*node.value)) return " + (-\\infty)";
        if (is_number(node)) return (is_negative(node, term) == minus ? " + " : " - ") + number(node, term, true);
        if (node.kind == Kind::Product) {
            std::string first = joined(node.parts[0], term, minus);
            return first + " \\cdot " + text(node.parts[1], Tight::Power, term);
        }
        if (node.kind == Kind::Total && !minus) return total(node, false);
        return (minus ? " - " : " + ") + text(node, minus ? Tight::Product : Tight::Sum, term);
    }

    std::string total(const Node& node, bool first_of_all = true) {
        const Node& one = node.parts[0];
        std::vector<const Term*> counted;
        for (std::size_t i = static_cast<std::size_t>(node.first_term); i < terms.size(); ++i)
            if (!terms[i].masked) counted.push_back(&terms[i]);
        if (counted.empty()) return "0";
        return w.sum(
            counted.size(),
            [&](std::size_t i, bool first) { return first && first_of_all ? text(one, Tight::Sum, counted[i]) : joined(one, counted[i], false); },
            [&](std::size_t i) { return one.kind == Kind::Square ? value(one, counted[i]) : static_cast<double>(counted[i]->value); });
    }

    std::string largest() {
        std::string out;
        for (std::size_t i = 0; i < std::min(terms.size(), w.listed); ++i) out += (i == 0 ? "" : ",\\; ") + w.number(terms[i].left);
        return "\\max(" + out + (w.listed < terms.size() ? ",\\; \\dots" : "") + ")";
    }

    std::string quotient(const Node& node, const Term* term) {
        if (value(node.parts[0], term) == 0 && value(node.parts[1], term) == 0) return "0";
        if (!in_exponent) {
            const std::string above = text(node.parts[0], Tight::Sum, term);
            return fraction(above, text(node.parts[1], Tight::Sum, term));
        }
        const std::string above = text(node.parts[0], Tight::Product, term);
        return above + "/" + text(node.parts[1], Tight::Power, term);
    }

    std::string function(const Node& node, const Term* term) {
        const std::string x = text(node.parts[0], Tight::Sum, term);
        if (node.function == attn::Activation::Relu) return "\\max(0,\\; " + x + ")";
        if (node.function == attn::Activation::Tanh) return "\\tanh(" + x + ")";
        return fmt::format("\\word{{{}}}({})", name_of(node.function), x);
    }

    std::string of_one(const Node& node, const Term* term) {
        const attn::FunctionRow& row = *attn::function_row(node.kind);
        const bool before = in_exponent;
        in_exponent = before || node.kind == Kind::Exp;
        const std::string inner = text(node.parts[0], row.needs, term);
        in_exponent = before;
        return fmt::format("{}{}{}", row.formula_before, inner, row.formula_after);
    }

    std::string text(const Node& node, Tight needed = Tight::Sum, const Term* term = nullptr) {
        const auto in = [&](Tight tight, const std::string& out) { return tight < needed ? "(" + out + ")" : out; };
        if (is_number(node)) return in(is_negative(node, term) ? Tight::Product : Tight::Power, number(node, term));
        if (node.is_leaf()) return in(Tight::Sum, own);
        switch (node.kind) {
            case Kind::Sum:
            case Kind::Difference: {
                const std::string first = text(node.parts[0], Tight::Sum, term);
                return in(Tight::Sum, first + joined(node.parts[1], term, node.kind == Kind::Difference));
            }
            case Kind::Product: {
                const std::string first = text(node.parts[0], Tight::Product, term);
                return in(Tight::Product, first + " \\cdot " + text(node.parts[1], Tight::Power, term));
            }
            case Kind::Quotient:
                return in(in_exponent ? Tight::Product : Tight::Power, quotient(node, term));
            case Kind::Function:
                return function(node, term);
            case Kind::Total:
                return in(Tight::Sum, total(node));
            case Kind::Largest:
                return largest();
            default:
                return of_one(node, term);
        }
    }
};

Node shown(const Writer& w, const Node& tree) { return w.columns() ? attn::transposed(tree) : tree; }

/// A score divided by √d, together with its product.
Said scaled(Writer& w, const Explanation& e) {
    const float by = e.as<attn::ScaleParams>().factor;
    const Node& x = e.tree.parts[0];
    const Explanation before = attn::explain(w.trace, x.cell);
    const bool whole = before.op == Op::MatMul && !before.edited;
    const int root = w.trace[e.cell.step].tag.role == Role::Scaled ? root_of(by) : 0;
    const Node below = attn::named(attn::of_one(Kind::Root, attn::number(root)), Name::None, std::sqrt(root), Written::ThenValue);
    const Node tree = root == 0 ? e.tree.parts[1] * x : x / below;
    Setter set{w, e.terms};
    Said said;
    if (whole) set.own = Setter{w, before.terms}.text(shown(w, before.tree));
    said.numbers = set.text(tree);
    if (whole) {
        set.own.clear();
        set.worked_out = true;
        said.between = {set.text(tree)};
    }
    const std::string symbols = whole && root != 0 ? product_in_symbols(w, x.cell) : std::string();
    if (symbols.empty()) return said;
    const bool by_width = w.trace[w.trace[x.cell.step].inputs[0]].value.cols() == root;
    const std::string width = looks_at_itself(w.trace) ? "\\sqrt{d}" : "\\sqrt{d_k}";
    said.general = fraction(symbols, by_width ? width : fmt::format("\\sqrt{{{}}}", root));
    return said;
}

/// A value chosen by a rule, and the reason.
Said decided(Setter& set, const Explanation& e) {
    const bool holds = attn::holds(set.w.trace, e.terms, e.tree), kept = e.tree.kind == Kind::AtLeast;
    const std::string first = set.text(e.tree.parts[0]), second = set.text(e.tree.parts[1]);
    const std::string value = !kept ? (holds ? "1" : "0") : holds ? set.text(e.tree.parts[0]) : "-\\infty";
    const std::string_view sign = kept ? (holds ? "\\ge" : "<") : holds ? "\\le" : ">";
    return {{}, value, {}, fmt::format("({} {} {})", first, sign, second)};
}

bool is_worked_out(const Node& node) {
    if (node.is_leaf() || node.written != Written::Whole) return node.written == Written::ThenValue && !node.is_leaf();
    return std::any_of(node.parts.begin(), node.parts.end(), is_worked_out);
}

}  // namespace

int root_of(float factor) {
    const double width = 1.0 / (static_cast<double>(factor) * static_cast<double>(factor)), whole = std::round(width);
    return whole >= 1 && std::abs(width - whole) < 1e-4 * whole ? static_cast<int>(whole) : 0;
}

Said say(Writer& w, const Explanation& e) {
    if (e.op == Op::Input) return {};
    if (e.op == Op::Scale) return scaled(w, e);
    Setter set{w, e.terms};
    if (e.tree.kind == Kind::Cell) return {w.indexed(e.tree.cell), set.text(e.tree), {}};
    if (e.tree.kind == Kind::AtLeast || e.tree.kind == Kind::Within) return decided(set, e);
    const Node tree = shown(w, e.tree);
    Said said{in_symbols(w, e), set.text(tree), {}};
    set.worked_out = true;
    if (said.numbers == "0" || !is_worked_out(tree)) return said;
    const std::string worked_out = set.text(tree);
    if (worked_out != said.numbers) said.between = {worked_out};
    return said;
}

}  // namespace app::substitution
