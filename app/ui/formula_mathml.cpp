#include "app/ui/formula_mathml.h"

#include "app/content/xml_text.h"
#include "app/ui/formula_node.h"

namespace app {
namespace {

using Kind = FormulaNode::Kind;

/// The CSS class of a hue; the page defines their colours.
std::string_view class_of(Hue hue) {
    switch (hue) {
        case Hue::Query:
            return "q";
        case Hue::Key:
            return "k";
        case Hue::Value:
            return "v";
        case Hue::Score:
            return "s";
        case Hue::Output:
            return "o";
        case Hue::Input:
            return "x";
        default:
            return "";
    }
}

std::string write(const FormulaNode& node);

std::string row(const FormulaNode& node) {
    std::string out;
    for (const NodePtr& child : node.children)
        if (child) out += write(*child);
    return "<mrow>" + out + "</mrow>";
}

std::string child(const FormulaNode& node, std::size_t i) {
    return i < node.children.size() && node.children[i] ? write(*node.children[i]) : std::string("<mrow></mrow>");
}

std::string symbol(const FormulaNode& node) {
    const std::string_view hue = class_of(node.hue);
    const std::string marked = hue.empty() ? "" : " class=\"" + std::string(hue) + "\"";
    const std::string text = xml_escaped(node.text);
    if (node.face == FormulaFace::Words) return "<mtext" + marked + ">" + text + "</mtext>";
    const bool digits = node.text.find_first_of("0123456789") != std::string::npos;
    if (digits && node.text.find_first_not_of("0123456789.−+%") == std::string::npos)
        return "<mn" + marked + ">" + text + "</mn>";
    if (node.atom != AtomClass::Ordinary) return "<mo" + marked + ">" + text + "</mo>";
    const std::string upright = node.face == FormulaFace::Upright ? " mathvariant=\"normal\"" : "";
    return "<mi" + marked + upright + ">" + text + "</mi>";
}

std::string scripts(const FormulaNode& node) {
    const bool above = node.children.size() > 1 && node.children[1],
               below = node.children.size() > 2 && node.children[2];
    const bool limits = !node.children.empty() && node.children[0] && node.children[0]->limits;
    const std::string base = child(node, 0);
    if (above && below) {
        const std::string tag = limits ? "munderover" : "msubsup";
        return "<" + tag + ">" + base + child(node, 2) + child(node, 1) + "</" + tag + ">";
    }
    const std::string tag = above ? (limits ? "mover" : "msup") : limits ? "munder" : "msub";
    return "<" + tag + ">" + base + child(node, above ? 1 : 2) + "</" + tag + ">";
}

std::string fence(std::string_view name) {
    const std::string text = name == "norm" || name == "‖"  ? "‖"
                             : name == "abs" || name == "|" ? "|"
                                                            : std::string(name);
    return text.empty() || text == "." ? "" : "<mo fence=\"true\">" + xml_escaped(text) + "</mo>";
}

std::string accent(std::string_view name) {
    if (name == "hat") return "^";
    if (name == "tilde") return "~";
    return "¯";
}

std::string write(const FormulaNode& node) {
    switch (node.kind) {
        case Kind::Row:
            return row(node);
        case Kind::Symbol:
            return symbol(node);
        case Kind::Space:
            return "<mspace width=\"" + std::to_string(node.space) + "em\"></mspace>";
        case Kind::Fraction:
            return "<mfrac>" + child(node, 0) + child(node, 1) + "</mfrac>";
        case Kind::Root:
            return "<msqrt>" + child(node, 0) + "</msqrt>";
        case Kind::Fence:
            return "<mrow>" + fence(node.text) + row(node) + fence(node.close) + "</mrow>";
        case Kind::Scripts:
            return scripts(node);
        case Kind::Accent:
            return "<mover accent=\"true\">" + child(node, 0) + "<mo>" + accent(node.text) + "</mo></mover>";
    }
    return {};
}

}  // namespace

std::string formula_to_mathml(std::string_view source, bool block) {
    const auto formula = parse_formula(source);
    if (!formula || !formula->root) return xml_escaped(source);
    return std::string("<math") + (block ? " display=\"block\"" : "") + ">" + write(*formula->root) + "</math>";
}

}  // namespace app
