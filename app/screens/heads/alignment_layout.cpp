#include "app/screens/heads/alignment_layout.h"

#include <algorithm>
#include <cmath>

#include "app/screens/heads/view.h"

namespace app {
namespace {

// Pixels of design: a cell, the largest that it becomes, and of its height the row's that is spoken of.
constexpr float kCellWide = 44, kWidestCell = 92, kCellHigh = 36, kHighestCell = 44, kLitRow = 1.45f;
constexpr float kAsideNames = 14, kAsking = 52, kMaking = 56, kStrip = 18, kBetweenStrip = 8, kSlantRise = 0.82f;

}  // namespace

AlignmentLayout lay_out_alignment(const AlignmentRoom& room) {
    AlignmentLayout out;
    out.rows = std::max(1, room.rows);
    out.cols = std::max(1, room.cols);
    out.lit = room.lit >= 0 && room.lit < out.rows ? room.lit : -1;
    const float s = room.scale, aside = kAsideNames * s;
    const float names_w = std::min(room.names + aside, room.area.w * 0.3f), right = room.says > 0 ? std::min(room.says + aside, room.area.w * 0.3f) : 0;
    // Vectors that ask stand between names and cells, where that does not cost the figures their room.
    const float asks = (kAsking + kAsideNames) * s, least = room.figure + 6 * s;
    if (room.asks && (room.area.w - names_w - right - asks) / static_cast<float>(out.cols) >= least) out.asks_w = kAsking * s;
    const float left = names_w + (out.asks_w > 0 ? asks : 0);
    const float makes = static_cast<float>(room.makes) * (kMaking + kAsideNames) * s;
    if (makes > 0 && (room.area.w - left - right - makes) / static_cast<float>(out.cols) >= least) out.makes_w = kMaking * s;
    const float behind = right + (out.makes_w > 0 ? makes : 0);
    const float wide = std::max(1.0f, (room.area.w - left - behind) / static_cast<float>(out.cols));
    const float wanted = std::max(kCellWide * s, room.sources + 10 * s);
    out.cell_w = std::min({wide, wanted, kWidestCell * s});
    out.slanted = room.sources + 6 * s > out.cell_w;
    const float names = out.slanted ? room.sources * kSlantRise + room.em : room.em * 1.8f;
    out.strip_h = room.strips ? kStrip * s : 0;
    const float top = names + (room.strips ? out.strip_h + kBetweenStrip * s : 0);
    const float lit_more = out.lit >= 0 ? kLitRow - 1 : 0;
    const float high = std::max(1.0f, (room.area.h - top) / (static_cast<float>(out.rows) + lit_more));
    out.cell_h = std::min(high, (room.rows <= 8 ? kHighestCell : kCellHigh) * s);
    out.lit_h = out.lit >= 0 ? out.cell_h * kLitRow : out.cell_h;
    out.named = thinned(out.rows, out.cell_h, room.em, {&out.lit, 1});
    out.figures = out.cell_w >= room.figure + 4 * s && out.cell_h >= room.em;
    const float w = out.cell_w * static_cast<float>(out.cols), h = out.cell_h * static_cast<float>(out.rows) + out.lit_h - out.cell_h;
    const float x = room.area.x + (room.area.w - left - behind - w) / 2 + left, y = room.area.y + (room.area.h - top - h) / 2 + top;
    out.sheet = {x, y, w, h};
    out.asks_x = x - aside - out.asks_w;
    out.names_right = (out.asks_w > 0 ? out.asks_x : x) - aside * 0.7f;
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

Rect AlignmentLayout::col(int c) const { return {sheet.x + cell_w * static_cast<float>(c), sheet.y, cell_w, sheet.h}; }

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
    c = std::clamp(static_cast<int>((at.x - sheet.x) / cell_w), 0, cols - 1);
    for (r = 0; r + 1 < rows; ++r)
        if (at.y < row(r).bottom()) break;
    return true;
}

}  // namespace app
