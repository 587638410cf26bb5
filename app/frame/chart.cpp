#include "app/frame/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/rich_text.h"

namespace app {
namespace {

/// The approximate number of ticks on an axis.
constexpr double kTicks = 5;

/// 1, 2 or 5 times a power of ten, so that about kTicks fit.
double round_step(double range) {
    const double raw = range / kTicks, power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power) return factor * power;
    return 10 * power;
}

std::vector<double> tick_values(const ChartAxis& axis) {
    std::vector<double> out;
    if (axis.log) {
        const double decades = std::log10(axis.high / axis.low), by = decades > 6 ? 100 : 10;
        for (double v = std::pow(10.0, std::ceil(std::log10(axis.low) - 1e-9)); v <= axis.high * 1.0001; v *= by)
            out.push_back(v);
        return out;
    }
    const double step = round_step(axis.high - axis.low);
    for (double v = std::ceil(axis.low / step - 1e-9) * step; v <= axis.high + step * 1e-6; v += step)
        out.push_back(std::abs(v) < step * 1e-6 ? 0 : v);
    return out;
}

}  // namespace

std::string brief(double value) {
    const double size = std::abs(value);
    if (size >= 1e15) return fmt::format("{:.1e}", value);
    for (const auto& [limit, letter] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}}) {
        const double unit = letter[0] == 'k' ? 1e3 : limit;
        if (size >= limit) return fmt::format("{:.3g}{}", value / unit, letter);
    }
    std::string text = size >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
    if (text.starts_with('-')) text.replace(0, 1, "−");
    return text;
}

Chart::Chart(const Frame& frame, Rect area, ChartAxis x, ChartAxis y) : f_(frame), x_(x), y_(y) {
    const float line = f_.theme.line_height(Type::Small);
    float left = f_.painter().width(y_.room, Type::NumberSmall);
    for (const double v : tick_values(y_)) left = std::max(left, f_.painter().width(brief(v), Type::NumberSmall));
    left += f_.px(8);
    const float top =
                    y_.title.empty() ? f_.px(10) : lines_height(f_.painter(), area.w, y_.title, Type::Small) + f_.px(4),
                bottom = line + (x_.title.empty() ? f_.px(2) : line);
    plot_ = {area.x + left, area.y + top, std::max(1.0f, area.w - left - f_.px(10)),
             std::max(1.0f, area.h - top - bottom)};
    ticks_y();
    ticks_x();
    if (!y_.title.empty())
        draw_lines(f_.painter(), {area.x, area.y - f_.px(2), area.w, 0}, y_.title, {Type::Small}, Hue::Soft);
    if (!x_.title.empty())
        f_.painter().text({plot_.right(), area.bottom() - f_.px(3)}, x_.title, {Type::Small, Align::Right}, Hue::Soft);
}

double Chart::share(const ChartAxis& axis, double value) const {
    if (axis.log) return std::log(std::max(value, axis.low * 1e-3) / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
}

Point Chart::at(double x, double y) const {
    return {plot_.x + plot_.w * static_cast<float>(share(x_, x)),
            plot_.bottom() - plot_.h * static_cast<float>(share(y_, y))};
}

double Chart::x_at(float pixel) const {
    const double t = std::clamp(static_cast<double>((pixel - plot_.x) / plot_.w), 0.0, 1.0);
    return x_.log ? x_.low * std::pow(x_.high / x_.low, t) : x_.low + (x_.high - x_.low) * t;
}

void Chart::ticks_y() const {
    const float apart = f_.theme.em(Type::NumberSmall) * 1.35f;
    float last = plot_.bottom() + 2 * apart;  // ticks are drawn from the bottom up
    for (const double v : tick_values(y_)) {
        const float y = at(x_.low, v).y;
        if (last - y < apart) continue;
        last = y;
        f_.painter().line({plot_.x, y}, {plot_.right(), y}, Ink(v == 0 ? Hue::Faint : Hue::Rule), f_.theme.rule_width);
        f_.painter().text({plot_.x - f_.px(7), y + f_.painter().middle_to_baseline(Type::NumberSmall)}, brief(v),
                          {Type::NumberSmall, Align::Right}, Hue::Soft);
    }
}

void Chart::ticks_x() const {
    f_.painter().line({plot_.x, plot_.bottom()}, {plot_.right(), plot_.bottom()}, Hue::Faint, f_.theme.rule_width);
    float free = plot_.x - f_.px(30);
    for (const double v : tick_values(x_)) {
        const float x = at(v, y_.low).x, half = f_.painter().width(brief(v), Type::NumberSmall) / 2;
        f_.painter().line({x, plot_.bottom()}, {x, plot_.bottom() + f_.px(4)}, Hue::Faint, f_.theme.rule_width);
        if (x - half < free || x + half > plot_.right() + f_.px(10)) continue;
        f_.painter().text({x, plot_.bottom() + f_.px(5) + f_.theme.em(Type::NumberSmall)}, brief(v),
                          {Type::NumberSmall, Align::Center}, Hue::Soft);
        free = x + half + f_.px(8);
    }
}

void Chart::line(std::span<const double> xs, std::span<const double> ys, Ink ink, float thickness) const {
    std::vector<Point> points;
    for (std::size_t i = 0; i < std::min(xs.size(), ys.size()); ++i) points.push_back(at(xs[i], ys[i]));
    const auto clip = f_.painter().clip(plot_.inset(-f_.px(3)));
    f_.painter().polyline(points, ink, f_.px(thickness));
}

void Chart::dashes(std::span<const double> xs, std::span<const double> ys, Ink ink, float thickness) const {
    const float on = f_.px(5), off = f_.px(3.5f);
    const auto clip = f_.painter().clip(plot_.inset(-f_.px(3)));
    std::vector<Point> dash;
    float left = on;
    bool drawn = true;
    const auto turn = [&] {
        if (drawn && dash.size() > 1) f_.painter().polyline(dash, ink, f_.px(thickness));
        drawn = !drawn;
        left = drawn ? on : off;
        dash.clear();
    };
    for (std::size_t i = 0; i + 1 < std::min(xs.size(), ys.size()); ++i) {
        const Point from = at(xs[i], ys[i]), to = at(xs[i + 1], ys[i + 1]);
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        const auto place = [&](float gone) {
            const float t = gone / length;
            return Point{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
        };
        if (dash.empty()) dash.push_back(from);
        float gone = 0;
        for (; length - gone > left; ) {
            gone += left;
            dash.push_back(place(gone));
            turn();
            dash.push_back(place(gone));
        }
        left -= length - gone;
        if (length > 0) dash.push_back(to);
    }
    if (drawn && dash.size() > 1) f_.painter().polyline(dash, ink, f_.px(thickness));
}

void Chart::dot(double x, double y, Ink ink) const {
    f_.painter().circle(at(x, y), f_.px(4.5f), ink);
    f_.painter().circle(at(x, y), f_.px(2), Hue::Paper);
}

void Chart::bars(std::span<const double> shares, Ink ink) const {
    const float w = plot_.w / static_cast<float>(std::max<std::size_t>(shares.size(), 1));
    const auto clip = f_.painter().clip(plot_);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const float top = at(x_.low, shares[i]).y;
        if (shares[i] > 0)
            f_.painter().fill(
                {plot_.x + w * static_cast<float>(i), top, std::max(1.0f, w - f_.px(1)), plot_.bottom() - top}, ink);
    }
}

void Chart::mark(double x, std::string_view words, Ink ink) const {
    const float px = at(x, y_.low).x;
    f_.painter().line_dashed({px, plot_.y}, {px, plot_.bottom()}, ink, f_.px(1.4f), f_.px(2), f_.px(4));
    const float half = f_.painter().width(words, Type::Small) / 2;
    const float middle = std::clamp(px, plot_.x + half, std::max(plot_.x + half, plot_.right() - half));
    f_.painter().text({middle + half + f_.px(6), plot_.bottom() - f_.px(6)}, words, {Type::Small, Align::Center}, ink);
}

void Chart::names(double x, std::vector<LineEnd> ends, Ink ink, float lift) const {
    const float apart = f_.theme.em(Type::SmallStrong) * 1.2f;
    std::stable_sort(ends.begin(), ends.end(), [](const LineEnd& a, const LineEnd& b) { return a.y > b.y; });
    std::vector<float> base;
    for (const LineEnd& end : ends) {
        const float wanted = std::max(at(x, end.y).y + lift, plot_.y + f_.theme.em(Type::SmallStrong));
        base.push_back(base.empty() ? wanted : std::max(wanted, base.back() + apart));
    }
    // Labels that were pushed below the plot are pushed back up.
    float lowest = plot_.bottom() - f_.px(4);
    for (std::size_t i = ends.size(); i-- > 0; lowest = base[i] - apart) {
        base[i] = std::min(base[i], lowest);
        const Point end{at(x, ends[i].y).x, base[i]};
        const float em = f_.theme.em(Type::SmallStrong), w = f_.painter().width(ends[i].words, Type::SmallStrong);
        // On an opaque background, so that other lines pass behind it.
        f_.painter().fill({end.x - w - f_.px(4), end.y - em, w + f_.px(6), em * 1.2f}, Ink(Hue::Back, 0.85f), f_.px(4));
        f_.painter().text(end, ends[i].words, {Type::SmallStrong, Align::Right}, ink);
    }
}

void Chart::name(double x, double y, std::string_view words, Ink ink, float lift) const {
    const Point p = at(x, y);
    f_.painter().text(
        {p.x, std::clamp(p.y + lift, plot_.y + f_.theme.em(Type::SmallStrong), plot_.bottom() - f_.px(4))}, words,
        {Type::SmallStrong, Align::Right}, ink);
}

}  // namespace app
