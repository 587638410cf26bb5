#include "tests/frames/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace frames {
namespace {

using app::DrawnItem;
using app::Point;
using app::Rect;
using Kind = DrawnItem::Kind;

/// The cells of a map of at most this many cells in each direction are written one by one; of a larger map the means of
/// blocks.
constexpr int kMostCells = 64, kBlocks = 32;

constexpr std::array<std::string_view, app::kTypeCount> kTypes{
    "small",         "body", "title",      "small_strong", "body_strong",  "title_strong",       "number",
    "number_small",  "number_strong",      "math",         "math_small",   "math_large",         "math_upright",
    "math_upright_small", "math_upright_large", "math_sign",
    // of the opening
    "lead", "medium", "medium_strong", "large", "large_strong", "huge", "huge_strong", "number_large", "number_huge"};

/// One decimal, and none if it is 0.
std::string place(float v) {
    const long tenths = std::lround(static_cast<double>(v) * 10);
    return tenths % 10 == 0 ? fmt::format("{}", tenths / 10)
                            : fmt::format("{}{}.{}", tenths < 0 ? "-" : "", std::labs(tenths) / 10, std::labs(tenths) % 10);
}
std::string places(std::initializer_list<float> values) {
    std::string out;
    for (const float v : values) out += ' ' + place(v);
    return out;
}
std::string box(const Rect& r) { return places({r.x, r.y, r.w, r.h}); }
std::string at(Point p) { return places({p.x, p.y}); }

/// From 0xAABBGGRR.
std::string color(std::uint32_t c) {
    const std::string rgb = fmt::format(" #{:02X}{:02X}{:02X}", c & 255, c >> 8 & 255, c >> 16 & 255);
    return c >> 24 == 255 ? rgb : rgb + fmt::format("{:02X}", c >> 24);
}
/// " r3"; nothing for 0.
std::string named(char name, float v) { return place(v) == "0" ? "" : fmt::format(" {}{}", name, place(v)); }

/// The largest area that an item covers, without its clip.
Rect bounds(const DrawnItem& item) {
    if (item.kind == Kind::Text) {
        if (item.turned != 0) return Rect{item.at.x, item.at.y - item.length, item.length, item.length + item.em};
        return {item.at.x, item.at.y - item.em, item.length, item.em * 1.3f};
    }
    if (item.points.empty()) return item.kind == Kind::Shadow ? item.rect.inset(-item.width) : item.rect;
    Rect r{item.points[0].x, item.points[0].y, 0, 0};
    float right = r.x, bottom = r.y;
    for (const Point& p : item.points) {
        r.x = std::min(r.x, p.x), r.y = std::min(r.y, p.y);
        right = std::max(right, p.x), bottom = std::max(bottom, p.y);
    }
    const float more = item.kind == Kind::Circle ? item.radius : item.width / 2;
    return Rect{r.x, r.y, right - r.x, bottom - r.y}.inset(-std::max(more, 0.5f));
}

std::string points(const DrawnItem& item) {
    std::string out;
    for (const Point& p : item.points) out += at(p);
    return out;
}

/// The points where both borders begin, have their middle and end.
std::string ribbon(const DrawnItem& item) {
    const std::size_t half = item.points.size() / 2;
    std::string out;
    for (const std::size_t border : {std::size_t{0}, half})
        for (const std::size_t i : {std::size_t{0}, half / 2, half - 1}) out += at(item.points[border + i]);
    return out;
}

/// How many lines a hatch has, and the first and the last.
std::string hatch(const DrawnItem& item) {
    const std::size_t n = item.points.size();
    return fmt::format(" {}", n / 2) + at(item.points[0]) + at(item.points[1]) + at(item.points[n - 2]) +
           at(item.points[n - 1]);
}

std::string cell(float value, app::gfx::Range range) {
    if (value == -std::numeric_limits<float>::infinity()) return "--";
    if (!std::isfinite(value)) return "!!";
    return fmt::format("{:02x}", std::lround(app::gfx::position(range, value) * 255));
}

/// The mean of the cells that are numbers; −inf if all are masked.
float mean(const attn::Matrix& cells) {
    double sum = 0;
    int count = 0;
    for (const float v : cells.reshaped())
        if (std::isfinite(v)) sum += static_cast<double>(v), ++count;
    return count > 0 ? static_cast<float>(sum / count) : -std::numeric_limits<float>::infinity();
}

void map_rows(Record& record, const app::MapNote& note) {
    const auto rows = static_cast<int>(note.cells.rows()), cols = static_cast<int>(note.cells.cols());
    const int down = std::min(rows, rows * cols > kMostCells * kMostCells ? kBlocks : rows);
    const int across = std::min(cols, rows * cols > kMostCells * kMostCells ? kBlocks : cols);
    for (int i = 0; i < down; ++i) {
        const long top = static_cast<long>(rows) * i / down, bottom = static_cast<long>(rows) * (i + 1) / down;
        std::string line = fmt::format("row {}", note.first_row + top);
        for (int j = 0; j < across; ++j) {
            const long left = static_cast<long>(cols) * j / across, right = static_cast<long>(cols) * (j + 1) / across;
            line += ' ' + cell(mean(note.cells.block(top, left, bottom - top, right - left)), note.look.range);
        }
        record.push_back(std::move(line));
    }
}

void map(Record& record, const DrawnItem& item, const app::Heatmaps& maps) {
    const app::MapNote* note = maps.note_of(item.texture);
    std::string line = "map" + box(item.rect) + color(item.color) + (item.vertical ? " turned" : "");
    if (item.uv != Rect{0, 0, 1, 1})
        line += fmt::format(" uv={:.3f},{:.3f},{:.3f},{:.3f}", item.uv.x, item.uv.y, item.uv.w, item.uv.h);
    if (!note) {
        record.push_back(line + " unknown");
        return;
    }
    const app::gfx::HeatmapLook& look = note->look;
    line += fmt::format(" {}x{} seen={:.2f},{:.2f},{:.2f},{:.2f} range={:.4g},{:.4g}", note->rows, note->cols,
                        look.view.x, look.view.y, look.view.width, look.view.height, look.range.lo, look.range.hi);
    for (const std::size_t entry : {std::size_t{0}, std::size_t{app::gfx::kLutSize / 2}, std::size_t{app::gfx::kLutSize - 1}})
        line += fmt::format(" #{:02X}{:02X}{:02X}", look.lut[entry * 4], look.lut[entry * 4 + 1], look.lut[entry * 4 + 2]);
    line += look.style.pooling == app::gfx::Pooling::Maximum ? " largest" : "";
    record.push_back(std::move(line));
    map_rows(record, *note);
}

/// How many fills from `first` on form a row of cells: of equal size, side by side, at equal distances.
std::size_t cells_from(const std::vector<const DrawnItem*>& items, std::size_t first) {
    const auto cell_like = [&](const DrawnItem& a, const DrawnItem& b) {
        return b.kind == Kind::Fill && b.layer == a.layer && b.clip == a.clip && b.rect.y == a.rect.y &&
               std::fabs(b.rect.w - a.rect.w) < 0.02f && std::fabs(b.rect.h - a.rect.h) < 0.02f &&
               b.radius == a.radius && b.corners == a.corners;
    };
    const DrawnItem& one = *items[first];
    if (one.kind != Kind::Fill || first + 1 >= items.size()) return 1;
    const float step = items[first + 1]->rect.x - one.rect.x;
    std::size_t count = 1;
    while (first + count < items.size() && cell_like(one, *items[first + count]) && step >= one.rect.w &&
           std::fabs(items[first + count]->rect.x - one.rect.x - step * static_cast<float>(count)) < 0.02f)
        ++count;
    return count;
}

/// A row of cells in one line: the first, the distance, the colour of each.
std::string cells(const std::vector<const DrawnItem*>& items, std::size_t first, std::size_t count) {
    const DrawnItem& one = *items[first];
    std::string line = "cells" + box(one.rect) + named('r', one.radius) +
                       fmt::format(" s{:.2f}", (items[first + count - 1]->rect.x - one.rect.x) / static_cast<float>(count - 1));
    for (std::size_t i = 0; i < count; ++i) line += color(items[first + i]->color);
    return line;
}

std::string type_of(const DrawnItem& item) {
    std::string out(" ");
    out += type_name(item.type);
    if (item.turned != 0) out += " turned";
    return out;
}

void write_item(Record& record, const DrawnItem& item, const app::Heatmaps& maps) {
    switch (item.kind) {
        case Kind::Fill:
            record.push_back("fill" + box(item.rect) + color(item.color) + named('r', item.radius) +
                             (item.corners == DrawnItem::kAllCorners ? "" : fmt::format(" c{}", item.corners)));
            return;
        case Kind::Stroke:
            record.push_back("stroke" + box(item.rect) + color(item.color) + named('r', item.radius) +
                             named('w', item.width) + named('d', item.dash) + named('g', item.gap));
            return;
        case Kind::Gradient:
            record.push_back("gradient" + box(item.rect) + color(item.color) + color(item.color2) +
                             (item.vertical ? " down" : ""));
            return;
        case Kind::Shadow:
            record.push_back("shadow" + box(item.rect) + color(item.color) + named('r', item.radius) +
                             named('w', item.width));
            return;
        case Kind::Circle:
            record.push_back("circle" + at(item.points[0]) + places({item.radius}) + color(item.color) +
                             named('w', item.width));
            return;
        case Kind::Polygon:
            record.push_back("polygon" + color(item.color) + points(item));
            return;
        case Kind::Polyline:
            record.push_back("line" + color(item.color) + named('w', item.width) + (item.closed ? " closed" : "") +
                             (item.round ? " round" : "") + points(item));
            return;
        case Kind::Lines:
            record.push_back("hatch" + color(item.color) + named('w', item.width) + hatch(item));
            return;
        case Kind::Ribbon:
            record.push_back("ribbon" + color(item.color) + color(item.color2) + (item.vertical ? " down" : "") +
                             ribbon(item));
            return;
        case Kind::Text: {
            std::string words = item.text;
            std::replace(words.begin(), words.end(), '\n', ' ');
            record.push_back("text" + at(item.at) + places({item.em}) + color(item.color) + type_of(item) + " \"" +
                             words + '"');
            return;
        }
        case Kind::Image:
            return map(record, item, maps);
    }
}

}  // namespace

std::string_view type_name(app::Type type) { return kTypes.at(static_cast<std::size_t>(type)); }

app::Type type_named(std::string_view name) {
    const auto found = std::find(kTypes.begin(), kTypes.end(), name);
    return static_cast<app::Type>(found == kTypes.end() ? 1 : found - kTypes.begin());
}

Record record_of(const app::Drawing& drawing, const app::Heatmaps& maps, Rect part) {
    std::vector<const DrawnItem*> items;
    for (const DrawnItem& item : drawing.items) {
        const Rect room = app::intersection(item.clip, part);
        if (!room.empty() && bounds(item).overlaps(room)) items.push_back(&item);
    }
    Record record;
    std::string clip;
    int layer = 0;
    for (std::size_t i = 0; i < items.size();) {
        const DrawnItem& item = *items[i];
        if (item.layer != layer) record.push_back(fmt::format("layer {}", layer = item.layer));
        // A clip is recorded only if it cuts the item.
        const Rect whole = bounds(item), seen = app::intersection(whole, item.clip);
        const bool cuts = seen.w < whole.w - 0.05f || seen.h < whole.h - 0.05f;
        std::string said = cuts ? "clip" + box(item.clip) : "clip none";
        if (said != clip && !(clip.empty() && !cuts)) record.push_back(said);
        clip = std::move(said);
        const std::size_t count = cuts ? 1 : cells_from(items, i);
        if (count > 2)
            record.push_back(cells(items, i, count));
        else
            write_item(record, item, maps);
        i += count > 2 ? count : 1;
    }
    return record;
}

}  // namespace frames
