#include "app/frame/matrix_view.h"

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/frame/lens.h"
#include "app/frame/map_touch.h"
#include "app/layout/figures_grid.h"

namespace app {
namespace {

/// With more or smaller cells than this, the matrix is drawn as one texture; with numbers in the cells there may be
/// more.
constexpr int kDrawnCellsAtMost = 900, kNumbersAtMost = 2400;
constexpr float kSmallestCell = 11;
constexpr int kRecordedAtMost = 100;
/// The share of the area's width that row names may take.
constexpr float kNamesShare = 0.3f;
/// How many names are measured; the others of a longer text are assumed to be no wider, and are truncated if they are.
constexpr int kMeasured = 64;
/// Longer sides have indices next to the names, because one token occurs in many places.
constexpr int kNumberedFrom = 64;
/// The maximum length of a slanted name, in design pixels.
constexpr float kSlantedName = 110;
/// Longer sides are shown as a map, without figures.
constexpr int kFiguresUpTo = 24;
/// Height of a figure with its padding, in ems; and of a row of colours out of focus and the gap between two, in design pixels.
constexpr float kFigureHigh = 1.28f, kRowOfColors = 2, kRowGap = 1.5f;
/// The room of the names is the width of the widest one plus and minus a padding, so it may be a rounding error short; in pixels.
constexpr float kRounding = 0.5f;

bool is_masked(const MatrixLook& look, int row, int col) {
    return look.masked_in && is_masked_score((*look.masked_in)(row, col));
}

struct MatrixPainter {
    const Frame& f;
    const MatrixLook& look;
    Painter& p;
    MapWindow window{};
    Grid grid{};
    float names_w = 0;
    bool slanted = false;
    float names_h = 0;
    float slant_room = 0;  ///< length along the slanted names
    float area_right = 0;

    int rows() const { return static_cast<int>(look.value->rows()); }
    int cols() const { return static_cast<int>(look.value->cols()); }
    int line_count() const { return f.columns() ? cols() : rows(); }
    int upright_count() const { return f.columns() ? rows() : cols(); }

    std::string name(const MatrixNames& names, int count, int i) const {
        return count > kNumberedFrom ? std::to_string(i + 1) + "  " + names(i) : names(i);
    }
    std::string left_name(int i) const { return name(f.columns() ? look.cols : look.rows, line_count(), i); }
    std::string top_name(int i) const { return name(f.columns() ? look.rows : look.cols, upright_count(), i); }

    template <class Name>
    float widest(int count, Name name_at) const {
        float w = 0;
        // Of many names, an evenly spaced sample is measured, so that it includes the longest indices.
        const int measured = std::min(count, kMeasured);
        for (int i = 0; i < measured; ++i)
            w = std::max(w, p.width(name_at(count - 1 - static_cast<int>(static_cast<long>(i) * count / measured)),
                                    Type::Small));
        return w;
    }

    /// Cells are as large as the names around them allow; if columns are narrower than their names, these are slanted.
    /// That is decided for the whole matrix, so that zooming moves nothing but the cells.
    void fit(Rect area) {
        const int lines = line_count(), uprights = upright_count();
        names_w = std::min(widest(lines, [&](int i) { return left_name(i); }), area.w * kNamesShare) + f.px(10);
        const float name_h = f.theme.em(Type::Small) * 1.6f,
                    wide = widest(uprights, [&](int i) { return top_name(i); });
        const auto room = [&](float top) {
            return MapRoom{rows(),
                           cols(),
                           f.columns(),
                           {area.x + names_w, area.y + top, area.w - names_w, area.h - top},
                           look.largest_cell > 0 ? look.largest_cell : f.theme.cell_size};
        };
        float top = name_h;
        const auto narrowest = [&](float from) {
            const Grid g = window_in(room(from), {}).grid;
            return g.pitch_x() * (g.upright_fold().thins() ? g.upright_fold().thin : 1.0f);
        };
        slanted = wide > narrowest(top) - f.px(4);
        if (slanted)
            top = std::min(std::sin(-kSlantAngle) * std::min(wide, f.px(kSlantedName)) + name_h, area.h * 0.4f);
        slant_room = (top - f.px(6) - f.theme.em(Type::Small) * 0.8f) / std::sin(-kSlantAngle);
        names_h = top;
        area_right = area.right();
        // Twice, because the room that the names take makes the columns narrower.
        for (int i = 0; slanted && i < 2; ++i) area.w = area_right - area.x - overhang(narrowest(top), area_right - area.x);
        window = window_in(room(top), f.view().map);
        grid = window.grid;
        short_signed = look.is_signed && !has_row_figures && !fits(Type::NumberSmall);
    }

    /// Large enough to be read: in normal mode, and from the last row of seats while presenting.
    Type least_type() const { return f.theme.projector && !f.view().present.on ? Type::NumberSmall : Type::Number; }
    /// The plain window; or, where the figures of what is in focus would not fit, the one in which the others give way.
    MapWindow window_in(const MapRoom& room, const MapLook& wanted) {
        window = map_window(wanted, room);
        has_row_figures = false;
        grid = window.grid;
        grid.gap = std::min(grid.cell, grid.pitch_x()) >= f.px(kSmallestCell) ? f.theme.cell_gap : 0;
        window.grid = grid;
        const bool large = std::max(rows(), cols()) > kFiguresUpTo;
        if (look.lit_row < 0 || large || !window.whole() || fits(least_type())) return window;
        for (const Type type : {Type::Number, Type::NumberSmall}) {
            if (type == Type::NumberSmall && least_type() != type) break;
            FiguresRoom figures{rows(), cols(), f.columns(), room.area, room.largest_cell, std::min(f.theme.cell_gap, f.px(kRowGap)), {look.lit_row, look.lit_col}};
            figures.whole = widest_number(type) + f.px(4);
            figures.in_row = figures.whole - p.width("0", type);
            figures.high = f.theme.em(type) * kFigureHigh;
            figures.least = f.px(kRowOfColors);
            // In normal mode the cell under the pointer stays in its place, so nothing folds there.
            if (f.view().present.on)
                figures.weight = look.column_weight ? look.column_weight : [this](int col) { return std::abs((*look.value)(look.lit_row, col)); };
            if (const auto found = figures_grid(figures)) {
                window.grid = grid = *found;
                window.seen = found->area();
                has_row_figures = true;
                row_type = type;
                break;
            }
        }
        return window;
    }
    bool has_row_figures = false;  ///< the grid was made for the figures of what is in focus
    Type row_type = Type::Number;

    /// The width that the last slanted names need right of the cells, because the last word is often the important one.
    /// Long sides leave out names anyway.
    float overhang(float pitch, float width) const {
        const int count = upright_count();
        if (count > kNumberedFrom) return 0;
        float need = 0;
        for (int i = 0; i < count; ++i) {
            const float name_w = std::min(p.width(top_name(i), Type::SmallStrong), slant_room);
            const float cells = pitch * (static_cast<float>(count - i) - 0.5f);
            need = std::max(need, name_w * std::cos(kSlantAngle) + f.theme.em(Type::Small) + f.px(1) - cells);
        }
        return std::min(need, width * kNamesShare);
    }

    struct NameLook {
        Type type;
        Ink ink;
    };
    static bool has(const std::vector<bool>* pale, int i) { return pale && static_cast<std::size_t>(i) < pale->size() && (*pale)[static_cast<std::size_t>(i)]; }
    NameLook name_look(bool lit, bool found, Hue hue, bool pale) const {
        if (pale) return {Type::Small, Hue::Faint};
        if (lit) return {Type::SmallStrong, hue};
        return {Type::Small, found ? Hue::Accent : Hue::Soft};
    }

    void names() {
        const bool turned = grid.transposed;
        const float room = names_w - f.px(10), base = p.middle_to_baseline(Type::Small), em = f.theme.em(Type::Small);
        const int lit_line = turned ? look.lit_col : look.lit_row, lit_upright = turned ? look.lit_row : look.lit_col;
        for (const int i : named(window.lines(), grid.cell, grid.line_fold(), em * 1.25f, lit_line)) {
            const float y = grid.line(i).center().y;
            if (y < window.seen.y || y > window.seen.bottom()) continue;  // else its name would be outside
            const NameLook as = name_look(i == lit_line, is_found(turned, i), turned ? look.col_hue : look.row_hue,
                                          has(turned ? look.pale_cols : look.pale_rows, i));
            p.text({window.seen.x - f.px(8), y + base}, p.fitted(left_name(i), Type::Small, room + kRounding),
                   {as.type, Align::Right}, as.ink);
        }
        if (!look.names_columns) return;
        // The distance between slanted texts is measured across them, not along the side.
        const float high = slanted ? em / std::sin(-kSlantAngle) * 1.05f : 0;
        for (const int i : named(window.uprights(), grid.pitch_x(), grid.upright_fold(), high, lit_upright)) {
            const float x = grid.upright(i).center().x, y = window.seen.y - f.px(6);
            if (x < window.seen.x || x > window.seen.right()) continue;
            const NameLook as = name_look(i == lit_upright, is_found(!turned, i), turned ? look.row_hue : look.col_hue,
                                          has(turned ? look.pale_rows : look.pale_cols, i));
            if (slanted)
                slanted_name({x, y}, top_name(i), as);
            else
                p.text({x, y}, top_name(i), {as.type, Align::Center}, as.ink);
        }
    }

    /// Of folded sides, those that have their own slot; of thinned ones, those that have room.
    static std::vector<int> named(MapWindow::Span seen, float pitch, const Fold& fold, float high, int keep) {
        if (fold.on()) return {fold.indices.begin(), fold.indices.begin() + fold.count};
        return thinned_names(seen, pitch * (fold.thins() ? fold.thin : 1.0f), high, keep);
    }

    /// Truncated where it would leave the area; left out where it would be unreadable.
    void slanted_name(Point at, const std::string& text, NameLook as) {
        const float least = f.theme.em(Type::Small) * 2.5f,
                    room = std::min(slant_room, (area_right - at.x - f.theme.em(Type::Small)) / std::cos(kSlantAngle));
        if (room >= least || p.width(text, as.type) <= room)
            p.text_slanted(at, p.fitted(text, as.type, room), {as.type}, as.ink);
    }

    bool is_found(bool column, int index) const {
        const auto& found = column ? look.found_cols : look.found_rows;
        return std::binary_search(found.begin(), found.end(), index);
    }

    /// Ticks left of and above the cells that match the search; one for several matches on the same pixels.
    void marks() {
        const float thick = f.px(4), least = f.px(2);
        float last = -1e9f;
        const auto each = [&](std::span<const int> found, bool rows_of_value) {
            last = -1e9f;
            const bool beside = rows_of_value != grid.transposed;
            for (const int i : found) {
                const Rect whole = rows_of_value ? grid.row(i) : grid.col(i);
                const Rect at = intersection(whole, window.seen);
                const float place = beside ? whole.center().y : whole.center().x;
                if (at.empty() || place - last < least) continue;
                last = place;
                const float length = std::max(least, (beside ? at.h : at.w) - grid.gap);
                p.fill(beside ? rect_around({window.seen.x - thick / 2 - f.px(1), at.center().y}, thick, length)
                              : rect_around({at.center().x, window.seen.y - thick / 2 - f.px(1)}, length, thick),
                       Hue::Accent, std::min(thick, length) / 2);
            }
        };
        each(look.found_rows, true);
        each(look.found_cols, false);
    }

    std::string number(float v) const {
        // A small matrix shows the digits of its formula; in a large one, two decimals may be the same everywhere.
        const int decimals = look.value->size() > kDrawnCellsAtMost ? decimals_of(look.scale) : 2;
        if (!look.is_signed) return number_text(v, decimals);
        std::string text = signed_text(v, decimals);
        if (short_signed && text.size() > 2 && text[1] == '0' && text[2] == '.') text.erase(1, 1);
        return text;
    }
    bool is_lit(int row, int col) const { return row == look.lit_row || col == look.lit_col; }
    /// A number in the focused row or column has enough digits to differ from 0.
    std::string figure(int row, int col, Type type, float room) const {
        const float v = (*look.value)(row, col);
        std::string usual = number(v);
        if (!is_lit(row, col) || !has_only_zeros(usual)) return usual;
        const std::string sign = look.is_signed && v > 0 ? "+" : "";
        const std::string fine = row_text(v, [&](std::string_view text) { return p.width(sign + std::string(text), type) <= room - f.px(2); });
        if (has_only_zeros(fine)) return usual;
        return fine.starts_with('<') ? fine : sign + fine;
    }
    /// If differences do not fit, the zero before the decimal point is dropped, so that the matrix keeps its figures.
    bool short_signed = false;
    /// In characters, which are equally wide.
    int longest_number() const { return static_cast<int>(std::lround(widest_number(Type::Number) / p.width("0", Type::Number))); }
    float widest_number(Type type) const {
        float widest = p.width("0", type) * static_cast<float>(look.figure_length);
        for (const float v : {look.scale.low, look.scale.high}) widest = std::max(widest, p.width(number(v), type));
        return widest;
    }
    bool fits(Type type) const {
        return widest_number(type) + f.px(4) <= grid.pitch_x() - grid.gap && grid.cell >= f.theme.em(type) * 1.2f;
    }
    bool numbers() const { return by_rectangles() && (has_row_figures || fits(Type::NumberSmall)); }
    /// What a cell has room for where the others gave way; empty: nothing, its colour stands for it.
    std::string figure_in(Rect cell, int row, int col) const {
        if (cell.h < f.theme.em(row_type) * 1.1f) return {};
        const float v = (*look.value)(row, col), room = cell.w - f.px(2);
        std::string whole = figure(row, col, row_type, cell.w);
        if (p.width(whole, row_type) <= room) return whole;
        if (row != look.lit_row) return {};
        const std::string sign = look.is_signed && v > 0 && !has_only_zeros(whole) ? "+" : "";
        const std::string shorter = short_row_text(v, [&](std::string_view text) { return p.width(sign + std::string(text), row_type) <= room; });
        return shorter.empty() ? shorter : sign + shorter;
    }
    bool by_rectangles() const {
        const int count = window.lines().count() * window.uprights().count();
        if (has_row_figures) return true;
        const bool large = std::min(grid.cell, grid.pitch_x()) >= f.px(kSmallestCell);
        return large && count <= (fits(Type::NumberSmall) ? kNumbersAtMost : kDrawnCellsAtMost);
    }

    void cell(int r, int c, bool numbers, Type type) {
        const Rect rect = grid.at(r, c);
        const float radius = std::min(f.theme.cell_radius, rect.w * 0.22f), v = (*look.value)(r, c);
        if (!std::isfinite(v) || is_masked(look, r, c)) {
            p.fill(rect, mix(f.theme[Hue::Back], f.theme[Hue::Masked], 0.2f), radius);
            p.hatch(rect.inset(1), Ink(Hue::Masked, 0.75f), f.px(6), f.px(1));
            return;
        }
        if (has(look.pale_rows, r) || has(look.pale_cols, c)) return p.stroke_dashed(rect.inset(1), Hue::Rule, radius, f.theme.rule_width, f.px(3), f.px(3));
        const Color color = f.scratch.heatmaps->color(look.scale, v);
        p.fill(rect, color, radius);
        // A cut-off number would be misread, so only fully visible ones are written.
        if (numbers && rect.x >= window.seen.x - 1 && rect.right() <= window.seen.right() + 1 &&
            rect.y >= window.seen.y - 1 && rect.bottom() <= window.seen.bottom() + 1)
            draw_figure(f, rect, figure(r, c, type, rect.w), type, ink_on(color), is_lit(r, c));
        else if (has_row_figures) {
            if (const std::string text = figure_in(rect, r, c); !text.empty())
                draw_figure(f, rect, text, row_type, ink_on(color), is_lit(r, c));
            else if (r == look.lit_row && has_only_zeros(number((*look.value)(r, c))))
                draw_figure(f, rect, "0", row_type, ink_on(color), false);  // a dot: it rounds to 0, and its digits need more room
        }
    }

    /// How many columns share the last slot, in the focused row.
    void rest() const {
        if (!grid.col_fold.on()) return;
        const int rest_at = [&] {
            for (int c = 0; c < cols(); ++c)
                if (!grid.col_fold.shows(c)) return c;
            return -1;
        }();
        if (rest_at < 0) return;
        p.text_fit(grid.at(look.lit_row, rest_at), "… " + std::to_string(cols() - grid.col_fold.count), {Type::Small, Align::Center}, Hue::Soft);
    }

    /// The visible part, in cells of the value as stored.
    gfx::ViewRect view_of_value() const {
        if (window.whole()) return {0, 0, static_cast<double>(cols()), static_cast<double>(rows())};
        const double x = (static_cast<double>(window.seen.x) - static_cast<double>(grid.origin.x)) / grid.pitch_x(),
                     y = (static_cast<double>(window.seen.y) - static_cast<double>(grid.origin.y)) / grid.cell,
                     w = static_cast<double>(window.seen.w) / grid.pitch_x(),
                     h = static_cast<double>(window.seen.h) / grid.cell;
        return grid.transposed ? gfx::ViewRect{y, x, h, w} : gfx::ViewRect{x, y, w, h};
    }

    void picture() {
        const Rect area = window.seen;
        const bool turned = grid.transposed;
        const auto w = static_cast<int>(std::lround(turned ? area.h : area.w)),
                   h = static_cast<int>(std::lround(turned ? area.w : area.h));
        const unsigned id = f.scratch.heatmaps->texture({*look.value, look.key, view_of_value(), look.scale, w, h,
                                                         grid.gap, look.part, look.owner, nullptr, false,
                                                         look.masked_in});
        if (id != 0) return turned ? p.image_turned(id, area) : p.image(id, area);
        if (look.value->size() <= Heatmaps::kWholeAtMost) return;
        p.fill(area, Hue::Paper, f.px(3));
        const Rect line = there();
        if (line.h < f.theme.line_height(Type::Small)) return;
        const int percent = static_cast<int>(std::lround(f.scratch.heatmaps->progress() * 100));
        p.text_fit(line, f.say(Str::map_gathering, {std::to_string(percent)}), {Type::Small, Align::Center}, Hue::Soft);
    }

    void cells() {
        if (!by_rectangles()) return picture();
        // Small type cannot be read from the back of a room.
        const bool large = fits(Type::Number), written = !has_row_figures && (large || (fits(Type::NumberSmall) && !f.view().present.on));
        const auto lines = window.lines(), uprights = window.uprights();
        for (int i = lines.first; i < lines.end; ++i)
            for (int j = uprights.first; j < uprights.end; ++j)
                if (const Spot at = grid.transposed ? Spot{j, i} : Spot{i, j}; grid.shows(at.row, at.col))
                    cell(at.row, at.col, written, large ? Type::Number : Type::NumberSmall);
        rest();
    }

    /// The part of the matrix that is already there.
    Rect there() const {
        if (look.revealed >= 1) return window.seen;
        const float share = std::max(look.revealed, 0.0f) * static_cast<float>(rows());
        Rect part = grid.area();
        if (grid.transposed)
            part.w = share * grid.pitch_x();
        else
            part.h = share * grid.cell;
        return intersection(part, window.seen);
    }

    void ring() {
        if (look.lit_row < 0 || look.lit_col < 0 || look.lit_row >= rows() || look.lit_col >= cols()) return;
        const Rect cell = grid.at(look.lit_row, look.lit_col);
        if (!window.seen.overlaps(cell)) return;
        const Rect rect = cell.inset(-f.px(1.5f));
        p.stroke(rect, Hue::Accent, std::min(f.theme.cell_radius, rect.w * 0.22f) + f.px(1.5f), f.px(2.5f));
    }

    std::optional<Spot> under_pointer() const {
        const Point at = gui::mouse();
        if (!window.seen.contains(at) || grid.cell <= 0 || !p.visible({at.x, at.y, 1, 1}) || grid.on_rest(at)) return std::nullopt;
        return grid.nearest(at);
    }
};

}  // namespace

std::string shape_text(const Frame& f, const attn::Matrix& value) {
    const Eigen::Index rows = f.columns() ? value.cols() : value.rows(),
                       cols = f.columns() ? value.rows() : value.cols();
    return std::to_string(rows) + " × " + std::to_string(cols);
}

const attn::Matrix* masked_behind(const attn::Trace& trace, const attn::Step& step) {
    const bool weighs = step.op == attn::Op::Softmax || step.op == attn::Op::Sparsemax;
    if (!weighs) return nullptr;
    // Only small pictures are hatched, and none of them takes long.
    const attn::StepValue& scores = trace[step.inputs[0]].value;
    return scores.work_to_see() > kSeenAtOnce ? nullptr : &scores.matrix();
}

void span_bulk(const Frame& f, MatrixLook& look) {
    if (look.scale.diverging || look.value->size() <= Heatmaps::kWholeAtMost || f.view().shared_scale) return;
    const float bulk = f.scratch.heatmaps->bulk(*look.value, look.key, look.owner);
    look.more = bulk > 0 && bulk < look.scale.high;
    if (look.more) look.scale.high = bulk;
}

void draw_figure(const Frame& f, Rect cell, std::string_view figure, Type type, Ink ink, bool spoken, float alpha) {
    constexpr float kDot = 1.4f;
    if (!spoken && has_only_zeros(figure)) return f.painter().circle(cell.center(), f.px(kDot), Ink(Hue::Faint, alpha));
    f.painter().text_in(cell, figure, {type, Align::Center}, ink);
}

int decimals_of(const ColorScale& scale) {
    constexpr int kUsual = 2, kMost = 6;
    const float largest = std::max(std::abs(scale.low), std::abs(scale.high));
    if (!(largest > 0) || largest >= 0.1f) return kUsual;
    return std::clamp(1 - static_cast<int>(std::floor(std::log10(largest))), kUsual, kMost);
}

std::string signed_text(float value, int decimals) {
    std::string text = number_text(value, decimals);
    return value > 0 && !has_only_zeros(text) ? "+" + text : text;
}

ColorScale difference_scale(Hue hue, const Difference& difference) {
    const float largest = difference.shown > 0 ? difference.shown : 1;
    return {hue, -largest, largest, true, difference.shown < difference.largest};
}

void draw_legend(const Frame& f, Rect bar, const ColorScale& scale, bool is_signed, bool more) {
    constexpr int kSteps = 64;
    Painter& p = f.painter();
    more = more || scale.beyond;
    const float w = bar.w / kSteps, span = scale.high - scale.low;
    for (int i = 0; i < kSteps; ++i)
        p.fill({bar.x + w * static_cast<float>(i), bar.y, w + 0.5f, bar.h},
               f.scratch.heatmaps->color(scale, scale.low + span * (static_cast<float>(i) + 0.5f) / kSteps));
    const int decimals = std::max(scale.high < 0.1f ? 3 : 2, decimals_of(scale));
    const auto text = [&](float v, int digits) { return is_signed ? signed_text(v, digits) : number_text(v, digits); };
    LegendWords words;
    if (scale.diverging) words.middle = "0";
    const std::string least = more ? "≥ " : "", most = more && scale.diverging ? "≤ " : "";
    words.ends.emplace_back(more && scale.low == 0 ? "0" : most + text(scale.low, decimals),
                            least + text(scale.high, decimals));
    for (int digits = decimals - 1; digits >= 0; --digits) {
        if (scale.low == 0) words.ends.emplace_back("0", least + text(scale.high, digits + 1));
        if (scale.diverging && !more) words.instead.push_back("±" + number_text(scale.high, digits + 1));
    }
    draw_legend_words(f, bar, words);
}

void draw_legend_words(const Frame& f, Rect bar, const LegendWords& words) {
    Painter& p = f.painter();
    const float base = bar.bottom() + f.theme.em(Type::NumberSmall) * 1.15f, gap = f.px(8);
    const auto width = [&](std::string_view text) { return p.width(text, Type::NumberSmall); };
    for (const auto& [low, high] : words.ends) {
        if (width(low) + gap + width(high) > bar.w) continue;
        p.text({bar.x, base}, low, {Type::NumberSmall}, Hue::Soft);
        p.text({bar.right(), base}, high, {Type::NumberSmall, Align::Right}, Hue::Soft);
        if (!words.middle.empty() && std::max(width(low), width(high)) + gap + width(words.middle) / 2 <= bar.w / 2)
            p.text({bar.center().x, base}, words.middle, {Type::NumberSmall, Align::Center}, Hue::Soft);
        return;
    }
    constexpr float kBeyond = 1.15f;  // relative to the bar: neighbouring bars have some distance
    for (const std::string& text : words.instead) {
        if (width(text) > bar.w * kBeyond) continue;
        p.text({bar.center().x, base}, text, {Type::NumberSmall, Align::Center}, Hue::Soft);
        return;
    }
}

Reads figures_in(const Frame& f, Rect area, const MatrixLook& look) {
    if (area.empty() || !look.value || look.value->size() == 0 || std::max(look.value->rows(), look.value->cols()) > kFiguresUpTo) return Reads::None;
    MatrixPainter painter{f, look, f.painter()};
    painter.fit(area);
    if (painter.has_row_figures) return painter.grid.col_fold.on() ? Reads::Folded : Reads::Whole;
    return painter.fits(painter.least_type()) ? Reads::Whole : Reads::None;
}

int figure_length(const Frame& f, const MatrixLook& look) { return MatrixPainter{f, look, f.painter()}.longest_number(); }

float names_height(const Frame& f, Rect area, const MatrixLook& look) {
    if (area.empty() || !look.value || look.value->size() == 0) return 0;
    MatrixPainter painter{f, look, f.painter()};
    painter.fit(area);
    return painter.names_h;
}

MatrixDrawn draw_matrix_map(const Frame& f, std::string_view id, Rect area, const MatrixLook& look) {
    if (area.empty() || !look.value || look.value->size() == 0) return {};
    MatrixPainter painter{f, look, f.painter()};
    painter.fit(area);
    if (painter.window.seen.empty()) return {};
    painter.names();
    if (painter.rows() * painter.cols() > kDrawnCellsAtMost)
        f.painter().stroke(painter.window.seen.inset(-f.px(1)), Hue::Rule, 0, f.theme.rule_width);
    {
        // The ring of a cell at the edge may extend beyond the matrix if all of it is shown.
        const bool cut = !painter.window.whole() || look.revealed < 1;
        const auto clip = f.painter().clip(cut ? painter.there() : painter.window.seen.inset(-f.px(4)));
        painter.cells();
        painter.ring();
    }
    painter.marks();
    if (painter.rows() * painter.cols() <= kRecordedAtMost)
        for (int r = 0; r < painter.rows(); ++r)
            for (int c = 0; c < painter.cols(); ++c)
                f.ui.record(std::string(id) + "_" + std::to_string(r) + "_" + std::to_string(c), painter.grid.at(r, c));
    else
        f.ui.record(std::string(id) + "_map", painter.window.seen);
    const MatrixDrawn drawn{painter.under_pointer(), painter.window, painter.numbers()};
    touch_map(f, id, drawn.window, {look.opens && drawn.numbers, look.painted});
    if (drawn.spot && !drawn.numbers && !gui::mouse_down()) draw_lens(f, look, *drawn.spot);
    return drawn;
}

std::optional<Spot> draw_matrix(const Frame& f, std::string_view id, Rect area, const MatrixLook& look) {
    return draw_matrix_map(f, id, area, look).spot;
}

void draw_pooling(const Frame& f, std::string_view id, Rect line, const MapWindow& window, Align align) {
    if (line.empty() || window.seen.empty()) return;
    // With fewer than two cells per pixel, a pixel shows one cell or the next, not several.
    const auto count = [](float cells) { return std::to_string(std::max(1L, std::lround(cells))); };
    const bool several = std::max(window.cells_across(), window.cells_down()) >= 1.5f;
    const Str words = f.view().pooling == Pooling::Mean ? Str::pool_mean : Str::pool_largest;
    const std::string text = several ? f.say(words, {count(window.cells_down()), count(window.cells_across())})
                                     : std::string(f.say(Str::pool_none));
    const std::string fitted = f.painter().fitted(text, Type::Small, line.w);
    const float x = align == Align::Center ? line.center().x : align == Align::Right ? line.right() : line.x;
    const Point base{x, line.center().y + f.painter().middle_to_baseline(Type::Small)};
    if (!several) {
        f.painter().text(base, fitted, {Type::Small, align}, Hue::Soft);
        return;
    }
    if (link(f.ui, id, base, fitted, {Type::Small, align}, Hue::Accent))
        f.change_view([](ViewState& v) { v.pooling = v.pooling == Pooling::Mean ? Pooling::Largest : Pooling::Mean; });
}

std::span<const int> found_on(const Frame& f, attn::Axis axis) {
    if (axis.kind == attn::Axis::Kind::Tokens && axis.first == 0) return f.derived.found.tokens;
    if (axis.kind == attn::Axis::Kind::SourceTokens && axis.first == 0) return f.derived.found.source;
    return {};
}

MatrixNames names_of_axis(const Frame& f, attn::Axis axis) {
    return [&labels = f.derived.labels, axis](int i) { return labels.of(axis, i); };
}

}  // namespace app
