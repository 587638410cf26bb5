// A function of every number: the cells change in place, and next to them its curve is drawn with the explained number
// on it.

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace app::stage {
namespace {

constexpr int kCurvePoints = 80;

}  // namespace

void lay_out_activate(Builder& b) {
    const float s = b.style().scale;
    const InPlace p = place_in(b, std::min(260 * s, b.in.area.w * 0.4f));
    const Pace pc = pace(b.progress());
    surround(b, p);
    reveal_in_place(b, p, pc);
    const attn::Activation activation = b.step(p.result).as<attn::ActivateParams>().activation;
    const attn::Cell now = current_cell(pc, p.cell, p.grid.cols, p.grid.col_fold);
    const float x = b.step(p.from).value(now.row, now.col), y = b.step(p.result).value(now.row, now.col);
    const auto f = [activation](double v) { return static_cast<float>(attn::activated(activation, v)); };
    // The curve covers the range of the step's numbers, at least −2 to 2.
    const float reach = std::clamp(b.in.ranges[static_cast<std::size_t>(p.from)].largest() * 1.1f, 2.0f, 12.0f);
    float low = 0, high = 0.5f;
    for (int i = 0; i <= kCurvePoints; ++i) {
        const float v = f(-reach + 2 * reach * static_cast<float>(i) / kCurvePoints);
        low = std::min(low, v);
        high = std::max(high, v);
    }
    const Rect box{p.aside.x, p.aside.y + 28 * s, p.aside.w, std::max(20.0f, std::min(190 * s, p.aside.h - 90 * s))};
    const auto at = [&](float u, float v) {
        return Point{box.x + box.w * (std::clamp(u, -reach, reach) / reach * 0.5f + 0.5f),
                     box.bottom() - box.h * (std::clamp(v, low, high) - low) / std::max(1e-6f, high - low)};
    };
    b.text({box.x, p.aside.y + 8 * s}, std::string(name_of(activation)), Type::SmallStrong, Hue::Soft);
    b.path({at(-reach, 0), at(reach, 0)}, Hue::Faint, s);
    b.path({at(0, low), at(0, high)}, Hue::Faint, s);
    std::vector<Point> curve;
    for (int i = 0; i <= kCurvePoints; ++i) {
        const float u = -reach + 2 * reach * static_cast<float>(i) / kCurvePoints;
        curve.push_back(at(u, f(u)));
    }
    const Hue hue = hue_of(b.step(p.result).tag);
    b.path(std::move(curve), hue, 2.4f * s);
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    // The number enters on its axis, rises to the curve and leaves with its height as the result.
    const double slow = pc.cell < 1 ? pc.cell : 1.0;
    const auto up = static_cast<float>(ease(phase(slow, 0.15, 0.5))),
               across = static_cast<float>(ease(phase(slow, 0.5, 0.85)));
    const Point foot = at(x, 0), tip = at(x, y), side = at(0, y);
    const Point risen = app::between(foot, tip, up), gone = app::between(tip, side, across);
    b.path({foot, risen}, Hue::Accent, 1.6f * s, 0.9f);
    if (across > 0) b.path({tip, gone}, Hue::Accent, 1.6f * s, 0.9f);
    const Point dot = across > 0 ? (slow < 1 ? gone : tip) : risen;
    b.scene.bars.push_back({rect_around(dot, 9 * s, 9 * s), Hue::Accent, 1, 4.5f * s});
    const float base = box.bottom() + 26 * s;
    b.text({box.x, base}, number_text(x), Type::Number, Hue::Ink);
    b.text({box.center().x, base}, "→", Type::Number, Hue::Soft, Align::Center);
    b.text({box.right(), base}, number_text(y), Type::NumberStrong, hue, Align::Right,
           static_cast<float>(phase(slow, 0.5, 0.85)));
}

}  // namespace app::stage
