// The progress of the training: loss and answers over the steps, on a log scale because the first steps change the
// most; below them the snapshots, on the same scale, scrubbed like the timeline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/frame/chart.h"
#include "app/screens/training/data.h"
#include "app/screens/training/parts.h"
#include "app/screens/training/training.h"

namespace app {
namespace {

/// The position of step 0, which a log scale does not have.
constexpr double kBeforeFirst = 0.5;

double place_of_step(std::int64_t step) { return step < 1 ? kBeforeFirst : static_cast<double>(step); }

ChartAxis axis_of_steps(const TrainingData& data) {
    return {kBeforeFirst, data.news ? static_cast<double>(std::max<std::int64_t>(data.news->planned, 2)) : 1000.0, true, {}};
}

/// The point of the curves nearest to a step.
std::optional<std::size_t> point_at(const TrainingCurves& curves, double step) {
    if (curves.steps.empty()) return std::nullopt;
    const auto after = std::lower_bound(curves.steps.begin(), curves.steps.end(), step);
    if (after == curves.steps.begin()) return 0;
    const auto at = static_cast<std::size_t>(after - curves.steps.begin());
    if (after == curves.steps.end()) return at - 1;
    return std::log(step / curves.steps[at - 1]) < std::log(curves.steps[at] / step) ? at - 1 : at;
}

/// The shown snapshot, as a line through a chart.
void draw_playhead(const Frame& f, const Chart& chart) {
    const TrainingSnapshot* shown = f.derived.part<TrainingData>().shown();
    if (!shown) return;
    const float x = chart.at(place_of_step(shown->step), 0).x;
    f.painter().line({x, chart.plot().y}, {x, chart.plot().bottom()}, Ink(Hue::Accent, 0.55f), f.px(1.4f));
}

/// Design pixels that a title needs, so that a legend fits next to it.
constexpr float kLeastTitle = 60;

/// The title on the left; on the right which line is whose.
void chart_title(const Frame& f, Rect row, std::string_view title, bool legend) {
    float right = row.right();
    if (legend)
        for (const auto& [words, ink] : {std::pair{Str::train_unseen, Hue::Ink}, {Str::train_training, Hue::Accent}}) {
            const float w = f.painter().width(f.say(words), Type::SmallStrong);
            if (right - w - row.x < f.px(kLeastTitle)) break;
            f.painter().text_in({right - w, row.y, w + f.px(2), row.h}, f.say(words), {Type::SmallStrong}, ink);
            right -= w + f.px(14);
        }
    f.painter().text_fit({row.x, row.y, right - row.x, row.h}, title, {Type::Small}, Hue::Soft);
}

/// The figures at the step under the pointer; else at the shown snapshot.
std::string figures_text(const Frame& f, const std::optional<double>& pointed) {
    const TrainingData& data = f.derived.part<TrainingData>();
    const TrainingSnapshot* shown = data.shown();
    if (!shown) return {};
    if (pointed)
        if (const auto at = point_at(data.curves, *pointed))
            return f.say(Str::train_at_step, {steps_text(std::llround(data.curves.steps[*at])),
                                              fmt::format("{:.3f}", data.curves.loss[*at]), percent_text(data.curves.right[*at])});
    if (shown->step == 0) return std::string(f.say(Str::train_untrained));
    return f.say(Str::train_at_step, {steps_text(shown->step), fmt::format("{:.3f}", shown->report.loss),
                                      percent_text(shown->report.accuracy)});
}

/// Room for the numbers next to both charts.
constexpr std::string_view kNumbersRoom = "0.00";

double most_loss(const TrainingData& data) {
    double most = 0.01;
    for (const TrainingCurves* curves : {&data.curves, &data.beside_curves})
        for (const double v : curves->loss) most = std::max(most, v);
    return data.curves.loss.empty() ? 1 : most * 1.06;
}

/// The loss of one of the two at a step, and the answers measured last before it.
std::string figures_of_run(const TrainingCurves& curves, double step, const Frame& f) {
    const auto at = point_at(curves, step);
    if (!at) return {};
    std::string unseen = "–";
    for (std::size_t i = 0; i < curves.unseen_steps.size(); ++i)
        if (curves.unseen_steps[i] <= step) unseen = percent_text(curves.unseen_right[i]);
    return f.say(Str::train_beside_figures, {fmt::format("{:.3f}", curves.loss[*at]), unseen});
}

/// Which line is whose, and its figures at the step under the pointer or at the playhead: a row for each.
void draw_two_legends(const Frame& f, Rect row, const std::optional<double>& pointed) {
    const TrainingData& data = f.derived.part<TrainingData>();
    const double step = pointed ? *pointed : data.shown() ? static_cast<double>(data.shown()->step) : 0;
    for (const bool beside : {false, true}) {
        const float sample = f.px(26);
        draw_line_sample(f, {row.x, row.y, sample, row.h}, beside);
        const std::string figures = step < 1 ? std::string() : figures_of_run(beside ? data.beside_curves : data.curves, step, f);
        const float name = f.painter().width(name_of_run(f, beside), Type::SmallStrong) + f.px(4), x = row.x + sample + f.px(8);
        f.painter().text_fit({x, row.y, row.right() - x, row.h}, name_of_run(f, beside), {Type::SmallStrong}, beside ? Ink(kBesideHue) : Ink(Hue::Accent));
        if (row.right() - x - name - f.px(8) > f.theme.em(Type::Small) * 2)
            f.painter().text_fit({x + name + f.px(8), row.y, row.right() - x - name - f.px(8), row.h}, figures, {Type::Small}, Hue::Ink);
        row.y += row.h;
    }
}

struct Curves {
    const Frame& f;
    const TrainingData& data;
    const Chart& high;  ///< right answers
    const Chart* low;   ///< loss; null: no room
    Rect strip;

    void draw(const std::optional<double>& pointed) const {
        const TrainingCurves& curves = data.curves;
        draw_playhead(f, high);
        if (low) {
            draw_playhead(f, *low);
            low->line(curves.steps, curves.loss, Hue::Accent);
        }
        if (const UnseenPoint* measured = data.measured()) {
            const Point from = high.at(kBeforeFirst, measured->measure->chance), to = high.at(axis_of_steps(data).high, measured->measure->chance);
            f.painter().line_dashed(from, to, Hue::Faint, f.px(1.2f), f.px(3), f.px(4));
            f.painter().text({to.x, from.y - f.px(4)}, f.say(Str::train_guessing), {Type::Small, Align::Right}, Hue::Soft);
        }
        if (data.news && data.news->beside) {
            two_runs();
        } else {
            high.line(curves.steps, curves.right, Hue::Accent);
            const std::vector<double> at = steps_measured(curves);
            high.line(at, curves.unseen_right, Hue::Ink, 1.8f);
            for (std::size_t i = 0; i < at.size(); ++i) f.painter().circle(high.at(at[i], curves.unseen_right[i]), f.px(2.4f), Hue::Ink);
        }
        if (!pointed) return;
        const auto point = point_at(curves, *pointed);
        if (!point) return;
        if (data.news && data.news->beside) {
            if (const auto other = point_at(data.beside_curves, *pointed)) {
                if (low) low->dot(data.beside_curves.steps[*other], data.beside_curves.loss[*other], kBesideHue);
                high.dot(data.beside_curves.steps[*other], data.beside_curves.right[*other], kBesideHue);
            }
        }
        if (low) low->dot(curves.steps[*point], curves.loss[*point], Hue::Accent);
        high.dot(curves.steps[*point], curves.right[*point], Hue::Accent);
    }

    static std::vector<double> steps_measured(const TrainingCurves& curves) {
        std::vector<double> out = curves.unseen_steps;
        for (double& step : out) step = std::max(step, kBeforeFirst);
        return out;
    }

    /// Two trainings: lines and dots, dashes and squares; thin for training examples, strong for unseen ones.
    void two_runs() const {
        constexpr float kWhileTraining = 0.45f;
        const TrainingCurves &one = data.curves, &other = data.beside_curves;
        if (low) low->dashes(other.steps, other.loss, kBesideHue);
        high.dashes(other.steps, other.right, Ink(kBesideHue, kWhileTraining), 1.3f);
        high.line(one.steps, one.right, Ink(Hue::Accent, kWhileTraining), 1.3f);
        const std::vector<double> at = steps_measured(one), beside = steps_measured(other);
        high.dashes(beside, other.unseen_right, kBesideHue);
        high.line(at, one.unseen_right, Hue::Accent);
        const float radius = f.px(2.8f);
        for (std::size_t i = 0; i < beside.size(); ++i) {
            const Point p = high.at(beside[i], other.unseen_right[i]);
            f.painter().fill({p.x - radius, p.y - radius, 2 * radius, 2 * radius}, kBesideHue);
        }
        for (std::size_t i = 0; i < at.size(); ++i) f.painter().circle(high.at(at[i], one.unseen_right[i]), radius, Hue::Accent);
    }

    /// Snapshots as beads on a line, with the knob on the shown one.
    void snapshots() const {
        const Chart& chart = high;
        const float y = strip.center().y;
        f.painter().line({chart.plot().x, y}, {chart.plot().right(), y}, Hue::Rule, f.theme.track_height, true);
        const TrainingSnapshot* shown = data.shown();
        if (!shown) return;
        const auto x_of = [&](std::int64_t step) { return chart.at(place_of_step(step), 0).x; };
        f.painter().line({chart.plot().x, y}, {x_of(shown->step), y}, Hue::Accent, f.theme.track_height, true);
        for (const TrainingSnapshot& one : data.news->snapshots)
            f.painter().circle({x_of(one.step), y}, f.px(2.6f), one.step <= shown->step ? Ink(Hue::Paper) : Ink(Hue::Faint));
        const Point knob{x_of(shown->step), y};
        f.painter().circle(knob, f.theme.knob_radius + f.px(2), Hue::Accent);
        f.painter().circle(knob, f.theme.knob_radius - f.px(1), Hue::Paper);
    }
};

}  // namespace

void draw_train_curves(const Frame& f, Rect area) {
    const TrainingData& data = f.derived.part<TrainingData>();
    const float line = f.theme.line_height(Type::Small), title = line + f.px(2), strip_h = f.px(30);
    const bool two = data.news && data.news->beside;
    const float head = two ? title * 3 : title;
    const float body = area.h - head - f.px(8) - strip_h - line - f.px(6);
    // The loss is left out first if there is no room for both.
    const bool both = body / 2 - title >= line * 3.5f;
    const float each = (both ? body / 2 : body) - title;
    if (each < line * 2.5f || area.w < f.px(120)) return;
    float y = area.y + head + f.px(8);
    std::optional<Chart> low;
    if (both) {
        chart_title(f, {area.x, y, area.w, title}, f.say(Str::train_loss), false);
        low.emplace(f, Rect{area.x, y + title, area.w, each}, axis_of_steps(data),
                    ChartAxis{0, most_loss(data), false, {}, kNumbersRoom});
        y += title + each;
    }
    chart_title(f, {area.x, y, area.w, title}, f.say(two ? Str::train_right_two : Str::train_right), !two);
    const Chart chart(f, {area.x, y + title, area.w, each}, axis_of_steps(data), {0, 1.02, false, {}, kNumbersRoom});
    const Rect strip{area.x, y + title + each + line + f.px(2), area.w, strip_h};
    const Curves curves{f, data, chart, low ? &*low : nullptr, strip};
    const float top = low ? low->plot().y : chart.plot().y;
    const Rect all{chart.plot().x - f.px(10), top, chart.plot().w + f.px(20), strip.bottom() - top};
    const Touch touch = touch_area(f.ui, "train_snapshots", all);
    std::optional<double> pointed;
    if (touch.hovered && gui::mouse().y < curves.strip.y) pointed = chart.x_at(gui::mouse().x);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    if (touch.focused) focus_ring(f.ui, curves.strip, f.px(8));
    if (touch.held) {
        const double step = chart.x_at(gui::mouse().x);
        f.push(TrainingAction{SeekSnapshot{step < 0.75 ? 0 : std::llround(step)}});
    }
    if (two) {
        const double step = pointed ? *pointed : data.shown() ? static_cast<double>(data.shown()->step) : 0;
        f.painter().text_fit({area.x, area.y, area.w, title}, f.say(Str::train_step_two, {steps_text(std::llround(step))}), {Type::SmallStrong}, Hue::Ink);
        draw_two_legends(f, {area.x, area.y + title, area.w, title}, pointed);
    } else {
        f.painter().text_fit({area.x, area.y, area.w, title}, figures_text(f, pointed), {Type::SmallStrong}, Hue::Ink);
    }
    curves.draw(pointed);
    curves.snapshots();
    f.painter().text_fit({chart.plot().x, curves.strip.bottom() - f.px(2), chart.plot().w, line}, f.say(Str::train_snapshots),
                         {Type::Small, Align::Center}, Hue::Soft);
}

}  // namespace app
