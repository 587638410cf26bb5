// What surrounds the matrices of a scene: marks, moving cells, ribbons, cards, planes, labels, captions, legends.
#include <algorithm>
#include <cmath>

#include "app/frame/scene_painter.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

/// Bytes of an ellipsis and a single letter of any script.
constexpr std::size_t kFewLetters = 6;
/// Characters of a number in focus with the fewest possible decimals.
constexpr float kShortFigure = 3;

}  // namespace

void ScenePainter::marks(const MatrixSprite& m, bool small) {
    if (!small) return;
    for (const auto& edit : f.trace()[m.step].replaced) {
        const int row = edit.row - m.first_row, col = edit.col - m.first_col;
        if (row < 0 || row >= m.grid.rows || col < 0 || col >= m.grid.cols || !m.grid.shows(row, col)) continue;
        const Rect rect = m.grid.at(row, col);
        p.circle({rect.right() - f.px(5), rect.y + f.px(5)}, f.px(2.5f), Hue::Warning);
    }
}

void ScenePainter::flying(const CellSprite& c) {
    if (c.alpha <= 0.01f) return;
    if (c.hatched) return hatched(c.rect, c.alpha, Hue::Masked);
    // In a row, numbers are shortened before they get smaller.
    Figures type = c.number ? figures(c.rect.w, longest_number(f.derived.computed->ranges[static_cast<std::size_t>(c.cell.step)]) - 1) : Figures{};
    if (c.number && !type.any && p.width("0", Type::NumberSmall) * kShortFigure <= c.rect.w - f.px(3)) type = {true, Type::NumberSmall, Type::NumberSmall};
    cell(c.rect, f.trace()[c.cell.step].value(c.cell.row, c.cell.col), c.scale, c.alpha, type, false, true);
}

void ScenePainter::ribbon(const RibbonSprite& r) {
    const Ink ink = ink_of(r.head, r.hue, r.alpha);
    if (r.down)
        p.ribbon_down({r.from_at, r.from_low, r.from_high}, {r.to_at, r.to_low, r.to_high}, ink);
    else
        p.ribbon({r.from_at, r.from_low, r.from_high}, {r.to_at, r.to_low, r.to_high}, ink);
}

void ScenePainter::band(const BandSprite& b) {
    const Ink ink = ink_of(b.head, b.hue, b.alpha);
    if (b.dashed)
        p.stroke_dashed(b.rect, ink, b.radius, f.px(1.5f), f.px(5), f.px(3));
    else if (b.outline)
        p.stroke(b.rect, ink, b.radius, f.px(2));
    else if (b.rect.w == b.rect.h && 2 * b.radius >= b.rect.w)
        p.circle(b.rect.center(), b.radius, ink);
    else
        p.fill(b.rect, ink, b.radius);
}

void ScenePainter::card(const CardSprite& c) {
    const auto scope = p.opacity(c.alpha);
    if (c.paper) p.card(c.rect);
    if (c.paper && c.head == kNoHeadColor) return;
    if (!c.paper) p.fill(c.rect, Ink(Hue::Paper, 0.7f), f.theme.card_radius);
    p.stroke(c.rect, ink_of(c.head, c.hue, c.paper ? 1.0f : 0.6f), f.theme.card_radius, f.px(1.2f));
}

void ScenePainter::path(const PathSprite& line) {
    if (line.alpha <= 0.01f) return;
    const Ink ink(line.hue, line.alpha);
    if (line.arrow)
        p.arrow(line.points.front(), line.points.back(), ink, line.width, line.width * 4);
    else
        p.polyline(line.points, ink, line.width);
}

ScenePainter::Figures ScenePainter::figures_on(const QuadSprite& q) const {
    const Point across = (q.corners[1] - q.corners[0]), down = (q.corners[3] - q.corners[0]);
    const float wide = std::max(std::abs(across.x), std::abs(down.x)),
                high = std::max(std::abs(across.y), std::abs(down.y));
    const float characters = q.scale.low < 0 ? 5 : 4;  // either all numbers of a face are shown, or none
    const float room = wide - f.px(2);
    const auto fits = [&](Type type) {
        return p.width("0", type) * characters <= room && f.theme.em(type) <= high;
    };
    if (fits(Type::Number)) return {true, Type::Number, Type::NumberStrong};
    if (fits(Type::NumberSmall)) return {true, Type::NumberSmall, Type::NumberSmall};
    return {};
}

bool ScenePainter::masked_face(const QuadSprite& q) const {
    return !std::isfinite(q.value) ||
           (q.cell.step != attn::kNoStep && masked_weight(q.cell.step, q.cell.row, q.cell.col));
}

Color ScenePainter::face_color(const QuadSprite& q) const {
    const Color color = masked_face(q) ? masked_back : f.scratch.heatmaps->color(q.scale, q.value);
    return q.shade > 0 ? mix(color, f.theme[Hue::Ink], q.shade) : color;
}

void ScenePainter::quad(const QuadSprite& q) {
    if (q.alpha <= 0.01f) return;
    p.polygon(q.corners, Ink(face_color(q), q.alpha));
    if (q.ring) p.polyline(q.corners, Hue::Accent, f.px(2.5f), true);
}

void ScenePainter::number_on(const QuadSprite& q) {
    constexpr float kLeastInk = 0.9f;
    const Figures type = q.number && q.alpha > 0.01f ? figures_on(q) : Figures{};
    if (!type.any) return;
    const bool infinite = !std::isfinite(q.value), stays = q.cell.step != attn::kNoStep;
    const Color color = face_color(q);
    const Color ink = ink_on(q.alpha >= 1 ? color : mix(f.theme[Hue::Back], color, q.alpha));
    const std::string number = infinite         ? (q.value < 0 ? "−∞" : "?")
                               : masked_face(q) ? "0"
                                                : number_text(q.value);
    const float alpha = std::clamp(q.alpha + 0.1f, stays ? kLeastInk : 0.0f, 1.0f);
    p.text_in(rect_around(q.center(), q.bounds().w, f.theme.em(type.type)), number,
              {q.lit ? type.strong : type.type, Align::Center}, Ink(ink, alpha));
}

void ScenePainter::plane(const PlaneSprite& sheet) {
    if (sheet.alpha <= 0.01f) return;
    p.polygon(sheet.corners, Ink(sheet.hue, sheet.alpha));
    p.polyline(sheet.corners, Ink(sheet.hue, std::min(1.0f, 3 * sheet.alpha)), f.px(1), true);
}

Ink ScenePainter::ink_of(int head, Hue hue, float alpha, bool text) const {
    if (head == kNoHeadColor) return {hue, alpha};
    return {text ? f.theme.head_text(head) : f.theme.head(head), alpha};
}

void ScenePainter::label(const LabelSprite& l) {
    if (l.alpha <= 0.02f || l.text.empty()) return;
    const Ink ink = ink_of(l.head, l.hue, l.alpha, true);
    const std::string text =
        l.fit > 0 && p.width(l.text, l.type) > l.fit ? p.fitted(l.text, l.type, l.fit) : l.text;
    if (l.slanted)
        p.text_slanted(l.at, text, {l.type, l.align}, ink);
    else
        p.text(l.at, text, {l.type, l.align}, ink);
}

void ScenePainter::heading(const CaptionSprite& c) {
    const std::string name = name_of(f.trace(), c.step, f.view().language);
    if (p.width(name, Type::BodyStrong) > c.room) {
        const std::string symbol = symbol_of(f.trace(), c.step, scene.convention);
        const FormulaLayout& layout = f.scratch.formulas.get(symbol, FormulaSize::Small, f.theme, p.fonts());
        const auto scope = p.opacity(c.alpha);
        if (layout.width <= c.room) return draw_formula(p, layout, {c.at.x - layout.width / 2, c.at.y});
    }
    const Rect line{c.at.x - c.room / 2, c.at.y - f.theme.em(Type::BodyStrong), c.room,
                    f.theme.em(Type::BodyStrong) * 1.3f};
    const std::string fitted = p.fitted(name, Type::BodyStrong, c.room);
    if (fitted != name && fitted.size() <= kFewLetters) return;  // a single letter and … would be useless
    p.text_in(line, fitted, {Type::BodyStrong, Align::Center}, Ink(*c.title, c.alpha));
}

std::vector<std::string_view> ScenePainter::name_lines(std::string_view name, float room) const {
    if (p.width(name, Type::Small) <= room) return {name};
    return wrap_lines(name, room, [&](std::string_view text) { return p.width(text, Type::Small); });
}

void ScenePainter::caption(const CaptionSprite& c) {
    if (c.title) return heading(c);
    const std::string symbol = symbol_of(f.trace(), c.step, scene.convention);
    const FormulaLayout& layout = f.scratch.formulas.get(symbol, FormulaSize::Normal, f.theme, p.fonts());
    const std::string shape = std::to_string(c.rows) + " × " + std::to_string(c.cols);
    const std::string name = name_of(f.trace(), c.step, f.view().language);
    const auto alpha = p.opacity(c.alpha);
    if (c.centered) {
        const float gap = f.px(10);
        const float name_w = gap + p.width(name, Type::Small), shape_w = gap + p.width(shape, Type::NumberSmall);
        const bool named = layout.width + name_w <= c.room,
                   shaped = named && layout.width + name_w + shape_w <= c.room;
        float x = c.at.x - (layout.width + (named ? name_w : 0) + (shaped ? shape_w : 0)) / 2;
        FormulaLook look;
        look.scale = std::clamp(c.room / std::max(layout.width, 1.0f), c.smallest, 1.0f);
        if (look.scale < 1) x = c.at.x - layout.width * look.scale / 2;
        draw_formula(p, layout, {x, c.at.y}, look);
        x += layout.width;
        if (named) p.text({x + gap, c.at.y}, name, {Type::Small}, Hue::Soft);
        if (shaped) p.text({x + name_w + gap, c.at.y}, shape, {Type::NumberSmall}, Hue::Faint);
    } else {
        draw_formula(p, layout, c.at);
        const float below =
            std::max(f.px(20), layout.descent + f.theme.em(Type::Small));  // room for deep formulas: Σ with an index
        float base = c.at.y + below;
        for (const std::string_view line : name_lines(name, c.room)) {
            p.text({c.at.x, base}, line, {Type::Small}, Hue::Soft);
            base += f.px(18);
        }
        if (base <= c.at.y + c.deep) p.text({c.at.x, base}, shape, {Type::NumberSmall}, Hue::Faint);
    }
}

void ScenePainter::legend_on_a_line(const LegendSprite& l) {
    const std::string low = number_text(l.scale.low), high = number_text(l.scale.high);
    const float gap = f.px(8), base = l.rect.center().y + p.middle_to_baseline(Type::Small);
    const float ends = p.width(low, Type::NumberSmall) + p.width(high, Type::NumberSmall) + 2 * gap;
    const float room = l.rect.w - ends - f.px(56) - gap, words = std::min(p.width(l.of, Type::Small), std::max(0.0f, room));
    float x = l.rect.x;
    if (words > f.px(24)) {
        p.text_fit({x, l.rect.center().y - f.theme.em(Type::Small), words + 1, f.theme.em(Type::Small) * 2}, l.of, {Type::Small}, Hue::Soft);
        x += words + gap;
    }
    x += p.text({x, base}, low, {Type::NumberSmall}, Hue::Soft) + gap;
    const float end = l.rect.right() - p.width(high, Type::NumberSmall) - gap;
    ramp({x, l.rect.y, std::max(1.0f, end - x), l.rect.h}, l.scale);
    p.text({end + gap, base}, high, {Type::NumberSmall}, Hue::Soft);
}

void ScenePainter::ramp(Rect rect, const ColorScale& scale) {
    constexpr int kSteps = 96;
    const float w = rect.w / kSteps;
    for (int i = 0; i < kSteps; ++i) {
        const float t = (static_cast<float>(i) + 0.5f) / kSteps;
        p.fill({rect.x + w * static_cast<float>(i), rect.y, w + 0.5f, rect.h},
               f.scratch.heatmaps->color(scale, scale.low + (scale.high - scale.low) * t));
    }
}

void ScenePainter::legend(const LegendSprite& l) {
    if (!l.of.empty()) return legend_on_a_line(l);
    ramp(l.rect, l.scale);
    const auto end = [](float v, int digits) { return number_text(v, digits); };
    const int digits = l.scale.high == 1.0f ? 0 : std::max(l.scale.high < 0.1f ? 3 : 2, decimals_of(l.scale));
    LegendWords words;
    if (l.scale.diverging) words.middle = "0";
    words.ends.emplace_back(l.scale.diverging ? (l.scale.beyond ? "≤ " : "") + end(l.scale.low, digits) : end(l.scale.low, 0),
                            (l.scale.beyond ? "≥ " : "") + end(l.scale.high, digits));
    // If both ends do not fit, one number is enough: in a diverging scale they have the same magnitude, in others the
    // low end is 0. Digits are dropped only as long as some of the number is left: 0.02 is not ≤ 0.0.
    for (int fewer = digits; fewer >= (l.scale.high < 1 ? 1 : 0) && !has_only_zeros(end(l.scale.high, fewer)) && !l.scale.beyond; --fewer)
        words.instead.push_back((l.scale.diverging ? "±" : "≤ ") + end(l.scale.high, fewer));
    draw_legend_words(f, l.rect, words);
}

}  // namespace app
