#include "app/views/matrix_view.h"

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"

namespace app {
namespace {

/// More cells than this, or smaller ones, are one texture.
constexpr int kRectanglesAtMost = 900;
constexpr float kSmallestCell = 11;
constexpr int kRecordedAtMost = 100;
/// Of the area's width, that row names may take.
constexpr float kNamesShare = 0.3f;

struct MatrixPainter {
    const Frame& f;
    const MatrixLook& look;
    Painter& p;
    Grid grid;
    float names_w = 0;
    bool slanted = false;

    int rows() const { return static_cast<int>(look.value->rows()); }
    int cols() const { return static_cast<int>(look.value->cols()); }
    const std::vector<std::string>& left_names() const { return grid.transposed ? look.cols : look.rows; }
    const std::vector<std::string>& top_names() const { return grid.transposed ? look.rows : look.cols; }

    float widest(const std::vector<std::string>& names) const {
        float w = 0;
        for (const std::string& name : names) w = std::max(w, p.width(name, Type::Small));
        return w;
    }

    /// Cells as large as the names around them allow; columns narrower than their names have them slanted.
    void fit(Rect area) {
        grid.rows = rows();
        grid.cols = cols();
        grid.transposed = f.columns();
        names_w = std::min(widest(left_names()), area.w * kNamesShare) + f.px(10);
        const float name_h = f.theme.em(Type::Small) * 1.6f, wide = widest(top_names());
        const auto cell_for = [&](float top) {
            return std::min({(area.w - names_w) / static_cast<float>(grid.uprights()),
                             (area.h - top) / static_cast<float>(grid.lines()), f.theme.cell_size});
        };
        float top = name_h;
        grid.cell = cell_for(top);
        slanted = wide > grid.cell - f.px(4);
        if (slanted) {
            top = std::min(std::sin(-kSlantAngle) * wide + name_h, area.h * 0.4f);
            grid.cell = cell_for(top);
        }
        grid.cell = std::max(grid.cell, 1.0f);
        grid.gap = grid.cell >= f.px(kSmallestCell) ? f.theme.cell_gap : 0;
        const float w = names_w + grid.cell * static_cast<float>(grid.uprights()),
                    h = top + grid.cell * static_cast<float>(grid.lines());
        grid.origin = {std::round(area.x + std::max(0.0f, (area.w - w) / 2) + names_w),
                       std::round(area.y + std::max(0.0f, (area.h - h) / 2) + top)};
    }

    bool readable() const { return grid.cell >= f.theme.em(Type::Small) * 1.25f; }

    void names() {
        const float room = names_w - f.px(10), base = p.middle_to_baseline(Type::Small);
        const bool turned = grid.transposed;
        for (int i = 0; i < grid.lines() && readable(); ++i) {
            const bool lit = i == (turned ? look.lit_col : look.lit_row);
            p.text({grid.origin.x - f.px(8), grid.line(i).center().y + base},
                   p.fitted(left_names()[static_cast<std::size_t>(i)], Type::Small, room),
                   {lit ? Type::SmallStrong : Type::Small, Align::Right},
                   lit ? (turned ? look.col_hue : look.row_hue) : Hue::Soft);
        }
        for (int i = 0; i < grid.uprights() && readable(); ++i) {
            const bool lit = i == (turned ? look.lit_row : look.lit_col);
            const Ink ink = lit ? (turned ? look.row_hue : look.col_hue) : Hue::Soft;
            const Type type = lit ? Type::SmallStrong : Type::Small;
            const std::string& name = top_names()[static_cast<std::size_t>(i)];
            const float x = grid.upright(i).center().x, y = grid.origin.y - f.px(6);
            if (slanted)
                p.text_slanted({x, y}, p.fitted(name, Type::Small, f.px(110)), {type}, ink);
            else
                p.text({x, y}, name, {type, Align::Center}, ink);
        }
    }

    bool fits(Type type) const {
        float widest_number = 0;
        for (const float v : {look.scale.low, look.scale.high})
            widest_number = std::max(widest_number, p.width(look.is_signed ? signed_text(v) : number_text(v), type));
        return widest_number + f.px(4) <= grid.cell - grid.gap;
    }

    void cell(int r, int c, bool numbers, Type type) {
        const Rect rect = grid.at(r, c);
        const float radius = std::min(f.theme.cell_radius, rect.w * 0.22f), v = (*look.value)(r, c);
        if (!std::isfinite(v)) {
            p.fill(rect, mix(f.theme[Hue::Back], f.theme[Hue::Masked], 0.2f), radius);
            p.hatch(rect.inset(1), Ink(Hue::Masked, 0.75f), f.px(6), f.px(1));
            return;
        }
        const Color color = f.scratch.heatmaps->color(look.scale, v);
        p.fill(rect, color, radius);
        if (numbers)
            p.text_in(rect, look.is_signed ? signed_text(v) : number_text(v), {type, Align::Center}, ink_on(color));
    }

    void cells() {
        if (rows() * cols() > kRectanglesAtMost || grid.cell < f.px(kSmallestCell)) {
            const Rect area = grid.area();
            const bool turned = grid.transposed;
            const auto w = static_cast<int>(std::lround(turned ? area.h : area.w)),
                       h = static_cast<int>(std::lround(turned ? area.w : area.h));
            const unsigned id = f.scratch.heatmaps->texture(*look.value, look.key, look.scale, w, h, grid.gap);
            if (id != 0) turned ? p.image_turned(id, area) : p.image(id, area);
            return;
        }
        const bool large = fits(Type::Number), numbers = large || fits(Type::NumberSmall);
        for (int r = 0; r < rows(); ++r)
            for (int c = 0; c < cols(); ++c) cell(r, c, numbers, large ? Type::Number : Type::NumberSmall);
    }

    void ring() {
        if (look.lit_row < 0 || look.lit_col < 0 || look.lit_row >= rows() || look.lit_col >= cols()) return;
        const Rect rect = grid.at(look.lit_row, look.lit_col).inset(-f.px(1.5f));
        p.stroke(rect, Hue::Accent, std::min(f.theme.cell_radius, rect.w * 0.22f) + f.px(1.5f), f.px(2.5f));
    }

    std::optional<Spot> under_pointer() const {
        const Point at = gui::mouse();
        if (!grid.area().contains(at) || grid.cell <= 0 || !p.visible({at.x, at.y, 1, 1})) return std::nullopt;
        return grid.nearest(at);
    }
};

}  // namespace

std::string shape_text(const Frame& f, const attn::Matrix& value) {
    const Eigen::Index rows = f.columns() ? value.cols() : value.rows(),
                       cols = f.columns() ? value.rows() : value.cols();
    return std::to_string(rows) + " × " + std::to_string(cols);
}

std::string signed_text(float value, int decimals) {
    std::string text = number_text(value, decimals);
    const bool zero = text.find_first_of("123456789") == std::string::npos;
    return value > 0 && !zero ? "+" + text : text;
}

ColorScale difference_scale(Hue hue, const attn::Matrix& difference) {
    float largest = 0;
    for (Eigen::Index i = 0; i < difference.size(); ++i)
        if (std::isfinite(difference.data()[i])) largest = std::max(largest, std::abs(difference.data()[i]));
    if (largest == 0) largest = 1;
    return {hue, -largest, largest, true};
}

void draw_legend(const Frame& f, Rect bar, const ColorScale& scale, bool is_signed) {
    constexpr int kSteps = 64;
    Painter& p = f.painter();
    const float w = bar.w / kSteps, span = scale.high - scale.low;
    for (int i = 0; i < kSteps; ++i)
        p.fill({bar.x + w * static_cast<float>(i), bar.y, w + 0.5f, bar.h},
               f.scratch.heatmaps->color(scale, scale.low + span * (static_cast<float>(i) + 0.5f) / kSteps));
    const float base = bar.bottom() + f.theme.em(Type::NumberSmall) * 1.15f;
    const int decimals = scale.high < 0.1f ? 3 : 2;
    const auto text = [&](float v) { return is_signed ? signed_text(v, decimals) : number_text(v, decimals); };
    p.text({bar.x, base}, text(scale.low), {Type::NumberSmall}, Hue::Soft);
    if (scale.diverging) p.text({bar.center().x, base}, "0", {Type::NumberSmall, Align::Center}, Hue::Soft);
    p.text({bar.right(), base}, text(scale.high), {Type::NumberSmall, Align::Right}, Hue::Soft);
}

std::optional<Spot> draw_matrix(const Frame& f, std::string_view id, Rect area, const MatrixLook& look) {
    if (area.empty() || !look.value || look.value->size() == 0) return std::nullopt;
    MatrixPainter painter{f, look, f.painter(), {}};
    painter.fit(area);
    painter.names();
    painter.cells();
    painter.ring();
    if (painter.rows() * painter.cols() <= kRecordedAtMost)
        for (int r = 0; r < painter.rows(); ++r)
            for (int c = 0; c < painter.cols(); ++c)
                f.ui.record(std::string(id) + "_" + std::to_string(r) + "_" + std::to_string(c), painter.grid.at(r, c));
    return painter.under_pointer();
}

}  // namespace app
