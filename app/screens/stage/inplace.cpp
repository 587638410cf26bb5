// Operations that keep the shape: scale, mask, softmax. The matrix stays where it is and changes there; beside it
// stands what the change does to one row or to all values.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "app/screens/stage/parts.h"
#include "app/timeline/reverse.h"
#include "core/ops/explain.h"

namespace app::stage {
namespace {

using attn::Cell;

/// Of a cell's strength, in the rows that are not spoken of.
constexpr float kUnspoken = 0.45f;

/// Mean and standard deviation of the finite values of a step.
struct Spread {
    double mean = 0, deviation = 0;
};
Spread spread_of(const attn::Matrix& value) {
    Spread s;
    double count = 0, squares = 0;
    for (Eigen::Index i = 0; i < value.size(); ++i) {
        const auto v = static_cast<double>(value.data()[i]);
        if (!std::isfinite(v)) continue;
        s.mean += v;
        squares += v * v;
        ++count;
    }
    if (count == 0) return s;
    s.mean /= count;
    s.deviation = std::sqrt(std::max(0.0, squares / count - s.mean * s.mean));
    return s;
}

constexpr int kBins = 21;

/// Where the values lie, as bars over one axis that stays: dividing narrows it. `factor` goes from 1 to the step's.
void histogram(Builder& b, const InPlace& p, Rect rect, float factor, float limit, float alpha, Hue hue) {
    const attn::Matrix& from = b.step(p.from).value;
    std::array<int, kBins> bins{};
    for (Eigen::Index i = 0; i < from.size(); ++i) {
        const float v = from.data()[i] * factor;
        if (!std::isfinite(v)) continue;
        const int bin = static_cast<int>((v / limit * 0.5f + 0.5f) * kBins);
        ++bins[static_cast<std::size_t>(std::clamp(bin, 0, kBins - 1))];
    }
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
    // A gradient is scaled as scores are, and keeps its gold.
    const Hue hue = is_reverse(b.step(p.result).tag) ? Hue::Gradient : Hue::Score;
    const float limit = std::max(1e-6f, b.in.ranges[static_cast<std::size_t>(p.from)].largest());
    const float height = std::min(150 * s.scale, p.aside.h * 0.4f);
    const Rect chart{p.aside.x, p.aside.y + 26 * s.scale, p.aside.w, height};
    b.text({p.aside.x, p.aside.y + 6 * s.scale},
           fill_in(b.words(Str::spread_before), {fmt::format("{:.2f}", spread_of(b.step(p.from).value).deviation)}),
           Type::Small, Hue::Soft);
    histogram(b, p, chart, 1.0f, limit, 0.18f, hue);
    histogram(b, p, chart, 1.0f + (factor - 1.0f) * moved, limit, 0.75f, hue);
    b.text({chart.x, chart.bottom() + 18 * s.scale}, number_text(-limit), Type::NumberSmall, Hue::Soft);
    b.text({chart.center().x, chart.bottom() + 18 * s.scale}, "0", Type::NumberSmall, Hue::Soft, Align::Center);
    b.text({chart.right(), chart.bottom() + 18 * s.scale}, number_text(limit), Type::NumberSmall, Hue::Soft,
           Align::Right);
    b.text({chart.x, chart.bottom() + 44 * s.scale},
           fill_in(b.words(Str::spread_after), {fmt::format("{:.2f}", spread_of(b.step(p.result).value).deviation)}),
           Type::SmallStrong, hue, Align::Left, moved);
}

/// The columns of the softmax's ladder and when each appears.
struct Ladder {
    float label_w, column_w, bar_w, line;
    int first = 0;  ///< in a narrow stage the columns before it are left out

    bool shows(int column) const { return column >= first; }
    /// Where a column's numbers end, from the ladder's left.
    float right_of(int column) const { return label_w + column_w * static_cast<float>(column - first + 1); }
};
constexpr int kLadderColumns = 4;
constexpr int kMeasuredNames = 64;  ///< of longer rows the rest is taken to be no wider
constexpr double kLift = 0.08, kMinus = 0.28, kExp = 0.48, kSum = 0.6, kDivide = 0.78;

std::string exp_heading(const attn::Explanation& e) {
    const float temperature = e.as<attn::SoftmaxParams>().temperature;
    return temperature == 1 ? "exp" : fmt::format("exp(/{:g})", temperature);
}

void ladder_head(Builder& b, Rect rect, const Ladder& l, const attn::Explanation& e, double t) {
    const float y = rect.y;
    const auto put = [&](int column, std::string text, double when) {
        if (!l.shows(column)) return;
        b.text({rect.x + l.right_of(column), y}, std::move(text), Type::NumberSmall, Hue::Soft, Align::Right,
               static_cast<float>(phase(t, when - 0.08, when)));
    };
    put(0, "s", kLift);
    if (e.state) return;  // wholly masked or overflowed: there is nothing to divide
    put(1, minus_text(static_cast<float>(e.named(attn::Name::Maximum))), kMinus);
    put(2, exp_heading(e), kExp);
    put(3, "/ " + number_text(static_cast<float>(e.named(attn::Name::Sum))), kDivide);
}

void ladder_row(Builder& b, Rect rect, const Ladder& l, const attn::Explanation& e, int j, float y, double t) {
    const attn::Term& term = e.terms[static_cast<std::size_t>(j)];
    const bool lit = j == e.cell.col;
    const float score = b.value(term.left), base = y + l.line * 0.5f + b.style().label * 0.36f;
    const float share = b.step(e.cell.step).value(e.cell.row, j);
    b.text({rect.x + l.label_w - 10 * b.style().scale, base}, b.label(b.step(e.cell.step).cols, j),
           lit ? Type::BodyStrong : Type::Body, lit ? (b.has_projections() ? Hue::Key : Hue::Accent) : Hue::Ink,
           Align::Right);
    b.scene.labels.back().fit = l.label_w - 10 * b.style().scale;
    const auto put = [&](int column, const std::string& text, double when, Hue hue, bool strong) {
        if (!l.shows(column)) return;
        b.text({rect.x + l.right_of(column), base}, text, strong ? Type::NumberStrong : Type::Number, hue, Align::Right,
               static_cast<float>(phase(t, when - 0.12, when)));
    };
    put(0, number_text(score), kLift, term.masked ? Hue::Masked : Hue::Ink, false);
    if (term.masked) {
        put(3, number_text(share), kDivide, Hue::Masked, false);
    } else {
        put(1, number_text(score - static_cast<float>(e.named(attn::Name::Maximum))), kMinus, Hue::Ink, false);
        put(2, number_text(term.value), kExp, Hue::Ink, false);
        put(3, number_text(share), kDivide, Hue::Score, lit);
    }
    if (l.bar_w <= 0) return;
    const float x = rect.x + l.right_of(kLadderColumns - 1) + 14 * b.style().scale,
                h = std::min(12 * b.style().scale, l.line * 0.5f);
    const Rect track{x, y + (l.line - h) / 2, l.bar_w, h};
    b.scene.bars.push_back({track, Hue::Rule, 1, h / 2});
    // First the exponentials (the largest is 1), then their shares of 1.
    const auto rise = static_cast<float>(ease(phase(t, kMinus, kExp))),
               settle = static_cast<float>(ease(phase(t, kSum, kDivide)));
    const float length = term.value * rise * (1 - settle) + share * settle;
    if (length > 0)
        b.scene.bars.push_back(
            {{track.x, track.y, std::max(h * 0.6f, track.w * length), h}, Hue::Score, lit ? 1.0f : 0.5f, h / 2});
}

/// Columns are as wide as what stands in them. Where there is no room for all, the bars go first, then the columns from
/// the left: the weight is the last to go.
void fit_ladder(const Builder& b, const InPlace& p, const attn::Explanation& e, Ladder& l) {
    const auto maximum = static_cast<float>(e.named(attn::Name::Maximum)), sum = static_cast<float>(e.named(attn::Name::Sum));
    const float gap = 8 * b.style().scale;
    float widest = std::max(b.in.measure("/ " + number_text(sum), Type::NumberSmall),
                            b.in.measure(exp_heading(e), Type::NumberSmall));
    for (const attn::Term& term : e.terms) {
        if (term.masked) continue;
        const float score = b.value(term.left);
        for (const float number : {score, score - maximum, term.value})
            widest = std::max(widest, b.in.measure(number_text(number), Type::Number));
    }
    l.column_w = std::max(l.column_w, widest + gap);
    const float bar_gap = 14 * b.style().scale, least_bar = b.style().room ? 60 * b.style().scale : 10;
    const auto left_for_bar = [&] { return p.aside.w - l.right_of(kLadderColumns - 1) - bar_gap; };
    l.bar_w = left_for_bar();
    if (l.bar_w < least_bar) l.bar_w = 0;
    while (l.first < kLadderColumns - 1 && l.right_of(kLadderColumns - 1) > p.aside.w) ++l.first;
    if (l.bar_w > 0) return;
    // What is left over is the names'.
    const float spare = p.aside.w - l.right_of(kLadderColumns - 1);
    float widest_name = 0;
    for (int j = 0; j < std::min(static_cast<int>(e.terms.size()), kMeasuredNames); ++j)
        widest_name = std::max(widest_name, b.in.measure(b.label(b.step(e.cell.step).cols, j), Type::BodyStrong));
    l.label_w += std::clamp(widest_name + 12 * b.style().scale - l.label_w, 0.0f, std::max(0.0f, spare));
}

/// The row lifted out: score, minus the maximum, exp, over the sum. As many tokens as have room, the largest shares.
void ladder(Builder& b, const InPlace& p, double t) {
    if (p.aside.w <= 0) return;
    const StageStyle& s = b.style();
    const attn::Explanation e = attn::explain(b.trace(), p.cell);
    const auto count = static_cast<int>(e.terms.size());
    Ladder l{std::min(70 * s.scale, p.aside.w * 0.2f), std::min(60 * s.scale, p.aside.w * 0.155f), 0, 30 * s.scale};
    fit_ladder(b, p, e, l);
    const int room = std::max(2, static_cast<int>((b.in.area.bottom() - p.aside.y - 90 * s.scale) / l.line));
    std::vector<int> shown(static_cast<std::size_t>(count));
    std::iota(shown.begin(), shown.end(), 0);
    const auto weights = b.step(p.result).value.row(p.cell.row);
    if (count > room) {
        std::partial_sort(shown.begin(), shown.begin() + (room - 1), shown.end(),
                          [&](int x, int y) { return weights[x] > weights[y]; });
        shown.resize(static_cast<std::size_t>(room - 1));
        std::sort(shown.begin(), shown.end());
    }
    const float top = p.aside.y + 4 * s.scale;
    ladder_head(b, {p.aside.x, top, p.aside.w, 0}, l, e, t);
    float y = top + 12 * s.scale;
    float listed = 0;
    for (const int j : shown) {
        ladder_row(b, p.aside, l, e, j, y, t);
        listed += weights[j];
        y += l.line;
    }
    if (count > static_cast<int>(shown.size())) {
        const std::string more = fill_in(
            b.words(Str::more_terms),
            {std::to_string(count - static_cast<int>(shown.size())), number_text(std::max(0.0f, 1.0f - listed))});
        // Under the numbers; where that is too far right, under the names.
        const float x = p.aside.x + l.label_w, wide = b.in.measure(more, Type::Small);
        b.text({x + wide > b.in.area.right() ? p.aside.x : x, y + 18 * s.scale}, more, Type::Small, Hue::Soft);
    }
    if (e.state == attn::RowState::AllMasked)
        b.say_masked_row({p.aside.x, y + 40 * s.scale});
}

}  // namespace

void lay_out_scale(Builder& b) {
    const InPlace p = place_in(b, (b.style().room ? 150 : 230) * b.style().scale, 130 * b.style().scale);
    const auto moved = static_cast<float>(ease(phase(b.progress(), 0.15, 0.85)));
    surround(b, p);
    const float shrink = 0.16f * std::sin(3.14159265f * moved);
    const ColorScale colors = b.colors_of_row(p.from, p.cell.row);
    if (moved < 1) {  // at rest the result covers it
        MatrixSprite& from = b.matrix(p.from, p.grid);
        from.shrink = shrink;
        from.scale = colors;
        from.lit_row = p.row();
        from.dim = kUnspoken;
        from.pickable = from.numbers = moved < 0.5f;  // one number a cell: the one before, then the one after
    }
    MatrixSprite& result = b.matrix(p.result, p.grid);
    result.scale = colors;  // with the colours before scaling the cells pale as they shrink
    result.lit_row = p.row();
    result.dim = kUnspoken;
    result.alpha = moved;
    result.shrink = shrink;
    result.ring = p.cell;
    result.pickable = result.numbers = moved >= 0.5f;
    scale_aside(b, p, moved);
}

void lay_out_mask(Builder& b) {
    const InPlace p = place_in(b, 0);
    surround(b, p);
    const double t = b.progress();
    const attn::Matrix& pattern = b.step(b.step(p.result).inputs[1]).value;
    const bool small = p.grid.rows * p.grid.cols <= 900;
    const auto shown = static_cast<float>(small ? phase(t, 0.62, 0.7) : phase(t, 0.2, 0.8));
    if (shown < 1) b.matrix(p.from, p.grid).pickable = false;  // then the result covers it
    MatrixSprite& result = b.matrix(p.result, p.grid);
    result.alpha = shown;
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

void lay_out_softmax(Builder& b) {
    const float wanted = 440 * b.style().scale;
    const InPlace p = place_in(b, std::min(wanted, b.in.area.w * (b.style().room ? 0.42f : 0.48f)),
                               130 * b.style().scale);
    const Pace pc = pace(b.progress());
    surround(b, p);
    b.scene.bands.push_back({p.grid.row(p.cell.row), Hue::Score, 0.12f, 8 * b.style().scale});
    if (pc.rest < 1) b.matrix(p.from, p.grid).pickable = false;  // at rest the result covers it
    MatrixSprite& result = b.matrix(p.result, p.grid);
    result.reveal = reveal_of(pc, {p.result, p.cell.row, 0}, p.grid.rows, p.grid.cols);
    // The explained row settles back as a whole.
    if (pc.cell >= 0.9) result.reveal.cells = 1e9f;
    result.ring = p.cell;
    result.lit_row = p.row();
    result.dim = kUnspoken;
    ladder(b, p, pc.cell);
}

}  // namespace app::stage
