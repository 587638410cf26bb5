#pragma once
// How one number is made, as a small expression tree: cells at its leaves and named intermediate values, (z − max) / τ
// → exp → / Σ. Texts, formulas with numbers, the lines of a chain and JSON are printed from this tree, and evaluating
// it recomputes the number.

#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// left · right, or left alone; `value` is what the term contributes.
struct Term {
    Cell left;
    std::optional<Cell> right;
    float value = 0;
    bool masked = false;  ///< softmax: this position is −∞ and has weight 0
};

/// A value that a derivation names: its name in code, its id in files ("": the step's own, or none), its symbol next to
/// its number, and its decimals in a formula (0: all that it has).
#define ATTN_NAMES(NAME)                                                                                             \
    NAME(None, "", "", 0) NAME(X, "", "x", 0) NAME(Slope, "", "g", 0) NAME(ScaledSlope, "", "u = g γ", 0)            \
    NAME(Before, "", "z", 0) NAME(Carried, "", "", 0) NAME(Mask, "", "", 0) NAME(Factor, "", "", 0)                  \
    NAME(Temperature, "", "τ", 0) NAME(Epsilon, "", "", 0) NAME(Maximum, "maximum", "", 2) NAME(Sum, "sum", "", 2)   \
    NAME(SlopeSum, "sum", "Σ g p", 2) NAME(Length, "sum", "", 2) NAME(Threshold, "threshold", "", 4)                 \
    NAME(Least, "threshold", "", 2) NAME(Mean, "mean", "", 4) NAME(Variance, "variance", "", 4)                      \
    NAME(Gain, "gain", "γ", 2) NAME(Bias, "bias", "β", 2) NAME(Normed, "normed", "", 4) NAME(Along, "along", "", 4)  \
    NAME(Spread, "spread", "", 4) NAME(Weight, "weight", "p", 2) NAME(Angle, "angle", "", 4) NAME(Position, "position", "", 0)
enum class Name : std::uint8_t {
#define NAME(name, id, symbol, decimals) name,
    ATTN_NAMES(NAME)
};
#undef NAME
struct NameRow {
    std::string_view id, symbol;
    int decimals;
};
inline constexpr NameRow kNames[] = {
#define NAME(name, id, symbol, decimals) {id, symbol, decimals},
    ATTN_NAMES(NAME)
};
#undef NAME
inline constexpr int kNameCount = std::size(kNames);
constexpr const NameRow& row_of(Name name) { return kNames[static_cast<std::size_t>(name)]; }

/// How a part is printed: in full, in full and then as its value, or only as its value.
enum class Written : std::uint8_t { Whole, ThenValue, Value };

struct Node {
    enum class Kind : std::uint8_t {
        Number,
        Cell,         ///< the number in a cell
        Left, Right,  ///< the factors of a term of the enclosing sum
        Sum, Difference, Product,
        Quotient,     ///< 0 / 0 is 0
        AtLeast,      ///< the first where it is not less than the second, else −∞
        Within,       ///< 1 where the first is not more than the second, else 0
        Negative, Square, Root, Exp, Cosine, Sine, Size,
        Positive,     ///< max(x, 0)
        Function,
        Total, Largest  ///< over all terms, of its part
    };
    Kind kind = Kind::Number;
    Name name = Name::None;
    Written written = Written::Whole;
    Activation function{};
    bool own = false;               ///< contains the one input number that the operation transforms
    int first_term = 0;             ///< for a sum: the first term
    Cell cell{};
    std::optional<double> value{};  ///< for a leaf, or a named value as it was measured
    std::vector<Node> parts{};

    /// The part with this name, or null.
    const Node* find(Name of) const;
    bool is_leaf() const { return parts.empty(); }
};

// Builders that the operations' rows use.

Node number(double value, Name name = Name::None);
Node cell_node(const Trace& t, Cell cell, Name name = Name::None);
Node own(Node node);
inline Node left() { return {.kind = Node::Kind::Left}; }
inline Node right() { return {.kind = Node::Kind::Right}; }
Node of_one(Node::Kind kind, Node part);
Node of_two(Node::Kind kind, Node first, Node second);
Node named(Node node, Name name, double measured, Written written = Written::Whole);
inline Node operator+(Node a, Node b) { return of_two(Node::Kind::Sum, std::move(a), std::move(b)); }
inline Node operator-(Node a, Node b) { return of_two(Node::Kind::Difference, std::move(a), std::move(b)); }
inline Node operator*(Node a, Node b) { return of_two(Node::Kind::Product, std::move(a), std::move(b)); }
inline Node operator/(Node a, Node b) { return of_two(Node::Kind::Quotient, std::move(a), std::move(b)); }
inline Node square(Node x) { return of_one(Node::Kind::Square, std::move(x)); }
inline Node total(Node of_a_term) { return of_one(Node::Kind::Total, std::move(of_a_term)); }
inline Node largest() { return of_one(Node::Kind::Largest, left()); }
Node call(Activation function, Node x);
inline Node over_temperature(Node x, float temperature) { return temperature == 1 ? x : std::move(x) / number(static_cast<double>(temperature), Name::Temperature); }

/// Where tokens are columns the product is Cᵀ = Bᵀ Aᵀ: swaps the factors of each term.
Node transposed(Node node);

/// The value of a part: the measured value if it has one; `anew`: recomputed from the leaves in float64. `term`: the
/// term of the enclosing sum.
double value_of(const Trace& t, const std::vector<Term>& terms, const Node& node, bool anew = false, const Term* term = nullptr);

/// The precedence of a part as it is printed, and the precedence that its place requires.
enum class Tight : std::uint8_t { Sum, Product, Power };

/// A unary function: how it is evaluated, and what is printed around its argument in a text and in a formula.
struct FunctionRow {
    Node::Kind kind;
    double (*of)(double);
    Tight needs;
    std::string_view before, after, formula_before, formula_after;
};
/// Null for other kinds.
const FunctionRow* function_row(Node::Kind kind);

/// How numbers and operators are written in a one-line text.
struct Script {
    std::string (*number)(const Node& node, double value);
    std::string_view minus, times, square, at_least, at_most;
    std::string_view (*function)(Activation);
};
/// A part as text. `worked_out`: parts marked ThenValue are printed as their values.
std::string plain_text(const Trace& t, const std::vector<Term>& terms, const Node& node, const Script& script, bool worked_out = false);
/// Whether the condition holds: a number is not less than the threshold (AtLeast), or within reach (Within).
bool holds(const Trace& t, const std::vector<Term>& terms, const Node& condition);

}  // namespace attn
