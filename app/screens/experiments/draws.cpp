// Hard attention: the counts of the draws next to the weights, and the running mean, which approaches the soft context.

#include <algorithm>
#include <vector>

#include "app/frame/chart.h"
#include "app/screens/experiments/view.h"

namespace app {
namespace {

/// Weights as outlines, filled with the shares of the draws; one bar per key.
void tally(const Frame& f, Rect area, const attn::Step& weights, const attn::Step& drawn, int row) {
    const auto m = static_cast<int>(weights.value.cols());
    const float pitch = area.w / static_cast<float>(m), w = std::min(pitch * 0.7f, f.px(64));
    const float base = area.bottom() - f.theme.line_height(Type::Small) - f.px(4), high = base - area.y - f.px(46);
    const float top = std::max({0.2f, weights.value.row(row).maxCoeff(), drawn.value.row(row).maxCoeff()});
    f.painter().text({area.x, area.y + f.theme.em(Type::Small)}, f.say(Str::draws_tally), {Type::Small}, Hue::Soft);
    f.painter().line({area.x, base}, {area.right(), base}, Hue::Faint, f.theme.rule_width);
    for (int j = 0; j < m; ++j) {
        const float x = area.x + pitch * (static_cast<float>(j) + 0.5f) - w / 2;
        const float share = drawn.value(row, j), weight = weights.value(row, j);
        const Rect bar{x, base - high * share / top, w, high * share / top},
            outline{x, base - high * weight / top, w, high * weight / top};
        f.painter().fill(bar, Ink(Hue::Score, 0.55f), f.px(4), gui::Corners::Top);
        f.painter().stroke(outline, Hue::Score, f.px(4), f.px(2));
        if (pitch > f.px(34)) {
            f.painter().text({x + w / 2, std::min(bar.y, outline.y) - f.px(6)}, number_text(share),
                             {Type::NumberSmall, Align::Center}, Hue::Ink);
            f.painter().text_fit({x - (pitch - w) / 2, base + f.px(3), pitch, f.theme.line_height(Type::Small)},
                                 f.derived.labels.of(weights.cols, j), {Type::Small, Align::Center}, Hue::Ink);
        }
    }
}

void approach(const Frame& f, Rect area, const attn::DrawCourse& course) {
    const auto draws = static_cast<double>(course.distances.size());
    double highest = 1e-3;
    for (const double d : course.distances) highest = std::max(highest, d);
    std::vector<double> xs;
    for (std::size_t t = 1; t <= course.distances.size(); ++t) xs.push_back(static_cast<double>(t));
    const Chart chart(f, area, {1, std::max(2.0, draws), draws > 50, f.say(Str::draws_axis)},
                      {0, highest * 1.08, false, f.say(Str::draws_distance)});
    chart.line(xs, course.distances, Hue::Output);
    chart.dot(draws, course.distances.back(), Hue::Output);
}

}  // namespace

bool experiment_draws_applies(const Frame& f) { return experiment_applies("draws", f.state.document); }

void draw_experiment_draws(const Frame& f, Rect area) {
    const attn::DrawCourse& course = f.derived.part<ExperimentData>().draws;
    const int head = f.state.document.config.heads > 1 ? f.view().head : attn::kNoHead;
    const attn::Step* drawn = attn::find(f.trace(), {attn::Role::Drawn, head});
    if (!drawn || course.columns.empty()) return;
    const attn::Step& weights = f.trace()[drawn->inputs[0]];
    const int row = std::min(f.derived.part<ExperimentData>().draws_row, static_cast<int>(drawn->value.rows()) - 1);
    const Rect body = area.inset(f.px(24), f.px(8));
    const float top =
        experiment_says(f, body,
                 f.say(Str::draws_says, {f.derived.labels.of(drawn->rows, row), std::to_string(course.columns.size()),
                                         brief(course.distances.back()), brief(course.soft_length)}));
    const float high = body.bottom() - top;
    tally(f, {body.x, top, body.w, high * 0.5f - f.px(10)}, weights, *drawn, row);
    approach(f, {body.x, top + high * 0.5f + f.px(10), body.w, high * 0.5f - f.px(10)}, course);
}

}  // namespace app
