#include "app/ui/formula_text.h"

#include "app/ui/formula_node.h"

namespace app {
namespace {

using Kind = FormulaNode::Kind;

std::string text_of_write(const FormulaNode& node);

std::string text_of_child(const FormulaNode& node, std::size_t i) {
    return i < node.children.size() && node.children[i] ? text_of_write(*node.children[i]) : std::string();
}

/// The number of signs in it, without spaces: a single one needs no parentheses in a fraction.
int signs(const FormulaNode& node) {
    if (node.kind == Kind::Space) return 0;
    if (node.kind != Kind::Row) return 1;
    int count = 0;
    for (const NodePtr& one : node.children)
        if (one) count += signs(*one);
    return count;
}

std::string over(const FormulaNode& node, std::size_t i) {
    const std::string text = text_of_child(node, i);
    const bool alone = i >= node.children.size() || !node.children[i] || signs(*node.children[i]) <= 1;
    return alone ? text : "(" + text + ")";
}

/// Adds parentheses if one of `marks` could be misread with what follows.
std::string closed(const std::string& text, std::string_view marks) {
    return text.find_first_of(marks) == std::string::npos ? text : "(" + text + ")";
}

std::string text_of_row(const FormulaNode& node) {
    std::string out;
    for (const NodePtr& one : node.children)
        if (one) out += text_of_write(*one);
    return out;
}

/// Signs between two others are spaced, as in print.
std::string text_of_symbol(const FormulaNode& node) {
    const bool between = node.atom == AtomClass::Binary || node.atom == AtomClass::Relation;
    if (between) return " " + node.text + " ";
    return node.atom == AtomClass::Punctuation ? node.text + " " : node.text;
}

std::string text_of_fence(std::string_view name) {
    if (name == "norm") return "‖";
    if (name == "abs") return "|";
    return name == "." ? std::string() : std::string(name);
}

std::string text_of_write(const FormulaNode& node) {
    switch (node.kind) {
        case Kind::Row:
            return text_of_row(node);
        case Kind::Symbol:
            return text_of_symbol(node);
        case Kind::Space:
            return node.space > 0 ? " " : "";
        case Kind::Fraction:
            return over(node, 0) + "/" + over(node, 1);
        case Kind::Root:
            return "√" + closed(text_of_child(node, 0), " /+");
        case Kind::Fence:
            return text_of_fence(node.text) + text_of_row(node) + text_of_fence(node.close);
        case Kind::Scripts: {
            const std::string above = closed(text_of_child(node, 1), " /_^"), below = closed(text_of_child(node, 2), " /_^");
            // A sum sign is separated from its operand by a space.
            const bool sum = !node.children.empty() && node.children[0] && node.children[0]->large;
            return text_of_child(node, 0) + (below.empty() ? "" : "_" + below) + (above.empty() ? "" : "^" + above) +
                   (sum ? " " : "");
        }
        case Kind::Accent:
            return text_of_child(node, 0) + (node.text == "hat" ? "\u0302" : node.text == "tilde" ? "\u0303" : "\u0304");
    }
    return {};
}

}  // namespace

std::string formula_to_text(std::string_view source) {
    const auto formula = parse_formula(source);
    if (!formula || !formula->root) return std::string(source);
    return text_of_write(*formula->root);
}

}  // namespace app
