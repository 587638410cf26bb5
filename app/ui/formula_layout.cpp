// Setting a formula, after the rules of The TeXbook (appendix G), with lengths in ems of the current level.

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/ui/fonts.h"
#include "app/ui/formula_node.h"

namespace app {
namespace {

using Kind = FormulaNode::Kind;
using Run = FormulaLayout::Run;
using Stroke = FormulaLayout::Stroke;

// Lengths in ems. Names as in appendix G where there is one.
constexpr float kAxis = 0.25f;          // height of the fraction bar above the baseline
constexpr float kSupShift = 0.41f;      // sup1
constexpr float kSubShift = 0.16f;      // sub1
constexpr float kSubShiftBoth = 0.25f;  // sub2
/// From the baseline of a raised script to that of a lowered one, in the scripts' own ems: where small type keeps its
/// scripts readable they are nearly as large as the letter, and would stand on each other.
constexpr float kScriptsApart = 0.95f;
constexpr float kScriptSpace = 0.04f;
constexpr float kNumShift = 0.62f, kDenomShift = 0.62f;
constexpr float kFractionGap = 0.13f;   // between bar and what stands above or below
constexpr float kFractionSide = 0.08f;  // how far the bar reaches out
constexpr float kRootGap = 0.12f, kRootWidth = 0.58f, kRootSide = 0.06f;
constexpr float kLimitGap = 0.14f;
constexpr float kFenceAir = 0.05f;                                      // on both sides of a drawn delimiter
constexpr float kPlainFenceAscent = 0.98f, kPlainFenceDescent = 0.42f;  // a fence's own letters do up to here

constexpr float kWideSpace = 0.9f;  // a space that parts two formulas on one line
constexpr float kContinued = 1.2f;  // how far in a formula's second line begins
constexpr float kBetweenLines = 0.35f;

/// TeX's styles: how large, and how roomy.
enum class Style : std::uint8_t { Display, Text, Script, ScriptScript };
int level_of(Style style) { return style <= Style::Text ? 0 : style == Style::Script ? 1 : 2; }
Style script_of(Style style) { return style <= Style::Text ? Style::Script : Style::ScriptScript; }
Style fraction_of(Style style) { return style == Style::Display ? Style::Text : script_of(style); }

/// A finished piece: its parts relative to its own baseline's left end.
struct Box {
    float width = 0.0f, ascent = 0.0f, descent = 0.0f, overhang = 0.0f;
    bool letter = false;  // one symbol: scripts keep their usual heights
    std::vector<Run> runs;
    std::vector<Stroke> strokes;
    std::vector<std::pair<int, Rect>> parts;

    /// Puts `other` in, moved; grows upwards and downwards, not in width.
    void put(Box&& other, float dx, float dy) {
        for (Run& run : other.runs) {
            run.at = run.at + Point{dx, dy};
            runs.push_back(std::move(run));
        }
        for (Stroke& stroke : other.strokes) {
            for (Point& point : stroke.points) point = point + Point{dx, dy};
            strokes.push_back(std::move(stroke));
        }
        for (auto& [part, rect] : other.parts) parts.emplace_back(part, rect.moved(dx, dy));
        ascent = std::max(ascent, other.ascent - dy);
        descent = std::max(descent, other.descent + dy);
    }
};

class Setter {
public:
    Setter(const FormulaStyle& style, const MeasureText& measure) : style_(style), measure_(measure) {}

    Box set(const FormulaNode& node, Style style) const {
        switch (node.kind) {
            case Kind::Row:
                return row(node, style);
            case Kind::Symbol:
                return symbol(node, style);
            case Kind::Space:
                return space(node, style);
            case Kind::Fraction:
                return fraction(node, style);
            case Kind::Root:
                return root(node, style);
            case Kind::Fence:
                return fence(node, style);
            case Kind::Scripts:
                return scripts(node, style);
            case Kind::Accent:
                return accent(node, style);
        }
        return {};
    }

private:
    const FormulaStyle::Level& level(Style style) const { return style_.levels[level_of(style)]; }
    float em(Style style) const { return level(style).em; }

    Stroke stroke(const FormulaNode& node, std::vector<Point> points, float width, float swell = 0.0f) const {
        return {std::move(points), width, swell, node.hue, node.part};
    }

    Box symbol(const FormulaNode& node, Style style) const {
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
        // A large sign stands around the axis, like a fence.
        const float drop = node.large ? (box.ascent - box.descent) / 2 - kAxis * em(style) : 0.0f;
        box.ascent -= drop;
        box.descent += drop;
        box.runs.push_back({node.text, used, {0.0f, drop}, node.hue, node.part});
        return box;
    }

    Box space(const FormulaNode& node, Style style) const {
        Box box;
        box.width = node.space * em(style);
        return box;
    }

    /// A sign between two operands keeps its distance; one that stands first or after another sign does not.
    std::vector<AtomClass> classes(const FormulaNode& node) const {
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

    /// In ems.
    static float gap(AtomClass left, AtomClass right, const FormulaNode& right_node, Style style) {
        const bool script = style >= Style::Script;
        if (left == AtomClass::Open || right == AtomClass::Close || right == AtomClass::Punctuation) return 0.0f;
        if (left == AtomClass::Relation || right == AtomClass::Relation) return script ? 0.06f : 5 / 18.0f;
        if (left == AtomClass::Binary || right == AtomClass::Binary) return script ? 0.04f : 4 / 18.0f;
        if (left == AtomClass::Punctuation) return script ? 0.05f : 3 / 18.0f;
        const bool fenced = right_node.kind == Kind::Fence || right == AtomClass::Open;
        if (left == AtomClass::Operator) return fenced ? 0.02f : script ? 0.08f : 3 / 18.0f;
        return right == AtomClass::Operator ? (script ? 0.08f : 3 / 18.0f) : 0.0f;
    }

    Box row(const FormulaNode& node, Style style) const {
        Box box = items(node, classes(node), 0, node.children.size(), style);
        if (node.opens_part != FormulaLayout::kNoPart) {
            box.parts.emplace_back(node.opens_part,
                                   Rect{0.0f, -box.ascent, box.width + box.overhang, box.ascent + box.descent});
        }
        return box;
    }

    /// The items from `first` to before `end` of a row.
    Box items(const FormulaNode& node, const std::vector<AtomClass>& atoms, std::size_t first, std::size_t end,
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

    /// Where a row can be broken: before relations and after wide spaces; before signs, too, where that is not enough.
    static std::vector<std::size_t> breaks(const FormulaNode& node, const std::vector<AtomClass>& atoms, bool signs) {
        std::vector<std::size_t> out;
        for (std::size_t i = 1; i < node.children.size(); ++i) {
            const FormulaNode& last = *node.children[i - 1];
            const bool spaced = last.kind == Kind::Space && last.space >= kWideSpace;
            if (atoms[i] == AtomClass::Relation || spaced || (signs && atoms[i] == AtomClass::Binary)) out.push_back(i);
        }
        out.push_back(node.children.size());
        return out;
    }

    /// The row in lines of at most `width`, as full as can be. Parts that are whole rows of their own stay whole.
    std::vector<Box> lines(const FormulaNode& node, Style style, float width, bool signs) const {
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

public:
    Box broken(const FormulaNode& node, Style style, float width) const {
        const float in_by = kContinued * em(style);
        const auto widest = [&](const std::vector<Box>& boxes) {
            float most = boxes.front().width;
            for (std::size_t i = 1; i < boxes.size(); ++i) most = std::max(most, in_by + boxes[i].width);
            return most;
        };
        std::vector<Box> all = lines(node, style, width, false);
        if (widest(all) > width) all = lines(node, style, width, true);
        // The last line stands on the baseline: what follows the formula follows it there.
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

private:
    Box fraction(const FormulaNode& node, Style style) const {
        Box above = set(*node.children[0], fraction_of(style)), below = set(*node.children[1], fraction_of(style));
        const float e = em(style), axis = kAxis * e, half = style_.rule / 2, gap = kFractionGap * e;
        const float up = std::max(kNumShift * e, axis + half + gap + above.descent);
        const float down = std::max(kDenomShift * e, below.ascent + gap + half - axis);
        const float inner = std::max(above.width + above.overhang, below.width + below.overhang);
        const float side = kFractionSide * e;
        Box box;
        box.width = inner + 4 * side;  // the bar, and as much air beside it
        box.strokes.push_back(stroke(node, {{side, -axis}, {box.width - side, -axis}}, style_.rule));
        const float above_x = (box.width - above.width - above.overhang) / 2, below_x = (box.width - below.width) / 2;
        box.put(std::move(above), above_x, -up);
        box.put(std::move(below), below_x, down);
        return box;
    }

    Box root(const FormulaNode& node, Style style) const {
        Box inner = set(*node.children[0], style);
        const float e = em(style), thin = style_.rule;
        const float top = -(std::max(inner.ascent, 0.45f * e) + kRootGap * e + thin / 2);
        const float bottom = std::max(inner.descent, 0.0f) + 0.06f * e;
        const float height = bottom - top, sign = kRootWidth * e;
        const float bar_end = sign + inner.width + inner.overhang + kRootSide * e;
        Box box;
        box.ascent = -top + thin;
        box.descent = bottom;
        box.width = bar_end + 0.04f * e;
        const Point hook{0.04f * e, bottom - 0.40f * height}, shoulder{0.17f * e, bottom - 0.47f * height};
        const Point foot{0.33f * e, bottom}, tip{sign, top};
        box.strokes.push_back(stroke(node, {hook, shoulder}, thin));
        box.strokes.push_back(stroke(node, {shoulder, foot + Point{0.0f, -thin * 0.3f}}, thin * 2.0f));
        box.strokes.push_back(stroke(node, {foot, tip, {bar_end, top}}, thin));
        box.put(std::move(inner), sign + kRootSide * e * 0.6f, 0.0f);
        return box;
    }

    /// One delimiter `half` high above and below the axis, its left edge at 0. Returns its width.
    float delimiter(Box& box, const FormulaNode& node, const std::string& sign, float half, Style style) const {
        const float e = em(style), axis = -kAxis * e, top = axis - half, bottom = axis + half, thin = style_.rule;
        const bool right = sign == ")" || sign == "]";
        if (sign == "(" || sign == ")") {
            const float width = 0.30f * e + 0.03f * half;
            constexpr int kSteps = 16;
            std::vector<Point> bow;
            for (int i = 0; i <= kSteps; ++i) {
                const float t = static_cast<float>(i) / kSteps, bend = 4 * t * (1 - t);
                const float x = width * (0.9f - 0.7f * std::pow(bend, 0.8f));
                bow.push_back({right ? width - x : x, top + (bottom - top) * t});
            }
            box.strokes.push_back(stroke(node, std::move(bow), thin * 0.75f, thin * 0.95f));
            return width;
        }
        if (sign == "[" || sign == "]") {
            const float width = 0.26f * e, back = right ? width * 0.75f : width * 0.25f,
                        tips = right ? 0.05f * e : width - 0.05f * e;
            box.strokes.push_back(
                stroke(node, {{tips, top}, {back, top}, {back, bottom}, {tips, bottom}}, thin * 1.2f));
            return width;
        }
        const float width = sign == "|" ? 0.22f * e : 0.36f * e;
        for (const float x : sign == "|" ? std::vector<float>{0.5f} : std::vector<float>{0.3f, 0.7f}) {
            box.strokes.push_back(stroke(node, {{x * width, top}, {x * width, bottom}}, thin));
        }
        return width;
    }

    Box fence(const FormulaNode& node, Style style) const {
        Box inner = set(*node.children[0], style);
        const float e = em(style);
        const bool bars = node.text == "|" || node.text == "‖";
        const bool plain = !bars && inner.ascent <= kPlainFenceAscent * e && inner.descent <= kPlainFenceDescent * e;
        Box box;
        const float half = std::max({inner.ascent - kAxis * e, inner.descent + kAxis * e, 0.5f * e}) + 0.04f * e;
        const auto put_sign = [&](const std::string& sign) {
            if (!plain) {
                Box drawn;
                const float width = delimiter(drawn, node, sign, half, style), air = kFenceAir * e;
                drawn.ascent = half + kAxis * e;
                drawn.descent = half - kAxis * e;
                box.put(std::move(drawn), box.width + air, 0.0f);
                box.width += width + 2 * air;
                return;
            }
            FormulaNode letter;
            letter.kind = Kind::Symbol;
            letter.face = FormulaFace::Upright;
            letter.hue = node.hue;
            letter.part = node.part;
            letter.text = sign;
            Box drawn = symbol(letter, style);
            const float width = drawn.width;
            box.put(std::move(drawn), box.width, 0.0f);
            box.width += width;
        };
        put_sign(node.text);
        const float inner_width = inner.width + inner.overhang;
        box.put(std::move(inner), box.width, 0.0f);
        box.width += inner_width;
        put_sign(node.close);
        return box;
    }

    Box scripts(const FormulaNode& node, Style style) const {
        if (node.limits && style == Style::Display) return limits(node, style);
        Box base = set(*node.children[0], style);
        const float e = em(style);
        std::optional<Box> above, below;
        if (node.children[1]) above = set(*node.children[1], script_of(style));
        if (node.children[2]) below = set(*node.children[2], script_of(style));
        float up = base.letter ? kSupShift * e : std::max(kSupShift * e, base.ascent - 0.25f * e);
        float down = (above ? kSubShiftBoth : kSubShift) * e;
        if (!base.letter) down = std::max(down, base.descent + 0.05f * e);
        if (above) up = std::max(up, above->descent + 0.18f * e);
        if (above && below) {
            const float air = (up - above->descent) - (below->ascent - down), least = 3 * style_.rule;
            if (air < least) down += least - air;
            const float lacking = kScriptsApart * em(script_of(style)) - up - down;
            if (lacking > 0) up += lacking / 2, down += lacking / 2;
        }
        const float base_width = base.width, overhang = base.overhang;
        Box box;
        box.put(std::move(base), 0.0f, 0.0f);
        float right = base_width + (above ? 0.0f : std::min(overhang, 0.0f));
        if (above) {
            const float x = base_width + overhang + 0.02f * e;
            right = std::max(right, x + above->width + above->overhang);
            box.put(std::move(*above), x, -up);
        }
        if (below) {
            right = std::max(right, base_width + below->width + below->overhang);
            box.put(std::move(*below), base_width, down);
        }
        box.width = right + kScriptSpace * e;
        return box;
    }

    /// Above and below the operator, centred.
    Box limits(const FormulaNode& node, Style style) const {
        Box base = set(*node.children[0], style);
        std::optional<Box> above, below;
        if (node.children[1]) above = set(*node.children[1], script_of(style));
        if (node.children[2]) below = set(*node.children[2], script_of(style));
        const float gap = kLimitGap * em(style), ascent = base.ascent, descent = base.descent;
        const float width = std::max({base.width, above ? above->width : 0.0f, below ? below->width : 0.0f});
        Box box;
        box.width = width;
        const float base_x = (width - base.width) / 2;
        box.put(std::move(base), base_x, 0.0f);
        if (above) {
            const float x = (width - above->width) / 2, y = -(ascent + gap + above->descent);
            box.put(std::move(*above), x, y);
        }
        if (below) {
            const float x = (width - below->width) / 2, y = descent + gap + below->ascent;
            box.put(std::move(*below), x, y);
        }
        return box;
    }

    Box accent(const FormulaNode& node, Style style) const {
        Box inner = set(*node.children[0], style);
        const float e = em(style), width = inner.width, slant = inner.letter ? 0.06f * e : 0.0f;
        const float middle = width / 2 + slant, y = -(inner.ascent + 0.08f * e), rise = 0.13f * e;
        const float half = std::min(width / 2, 0.26f * e);
        Box box;
        box.width = width;
        box.overhang = inner.overhang;
        if (node.text == "hat") {
            box.strokes.push_back(
                stroke(node, {{middle - half, y}, {middle, y - rise}, {middle + half, y}}, style_.rule));
        } else if (node.text == "bar") {
            box.strokes.push_back(stroke(node, {{slant, y}, {width + slant, y}}, style_.rule));
        } else {
            std::vector<Point> wave;
            for (int i = 0; i <= 12; ++i) {
                const float t = static_cast<float>(i) / 12.0f;
                wave.push_back(
                    {middle - half + 2 * half * t, y - rise / 2 - std::sin((t - 0.5f) * 6.2831853f) * rise * -0.4f});
            }
            box.strokes.push_back(stroke(node, std::move(wave), style_.rule));
        }
        const float ascent = inner.ascent + 0.08f * e + rise + style_.rule;
        box.put(std::move(inner), 0.0f, 0.0f);
        box.ascent = ascent;
        return box;
    }

    const FormulaStyle& style_;
    const MeasureText& measure_;
};

}  // namespace

FormulaLayout lay_out_formula(const Formula& formula, const FormulaStyle& style, const MeasureText& measure,
                              FormulaRoom room) {
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
