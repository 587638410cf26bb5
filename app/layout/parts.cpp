#include "app/layout/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/explain/inspection.h"

namespace app::stage {
namespace {

/// The height of a slanted label as a share of its width.
constexpr float kSlantRise = 0.82f;
/// The share of a cell's gap in its pitch, for small cells.
constexpr float kGapShare = 0.08f;
/// The narrow end of the ribbon between a token and its row, as a share of the row.
constexpr float kNeck = 0.25f;
/// The gap between a matrix and names without ribbons.
constexpr float kTouch = 2;
/// How many names are measured; the others of a longer text are assumed to be no wider.
constexpr int kMeasured = 64;
/// The gap between a legend or a caption and the edge of the stage.
constexpr float kEdge = 8;
/// Opacity of cells that are not highlighted.
constexpr float kUnlitCell = 0.55f;
/// The least width for a truncated name to be useful, in heights of the label.
constexpr float kLeastName = 2;

}  // namespace

std::string Builder::label(attn::Axis axis, int index) const { return in.labels.of(axis, index); }

int Names::count() const {
    if (!of_rows) return static_cast<int>(step.value.cols());
    return step.rows.kind == attn::Axis::Kind::Pairs ? step.rows.span : static_cast<int>(step.value.rows());
}

std::string Names::at(const AxisLabels& labels, int index) const {
    index += first;
    if (!of_rows) return labels.of(step.cols, index);
    return step.rows.kind == attn::Axis::Kind::Pairs ? labels.of({step.rows.keys}, index) : labels.of(step.rows, index);
}

float Builder::lines(attn::StepId id) const {
    return columns() ? col_fold(id).pitches(static_cast<int>(step(id).value.cols())) : row_fold(id).pitches(rows_of(id).count);
}

float Builder::uprights(attn::StepId id) const {
    return columns() ? row_fold(id).pitches(rows_of(id).count) : col_fold(id).pitches(static_cast<int>(step(id).value.cols()));
}

Rows Builder::rows_of(attn::StepId id) const {
    const attn::Step& s = step(id);
    const auto all = static_cast<int>(s.value.rows());
    if (s.rows.kind != attn::Axis::Kind::Pairs || s.rows.span <= 0) return {0, all};
    int query = 0;
    if (in.focus) {
        const attn::Axis& rows = step(in.focus->step).rows;
        if (rows.kind == attn::Axis::Kind::Pairs)
            query = in.focus->row / std::max(1, rows.span);
        else if (in.focus->step == in.pose.step)
            query = in.focus->row;
    } else if (in.explained && in.explained->step == id) {
        query = in.explained->row / s.rows.span;
    }
    const int span = std::min(s.rows.span, all);
    return {std::clamp(query, 0, std::max(0, all / std::max(1, span) - 1)) * span, span};
}

Grid Builder::grid(attn::StepId id, Point origin, float cell) const {
    return {origin,
            cell,
            rows_of(id).count,
            static_cast<int>(step(id).value.cols()),
            std::min(style().gap, cell * kGapShare),
            narrow(),
            columns(),
            row_fold(id),
            col_fold(id)};
}

float Builder::left_space(attn::StepId id) const {
    const Names names{step(id), !columns(), 0};
    float widest = 0;
    for (int i = 0; i < std::min(names.count(), kMeasured); ++i)
        widest = std::max(widest, in.measure(names.at(in.labels, i), Type::BodyStrong));
    const float ribbon = names.tied() ? style().ribbon : kTouch * style().scale;
    float space = std::min(widest, style().label_width) + ribbon + 8 * style().scale;
    // The query's name is in the corner: above its keys' names, or left of them.
    if (columns() && step(id).rows.kind == attn::Axis::Kind::Pairs)
        space = std::max(space, in.measure(pair_words(id), Type::SmallStrong) + style().gap + 8 * style().scale);
    return space;
}

bool Builder::slants(const Names& names, const Fold& fold, float cell) const {
    if (!shows(Omittable::Funnels)) return false;
    for (int at = 0; at < std::min(fold.shown(names.count() - names.first), kMeasured); ++at)
        if (in.measure(names.at(in.labels, fold.index(at)), Type::BodyStrong) > cell - 3 * style().scale) return true;
    return false;
}

float Builder::top_space(attn::StepId id, float cell) const {
    const Names names{step(id), columns(), 0};
    const Fold fold = columns() ? row_fold(id) : col_fold(id);
    const float flat = style().label * 1.6f + style().ribbon * 0.5f;
    if (!slants(names, fold, cell * narrow())) return flat;
    float widest = 0;
    for (int at = 0; at < std::min(fold.shown(names.count()), kMeasured); ++at)
        widest = std::max(widest, std::min(in.measure(names.at(in.labels, fold.index(at)), Type::Body), style().label_width));
    return widest * kSlantRise + style().label + style().ribbon * 0.4f;
}

void Builder::row_labels(const Grid& grid, const attn::Step& s, Hue hue, int lit, float alpha, int first) {
    const Names names{s, true, first};
    grid.transposed ? names_above(grid, names, hue, lit, alpha) : names_left(grid, names, hue, lit, alpha);
}

void Builder::col_labels(const Grid& grid, const attn::Step& s, Hue hue, int lit, float alpha, int first) {
    const Names names{s, false, first};
    grid.transposed ? names_left(grid, names, hue, lit, alpha) : names_above(grid, names, hue, lit, alpha);
}

void Builder::left_labels(const Grid& grid, const attn::Step& s, Hue hue, Spot lit, float alpha) {
    grid.transposed ? col_labels(grid, s, hue, lit.col, alpha) : row_labels(grid, s, hue, lit.row, alpha);
}

void Builder::top_labels(const Grid& grid, const attn::Step& s, Hue hue, Spot lit, float alpha) {
    grid.transposed ? row_labels(grid, s, hue, lit.row, alpha) : col_labels(grid, s, hue, lit.col, alpha);
}

void Builder::names_left(const Grid& grid, const Names& names, Hue hue, int lit, float alpha) {
    // Where lines are lower than the type, only every second, fourth … one has its label; the highlighted one always
    // does.
    const int every = std::max(1, static_cast<int>(std::ceil(style().label * 1.25f / grid.cell)));
    const bool tied = names.tied(), ribbons = tied && grid.cell > 6 * style().scale && shows(Omittable::Funnels);
    const float edge = grid.origin.x - style().gap, reach = tied ? style().ribbon : kTouch * style().scale;
    rest_name(grid, names.of_rows, alpha);
    for (int at = 0; at < grid.line_fold().shown(grid.lines()); ++at) {
        const int i = grid.line_fold().index(at);
        const Rect row = names.place(grid, i);
        const bool on = i == lit;
        if (ribbons) {
            const float middle = row.center().y, neck = row.h * kNeck / 2, high = (row.h - grid.gap) / 2;
            scene.ribbons.push_back({edge - reach, middle - neck, middle + neck, edge, middle - high, middle + high,
                                     hue, alpha * (on ? 0.42f : 0.16f), false});
        }
        // Thinned lines have no label: they are drawn as colours.
        if (!on && row.h < style().label && grid.line_fold().thins()) continue;
        const bool near_lit = lit >= 0 && !on && std::abs(i - lit) < every;
        if (!on && (i % every != 0 || near_lit)) continue;
        LabelSprite sprite{{edge - reach - 7 * style().scale, row.center().y + style().label * 0.36f},
                           names.at(in.labels, i),
                           on ? Type::BodyStrong : Type::Body,
                           on ? hue : (tied ? Hue::Ink : Hue::Soft),
                           Align::Right,
                           alpha,
                           style().label_width};
        if (!tied) sprite.type = on ? Type::SmallStrong : Type::Small;
        // Thinned lines are close together: their names are smaller, as what is out of focus.
        if (tied && !on && grid.line_fold().thins()) sprite.type = Type::Small, sprite.hue = Hue::Soft;
        scene.labels.push_back(std::move(sprite));
    }
}

void Builder::names_above(const Grid& grid, const Names& names, Hue hue, int lit, float alpha) {
    const bool slanted = slants(names, grid.upright_fold(), grid.pitch_x());
    const int every =
        slanted ? std::max(1, static_cast<int>(std::ceil(style().label * 0.95f / (grid.pitch_x() * kSlantRise)))) : 1;
    const bool tied = names.tied(), ribbons = tied && grid.cell > 6 * style().scale && shows(Omittable::Funnels);
    const float reach = ribbons ? style().ribbon * 0.5f : kTouch * style().scale;
    rest_name(grid, names.of_rows, alpha, slanted);
    // Where columns are folded, labels are thinned out by slots, not by indices; the name of the shared slot is always
    // drawn.
    const Fold& fold = grid.upright_fold();
    const int lit_slot = lit >= 0 ? fold.slot(lit) : -every;
    for (int at = 0; at < fold.shown(grid.uprights()); ++at) {
        const int j = fold.index(at);
        const Rect col = names.place(grid, j);
        const bool on = j == lit;
        const float edge = grid.origin.y - style().gap;
        if (ribbons) {
            const float middle = col.center().x, neck = col.w * kNeck / 2, wide = (col.w - grid.gap) / 2;
            scene.ribbons.push_back({edge - reach, middle - neck, middle + neck, edge, middle - wide, middle + wide,
                                     hue, alpha * (on ? 0.42f : 0.16f), true});
        }
        const int slot = fold.slot(j);
        const bool is_near = std::abs(slot - lit_slot) < every || (fold.on() && fold.count - slot < every);
        if (!on && (slot % every != 0 || is_near)) continue;
        // Thinned columns get the beginning of a name if that fits, or none.
        if (!on && fold.thins() && j != fold.lens && col.w < kLeastName * style().label && in.measure(names.at(in.labels, j), Type::Small) > col.w - grid.gap) continue;
        LabelSprite sprite{{col.center().x, edge - reach - 7 * style().scale},
                           names.at(in.labels, j),
                           on ? Type::BodyStrong : Type::Body,
                           on ? hue : (tied ? Hue::Ink : Hue::Soft),
                           Align::Center,
                           alpha,
                           style().label_width};
        if (!tied) sprite.type = on ? Type::SmallStrong : Type::Small;
        if (slanted) {
            sprite.slanted = true;
            sprite.align = Align::Left;
        } else if (!shows(Omittable::Funnels)) {
            fit_above(sprite, room_above(grid, names, at, lit));
        }
        scene.labels.push_back(std::move(sprite));
    }
}

/// A name may be wider than its column as far as its neighbours' names leave room.
float Builder::room_above(const Grid& grid, const Names& names, int at, int lit) const {
    const Fold& fold = grid.upright_fold();
    const Type type = names.tied() ? Type::Body : Type::Small, strong = names.tied() ? Type::BodyStrong : Type::SmallStrong;
    const auto width = [&](int j) { return in.measure(names.at(in.labels, j), j == lit ? strong : type); };
    const Rect col = names.place(grid, fold.index(at));
    const float own = col.w - grid.gap;
    if (width(fold.index(at)) <= own) return own;
    float half = own;
    for (const int next : {at - 1, at + 1}) {
        if (next < 0 || next >= fold.shown(grid.uprights())) {
            const bool free = next < 0 || !fold.on();
            half = std::min(half, own / 2 + (free ? 0.4f * style().label : 0));
            continue;
        }
        const Rect other = names.place(grid, fold.index(next));
        const float taken = std::min(width(fold.index(next)), other.w - grid.gap) / 2;
        half = std::min(half, std::abs(other.center().x - col.center().x) - taken - 0.4f * style().label);
    }
    return std::max(own, 2 * half);
}

void Builder::fit_above(LabelSprite& name, float room) const {
    const bool strong = name.type == Type::BodyStrong || name.type == Type::SmallStrong;
    if (in.measure(name.text, name.type) > room) name.type = strong ? Type::SmallStrong : Type::Small;
    name.fit = room;
}

void Builder::rest_name(const Grid& grid, bool of_rows, float alpha, bool slanted) {
    const Fold& fold = of_rows ? grid.row_fold : grid.col_fold;
    if (!fold.on()) return;
    const int count = of_rows ? grid.rows : grid.cols;
    const int first = fold.first_hidden();
    const Rect place = of_rows ? grid.row(first) : grid.col(first);
    const bool beside = of_rows != grid.transposed;
    const std::string more = std::to_string(count - fold.count), says = fill_in(words(Str::more_folded), {more});
    const float room = beside ? grid.origin.x - in.area.x : place.w;
    LabelSprite name{beside ? Point{grid.origin.x - style().gap - 8 * style().scale, place.center().y + style().label * 0.46f}
                            : Point{place.center().x, grid.origin.y - style().gap - 8 * style().scale},
                     in.measure(says, Type::Small) <= room ? says : "… " + more,
                     Type::Small,
                     Hue::Soft,
                     beside ? Align::Right : Align::Center,
                     alpha,
                     0};
    if (slanted) {
        name.slanted = true;
        name.align = Align::Left;
    }
    scene.labels.push_back(std::move(name));
}

MatrixSprite& Builder::matrix(attn::StepId id, const Grid& grid) {
    MatrixSprite sprite;
    sprite.step = id;
    sprite.grid = grid;
    sprite.first_row = rows_of(id).first;
    sprite.scale = colors(id);
    scene.matrices.push_back(sprite);
    return scene.matrices.back();
}

void Builder::caption(attn::StepId id, const Grid& grid, float alpha) {
    const Rect area = grid.area();
    const attn::Matrix& value = step(id).value;
    scene.captions.push_back({{area.center().x, area.bottom() + style().caption * 0.7f},
                              id,
                              static_cast<int>(columns() ? value.cols() : value.rows()),
                              static_cast<int>(columns() ? value.rows() : value.cols()),
                              true,
                              alpha,
                              area.w + style().between * 0.7f});
}

void Builder::caption_with_legend(attn::StepId id, const Grid& grid, attn::StepId colored, int row) {
    constexpr float kSymbol = 30, kBetweenWords = 10;  // width of a caption's symbol, and gaps
    const StageStyle& s = style();
    const Rect area = grid.area();
    caption(id, grid);
    CaptionSprite& caption = scene.captions.back();
    if (!shows(Omittable::Legend)) return;
    const std::string shape = std::to_string(caption.rows) + " × " + std::to_string(caption.cols);
    const float own = (kSymbol + 2 * kBetweenWords) * s.scale + in.measure(name_of(trace(), id, in.language), Type::Small) +
                      in.measure(shape, Type::NumberSmall);
    const float end = std::max(area.right(), std::min(in.area.right() - s.gap, area.x + own + s.legend_w * 1.5f + s.between));
    const std::size_t legends = scene.legends.size();
    legend_of_row(colored, row, area.x + own + s.between / 2, end, caption.at.y);
    if (scene.legends.size() == legends) return;
    caption.at.x = area.x + own / 2;
    caption.room = own;
}

void Builder::say_masked_row(Point at) {
    const std::string_view all = words(Str::masked_row);
    if (at.x + in.measure(all, Type::Small) <= in.area.right()) return text(at, std::string(all), Type::Small, Hue::Warning);
    // If it does not fit on one line, it is split into two.
    for (const std::string_view mark : {": ", "：", "，"})
        if (const std::size_t cut = all.find(mark); cut != std::string_view::npos) {
            text(at, std::string(all.substr(0, cut + mark.size())), Type::Small, Hue::Warning);
            at.y += style().label * 1.4f;
            return text(at, std::string(all.substr(cut + mark.size())), Type::Small, Hue::Warning);
        }
    text(at, std::string(all), Type::Small, Hue::Warning);
}

void Builder::caption_beside(attn::StepId id, const Grid& grid, float alpha) {
    const Rect area = grid.area();
    const attn::Matrix& value = step(id).value;
    scene.captions.push_back({{area.right() + 16 * style().scale, area.y + style().label * 2.2f},
                              id,
                              static_cast<int>(columns() ? value.cols() : value.rows()),
                              static_cast<int>(columns() ? value.rows() : value.cols()),
                              false,
                              alpha,
                              in.area.right() - area.right() - (16 + kEdge) * style().scale,
                              {},
                              area.h - style().label * 1.4f});
}

void Builder::legend(attn::StepId id, Point top_left, float end) {
    if (!shows(Omittable::Legend)) return;   // every cell then shows its number
    const float left = in.area.x + kEdge * style().scale,
                right = std::min(end, in.area.right() - kEdge * style().scale);
    const float w = std::max(1.0f, std::min(style().legend_w, right - left));
    scene.legends.push_back(
        {{std::clamp(top_left.x, left, std::max(left, right - w)), top_left.y, w, style().legend_h}, colors(id)});
}

void Builder::legend_of_row(attn::StepId id, int row, float left, float right, float base) {
    if (!shows(Omittable::Legend)) return;
    const float wide = std::min(style().legend_w * 1.5f, right - left), least = style().legend_w;
    if (wide < least) return;
    const ColorScale scale = colors_of_row(id, row);
    const bool follows = scale.low != colors(id).low || scale.high != colors(id).high;
    if (!follows) return legend(id, {right - std::min(style().legend_w, wide), base - style().legend_h}, right);
    scene.legends.push_back({{right - wide, base - style().legend_h, wide, style().legend_h}, scale,
                             fill_in(words(Str::legend_row), {label(step(id).rows, row)})});
}

ColorScale Builder::colors_of_row(attn::StepId id, int row) const {
    constexpr float kBelowShown = 0.5f;  // of the range of what is shown
    constexpr Eigen::Index kFew = 900;  // cells: a larger matrix is one texture, not to be rebuilt per row
    ColorScale scale = colors(id);
    const attn::Matrix& value = step(id).value;
    // Of a folded vocabulary only the likely words have cells: what the others have would make these all alike.
    const Fold fold = step(id).cols.kind == attn::Axis::Kind::Words ? col_fold(id) : Fold{};
    if (in.shared_scale || !scale.diverging || row < 0 || row >= value.rows()) return scale;
    if (!fold.on() && (value.rows() < 2 || value.size() > kFew)) return scale;
    float low = 0, high = 0;
    bool any = false;
    const int count = fold.shown(static_cast<int>(value.cols()));
    for (int at = 0; at < count; ++at) {
        const float v = value(row, fold.index(at));
        if (!std::isfinite(v)) continue;
        low = any ? std::min(low, v) : v;
        high = any ? std::max(high, v) : v;
        any = true;
    }
    const float largest = std::max(std::abs(low), std::abs(high));
    if (!any || largest == 0) return scale;
    scale.beyond = false;
    // If all numbers have one sign, the colours span only their range.
    scale.diverging = low <= 0 || low == high;
    scale.low = scale.diverging ? -largest : low;
    scale.high = largest;
    // The least likely of the likely words keeps a colour: it is not the least of the row.
    if (fold.on() && !scale.diverging) scale.low -= kBelowShown * (scale.high - scale.low);
    return scale;
}

void Builder::text(Point at, std::string words, Type type, Hue hue, Align align, float alpha) {
    scene.labels.push_back({at, std::move(words), type, hue, align, alpha, 0, false});
}

attn::Cell Builder::focus_in(attn::StepId id) const {
    const Rows rows = rows_of(id);
    if (focused(id)) return *in.focus;
    if (in.explained && in.explained->step == id && in.explained->row >= rows.first && in.explained->row < rows.first + rows.count)
        return *in.explained;
    return {id, rows.first, 0};
}

MatrixSprite& Builder::labelled_matrix(attn::StepId id, const Grid& grid, int row, int col) {
    const attn::Step& s = step(id);
    const Hue hue = hue_of(s.tag);
    row_labels(grid, s, hue, row);
    col_labels(grid, s, hue, col);
    caption(id, grid);
    if (s.rows.kind == attn::Axis::Kind::Pairs) pair_heading(id, grid);
    MatrixSprite& sprite = matrix(id, grid);
    sprite.lit_row = row;
    sprite.lit_col = col;
    sprite.dim = kUnlitCell;
    if (focused(id)) sprite.ring = *in.focus;
    return sprite;
}

void Builder::pair_heading(attn::StepId id, const Grid& grid) {
    if (style().presenting) return;  // the caption and the name of the sum then say whose pairs these are
    text({grid.origin.x - style().gap - 4 * style().scale, grid.origin.y - 12 * style().scale}, pair_words(id),
         Type::SmallStrong, Hue::Query, Align::Right);
    scene.labels.back().fit = left_space(id);
}

std::string Builder::pair_words(attn::StepId id) const {
    const attn::Axis& rows = step(id).rows;
    const int query = rows_of(id).first / std::max(1, rows.span);
    return fill_in(words(Str::with_query), {label({rows.queries}, query)});
}

void Builder::line_below(Point left_bottom, std::string words, float alpha) {
    const float x = left_bottom.x + style().legend_w + 28 * style().scale;
    if (x + in.measure(words, Type::Number) > in.area.right()) return;  // a truncated sum would be useless
    text({x, left_bottom.y + style().caption + style().legend_h * 2}, std::move(words), Type::Number, Hue::Ink,
         Align::Left, alpha);
}

void Builder::path(std::vector<Point> points, Hue hue, float width, float alpha, bool arrow) {
    if (points.size() < 2) return;
    scene.paths.push_back({std::move(points), hue, alpha, width, arrow});
}

void Builder::fly(attn::Cell cell, Rect from, Rect to, double moved, float alpha) {
    scene.cells.push_back({cell, between(from, to, static_cast<float>(moved)), colors(cell.step), alpha});
}

void Builder::sign_between(const Grid& first, const Grid& second, const char* sign, float names) {
    const Rect a = first.area(), z = second.area();
    const float down = 7 * style().scale;  // from the middle of the sign to its baseline
    if (z.y >= a.bottom())
        text({a.x + std::min(a.w, z.w) / 2, (a.bottom() + z.y) / 2 + down}, sign, Type::TitleStrong, Hue::Soft,
             Align::Center);
    else
        text({(a.right() + z.x - names) / 2, a.y + std::min(a.h, z.h) / 2 + down}, sign, Type::TitleStrong, Hue::Soft,
             Align::Center);
}

attn::Cell current_cell(const Pace& p, attn::Cell first, int cols, const Fold& fold) {
    if (p.cell < 1 || p.row <= 0 || p.row >= 1) return first;
    const int standing = fold.on() ? fold.count : cols;
    const int at = (fold.slot(first.col) + static_cast<int>(p.row * (standing - 1))) % standing;
    return {first.step, first.row, fold.index(at)};
}

Rect between(Rect a, Rect z, float t) {
    return {a.x + (z.x - a.x) * t, a.y + (z.y - a.y) * t, a.w + (z.w - a.w) * t, a.h + (z.h - a.h) * t};
}

Pace pace(double progress) {
    return {phase(progress, 0.0, 0.5), phase(progress, 0.5, 0.72), phase(progress, 0.76, 1.0)};
}

Reveal reveal_of(const Pace& pace, attn::Cell first, int rows, int cols) {
    Reveal reveal;
    reveal.first_row = first.row;
    reveal.first_col = first.col;
    if (pace.rest >= 1) return reveal;
    reveal.cells =
        pace.cell < 1 ? 0.0f : 1.0f + std::floor(static_cast<float>(pace.row) * static_cast<float>(cols - 1));
    reveal.rows = 1.0f + static_cast<float>(ease(pace.rest)) * static_cast<float>(rows - 1);
    return reveal;
}

Reveal reveal_of(const Pace& pace, attn::Cell first, const Grid& grid) {
    Reveal reveal = reveal_of(pace, first, grid.rows, grid.cols);
    if (!grid.col_fold.on() || pace.cell < 1 || pace.rest >= 1) return reveal;
    const int newest = current_cell(pace, first, grid.cols, grid.col_fold).col;
    reveal.cells = pace.row >= 1 ? static_cast<float>(grid.cols) : static_cast<float>(1 + (newest - first.col + grid.cols) % grid.cols);
    return reveal;
}

float fit_cell(const Builder& b, float rows, float cols, Margins m, float most) {
    const StageInput& in = b.in;
    const float w = (in.area.w - m.left - m.right) / std::max(cols * b.narrow(), 1.0f);
    const float h = (in.area.h - m.top - m.bottom) / std::max(rows, 1.0f);
    // A single matrix is no larger than needed, so that it is recognised as the one from the steps before.
    constexpr float kWidest = 1.6f;
    if (!in.style.presenting && b.narrow() > 1) most = std::min(most, std::max(1.0f, kWidest / b.narrow()));
    return std::max(0.25f, std::min({in.style.cell_max * most, w, h}));
}

}  // namespace app::stage
