#include "app/frame/lens.h"

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"

namespace app {
namespace {

/// Cells on each side of the one under the pointer.
constexpr int kLensReach = 2, kSide = 2 * kLensReach + 1;
/// Design pixels: padding of the card, distance from the pointer, gap between cells.
constexpr float kLensPad = 12, kLensAway = 18, kLensGap = 2;
constexpr float kNamesWidth = 104;

struct Lens {
    const Frame& f;
    const MatrixLook& look;
    Spot middle;
    Painter& p;
    float cell_w = 0, cell_h = 0, names_w = 0;

    bool turned() const { return f.columns(); }
    /// The value's cell at a line and an upright of the lens; none if it is outside the matrix.
    std::optional<Spot> at(int line, int upright) const {
        const int row = middle.row + (turned() ? upright : line) - kLensReach,
                  col = middle.col + (turned() ? line : upright) - kLensReach;
        if (row < 0 || col < 0 || row >= look.value->rows() || col >= look.value->cols()) return std::nullopt;
        return Spot{row, col};
    }
    std::string number(float v) const {
        if (std::isinf(v) && v < 0) return "−∞";
        if (!std::isfinite(v)) return "?";
        const int decimals = decimals_of(look.scale) + 1;  // one digit more than a cell has room for
        return look.is_signed ? signed_text(v, decimals) : number_text(v, decimals);
    }
    static std::string name(const MatrixNames& names, int index) {
        return std::to_string(index + 1) + "  " + names(index);
    }

    void measure() {
        cell_h = f.theme.em(Type::NumberSmall) * 2.0f;
        cell_w = f.px(44);
        for (int i = 0; i < kSide; ++i)
            for (int j = 0; j < kSide; ++j)
                if (const auto cell = at(i, j))
                    cell_w = std::max(
                        cell_w, p.width(number((*look.value)(cell->row, cell->col)), Type::NumberSmall) + f.px(10));
        names_w = f.px(kNamesWidth);
    }

    Size size() const { return {names_w + cell_w * kSide + 2 * f.px(kLensPad), cell_h * (kSide + 1) + 2 * f.px(kLensPad)}; }

    /// Right of the pointer and below it, or on the other side if there is no room.
    Rect place() const {
        const Size s = size();
        const Point mouse = gui::mouse();
        const float away = f.px(kLensAway), edge = f.px(6);
        float x = mouse.x + away, y = mouse.y + away;
        if (x + s.w > f.window.right() - edge) x = mouse.x - away - s.w;
        if (y + s.h > f.window.bottom() - edge) y = mouse.y - away - s.h;
        return {
            std::round(std::clamp(x, f.window.x + edge, std::max(f.window.x + edge, f.window.right() - s.w - edge))),
            std::round(std::clamp(y, f.window.y + edge, std::max(f.window.y + edge, f.window.bottom() - s.h - edge))),
            s.w, s.h};
    }

    void cell(Rect rect, Spot spot, bool lit) {
        const float v = (*look.value)(spot.row, spot.col), radius = f.px(4);
        const Rect box = rect.inset(f.px(kLensGap) / 2);
        const bool masked = look.masked_in && is_masked_score((*look.masked_in)(spot.row, spot.col));
        if (!std::isfinite(v) || masked) {
            p.fill(box, mix(f.theme[Hue::Paper], f.theme[Hue::Masked], 0.3f), radius);
            if (masked) p.hatch(box, Ink(Hue::Masked, 0.5f), f.px(6), f.px(1));
            p.text_in(box, masked ? "0" : number(v), {Type::NumberSmall, Align::Center}, Hue::Soft);
        } else {
            const Color color = f.scratch.heatmaps->color(look.scale, v);
            p.fill(box, color, radius);
            p.text_in(box, number(v), {Type::NumberSmall, Align::Center}, ink_on(color));
        }
        if (lit) p.stroke(box.inset(-f.px(1)), Hue::Accent, radius + f.px(1), f.px(2));
    }

    void name_of_line(Rect rect, int line) {
        const auto spot = at(line, kLensReach);
        if (!spot) return;
        const std::string text = turned() ? name(look.cols, spot->col) : name(look.rows, spot->row);
        const bool lit = line == kLensReach;
        p.text_fit(rect, text, {lit ? Type::SmallStrong : Type::Small, Align::Right},
                   lit ? (turned() ? look.col_hue : look.row_hue) : Hue::Soft);
    }
    void name_of_upright(Rect rect, int upright) {
        const auto spot = at(kLensReach, upright);
        if (!spot) return;
        const std::string text = turned() ? look.rows(spot->row) : look.cols(spot->col);
        const bool lit = upright == kLensReach;
        p.text_fit(rect, text, {lit ? Type::SmallStrong : Type::Small, Align::Center},
                   lit ? (turned() ? look.row_hue : look.col_hue) : Hue::Soft);
    }
    /// The index of the middle column, in the corner: its name alone may occur in many places.
    void corner(Rect rect) {
        const int index = turned() ? middle.row : middle.col;
        p.text_fit(rect, "↓ " + std::to_string(index + 1), {Type::NumberSmall, Align::Right}, Hue::Faint);
    }

    void draw() {
        measure();
        const Rect card = place();
        p.card(card);
        const float x = card.x + f.px(kLensPad), y = card.y + f.px(kLensPad);
        corner({x, y, names_w - f.px(8), cell_h});
        for (int j = 0; j < kSide; ++j)
            name_of_upright({x + names_w + cell_w * static_cast<float>(j) + f.px(2), y, cell_w - f.px(4), cell_h}, j);
        for (int i = 0; i < kSide; ++i) {
            const float top = y + cell_h * static_cast<float>(i + 1);
            name_of_line({x, top, names_w - f.px(8), cell_h}, i);
            for (int j = 0; j < kSide; ++j)
                if (const auto spot = at(i, j))
                    cell({x + names_w + cell_w * static_cast<float>(j), top, cell_w, cell_h}, *spot, *spot == middle);
        }
        f.ui.record("lens", card);
    }
};

}  // namespace

void draw_lens(const Frame& f, const MatrixLook& look, Spot middle) {
    if (f.view().sheet != Sheet::None || gui::any_popup()) return;
    const auto over = f.painter().onto(gui::foreground());
    Lens{f, look, middle, f.painter()}.draw();
}

}  // namespace app
