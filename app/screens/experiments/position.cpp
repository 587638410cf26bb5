// Positions: the encoding as curves and as colours, and the effect of distance on a score.

#include <algorithm>
#include <cmath>

#include "app/frame/chart.h"
#include "app/frame/matrix_view.h"
#include "app/screens/experiments/view.h"
#include "app/timeline/colors.h"
#include "core/attention/parts/position.h"

namespace app {
namespace {

/// At most this many curves can be distinguished; of more features, those that change most with the position are drawn.
constexpr int kCurves = 8;

attn::PositionKind kind_of(const Frame& f) { return attn::find_position(f.state.document.config.position)->kind; }

Str words_of(attn::PositionKind kind) {
    switch (kind) {
        case attn::PositionKind::Rotated:
            return Str::position_says_turned;
        case attn::PositionKind::Biased:
            return Str::position_says_biased;
        case attn::PositionKind::Bucketed:
            return Str::position_says_bucketed;
        case attn::PositionKind::Relative:
            return Str::position_says_relative;
        default:
            return Str::position_says_added;
    }
}

Str distance_title(attn::PositionKind kind) {
    if (kind == attn::PositionKind::Rotated) return Str::by_distance_turned;
    return kind == attn::PositionKind::Biased ? Str::by_distance_biased : Str::by_distance_added;
}

/// Fast features are dark, slow ones pale; sines have the hue of inputs, cosines are ink.
Ink curve_ink(int feature, int count) {
    return Ink(feature % 2 == 0 ? Hue::Input : Hue::Soft,
               1.0f - 0.75f * static_cast<float>(feature) / static_cast<float>(count));
}

void position_curves(const Frame& f, Rect area, const attn::Matrix& encoding) {
    const auto n = static_cast<int>(encoding.rows());
    const std::vector<int> features = features_that_change(encoding, kCurves);
    const auto shown = static_cast<int>(features.size());
    constexpr double kAbove = 1.25;  // relative to the largest, to leave room for the title and the curves' numbers
    const double reach = std::max(1.0, static_cast<double>(encoding.cwiseAbs().maxCoeff()));
    const std::string title = shown < encoding.cols() ? f.say(Str::encoding_curves_some, {std::to_string(shown)}) : std::string(f.say(Str::encoding_curves));
    const Chart chart(f, area, {0, std::max(1.0, n - 1.0), false, f.say(Str::place_axis)},
                      {-kAbove * reach, kAbove * reach, false, title});
    std::vector<Chart::LineEnd> ends;
    std::vector<double> places, values;
    for (int p = 0; p < n; ++p) places.push_back(p);
    for (int c = shown - 1; c >= 0; --c) {
        values.clear();
        for (int p = 0; p < n; ++p) values.push_back(static_cast<double>(encoding(p, features[static_cast<std::size_t>(c)])));
        chart.line(places, values, curve_ink(c, shown), c < 2 ? 2.6f : 1.8f);
        for (int p = 0; n <= 24 && p < n; ++p) chart.dot(p, values[static_cast<std::size_t>(p)], curve_ink(c, shown));
        ends.push_back({values.back(), std::to_string(features[static_cast<std::size_t>(c)] + 1)});
    }
    // The index of each feature, as above its column, if it does not overlap the title.
    constexpr float kLines = 15;
    if (area.h >= kLines * f.theme.line_height(Type::Small)) chart.names(n - 1, std::move(ends), Hue::Soft, -f.px(4));
}

constexpr ColorScale kEncodingScale{Hue::Input, -1, 1, true};

/// One column per position, one row per feature.
void colours_in_columns(const Frame& f, Rect area, const attn::Matrix& encoding) {
    MatrixLook look;
    look.value = &encoding;
    look.key = attn::find_id(f.trace(), {attn::Role::Positions});
    look.scale = kEncodingScale;
    look.rows = names_of_axis(f, {attn::Axis::Kind::Tokens});
    look.cols = [](int c) { return std::to_string(c + 1); };
    draw_matrix(f, "encoding", area, look);
}

/// The same numbers as colours: one row per position, one column per feature, from the first one that has any.
void colours(const Frame& f, Rect area, const attn::Matrix& encoding) {
    if (f.columns()) return colours_in_columns(f, area, encoding);
    const auto n = static_cast<int>(encoding.rows()), d = static_cast<int>(encoding.cols());
    int first = 0;
    while (first + 1 < d && encoding.col(first).isZero(0)) ++first;
    const float label = f.px(92), heads = f.theme.line_height(Type::Small);
    const float cell_w = (area.w - label) / static_cast<float>(d - first), cell_h = (area.h - heads) / static_cast<float>(n);
    const int each = std::max(1, static_cast<int>(std::ceil((f.painter().width(std::to_string(d), Type::Small) + f.px(4)) / cell_w)));
    for (int c = first; c < d; c += each)
        f.painter().text_in({area.x + label + cell_w * static_cast<float>(c - first), area.y, cell_w, heads}, std::to_string(c + 1), {Type::Small, Align::Center}, Hue::Soft);
    const int every = std::max(1, static_cast<int>(std::ceil(f.theme.line_height(Type::Small) / cell_h)));
    for (int p = 0; p < n; ++p) {
        const float y = area.y + heads + cell_h * static_cast<float>(p);
        if (p % every == 0)
            f.painter().text_fit({area.x, y, label - f.px(8), std::max(cell_h, f.theme.line_height(Type::Small))},
                                 f.derived.labels.of({attn::Axis::Kind::Tokens}, p), {Type::Small, Align::Right},
                                 Hue::Ink);
        for (int c = first; c < d; ++c)
            f.painter().fill({area.x + label + cell_w * static_cast<float>(c - first), y, std::max(1.0f, cell_w - f.px(1)),
                              std::max(1.0f, cell_h - f.px(1))},
                             Ink(f.scratch.heatmaps->color(kEncodingScale, encoding(p, c))),
                             std::min(f.px(4), cell_h / 4));
    }
}

void distances(const Frame& f, Rect area) {
    const PositionExperiment& data = f.derived.part<ExperimentData>().position;
    if (data.lines.empty()) return;
    double low = 0, high = 0;
    std::vector<double> xs;
    for (int p = -data.reach; p <= data.reach; ++p) xs.push_back(p);
    for (const attn::DistanceLine& line : data.lines)
        for (const double v : line.values) low = std::min(low, v), high = std::max(high, v);
    const double room = std::max(0.1, high - low) * 0.1;
    const Chart chart(
        f, area, {-static_cast<double>(data.reach), static_cast<double>(data.reach), false, f.say(Str::distance_axis)},
        {low - room, high + room, false, f.say(distance_title(kind_of(f)))});
    std::vector<Chart::LineEnd> ends;
    for (const attn::DistanceLine& line : data.lines) {
        const float pale =
            line.head < 0 ? 1.0f : 1.0f - 0.7f * static_cast<float>(line.head) / static_cast<float>(data.lines.size());
        chart.line(xs, line.values, Ink(Hue::Score, pale));
        if (line.head >= 0 && data.lines.size() <= 8)
            ends.push_back({line.values.back(), f.say(Str::head_number, {f.number(line.head)})});
    }
    for (std::size_t i = 0; xs.size() <= 49 && i < xs.size(); ++i)
        for (const attn::DistanceLine& line : data.lines) chart.dot(xs[i], line.values[i], Hue::Score);
    chart.names(data.reach, std::move(ends), Hue::Score, -f.px(4));
}

}  // namespace

bool experiment_position_applies(const Frame& f) { return experiment_applies("position", f.state.document); }

void draw_experiment_position(const Frame& f, Rect area) {
    const PositionExperiment& data = f.derived.part<ExperimentData>().position;
    const Rect body = area.inset(f.px(24), f.px(8));
    const float top = experiment_says(f, body, f.say(words_of(kind_of(f)))), high = body.bottom() - top, gap = f.px(28);
    if (data.encoding.size() == 0) return distances(f, {body.x, top, body.w, high});
    const float left = (body.w - gap) * 0.5f;
    const bool lines = !data.lines.empty();
    const float upper = lines ? high * 0.52f : high;
    position_curves(f, {body.x, top, left, upper}, data.encoding);
    colours(f, {body.x + left + gap, top + f.px(14), left, upper - f.px(30)}, data.encoding);
    if (lines) distances(f, {body.x, top + upper + f.px(12), body.w, high - upper - f.px(12)});
}

}  // namespace app
