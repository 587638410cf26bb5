#include <algorithm>
#include <cmath>
#include <optional>

#include "app/ui/fonts.h"
#include "app/ui/formula_setter.h"

namespace app {
namespace setting {

Box Setter::symbol(const FormulaNode& node, Style style) const {
    const FormulaStyle::Level& fonts = level(style);
    const Type type = node.face == FormulaFace::Italic    ? fonts.italic
                      : node.face == FormulaFace::Upright ? fonts.upright
                                                          : fonts.words;
    const bool displayed = node.large && style == Style::Display;
    const Type used = displayed ? fonts.sign : type;
    const TextExtent extent = measure_(node.text, used);
    Box box;
    box.width = extent.width;
    box.ascent = extent.ascent;
    box.descent = extent.descent;
    box.overhang = extent.overhang;
    box.letter = !node.large;
    // A large sign is centred on the axis, like a fence.
    const float drop = node.large ? (box.ascent - box.descent) / 2 - kAxis * em(style) : 0.0f;
    box.ascent -= drop;
    box.descent += drop;
    box.runs.push_back({node.text, used, {0.0f, drop}, node.hue, node.part});
    return box;
}

Box Setter::space(const FormulaNode& node, Style style) const {
    Box box;
    box.width = node.space * em(style);
    return box;
}

std::vector<AtomClass> Setter::classes(const FormulaNode& node) const {
    std::vector<AtomClass> all;
    AtomClass before = AtomClass::Open;
    for (const NodePtr& child : node.children) {
        AtomClass atom = child->atom;
        const bool after_nothing = before == AtomClass::Open || before == AtomClass::Binary ||
                                   before == AtomClass::Relation || before == AtomClass::Punctuation ||
                                   before == AtomClass::Operator;
        if (atom == AtomClass::Binary && after_nothing) atom = AtomClass::Ordinary;
        all.push_back(atom);
        if (child->kind != Kind::Space) before = atom;
    }
    return all;
}

float Setter::gap(AtomClass left, AtomClass right, const FormulaNode& right_node, Style style) {
    const bool script = style >= Style::Script;
    if (left == AtomClass::Open || right == AtomClass::Close || right == AtomClass::Punctuation) return 0.0f;
    if (left == AtomClass::Relation || right == AtomClass::Relation) return script ? 0.06f : 5 / 18.0f;
    if (left == AtomClass::Binary || right == AtomClass::Binary) return script ? 0.04f : 4 / 18.0f;
    if (left == AtomClass::Punctuation) return script ? 0.05f : 3 / 18.0f;
    const bool fenced = right_node.kind == Kind::Fence || right == AtomClass::Open;
    if (left == AtomClass::Operator) return fenced ? 0.02f : script ? 0.08f : 3 / 18.0f;
    return right == AtomClass::Operator ? (script ? 0.08f : 3 / 18.0f) : 0.0f;
}

Box Setter::row(const FormulaNode& node, Style style) const {
    Box box = items(node, classes(node), 0, node.children.size(), style);
    if (node.opens_part != FormulaLayout::kNoPart) {
        box.parts.emplace_back(node.opens_part,
                               Rect{0.0f, -box.ascent, box.width + box.overhang, box.ascent + box.descent});
    }
    return box;
}

Box Setter::items(const FormulaNode& node, const std::vector<AtomClass>& atoms, std::size_t first, std::size_t end,
                  Style style) const {
    Box box;
    std::optional<std::size_t> before;
    float overhang = 0.0f;
    for (std::size_t i = first; i < end; ++i) {
        const FormulaNode& child = *node.children[i];
        Box item = set(child, style);
        if (child.kind != Kind::Space) {
            if (before) box.width += gap(atoms[*before], atoms[i], child, style) * em(style) + overhang;
            before = i;
            overhang = item.overhang;
        }
        const float width = item.width;
        box.letter = item.letter && node.children.size() == 1;
        box.put(std::move(item), box.width, 0.0f);
        box.width += width;
    }
    box.overhang = overhang;
    return box;
}

std::vector<std::size_t> Setter::breaks(const FormulaNode& node, const std::vector<AtomClass>& atoms, bool signs) {
    std::vector<std::size_t> out;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
        const FormulaNode& last = *node.children[i - 1];
        const bool spaced = last.kind == Kind::Space && last.space >= kWideSpace;
        if (atoms[i] == AtomClass::Relation || spaced || (signs && atoms[i] == AtomClass::Binary)) out.push_back(i);
    }
    out.push_back(node.children.size());
    return out;
}

std::vector<Box> Setter::lines(const FormulaNode& node, Style style, float width, bool signs) const {
    const std::vector<AtomClass> atoms = classes(node);
    std::vector<Box> out;
    std::size_t begin = 0, end = 0;
    for (const std::size_t next : breaks(node, atoms, signs)) {
        const float indent = out.empty() ? 0 : kContinued * em(style);
        if (end > begin && indent + items(node, atoms, begin, next, style).width > width) {
            out.push_back(items(node, atoms, begin, end, style));
            begin = end;
        }
        end = next;
    }
    out.push_back(items(node, atoms, begin, end, style));
    return out;
}

Box Setter::broken(const FormulaNode& node, Style style, float width) const {
    const float in_by = kContinued * em(style);
    const auto widest = [&](const std::vector<Box>& boxes) {
        float most = boxes.front().width;
        for (std::size_t i = 1; i < boxes.size(); ++i) most = std::max(most, in_by + boxes[i].width);
        return most;
    };
    std::vector<Box> all = lines(node, style, width, false);
    if (widest(all) > width) all = lines(node, style, width, true);
    // The last line is on the baseline: text after the formula continues there.
    Box box = std::move(all.back());
    if (all.size() == 1) return box;
    Box whole;
    whole.width = in_by + box.width;
    whole.put(std::move(box), in_by, 0);
    for (std::size_t i = all.size() - 1; i-- > 0;) {
        const float x = i == 0 ? 0 : in_by;
        whole.width = std::max(whole.width, x + all[i].width);
        const float y = -(whole.ascent + kBetweenLines * em(style) + all[i].descent);
        whole.put(std::move(all[i]), x, y);
    }
    return whole;
}

}  // namespace setting

FormulaLayout lay_out_formula(const Formula& formula, const FormulaStyle& style, const MeasureText& measure,
                              FormulaRoom room) {
    using namespace setting;
    FormulaLayout layout;
    if (!formula.root) return layout;
    const Setter setter(style, measure);
    const Style outer = room.inside_text ? Style::Text : Style::Display;
    Box box = setter.set(*formula.root, outer);
    if (room.width > 0 && box.width > room.width && formula.root->kind == Kind::Row)
        box = setter.broken(*formula.root, outer, room.width);
    layout.runs = std::move(box.runs);
    layout.strokes = std::move(box.strokes);
    layout.parts = formula.root->parts;
    for (const auto& [part, rect] : box.parts) layout.parts[static_cast<std::size_t>(part)].rect = rect;
    layout.width = box.width + box.overhang;
    layout.ascent = box.ascent;
    layout.descent = box.descent;
    return layout;
}

}  // namespace app
