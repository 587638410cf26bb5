// The key/value cache: how it grows token by token, and the work that it saves.

#include <algorithm>
#include <array>
#include <vector>

#include "app/frame/chart.h"
#include "app/screens/experiments/view.h"

namespace app {
namespace {

/// A mark for each token whose key and value are cached; the newest one is strong. One row of marks per time step.
void growth(const Frame& f, Rect area, const std::vector<attn::CachedPass>& passes) {
    f.painter().text_fit({area.x, area.y, area.w, f.theme.line_height(Type::Small)}, f.say(Str::cache_growth),
                         {Type::Small}, Hue::Soft);
    const float top = area.y + f.theme.line_height(Type::Small) + f.px(6);
    const auto rows = static_cast<float>(passes.size());
    const auto most = static_cast<float>(std::max(1, passes.back().tokens));
    const float label = f.px(96), pitch = std::min({(area.bottom() - top) / rows, (area.w - label) / most, f.px(40)});
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const float y = top + pitch * static_cast<float>(i);
        const int tokens = passes[i].tokens, before = i == 0 ? 0 : passes[i - 1].tokens;
        if (pitch > f.theme.em(Type::Small))
            f.painter().text_fit({area.x, y, label - f.px(10), pitch},
                                 f.derived.labels.of({attn::Axis::Kind::Tokens}, tokens - 1),
                                 {Type::Small, Align::Right}, Hue::Ink);
        for (int j = 0; j < tokens; ++j) {
            const Rect mark{area.x + label + pitch * static_cast<float>(j), y, pitch, pitch};
            const float gap = std::max(f.px(1), pitch * 0.1f);
            const Rect upper{mark.x + gap, mark.y + gap, mark.w - 2 * gap, mark.h / 2 - gap},
                lower = upper.moved(0, upper.h);
            f.painter().fill(upper, Ink(Hue::Key, j >= before ? 1.0f : 0.3f), f.px(3), gui::Corners::Top);
            f.painter().fill(lower, Ink(Hue::Value, j >= before ? 1.0f : 0.3f), f.px(3), gui::Corners::Bottom);
        }
    }
}

void work(const Frame& f, Rect area, const std::vector<attn::CachedPass>& passes) {
    std::vector<double> xs, with, without;
    double most = 1;
    for (const attn::CachedPass& pass : passes) {
        xs.push_back(pass.tokens);
        with.push_back(pass.multiply_adds);
        without.push_back(pass.without_cache);
        most = std::max({most, pass.multiply_adds, pass.without_cache});
    }
    const Chart chart(f, area, {xs.front(), std::max(xs.front() + 1, xs.back()), false, f.say(Str::tokens_axis)},
                      {0, most * 1.15, false, f.say(Str::cache_work)});
    chart.line(xs, without, Hue::Negative);
    chart.line(xs, with, Hue::Key);
    for (std::size_t i = 0; i < xs.size(); ++i) {
        chart.dot(xs[i], without[i], Hue::Negative);
        chart.dot(xs[i], with[i], Hue::Key);
    }
    // Above the end of a line that rises nothing is drawn. Where both end at one point, after the first pass, one name is below it.
    chart.name(xs.back(), without.back(), f.say(Str::cache_without), Hue::Negative, -f.px(10));
    chart.name(xs.back(), with.back(), f.say(Str::cache_with), Hue::Key, with.back() > 0.85 * without.back() ? f.px(24) : -f.px(10));
}

}  // namespace

bool experiment_cache_applies(const Frame& f) { return experiment_applies("cache", f.state.document); }

void draw_experiment_cache(const Frame& f, Rect area) {
    const std::vector<attn::CachedPass>& passes = f.derived.part<ExperimentData>().cache;
    if (passes.empty()) return;
    double with = 0, without = 0;
    for (const attn::CachedPass& pass : passes) with += pass.multiply_adds, without += pass.without_cache;
    const Rect body = area.inset(f.px(24), f.px(8));
    const float gap = f.px(32);
    const float top =
        experiment_says(f, body, f.say(Str::cache_says, {brief(with), brief(without), brief(passes.back().cache_bytes)}));
    const float left = (body.w - gap) * 0.46f, high = body.bottom() - top;
    growth(f, {body.x, top, left, high}, passes);
    work(f, {body.x + left + gap, top, body.w - left - gap, high}, passes);
}

}  // namespace app
