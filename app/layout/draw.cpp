// Sampling by weight: a needle spins over a ring whose arcs are the row's weights, and stops; the counts of the draws
// grow next to the weights. The draws are the engine's own, replayed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/layout/parts.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace app::stage {
namespace {

constexpr double kTurn = 6.283185307179586;
/// Full turns of the needle before each stop.
constexpr double kSpins = 2;
/// Only this many draws are shown one by one; the others pass quickly in between.
constexpr int kShownDraws = 8;
constexpr float kWidest = 330;

struct Dial {
    Point middle;
    float radius;
    Point at(double turn, float share) const {
        const double a = turn * kTurn - kTurn / 4;
        return {middle.x + static_cast<float>(std::cos(a)) * radius * share,
                middle.y + static_cast<float>(std::sin(a)) * radius * share};
    }
};

/// Where each column's arc begins, in turns.
std::vector<double> arcs(const attn::Matrix& weights, int row) {
    std::vector<double> begin{0};
    double sum = 0;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) sum += static_cast<double>(weights(row, j));
    for (Eigen::Index j = 0; j < weights.cols(); ++j)
        begin.push_back(begin.back() + (sum > 0 ? static_cast<double>(weights(row, j)) / sum : 0));
    return begin;
}

void ring(Builder& b, const Dial& dial, const std::vector<double>& begin, int lit) {
    const float s = b.style().scale;
    for (std::size_t j = 0; j + 1 < begin.size(); ++j) {
        const double share = begin[j + 1] - begin[j];
        if (share <= 0) continue;
        const int pieces = std::max(2, static_cast<int>(share * 64));
        const double gap = std::min(0.004, share * 0.2);
        std::vector<Point> line;
        for (int i = 0; i <= pieces; ++i) line.push_back(dial.at(begin[j] + gap + (share - 2 * gap) * i / pieces, 1));
        b.path(std::move(line), static_cast<int>(j) == lit ? Hue::Accent : Hue::Score,
               (static_cast<int>(j) == lit ? 13 : 9) * s,
               static_cast<int>(j) == lit ? 1.0f : 0.35f + 0.15f * static_cast<float>(j % 3));
    }
}

}  // namespace

void lay_out_draw(Builder& b) {
    const float s = b.style().scale;
    const InPlace p = place_in(b, std::min(kWidest * s, b.in.area.w * 0.42f));
    const Pace pc = pace(b.progress());
    surround(b, p);
    MatrixSprite& result = reveal_in_place(b, p, pc);
    if (pc.cell >= 0.97) result.reveal.cells = 1e9f;
    const attn::Step& step = b.step(p.result);
    const attn::Matrix& weights = b.step(p.from).value;
    const auto& own = step.as<attn::DrawParams>();
    const std::vector<int> draws = attn::draws_of(weights, p.cell.row, own.draws, own.seed, own.first);
    if (draws.empty())
        return b.say_masked_row(p.aside.top_left());

    const double t = b.progress() >= 1 ? 1 : phase(pc.cell, 0.05, 0.92);
    const auto total = static_cast<double>(draws.size());
    const double slots = std::min(total, static_cast<double>(kShownDraws));
    const double slot = std::min(t * slots, slots - 1e-9);
    const auto now = static_cast<int>(std::floor(slot));
    // The draw at which a slot stops: of many draws, evenly spaced ones up to the last.
    const auto draw_at = [&](int k) { return static_cast<int>(std::ceil((k + 1) / slots * total)) - 1; };
    const double stop = ease(phase(slot - now, 0, 0.75));
    const bool stopped = slot - now >= 0.75;
    const int current = draw_at(now), done = stopped ? current + 1 : (now == 0 ? 0 : draw_at(now - 1) + 1);

    const float radius = std::min({64 * s, p.aside.w * 0.24f, p.aside.h * 0.2f});
    const Dial dial{{p.aside.x + p.aside.w / 2, p.aside.y + radius + 8 * s}, std::max(4.0f, radius)};
    const std::vector<double> begin = arcs(weights, p.cell.row);
    const auto middle_of = [&](int draw) {
        const auto j = static_cast<std::size_t>(draws[static_cast<std::size_t>(draw)]);
        return (begin[j] + begin[j + 1]) / 2;
    };
    ring(b, dial, begin, stopped ? draws[static_cast<std::size_t>(current)] : -1);
    const double from = now == 0 ? 0 : middle_of(draw_at(now - 1));
    const double turn = from + (kSpins + middle_of(current) - from) * stop;
    b.path({dial.middle, dial.at(turn, 0.82f)}, Hue::Ink, 2.5f * s, 1, true);
    if (done > 0) {
        const int last = draws[static_cast<std::size_t>(done - 1)];
        b.text({dial.middle.x, dial.middle.y + dial.radius + 30 * s},
               fill_in(b.words(Str::draw_number),
                       {std::to_string(done), std::to_string(draws.size()), b.label(step.cols, last)}),
               Type::SmallStrong, Hue::Accent, Align::Center);
        b.scene.labels.back().fit = p.aside.w;
    }

    std::vector<float> weight, tally(static_cast<std::size_t>(weights.cols()), 0.0f);
    float most = 1e-6f;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) weight.push_back(weights(p.cell.row, j));
    for (int i = 0; i < done; ++i)
        tally[static_cast<std::size_t>(draws[static_cast<std::size_t>(i)])] += 1.0f / static_cast<float>(done);
    for (std::size_t j = 0; j < weight.size(); ++j) most = std::max({most, weight[j], tally[j]});
    const float top = dial.middle.y + dial.radius + 64 * s;
    b.text({p.aside.x, top - 10 * s}, std::string(b.words(Str::draw_tally)), Type::Small, Hue::Faint);
    b.scene.labels.back().fit = p.aside.w;
    const BarChart chart =
        bar_chart(b, {p.aside.x, top, p.aside.w, std::max(24 * s, b.in.area.bottom() - top - 8 * s)}, weight, 0, most);
    for (std::size_t i = 0; i < chart.columns.size(); ++i) {
        const auto j = static_cast<std::size_t>(chart.columns[i]);
        const bool lit = chart.columns[i] == p.cell.col;
        if (tally[j] > 0) b.scene.bars.push_back({chart.bar(i, 0, tally[j]), Hue::Score, lit ? 1.0f : 0.6f, 3 * s});
        b.scene.bars.push_back({chart.bar(i, 0, weight[j]).inset(0, -2 * s), Hue::Soft, 0.9f, 3 * s, true});
        bar_label(b, chart, i, step, lit, number_text(tally[j]), Hue::Score);
    }
}

}  // namespace app::stage
