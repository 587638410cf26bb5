// Operations that keep the shape: scale and mask. The matrix stays in place and changes there; next to it is shown what
// the change does to all values.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/layout/parts.h"
#include "app/timeline/reverse.h"

namespace app::stage {
namespace {

using attn::Cell;

constexpr int kBins = 21;

int bin_of(float v, float limit, int bins) {
    return std::clamp(static_cast<int>((v / limit * 0.5f + 0.5f) * static_cast<float>(bins)), 0, bins - 1);
}

using Distribution = LongRows::Distribution;

Distribution distribution_of(const attn::Matrix& value, float limit) {
    Distribution d;
    double count = 0, squares = 0;
    for (Eigen::Index i = 0; i < value.size(); ++i) {
        const float v = value.data()[i];
        if (!std::isfinite(v)) continue;
        d.mean += static_cast<double>(v);
        squares += static_cast<double>(v) * static_cast<double>(v);
        ++count;
        ++d.bins[static_cast<std::size_t>(bin_of(v, limit, Distribution::kBins))];
    }
    if (count == 0) return d;
    d.mean /= count;
    d.deviation = std::sqrt(std::max(0.0, squares / count - d.mean * d.mean));
    return d;
}

const Distribution& distribution(Builder& b, attn::StepId id) {
    const float limit = std::max(1e-6f, b.in.ranges[static_cast<std::size_t>(id)].largest());
    return b.in.rows->distribution(b.step(id), [&] { return distribution_of(b.step(id).value, limit); });
}

/// The values of `from` times `factor` in kBins bins. Of many values it is enough to know them to a 64th of a bin.
std::array<int, kBins> bins_of(Builder& b, attn::StepId from, float factor, float limit) {
    constexpr Eigen::Index kFew = 4096;
    std::array<int, kBins> out{};
    const auto put = [&](float v, int count) { out[static_cast<std::size_t>(bin_of(v, limit, kBins))] += count; };
    const attn::Matrix& value = b.step(from).value;
    if (value.size() > kFew) {
        const auto& fine = distribution(b, from).bins;
        for (std::size_t i = 0; i < fine.size(); ++i)
            if (fine[i] > 0) put((2 * (static_cast<float>(i) + 0.5f) / static_cast<float>(fine.size()) - 1) * limit * factor, fine[i]);
        return out;
    }
    for (Eigen::Index i = 0; i < value.size(); ++i)
        if (const float v = value.data()[i] * factor; std::isfinite(v)) put(v, 1);
    return out;
}

/// The distribution of the values as bars over a fixed axis: dividing narrows it. `factor` goes from 1 to the step's.
void histogram(Builder& b, const InPlace& p, Rect rect, float factor, float limit, float alpha, Hue hue) {
    const std::array<int, kBins> bins = bins_of(b, p.from, factor, limit);
    const int most = std::max(1, *std::max_element(bins.begin(), bins.end()));
    const float w = rect.w / kBins;
    for (int i = 0; i < kBins; ++i) {
        const float h = rect.h * static_cast<float>(bins[static_cast<std::size_t>(i)]) / static_cast<float>(most);
        if (h <= 0) continue;
        b.scene.bars.push_back(
            {{rect.x + w * static_cast<float>(i) + 1, rect.bottom() - h, w - 2, h}, hue, alpha, 2 * b.style().scale});
    }
    b.scene.bars.push_back({{rect.x, rect.bottom(), rect.w, 1.5f * b.style().scale}, Hue::Faint, 0.7f, 0});
}

void scale_aside(Builder& b, const InPlace& p, float moved) {
    if (p.aside.w <= 0) return;
    const StageStyle& s = b.style();
    const float factor = b.step(p.result).as<attn::ScaleParams>().factor;
    // A gradient is scaled like scores, but keeps the colour of gradients.
    const Hue hue = is_reverse(b.step(p.result).tag) ? Hue::Gradient : Hue::Score;
    const float limit = std::max(1e-6f, b.in.ranges[static_cast<std::size_t>(p.from)].largest());
    const float height = std::min(150 * s.scale, p.aside.h * 0.4f);
    const Rect chart{p.aside.x, p.aside.y + 26 * s.scale, p.aside.w, height};
    b.text({p.aside.x, p.aside.y + 6 * s.scale},
           fill_in(b.words(Str::spread_before), {fmt::format("{:.2f}", distribution(b, p.from).deviation)}),
           Type::Small, Hue::Soft);
    histogram(b, p, chart, 1.0f, limit, 0.18f, hue);
    histogram(b, p, chart, 1.0f + (factor - 1.0f) * moved, limit, 0.75f, hue);
    b.text({chart.x, chart.bottom() + 18 * s.scale}, number_text(-limit), Type::NumberSmall, Hue::Soft);
    b.text({chart.center().x, chart.bottom() + 18 * s.scale}, "0", Type::NumberSmall, Hue::Soft, Align::Center);
    b.text({chart.right(), chart.bottom() + 18 * s.scale}, number_text(limit), Type::NumberSmall, Hue::Soft,
           Align::Right);
    b.text({chart.x, chart.bottom() + 44 * s.scale},
           fill_in(b.words(Str::spread_after), {fmt::format("{:.2f}", distribution(b, p.result).deviation)}),
           Type::SmallStrong, hue, Align::Left, moved);
}

}  // namespace

void lay_out_scale(Builder& b) {
    const InPlace p = place_in(b, (b.style().presenting ? 150 : 230) * b.style().scale, 130 * b.style().scale);
    const auto moved = static_cast<float>(ease(phase(b.progress(), 0.15, 0.85)));
    const bool scaled = b.progress() >= kScaledFrom;
    surround(b, p);
    const float shrink = 0.16f * std::sin(3.14159265f * moved);
    if (moved < 1) {  // at rest the result covers it
        MatrixSprite& from = b.matrix(p.from, p.grid);
        from.shrink = shrink;
        from.scale = b.colors_of_row(p.from, p.cell.row);
        from.lit_row = p.row();
        from.dim = kUnspoken;
        from.pickable = from.numbers = !scaled;  // one number per cell: first the old one, then the new one
    }
    MatrixSprite& result = b.matrix(p.result, p.grid);
    result.scale = b.colors_of_row(p.result, p.cell.row);
    result.lit_row = p.row();
    result.dim = kUnspoken;
    result.alpha = moved;
    result.shrink = shrink;
    result.ring = p.cell;
    result.pickable = result.numbers = scaled;
    scale_aside(b, p, moved);
}

void lay_out_mask(Builder& b) {
    const InPlace p = place_in(b, 0);
    surround(b, p);
    const double t = b.progress();
    const attn::Matrix& pattern = b.step(b.step(p.result).inputs[1]).value;
    const bool small = p.grid.rows * p.grid.cols <= 900;
    const auto shown = static_cast<float>(small ? phase(t, 0.62, 0.7) : phase(t, 0.2, 0.8));
    if (shown < 1) {  // after that the result covers it
        MatrixSprite& from = b.matrix(p.from, p.grid);
        from.pickable = false;
        from.numbers = shown < 0.5f;
    }
    MatrixSprite& result = b.matrix(p.result, p.grid);
    result.alpha = shown > 0 ? shown : 1;
    result.numbers = shown >= 0.5f;
    result.unseen = shown <= 0;  // painting works nevertheless
    result.ring = p.cell;
    if (!small || t >= 1) return;
    // Masked cells drop out one after the other, row by row; their places stay hatched.
    for (int r = 0; r < p.grid.rows; ++r)
        for (int c = 0; c < p.grid.cols; ++c) {
            if (pattern(r, c) != 0 || !p.grid.shows(r, c)) continue;
            const double begin = 0.05 + 0.4 * r / p.grid.rows;
            const auto fall = static_cast<float>(ease(phase(t, begin, begin + 0.2)));
            const Rect cell = p.grid.at(r, c);
            b.scene.cells.push_back({{p.result, r, c}, cell, b.colors(p.result), fall > 0 ? 1.0f : 0.0f, false, true});
            b.scene.cells.push_back(
                {{p.from, r, c}, cell.moved(0, fall * p.grid.cell * 0.9f), b.colors(p.from), 1 - fall});
        }
}

}  // namespace app::stage
