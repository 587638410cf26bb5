#include "app/screens/heads/alignment_layout.h"

#include <algorithm>
#include <cmath>

#include "app/screens/heads/view.h"

namespace app {
namespace {

// Design pixels: width of a cell and its maximum, height of a cell and its maximum; height of the focused row,
// relative to the others and, at least, to an em.
constexpr float kCellWide = 44, kWidestCell = 92, kCellHigh = 36, kHighestCell = 44, kLitRow = 1.45f;
/// Number of figures in the focused row that take precedence over the vectors made from it; width of a column without
/// figures.
constexpr float kFewFigures = 5, kThinCell = 16, kBetweenNames = 10, kBetweenFigures = 3.2f;
constexpr float kAsideNames = 14, kAsking = 52, kMaking = 56, kStrip = 18, kBetweenStrip = 8, kSlantRise = 0.82f;

/// Distance from the left edge of the sheet to a column.
float across_to(const AlignmentLayout& at, int column) {
    float x = 0;
    for (int c = 0; c < column; ++c) x += at.is_wide(c) ? at.wide_w : at.cell_w;
    return x;
}

}  // namespace

AlignmentLayout lay_out_alignment(const AlignmentRoom& room) {
    AlignmentLayout out;
    out.rows = std::max(1, room.rows);
    out.cols = std::max(1, room.cols);
    out.lit = room.lit >= 0 && room.lit < out.rows ? room.lit : -1;
    const float s = room.scale, aside = kAsideNames * s, cols = static_cast<float>(out.cols);
    const float names_w = std::min(room.names + aside, room.area.w * 0.3f);
    const auto beside = [&](float says) { return says > 0 ? std::min(says + aside, room.area.w * 0.3f) : 0; };
    float right = beside(room.says);
    const float asks = (kAsking + kAsideNames) * s, least = room.figure + 6 * s, reads = room.reads > 0 ? room.reads + kBetweenNames * s : 0;
    const float makes = static_cast<float>(room.makes) * (kMaking + kAsideNames) * s;
    // What makes room for the figures, in this order: words that are said twice, the words that were read, the query
    // vectors, the figures of weak columns; then the vectors made from the row.
    const float all = cols * least, some = std::min(all, kFewFigures * least + std::max(0.0f, cols - kFewFigures) * kThinCell * s);
    if (room.says_figure > 0 && room.area.w - names_w - right < all) {
        right = beside(room.says_figure);
        out.says_word = false;
    }
    const float free = room.area.w - names_w - right;
    const auto fits_with = [&](bool with_reads, bool with_asks, bool with_makes, float need) {
        if ((with_asks && !room.asks) || (with_makes && room.makes == 0)) return false;
        const float rest = free - (with_reads ? reads : 0) - (with_asks ? asks : 0) - (with_makes ? makes : 0);
        if (rest < need) return false;
        out.reads_w = with_reads ? reads : 0;
        out.asks_w = with_asks ? kAsking * s : 0;
        out.makes_w = with_makes ? kMaking * s : 0;
        return true;
    };
    const auto any = [&](bool with_makes, float need) {
        return fits_with(true, true, with_makes, need) || fits_with(true, false, with_makes, need) || fits_with(false, true, with_makes, need) || fits_with(false, false, with_makes, need);
    };
    const float tight = cols * (room.figure + (kBetweenFigures + 0.1f) * s);
    if (!any(true, all) && !(out.lit >= 0 && !room.strongest.empty() && any(true, some)) && !any(false, tight)) any(false, some);
    const float left = names_w + out.reads_w + (out.asks_w > 0 ? asks : 0);
    const float behind = right + (out.makes_w > 0 ? makes : 0);
    const float across = std::max(1.0f, room.area.w - left - behind), wanted = std::max(kCellWide * s, room.sources + 10 * s);
    out.cell_w = out.wide_w = std::min({across / cols, wanted, kWidestCell * s});
    if (out.lit >= 0 && out.cell_w < room.figure + kBetweenFigures * s && !room.strongest.empty()) {
        const float thin = std::min(kThinCell * s, out.cell_w);
        const int named = std::min(out.cols, static_cast<int>(room.strongest.size()));
        // Figures of all columns without the zero before the point go before those of a few with it.
        const bool short_of = across < static_cast<float>(named) * least + (cols - static_cast<float>(named)) * thin;
        const float wide = short_of && room.bare > 0 ? room.bare + 6 * s : least;
        const int most = std::clamp(static_cast<int>((across - cols * thin) / std::max(1.0f, wide - thin)), 1, named);
        const auto count = static_cast<float>(most);
        out.wide.assign(static_cast<std::size_t>(out.cols), false);
        for (int i = 0; i < most; ++i) out.wide[static_cast<std::size_t>(room.strongest[static_cast<std::size_t>(i)])] = true;
        out.cell_w = std::max(1.0f, (across - count * wide) / std::max(1.0f, cols - count));
        if (most == out.cols) out.cell_w = wide;
        out.wide_w = wide;
    }
    const float sheet_w = across_to(out, out.cols);
    out.slanted = room.sources + 6 * s > out.cell_w;
    const float names = out.slanted ? room.sources * kSlantRise + room.em : room.em * 1.8f;
    out.strip_h = room.strips ? kStrip * s : 0;
    const float top = names + (room.strips ? out.strip_h + kBetweenStrip * s : 0);
    const float lit_more = out.lit >= 0 ? kLitRow - 1 : 0, tall = room.area.h - top;
    const float high = std::max(1.0f, tall / (static_cast<float>(out.rows) + lit_more));
    out.cell_h = std::min(high, (room.rows <= 8 ? kHighestCell : kCellHigh) * s);
    out.lit_h = out.lit >= 0 ? out.cell_h * kLitRow : out.cell_h;
    // The focused row has its figures, however low that makes the others.
    if (const float lowest = room.em * kLitRow; out.lit >= 0 && out.rows > 1 && out.lit_h < lowest && tall > lowest + static_cast<float>(out.rows)) {
        out.lit_h = lowest;
        out.cell_h = (tall - lowest) / static_cast<float>(out.rows - 1);
    }
    out.named = thinned(out.rows, out.cell_h, room.em, {&out.lit, 1});
    const bool uniform = out.wide.empty() && out.cell_w >= room.figure + kBetweenFigures * s;
    out.figures = uniform && out.cell_h >= room.em;
    if (uniform && !out.figures) out.wide.assign(static_cast<std::size_t>(out.cols), true), out.wide_w = out.cell_w;
    out.lit_figures = !out.wide.empty() && out.lit_h >= room.em;
    const float w = sheet_w, h = out.cell_h * static_cast<float>(out.rows) + out.lit_h - out.cell_h;
    const float x = room.area.x + (room.area.w - left - behind - w) / 2 + left, y = room.area.y + (room.area.h - top - h) / 2 + top;
    out.sheet = {x, y, w, h};
    out.asks_x = x - aside - out.asks_w;
    out.names_right = (out.asks_w > 0 ? out.asks_x : x) - aside * 0.7f;
    out.names_w = names_w - aside;
    out.makes_x = x + w + aside;
    out.says_left = x + w + aside + behind - right;
    out.says_w = right > 0 ? right - aside : 0;
    out.strip_y = y - (room.strips ? out.strip_h + kBetweenStrip * s / 2 : 0);
    out.names_base = (room.strips ? out.strip_y : y) - room.em * 0.5f;
    return out;
}

Rect AlignmentLayout::row(int r) const {
    const float before = cell_h * static_cast<float>(r) + (lit >= 0 && r > lit ? lit_h - cell_h : 0);
    return {sheet.x, sheet.y + before, sheet.w, r == lit ? lit_h : cell_h};
}

Rect AlignmentLayout::col(int c) const { return {sheet.x + across_to(*this, c), sheet.y, is_wide(c) ? wide_w : cell_w, sheet.h}; }

bool AlignmentLayout::source_named(int c, float em) const { return col(c).w >= em * 0.9f || (wide.empty() && c % 4 == 0); }

Rect AlignmentLayout::cell(int r, int c) const {
    const Rect across = row(r), down = col(c);
    return {down.x, across.y, down.w, across.h};
}

Rect AlignmentLayout::made(int r, int i) const {
    const Rect line = row(r);
    const float apart = makes_w / kMaking * kAsideNames;
    return {makes_x + (makes_w + apart) * static_cast<float>(i), line.y, makes_w, line.h};
}

bool AlignmentLayout::find(Point at, int& r, int& c) const {
    if (!sheet.contains(at)) return false;
    for (c = 0; c + 1 < cols; ++c)
        if (at.x < col(c).right()) break;
    for (r = 0; r + 1 < rows; ++r)
        if (at.y < row(r).bottom()) break;
    return true;
}

}  // namespace app
