// What arrives from each token, in the three networks; each line of the scale is a tenth of the one above it.

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/frame/chart.h"
#include "app/screens/experiments/paths_view.h"

namespace app {
namespace {

using attn::PathKind;

/// Smaller powers of ten are off the scale.
constexpr double kLowest = -12;
/// Up to this many tokens, each number has a dot.
constexpr int kDots = 24;

/// A logarithmic scale.
struct Decades {
    Rect plot;
    int low = -2, high = 0;

    /// What is off the scale leaves the picture at the bottom.
    float y(double stretch) const {
        const double share = (std::log10(stretch) - low) / (high - low);
        return plot.bottom() - plot.h * static_cast<float>(share);
    }
};

Decades scale_of(const PathsPlace& place, Rect plot) {
    Decades scale{plot};
    for (const PathKind kind : kPathKindList)
        for (int token = 0; place.shows(kind) && token < place.data.n; ++token) {
            const double v = place.data.arrives(kind, token);
            if (v <= 0) continue;
            const double power = std::log10(v);
            scale.low = std::min(scale.low, static_cast<int>(std::floor(std::max(power, kLowest))));
            scale.high = std::max(scale.high, static_cast<int>(std::ceil(power - 1e-9)));
        }
    return scale;
}

/// "10", "1", "0.1", "10⁻⁴", as in the charts of the other pages.
void grid(const PathsPlace& place, const Decades& scale) {
    const Frame& f = place.f;
    const float apart = scale.plot.h / static_cast<float>(scale.high - scale.low);
    const int every = std::max(1, static_cast<int>(std::ceil(f.theme.em(Type::NumberSmall) * 1.5f / apart)));
    for (int power = scale.high; power >= scale.low; --power) {
        const float y = scale.plot.bottom() - apart * static_cast<float>(power - scale.low);
        f.painter().line({scale.plot.x, y}, {scale.plot.right(), y}, power == 0 ? Hue::Faint : Hue::Rule,
                         f.theme.rule_width);
        if ((scale.high - power) % every == 0)
            f.painter().text({scale.plot.right() + f.px(6), y + f.painter().middle_to_baseline(Type::NumberSmall)},
                             brief(std::pow(10.0, power)), {Type::NumberSmall}, Hue::Soft);
    }
}

/// One network's line, interrupted where nothing arrives.
void line(const PathsPlace& place, const Decades& scale, PathKind kind) {
    const Frame& f = place.f;
    const Hue hue = hue_of_path(kind);
    const auto clip = f.painter().clip(scale.plot.inset(-f.px(5)));
    std::vector<Point> points;
    const auto flush = [&] {
        if (points.size() > 1) f.painter().polyline(points, hue, f.px(2.2f));
        points.clear();
    };
    for (int token = 0; token < place.data.n; ++token) {
        const double v = place.data.arrives(kind, token);
        if (v <= 0) {
            flush();
            continue;
        }
        points.push_back({place.x(token), scale.y(v)});
    }
    flush();
    for (int token = 0; place.data.n <= kDots && token < place.data.n; ++token)
        if (const double v = place.data.arrives(kind, token); v > 0)
            f.painter().circle({place.x(token), scale.y(v)}, f.px(3), hue);
}

/// The numbers of the token in focus, in the gutter.
void legend(const PathsPlace& place, Rect row) {
    const Frame& f = place.f;
    const float line = f.theme.line_height(Type::Small), width = place.gutter - f.px(14);
    const std::string name = f.derived.labels.of({attn::Axis::Kind::Tokens}, place.looked);
    float y = row.y + std::max((row.h - 4 * line) / 2, 0.0f);
    f.painter().text_fit({row.x, y, width, line}, f.say(Str::paths_arrives_at, {name}), {Type::Small}, Hue::Soft);
    for (const PathKind kind : kPathKindList) {
        if (!place.shows(kind)) continue;
        y += line;
        if (y + line > row.bottom() + f.px(2)) return;
        const std::string number = arrives_text(place.data.arrives(kind, place.looked));
        const float wide = f.painter().width(number, Type::NumberSmall);
        f.painter().circle({row.x + f.px(5), y + line / 2}, f.px(4), hue_of_path(kind));
        f.painter().text_fit({row.x + f.px(16), y, width - wide - f.px(24), line}, name_of_path(f, kind), {Type::Small},
                             Hue::Ink);
        f.painter().text_in({row.x + width - wide, y, wide, line}, number, {Type::NumberSmall}, Hue::Ink);
    }
}

}  // namespace

void draw_path_curves(const PathsPlace& place, Rect row) {
    const Frame& f = place.f;
    const float title = place.course + f.px(4);
    const std::string name = f.derived.labels.of({attn::Axis::Kind::Tokens}, place.data.to);
    const float said = f.painter().text_fit({row.x, row.y + f.px(2), row.w, place.course},
                                            f.say(Str::paths_arrives, {name}), {Type::Small}, Hue::Soft);
    const std::string_view hint = f.say(Str::paths_hint);
    if (said + f.painter().width(hint, Type::Small) + f.px(24) < row.w)
        f.painter().text_in({row.x, row.y + f.px(2), row.w, place.course}, hint, {Type::Small, Align::Right},
                            Hue::Faint);
    const Rect plot{place.left, row.y + title + f.px(6), place.right() - place.left, row.h - title - f.px(14)};
    const Decades scale = scale_of(place, plot);
    grid(place, scale);
    f.painter().line_dashed({place.x(place.data.from), plot.y}, {place.x(place.data.from), plot.bottom()}, Hue::Accent,
                            f.px(1.4f), f.px(2), f.px(4));
    for (const PathKind kind : kPathKindList)
        if (place.shows(kind)) line(place, scale, kind);
    legend(place, {row.x, row.y + title, row.w, row.h - title});
}

}  // namespace app
