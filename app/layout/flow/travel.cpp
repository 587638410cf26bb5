// Moving values: the inputs of a matrix travel along the ribbons that lead to it, number by number.

#include <algorithm>
#include <cmath>

#include "app/layout/flow/parts.h"

namespace app {

std::optional<FlowSweep> flow_sweep(const Timeline& timeline, double time) {
    for (const Section& section : timeline.sections) {
        if (section.reverse || section.stage != Stage::Projections || section.first == section.last) continue;
        const Stop &first = timeline.stops[static_cast<std::size_t>(section.first)],
                   &last = timeline.stops[static_cast<std::size_t>(section.last)];
        if (time < first.start || time >= last.end()) continue;
        return FlowSweep{section.first, section.last, phase(time, first.start, last.start + last.motion)};
    }
    return std::nullopt;
}

namespace flow {
namespace {

/// Of longer rows this many numbers travel, evenly chosen; with more rows, only the highlighted row's.
constexpr int kMostInRow = 24, kMostRows = 24;
constexpr double kLitFrom = 0.02, kLitTo = 0.5, kRestFrom = 0.5, kRestTo = 0.94;
constexpr double kQueue = 0.45;    ///< the delay of a row's last number after its first, as a share of its time
constexpr double kFade = 0.12;     ///< share of a number's way in which it appears, and disappears into the result
constexpr double kStagger = 0.14;  ///< the delay of each matrix of a sweep after the previous one
constexpr float kLargestBead = 15, kLeastBead = 3;  ///< design pixels

/// A ribbon's curve, as app/ui draws it: the control points are half way, at the heights of their ends.
Track::Place along(const Track::Part& part, double share) {
    const auto t = static_cast<float>(std::clamp(share, 0.0, 1.0));
    const float u = 1 - t, middle = (part.from.right() + part.to.x) / 2;
    const float x = u * u * u * part.from.right() + 3 * u * t * middle + t * t * t * part.to.x;
    const float s = t * t * (3 - 2 * t);
    return {{x, part.from.center().y + (part.to.center().y - part.from.center().y) * s},
            part.from.h + (part.to.h - part.from.h) * s};
}

float length_of(const Track::Part& part) {
    return std::max(1.0f, std::hypot(part.to.x - part.from.right(), part.to.center().y - part.from.center().y));
}

Track::Place on_line(const std::vector<Point>& line, float thick, double share) {
    float total = 0;
    for (std::size_t i = 1; i < line.size(); ++i)
        total += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
    float left = total * static_cast<float>(std::clamp(share, 0.0, 1.0));
    for (std::size_t i = 1; i < line.size(); ++i) {
        const float length = std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
        if (left <= length) return {app::between(line[i - 1], line[i], length > 0 ? left / length : 0), thick};
        left -= length;
    }
    return {line.back(), thick};
}

/// Progress of the i-th of `count` numbers: 0 it has not started, 1 it has arrived.
double passed(double progress, bool lit, int i, int count) {
    const double from = lit ? kLitFrom : kRestFrom, to = lit ? kLitTo : kRestTo, whole = to - from;
    const double start = from + whole * kQueue * static_cast<double>(i) / std::max(1, count);
    return phase(progress, start, start + whole * (1 - kQueue));
}

}  // namespace

Track::Place Track::at(double share) const {
    if (parts.empty()) return on_line(line, thick, share);
    float total = 0;
    for (const Part& part : parts) total += length_of(part);
    float left = total * static_cast<float>(std::clamp(share, 0.0, 1.0));
    for (const Part& part : parts) {
        const float length = length_of(part);
        if (left <= length || &part == &parts.back()) return along(part, static_cast<double>(left / length));
        left -= length;
    }
    return along(parts.back(), 1);
}

double Layout::made(int i) const {
    if (!in.playing) return 1;
    const int stop = node(i).stop, now = in.stage.pose.stop;
    if (is_shut(i) && node(i).made_at(now)) {
        const double steps = stop - node(i).first_stop + 1;
        return (now - node(i).first_stop + in.stage.pose.progress) / steps;
    }
    if (!is_shut(i) && in.sweep && in.sweep->has(stop)) {
        int before = 0, all = 0;
        for (const FlowNode& other : graph().nodes)
            if (in.sweep->has(other.stop)) {
                ++all;
                before += other.stop < stop;
            }
        const double start = kStagger * before;
        return phase(in.sweep->share, start, start + 1 - kStagger * (all - 1));
    }
    if (stop != now) return stop < now ? 1 : 0;
    return in.stage.pose.progress;
}

void travel(Layout& l, int from, int to, int row, bool lit, const Track& track) {
    const Box& box = l.box(from);
    if (!l.in_the_making(to) || (!lit && box.rows.count > kMostRows) || box.slot(row).is_band()) return;
    const int cols = box.cols, count = std::min(cols, kMostInRow);
    const float s = l.b.style().scale, wide = std::min(kLargestBead * s, std::max(kLeastBead * s, box.grid.pitch_x()));
    const ColorScale colors = l.b.colors(l.node(from).step);
    const float strength = (lit ? 1.0f : 0.8f) * l.stacked();
    for (int i = 0; i < count; ++i) {
        const int col = static_cast<int>((static_cast<std::int64_t>(i) * cols) / count);
        if (box.col_slot(col).is_band()) continue;
        const double way = passed(l.made(to), lit, count - 1 - i, count);  // the one nearest to the exit leaves first
        if (way <= 0 || way >= 1) continue;
        const Track::Place place = track.at(ease(way));
        const float high = std::clamp(place.high * 0.82f, kLeastBead * s, 22 * s), w = std::min(wide, high * 1.1f);
        const auto alpha = static_cast<float>(std::min(phase(way, 0, kFade), 1 - phase(way, 1 - kFade, 1)));
        CellSprite bead{
            {l.node(from).step, box.slot(row).first, box.col_slot(col).first}, {}, colors, alpha * strength, false};
        bead.rect = rect_around(place.at, w - box.grid.gap * 0.5f, high);
        bead.hatched = !std::isfinite(l.b.value(bead.cell));
        l.b.scene.cells.push_back(bead);
    }
}

}  // namespace flow
}  // namespace app
