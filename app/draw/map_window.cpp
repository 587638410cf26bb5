#include "app/draw/map_window.h"

#include <cmath>

namespace app {
namespace {

/// A matrix whose sides differ by more than this factor is stretched to its area, because square cells would be too
/// small.
constexpr float kSquareUpTo = 4;

/// One dimension of the window: its length in pixels, and a cell size from the zoom.
struct Side {
    float pitch, length;
    double first;  ///< the fractional index of the cell at its beginning

    Side(float room, int count, float fit, float zoom, float largest, float middle) {
        pitch = std::min(fit * zoom, largest);
        length = std::min(room, pitch * static_cast<float>(count));
        const double cells = static_cast<double>(length) / static_cast<double>(pitch);
        first = std::clamp(static_cast<double>(middle) * count - cells / 2, 0.0, std::max(0.0, count - cells));
    }
    float middle(int count) const {
        return static_cast<float>((first + static_cast<double>(length) / (2.0 * static_cast<double>(pitch))) / count);
    }
};

MapWindow::Span span_of(float from, float length, float pitch, int count) {
    const int first = static_cast<int>(std::floor(from / pitch + 1e-3f));
    const int end = static_cast<int>(std::ceil((from + length) / pitch - 1e-3f));
    return {std::clamp(first, 0, count), std::clamp(end, 0, count)};
}

/// Rows or columns out of focus are thinned or folded; then all of it is in view.
bool is_lensed(const Grid& grid) { return grid.row_fold.on() || grid.col_fold.on() || grid.row_fold.thins() || grid.col_fold.thins(); }

}  // namespace

MapLook clamped(MapLook look) {
    if (!std::isfinite(look.zoom) || !std::isfinite(look.row) || !std::isfinite(look.col)) return {};
    look.zoom = std::clamp(look.zoom, 1.0f, kMaxMapZoom);
    // A dimension that is shown whole (of a matrix stretched to its area) stays centred.
    const float reach = 0.5f / look.zoom;
    look.row = std::clamp(look.row, reach, 1 - reach);
    look.col = std::clamp(look.col, reach, 1 - reach);
    return look;
}

MapWindow map_window(const MapLook& look, const MapRoom& room) {
    MapWindow out;
    if (room.rows <= 0 || room.cols <= 0 || room.area.empty()) return out;
    const int lines = room.transposed ? room.cols : room.rows, uprights = room.transposed ? room.rows : room.cols;
    const float largest = std::max(room.largest_cell, 1.0f);
    float fit_x = room.area.w / static_cast<float>(uprights), fit_y = room.area.h / static_cast<float>(lines);
    const float longer = static_cast<float>(std::max(lines, uprights)),
                shorter = static_cast<float>(std::min(lines, uprights));
    if (longer <= kSquareUpTo * shorter) fit_x = fit_y = std::min(fit_x, fit_y);
    fit_x = std::min(fit_x, largest);
    fit_y = std::min(fit_y, largest);
    out.most_zoom = std::max(1.0f, largest / std::min(fit_x, fit_y));
    const float zoom = std::clamp(look.zoom, 1.0f, out.most_zoom);
    const float mid_y = room.transposed ? look.col : look.row, mid_x = room.transposed ? look.row : look.col;
    const Side across(room.area.w, uprights, fit_x, zoom, largest, mid_x),
        down(room.area.h, lines, fit_y, zoom, largest, mid_y);
    const float x = std::round(room.area.x + (room.area.w - across.length) / 2),
                y = std::round(room.area.y + (room.area.h - down.length) / 2);
    out.seen = {x, y, across.length, down.length};
    out.grid.origin = {x - static_cast<float>(across.first * static_cast<double>(across.pitch)),
                       y - static_cast<float>(down.first * static_cast<double>(down.pitch))};
    out.grid.cell = down.pitch;
    out.grid.narrow = across.pitch / down.pitch;
    out.grid.rows = room.rows;
    out.grid.cols = room.cols;
    out.grid.transposed = room.transposed;
    const float at_y = down.middle(lines), at_x = across.middle(uprights);
    out.look = {zoom, room.transposed ? at_x : at_y, room.transposed ? at_y : at_x};
    return out;
}

MapWindow::Span MapWindow::lines() const {
    if (is_lensed(grid)) return {0, grid.lines()};
    return span_of(seen.y - grid.origin.y, seen.h, grid.cell, grid.lines());
}
MapWindow::Span MapWindow::uprights() const {
    if (is_lensed(grid)) return {0, grid.uprights()};
    return span_of(seen.x - grid.origin.x, seen.w, grid.pitch_x(), grid.uprights());
}

MapLook zoomed(const MapWindow& w, Point about, float factor) {
    const float zoom = std::clamp(w.look.zoom * factor, 1.0f, w.most_zoom), grown = zoom / w.look.zoom;
    const auto middle = [&](float at, float from, float pitch, float length, int count) {
        // The cell under the point, and from there to the middle, which stays in place however large the window gets.
        const float under = (at - from) / pitch;
        return (under + (length / 2 - at) / (pitch * grown)) / static_cast<float>(count);
    };
    const float x = middle(about.x - w.seen.x, w.grid.origin.x - w.seen.x, w.grid.pitch_x(), w.seen.w,
                           w.grid.uprights()),
                y = middle(about.y - w.seen.y, w.grid.origin.y - w.seen.y, w.grid.cell, w.seen.h, w.grid.lines());
    return clamped(w.grid.transposed ? MapLook{zoom, x, y} : MapLook{zoom, y, x});
}

MapLook panned(const MapWindow& w, Point by) {
    const float x = by.x / (w.grid.pitch_x() * static_cast<float>(w.grid.uprights())),
                y = by.y / (w.grid.cell * static_cast<float>(w.grid.lines()));
    MapLook look = w.look;
    look.row -= w.grid.transposed ? x : y;
    look.col -= w.grid.transposed ? y : x;
    return clamped(look);
}

MapLook looking_at(const MapLook& look, Spot cell, int rows, int cols, int lines) {
    const auto share = [](int index, int count) {
        return (static_cast<float>(index) + 0.5f) / static_cast<float>(std::max(count, 1));
    };
    const float close = static_cast<float>(std::max(rows, cols)) / static_cast<float>(std::max(lines, 1));
    return clamped({std::max(look.zoom, close), share(cell.row, rows), share(cell.col, cols)});
}

std::vector<int> thinned_names(MapWindow::Span seen, float pitch, float high, int keep) {
    if (pitch <= 0 || seen.count() <= 0) return {};
    int every = 1;
    for (int decade = 1; static_cast<float>(every) * pitch < high; decade *= 10)
        for (const int step : {1, 2, 5})
            if (static_cast<float>(every) * pitch < high) every = step * decade;
    std::vector<int> out;
    // Round numbers, counted from 1.
    const int first = (seen.first + every) / every * every - 1;
    for (int i = first; i < seen.end; i += every)
        if (keep < 0 || i == keep || static_cast<float>(std::abs(i - keep)) * pitch >= high) out.push_back(i);
    if (keep >= seen.first && keep < seen.end && (keep + 1) % every != 0) out.push_back(keep);
    return out;
}

}  // namespace app
