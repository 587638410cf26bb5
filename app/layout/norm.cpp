// Operations on the direction of a row: norms (the row as bars that are centred and stretched), rotation (pairs of
// features as arrows, each in its own plane).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"
#include "core/kernels/kernels.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::Op;

/// When the row is centred, stretched to unit variance, and given γ and β; as shares of the slow part.
constexpr double kCentred = 0.35, kStretched = 0.65, kShifted = 0.95;

/// A number on its way through a norm: from `from` via `centred` and `unit` to `to`.
struct Stations {
    float from, centred, unit, to;
    float at(double t) const {
        const auto mixed = [](float a, float z, double k) { return a + (z - a) * static_cast<float>(ease(k)); };
        if (t < kCentred) return mixed(from, centred, phase(t, 0.1, kCentred));
        if (t < kStretched) return mixed(centred, unit, phase(t, kCentred + 0.05, kStretched));
        return mixed(unit, to, phase(t, kStretched + 0.05, kShifted));
    }
};

std::vector<Stations> stations(const Builder& b, const attn::Explanation& e) {
    std::vector<Stations> out;
    double mean = 0, length = 0;
    if (e.op == Op::Unit) {
        length = e.named(attn::Name::Length);
    } else if (e.op == Op::RmsNorm) {
        length = std::sqrt(e.named(attn::Name::Mean));
    } else {
        mean = e.named(attn::Name::Mean);
        length = std::sqrt(e.named(attn::Name::Variance));
    }
    for (std::size_t j = 0; j < e.terms.size(); ++j) {
        const float x = b.value(e.terms[j].left);
        const auto centred = static_cast<float>(x - mean);
        const float unit = length > 0 ? static_cast<float>(centred / length) : 0.0f;
        out.push_back({x, centred, unit, b.step(e.cell.step).value(e.cell.row, static_cast<int>(j))});
    }
    return out;
}

/// The statistics of the row that the norm removes, and the two parameters that it applies.
void figures(Builder& b, const InPlace& p, const attn::Explanation& e, float y, double t) {
    const float s = b.style().scale;
    const auto line = [&](std::string words, double when) {
        b.text({p.aside.x, y}, std::move(words), Type::Small, Hue::Soft, Align::Left,
               static_cast<float>(phase(t, when - 0.1, when)));
        b.scene.labels.back().fit = p.aside.w;
        y += 20 * s;
    };
    const auto named = [&](attn::Name name) { return static_cast<float>(e.named(name)); };
    if (e.op == Op::Unit) return line(fill_in(b.words(Str::length_is), {number_text(named(attn::Name::Length))}), kCentred);
    if (e.op == Op::RmsNorm) {
        line(fill_in(b.words(Str::root_mean_square), {fmt::format("{:.2f}", std::sqrt(e.named(attn::Name::Mean)))}), kCentred);
        line(fmt::format("γ {}", number_text(named(attn::Name::Gain))), kShifted);
        return;
    }
    line(fill_in(b.words(Str::mean_is), {fmt::format("{:.2f}", e.named(attn::Name::Mean))}), kCentred);
    line(fill_in(b.words(Str::deviation_is), {fmt::format("{:.2f}", std::sqrt(e.named(attn::Name::Variance)))}), kStretched);
    line(fmt::format("γ {}   β {}", number_text(named(attn::Name::Gain)), number_text(named(attn::Name::Bias))), kShifted);
}

/// One pair of features as an arrow before and an arrow after the rotation, in its own plane.
void plane(Builder& b, Rect box, Point from, Point to, double angle, double t, std::string name) {
    const float s = b.style().scale, side = std::min(box.w, box.h - 20 * s), r = side / 2;
    const Point middle{box.x + box.w / 2, box.y + r};
    const float most = std::max(1e-6f, std::hypot(from.x, from.y));
    const auto at = [&](Point v) {
        return Point{middle.x + v.x / most * r * 0.85f, middle.y - v.y / most * r * 0.85f};
    };
    b.path({{middle.x - r, middle.y}, {middle.x + r, middle.y}}, Hue::Faint, s, 0.6f);
    b.path({{middle.x, middle.y - r}, {middle.x, middle.y + r}}, Hue::Faint, s, 0.6f);
    const Hue hue = hue_of(b.step(b.in.pose.step).tag);
    const double turned = angle * ease(phase(t, 0.15, 0.9));
    const auto c = static_cast<float>(std::cos(turned)), d = static_cast<float>(std::sin(turned));
    const Point now = t >= 1 ? to : Point{from.x * c - from.y * d, from.x * d + from.y * c};
    // The arc of the rotation so far.
    std::vector<Point> arc;
    const double begin = std::atan2(from.y, from.x);
    for (int i = 0; i <= 24; ++i) {
        const double a = begin + turned * i / 24;
        arc.push_back({middle.x + static_cast<float>(std::cos(a)) * r * 0.45f,
                       middle.y - static_cast<float>(std::sin(a)) * r * 0.45f});
    }
    b.path(std::move(arc), Hue::Accent, 1.5f * s, 0.7f);
    b.path({middle, at(from)}, Hue::Soft, 1.5f * s, 0.5f, true);
    b.path({middle, at(now)}, hue, 2.4f * s, 1, true);
    b.text({middle.x, box.y + side + 16 * s}, std::move(name), Type::NumberSmall, Hue::Soft, Align::Center);
}

}  // namespace

void lay_out_norm(Builder& b) {
    const float s = b.style().scale;
    const InPlace p = place_in(b, std::min(330 * s, b.in.area.w * 0.42f));
    const Pace pc = pace(b.progress());
    surround(b, p);
    MatrixSprite& result = reveal_in_place(b, p, pc);
    // A row is normalised as a whole.
    if (pc.cell >= kShifted) result.reveal.cells = 1e9f;
    const attn::Explanation e = attn::explain(b.trace(), p.cell);
    const std::vector<Stations> all = stations(b, e);
    float most = 1e-6f;
    std::vector<float> weight;
    for (const Stations& one : all) {
        for (const float v : {one.from, one.centred, one.unit, one.to}) most = std::max(most, std::abs(v));
        weight.push_back(std::abs(one.from));
    }
    const float below = (e.op == Op::Unit ? 34 : e.op == Op::RmsNorm ? 54 : 74) * s;
    const BarChart chart =
        bar_chart(b, {p.aside.x, p.aside.y, p.aside.w, std::max(30 * s, p.aside.h - below)}, weight, -most, most);
    const double t = b.progress() >= 1 ? 1 : pc.cell;
    const Hue hue = hue_of(b.step(p.result).tag);
    for (std::size_t i = 0; i < chart.columns.size(); ++i) {
        const Stations& one = all[static_cast<std::size_t>(chart.columns[i])];
        const bool lit = chart.columns[i] == p.cell.col;
        b.scene.bars.push_back({chart.bar(i, 0, one.from), Hue::Faint, 0.35f, 3 * s});
        b.scene.bars.push_back({chart.bar(i, 0, one.at(t)), hue, lit ? 1.0f : 0.6f, 3 * s});
        bar_label(b, chart, i, b.step(p.result), lit, number_text(t >= kShifted ? one.to : one.from), hue);
    }
    const float high = chart.line * static_cast<float>(chart.columns.size());
    b.scene.bars.push_back({{chart.x(0) - s / 2, chart.rect.y, s, high}, Hue::Soft, 0.8f, 0});
    figures(b, p, e, chart.rect.y + high + 26 * s, t);
}

void lay_out_rotate(Builder& b) {
    const float s = b.style().scale;
    const InPlace p = place_in(b, std::min(300 * s, b.in.area.w * 0.4f));
    const Pace pc = pace(b.progress());
    surround(b, p);
    MatrixSprite& result = reveal_in_place(b, p, pc);
    if (pc.cell >= 0.95) result.reveal.cells = 1e9f;
    const attn::Step& step = b.step(p.result);
    const attn::Matrix &before = b.step(p.from).value, &after = step.value;
    const auto& own = step.as<attn::RotateParams>();
    const int position = own.first + p.cell.row, width = static_cast<int>(after.cols()), pairs = width / 2;
    b.text({p.aside.x, p.aside.y + 4 * s}, fill_in(b.words(Str::position_is), {std::to_string(position)}),
           Type::SmallStrong, Hue::Accent);
    const double t = b.progress() >= 1 ? 1 : pc.cell;
    const float side = std::min(p.aside.w / 2 - 12 * s, 120 * s), high = side + 16 * s;
    const int room = 2 * std::max(1, static_cast<int>((p.aside.h - 20 * s) / high));
    for (int i = 0; i < std::min(pairs, room); ++i) {
        const int x = own.half_pairs ? i : 2 * i, y = own.half_pairs ? i + pairs : 2 * i + 1;
        const Rect box{p.aside.x + (side + 24 * s) * static_cast<float>(i % 2),
                       p.aside.y + 18 * s + high * static_cast<float>(i / 2), side, side};
        const double angle = attn::kernel::rotation_angle(own, position, i, width);
        // Where the planes are narrow, only the angle is written.
        std::string name =
            fmt::format("{} · {:.3g} = {:.2f}", position, attn::kernel::rotation_angle(own, 1, i, width), angle);
        if (b.in.measure(name, Type::NumberSmall) > side + 16 * s) name = fmt::format("{:.2f}", angle);
        plane(b, box, {before(p.cell.row, x), before(p.cell.row, y)}, {after(p.cell.row, x), after(p.cell.row, y)},
              angle, t, std::move(name));
    }
}

}  // namespace app::stage
