// The √d experiment: scores of random queries and keys, measured with and without the factor.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/frame/chart.h"
#include "app/screens/experiments/view.h"

namespace app {
namespace {

using attn::ScalingRow;
using attn::ScoreSpread;

constexpr Ink kPlain = Hue::Negative, kScaled = Hue::Score;

/// The slider is logarithmic: it sets the power of two, which is rounded to a whole width.
int width_of(float power) { return std::max(1, static_cast<int>(std::lround(std::exp2(power)))); }

ScoreSpread measured(const ScalingExperiment& data, bool scaled) {
    // The row nearest to the chosen width; the histogram is for that width itself.
    const ScalingRow* best = &data.course.rows.front();
    for (const ScalingRow& row : data.course.rows)
        if (std::abs(std::log2(row.width) - std::log2(data.width)) <
            std::abs(std::log2(best->width) - std::log2(data.width)))
            best = &row;
    return scaled ? best->scaled : best->plain;
}

void scaling_controls(const Frame& f, Rect row) {
    const std::string text = fmt::format("d = {}", f.view().part<ExperimentsLook>().scaling_width);
    f.painter().text_in({row.x, row.y, f.px(80), row.h}, text, {Type::NumberStrong}, Hue::Ink);
    const float button_w = button_width(f.ui, f.say(Str::draw_again));
    float power = std::log2(static_cast<float>(f.view().part<ExperimentsLook>().scaling_width));
    const Rect track{row.x + f.px(84), row.y, row.w - f.px(84) - button_w - f.px(20), row.h};
    if (slider(f.ui, "scaling_width", track, power, {0, std::log2(static_cast<float>(kWidestScaling)), 0.25f, 6, false}))
        f.change_view([power](ViewState& v) { v.part<ExperimentsLook>().scaling_width = width_of(power); });
    if (button(f.ui, "draw_again", {row.right() - button_w, row.y, button_w, row.h}, f.say(Str::draw_again)))
        f.change_view([](ViewState& v) { ++v.part<ExperimentsLook>().scaling_seed; });
}

void spread(const Frame& f, Rect area, const std::vector<double>& shares, std::string_view title, Ink ink) {
    const ScalingExperiment& data = f.derived.part<ExperimentData>().scaling;
    double highest = 0.02;
    for (const double share : shares) highest = std::max(highest, share);
    const Chart chart(f, area, {-data.reach, data.reach, false, f.say(Str::score_value)},
                      {0, highest * 1.08, false, title});
    chart.bars(shares, ink.faded(0.75f));
}

/// One measure against d, without and with the factor; the chosen d is marked.
void curve(const Frame& f, Rect area, Str title, double (*of)(const ScoreSpread&), bool log) {
    const ScalingExperiment& data = f.derived.part<ExperimentData>().scaling;
    std::vector<double> widths, plain, scaled;
    double highest = 0, lowest = 1e9;
    for (const ScalingRow& row : data.course.rows) {
        widths.push_back(row.width);
        plain.push_back(of(row.plain));
        scaled.push_back(of(row.scaled));
        highest = std::max({highest, plain.back(), scaled.back()});
        lowest = std::min({lowest, plain.back(), scaled.back()});
    }
    const Chart chart(f, area, {1, static_cast<double>(kWidestScaling), true, f.say(Str::width_d)},
                      {log ? std::min(0.5, lowest) : 0, highest * (log ? 1.5 : 1.1), log, f.say(title)});
    chart.line(widths, plain, kPlain);
    chart.line(widths, scaled, kScaled);
    chart.mark(data.width, "", Hue::Accent);
    chart.dot(data.width, of(measured(data, false)), kPlain);
    chart.dot(data.width, of(measured(data, true)), kScaled);
}

/// As many of the three curves as fit.
void scaling_curves(const Frame& f, Rect area) {
    struct Measure {
        Str title;
        double (*of)(const ScoreSpread&);
        bool log;
    };
    constexpr Measure kMeasures[] = {
        {Str::variance, [](const ScoreSpread& s) { return s.variance; }, true},
        {Str::mean_entropy, [](const ScoreSpread& s) { return s.entropy; }, false},
        {Str::gradient_size, [](const ScoreSpread& s) { return s.gradient; }, false},
    };
    const float least = f.theme.line_height(Type::Small) * 6;
    const int shown = std::clamp(static_cast<int>(area.h / least), 1, 3);
    const float each = area.h / static_cast<float>(shown);
    for (int i = 0; i < shown; ++i)
        curve(f, {area.x, area.y + each * static_cast<float>(i), area.w, each - f.px(8)}, kMeasures[i].title,
              kMeasures[i].of, kMeasures[i].log);
}

void legend(const Frame& f, Point at) {
    for (const auto& [words, ink] : {std::pair{Str::without_factor, kPlain}, {Str::with_factor, kScaled}}) {
        f.painter().fill({at.x, at.y - f.px(8), f.px(16), f.px(4)}, ink, f.px(2));
        at.x += f.px(22) + f.painter().text({at.x + f.px(22), at.y}, f.say(words), {Type::Small}, Hue::Ink) + f.px(20);
    }
}

}  // namespace

bool experiment_scaling_applies(const Frame& f) { return experiment_applies("scaling", f.state.document); }

void draw_experiment_scaling(const Frame& f, Rect area) {
    const ScalingExperiment& data = f.derived.part<ExperimentData>().scaling;
    if (data.course.rows.empty()) return;
    const float margin = f.px(24), gap = f.px(28), line = f.theme.line_height(Type::Body);
    const Rect body = area.inset(margin, f.px(8));
    const ScoreSpread plain = measured(data, false), scaled = measured(data, true);
    f.painter().text_fit({body.x, body.y, body.w, line},
                         f.say(Str::scaling_says, {std::to_string(data.width), brief(plain.variance),
                                                   brief(scaled.variance), std::to_string(data.width)}),
                         {Type::Body}, Hue::Ink);
    scaling_controls(f, {body.x, body.y + line + f.px(4), body.w, f.theme.control_height});
    const float top = body.y + line + f.theme.control_height + f.px(16);
    const float left = (body.w - gap) * 0.46f, high = body.bottom() - top;
    spread(f, {body.x, top, left, high / 2 - f.px(6)}, data.plain, f.say(Str::scaling_plain), kPlain);
    spread(f, {body.x, top + high / 2 + f.px(6), left, high / 2 - f.px(6)}, data.scaled, f.say(Str::scaling_scaled),
           kScaled);
    const float x = body.x + left + gap, w = body.w - left - gap;
    legend(f, {x, top + f.theme.em(Type::Small)});
    scaling_curves(f, {x, top + f.px(26), w, high - f.px(26)});
}

}  // namespace app
