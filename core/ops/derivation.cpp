#include "core/ops/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/kernels/kernels.h"

namespace attn {
namespace {

using Kind = Node::Kind;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr FunctionRow kFunctions[] = {
    {Kind::Negative, [](double x) { return -x; }, Tight::Product, "-", "", "-", ""},
    {Kind::Square, [](double x) { return x * x; }, Tight::Power, "", "^2", "", "^2"},
    {Kind::Root, [](double x) { return std::sqrt(x); }, Tight::Sum, "sqrt(", ")", "\\sqrt{", "}"},
    {Kind::Exp, [](double x) { return std::exp(x); }, Tight::Sum, "exp(", ")", "e^{", "}"},
    {Kind::Cosine, [](double x) { return std::cos(x); }, Tight::Sum, "cos(", ")", "\\cos(", ")"},
    {Kind::Sine, [](double x) { return std::sin(x); }, Tight::Sum, "sin(", ")", "\\sin(", ")"},
    {Kind::Size, [](double x) { return std::abs(x); }, Tight::Sum, "|", "|", "\\abs{", "}"},
    {Kind::Positive, [](double x) { return x < 0 ? 0 : x; }, Tight::Sum, "max(", ", 0)", "\\max(0,\\; ", ")"},
};

struct Evaluation {
    const Trace& t;
    const std::vector<Term>& terms;
    bool anew;

    /// Evaluates once what does not depend on the term.
    bool settle(Node& node) const {
        if (node.kind == Kind::Left || node.kind == Kind::Right) return false;
        bool settled = true;
        if (node.kind != Kind::Total && node.kind != Kind::Largest)
            for (Node& part : node.parts) settled = settle(part) && settled;
        if (settled) node = number(of(node, nullptr));
        return settled;
    }

    double over_terms(const Node& node) const {
        Node one = node.parts[0];
        settle(one);
        double sum = 0, most = -kInfinity;
        for (std::size_t i = static_cast<std::size_t>(node.first_term); i < terms.size(); ++i) {
            if (terms[i].masked) continue;
            const double x = of(one, &terms[i]);
            sum += x;
            if (!(x <= most)) most = x;
            if (std::isnan(x)) return x;
        }
        return node.kind == Kind::Total ? sum : most;
    }

    double of_two(Kind kind, double a, double b) const {
        switch (kind) {
            case Kind::Sum:
                return a + b;
            case Kind::Difference:
                return a == -kInfinity && b == a ? a : a - b;  // what is masked stays masked
            case Kind::Product:
                return a * b;
            case Kind::Quotient:
                return a == 0 && b == 0 ? 0 : a == -kInfinity && b == kInfinity ? a : a / b;
            case Kind::AtLeast:
                return std::isnan(b) ? b : a >= b ? a : -kInfinity;
            default:
                return a <= b ? 1 : 0;
        }
    }

    double of(const Node& node, const Term* term) const {
        if (node.value && (node.is_leaf() || !anew)) return *node.value;
        switch (node.kind) {
            case Kind::Left:
                return cell(term->left);
            case Kind::Right:
                return cell(*term->right);
            case Kind::Total:
            case Kind::Largest:
                return over_terms(node);
            default:
                break;
        }
        if (node.parts.back().name == Name::Mask && node.parts.back().value == -kInfinity) return -kInfinity;  // whatever the score is
        const double first = of(node.parts[0], term);
        if (node.parts.size() == 2) return of_two(node.kind, first, of(node.parts[1], term));
        return node.kind == Kind::Function ? activated(node.function, first) : function_row(node.kind)->of(first);
    }

    double cell(Cell at) const { return static_cast<double>(t[at.step].value(at.row, at.col)); }
};

struct Printer {
    const Trace& t;
    const std::vector<Term>& terms;
    const Script& script;
    bool worked_out;

    double value(const Node& node) const { return value_of(t, terms, node); }
    std::string at(Cell cell) const {
        const Node node = cell_node(t, cell);
        return script.number(node, *node.value);
    }

    std::string list(const Node& node, std::string_view between) const {
        const Node& one = node.parts[0];
        std::string out;
        for (std::size_t i = static_cast<std::size_t>(node.first_term); i < terms.size(); ++i) {
            if (!out.empty()) out += between;
            out += one.kind == Kind::Exp ? script.number(one, static_cast<double>(terms[i].value)) : text(one, Tight::Sum, &terms[i]);
        }
        return out.empty() ? "0" : out;
    }

    std::string two(const Node& node, std::string_view sign, Tight first, Tight second, const Term* term) const {
        return text(node.parts[0], first, term) + std::string(sign) + text(node.parts[1], second, term);
    }
    std::string text(const Node& node, Tight needed, const Term* term) const {
        const auto in = [&](Tight tight, const std::string& out) { return tight < needed ? "(" + out + ")" : out; };
        if (node.is_leaf()) {
            if (node.kind == Kind::Left || node.kind == Kind::Right) return at(node.kind == Kind::Left ? term->left : *term->right);
            return script.number(node, *node.value);
        }
        if (node.written == Written::Value || (worked_out && node.written == Written::ThenValue)) return script.number(node, value(node));
        const auto spaced = [](std::string_view sign) { return fmt::format(" {} ", sign); };
        switch (node.kind) {
            case Kind::Sum:
                return in(Tight::Sum, two(node, " + ", Tight::Sum, Tight::Sum, term));
            case Kind::Difference:
                return in(Tight::Sum, two(node, spaced(script.minus), Tight::Sum, Tight::Product, term));
            case Kind::Product: {
                // A quotient as second factor needs no brackets: a · (b / c) = a · b / c.
                const bool quotient = node.parts[1].kind == Kind::Quotient;
                return in(Tight::Product, two(node, script.times, Tight::Product, quotient ? Tight::Product : Tight::Power, term));
            }
            case Kind::Quotient:
                return in(Tight::Product, two(node, node.parts[1].is_leaf() && node.parts[1].name != Name::Spread ? "/" : " / ", Tight::Product, Tight::Power, term));
            case Kind::AtLeast:
                return two(node, spaced(holds(t, terms, node) ? script.at_least : "<"), Tight::Sum, Tight::Sum, term);
            case Kind::Within:
                return two(node, spaced(holds(t, terms, node) ? script.at_most : ">"), Tight::Sum, Tight::Sum, term);
            case Kind::Function:
                return fmt::format("{}({})", script.function(node.function), text(node.parts[0], Tight::Sum, term));
            case Kind::Total:
                return in(Tight::Sum, list(node, " + "));
            case Kind::Largest:
                return fmt::format("max({})", list(node, ", "));
            default:
                return function(node, term);
        }
    }

    std::string function(const Node& node, const Term* term) const {
        const FunctionRow& row = *function_row(node.kind);
        std::string inner = text(node.parts[0], row.needs, term);
        if (node.kind == Kind::Square && inner[0] == '-') inner = "(" + inner + ")";
        const std::string_view before = node.kind == Kind::Negative ? script.minus : row.before, after = node.kind == Kind::Square ? script.square : row.after;
        return fmt::format("{}{}{}", before, inner, after);
    }
};

}  // namespace

const FunctionRow* function_row(Kind kind) {
    const auto* const found = std::find_if(std::begin(kFunctions), std::end(kFunctions), [&](const FunctionRow& row) { return row.kind == kind; });
    return found == std::end(kFunctions) ? nullptr : found;
}

const Node* Node::find(Name of) const {
    if (name == of) return this;
    for (const Node& part : parts)
        if (const Node* found = part.find(of)) return found;
    return nullptr;
}

Node number(double value, Name name) { return {.name = name, .value = value}; }

Node cell_node(const Trace& t, Cell cell, Name name) {
    // For a vocabulary's logits one row suffices: the others are not computed for one number.
    const StepValue& all = t[cell.step].value;
    const float value = all.at_hand() ? all(cell.row, cell.col) : all.one_row(cell.row)[cell.col];
    return {.kind = Kind::Cell, .name = name, .cell = cell, .value = static_cast<double>(value)};
}

Node own(Node node) {
    node.own = true;
    return node;
}

Node of_one(Kind kind, Node part) {
    Node out{.kind = kind, .own = part.own};
    out.parts.push_back(std::move(part));
    return out;
}

Node of_two(Kind kind, Node first, Node second) {
    Node out{.kind = kind, .own = first.own || second.own};
    out.parts.reserve(2);
    out.parts.push_back(std::move(first));
    out.parts.push_back(std::move(second));
    return out;
}

Node named(Node node, Name name, double measured, Written written) {
    node.name = name;
    node.value = measured;
    node.written = written;
    return node;
}

Node call(Activation function, Node x) {
    Node out = of_one(Kind::Function, std::move(x));
    out.function = function;
    return out;
}

Node transposed(Node node) {
    if (node.kind == Kind::Product && node.parts[0].kind == Kind::Left && node.parts[1].kind == Kind::Right) std::swap(node.parts[0], node.parts[1]);
    for (Node& part : node.parts) part = transposed(std::move(part));
    return node;
}

double value_of(const Trace& t, const std::vector<Term>& terms, const Node& node, bool anew, const Term* term) {
    return Evaluation{t, terms, anew}.of(node, term);
}

std::string plain_text(const Trace& t, const std::vector<Term>& terms, const Node& node, const Script& script, bool worked_out) {
    return Printer{t, terms, script, worked_out}.text(node, Tight::Sum, nullptr);
}

bool holds(const Trace& t, const std::vector<Term>& terms, const Node& condition) {
    const double first = value_of(t, terms, condition.parts[0]), second = value_of(t, terms, condition.parts[1]);
    return condition.kind == Kind::AtLeast ? first >= second && first != -kInfinity : first <= second;
}

}  // namespace attn
