#include <algorithm>
#include <cmath>
#include <optional>

#include "app/ui/fonts.h"
#include "app/ui/formula_setter.h"

namespace app::setting {

Box Setter::fraction(const FormulaNode& node, Style style) const {
    Box above = set(*node.children[0], fraction_of(style)), below = set(*node.children[1], fraction_of(style));
    const float e = em(style), axis = kAxis * e, half = style_.rule / 2, gap = kFractionGap * e;
    const float up = std::max(kNumShift * e, axis + half + gap + above.descent);
    const float down = std::max(kDenomShift * e, below.ascent + gap + half - axis);
    const float inner = std::max(above.width + above.overhang, below.width + below.overhang);
    const float side = kFractionSide * e;
    Box box;
    box.width = inner + 4 * side;  // the bar, and as much space on each side
    box.strokes.push_back(stroke(node, {{side, -axis}, {box.width - side, -axis}}, style_.rule));
    const float above_x = (box.width - above.width - above.overhang) / 2, below_x = (box.width - below.width) / 2;
    box.put(std::move(above), above_x, -up);
    box.put(std::move(below), below_x, down);
    return box;
}

Box Setter::root(const FormulaNode& node, Style style) const {
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

float Setter::delimiter(Box& box, const FormulaNode& node, const std::string& sign, float half, Style style) const {
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

Box Setter::fence(const FormulaNode& node, Style style) const {
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

Box Setter::scripts(const FormulaNode& node, Style style) const {
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

Box Setter::limits(const FormulaNode& node, Style style) const {
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

Box Setter::accent(const FormulaNode& node, Style style) const {
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

}  // namespace app::setting
