#include "app/cli/train_beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

#include "app/cli/output.h"

namespace app {

namespace train = attn::train;

namespace {

constexpr std::string_view kUnchanged = "unchanged";

std::string report_text(const train::StepReport& report) {
    return fmt::format("loss {:.4f}  right {:>5.1f} %", report.loss, 100 * report.accuracy);
}

std::string table_row(std::string_view name, const std::string& one, const std::string& other) {
    return fmt::format("{:<46}{:>12}{:>22}\n", name, one, other);
}
std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// The same figure of the other training, which has the same figures in the same order, unless its best head has
/// another number.
const train::TaskFigure* same_figure(const train::TaskMeasure& measure, const std::string& id) {
    const auto at = std::find_if(measure.figures.begin(), measure.figures.end(), [&](const train::TaskFigure& f) { return f.id == id; });
    return at == measure.figures.end() ? nullptr : &*at;
}

/// Names of figures that depend on the one above are indented.
std::string name_of_figure(const train::TaskFigure& figure) {
    if (figure.id.ends_with("_by_chance")) return "  if spread evenly";
    if (figure.id.ends_with("_head_off")) return "  answers right with this head off";
    return figure.name.english;
}

}  // namespace

void train_two(Streams& streams, train::Trainer& one, train::Trainer& other, const train::Variation& variation, const Interrupt& interrupt) {
    const auto start = std::chrono::steady_clock::now();
    while ((!one.finished() || !other.finished()) && !interrupt.requested()) {
        // If the trainings were interrupted at different steps, they continue in lockstep.
        if (!one.finished() && one.steps_taken() <= other.steps_taken()) one.step();
        if (!other.finished() && other.steps_taken() < one.steps_taken()) other.step();
        const std::int64_t step = one.steps_taken(), every = std::max<std::int64_t>(1, one.steps_planned() / 20);
        if (step % every != 0 && !one.finished()) continue;
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        note(streams, fmt::format("step {} of {}  {}: {}   {}: {}   {:.1f} s", step, one.steps_planned(), kUnchanged,
                                  report_text(one.last_report()), variation.name.english, report_text(other.last_report()), seconds));
        streams.err.flush();
    }
}

std::string two_runs_table(const train::Task& task, const train::TaskOptions& options, const train::Trainer& one,
                           const train::TaskOptions& changed, const train::Trainer& other) {
    const train::Variation& variation = *train::find_variation(changed.variation);
    const train::TaskMeasure a = task.measure(options, one.weights(), 0), b = task.measure(changed, other.weights(), 0);
    const auto& last = one.last_report();
    const auto& last_other = other.last_report();
    std::string out = fmt::format("{}\n\n", variation.about.english);
    out += table_row(fmt::format("seed {}, {} steps", options.seed, one.steps_taken()), std::string(kUnchanged), std::string(variation.name.english));
    out += table_row("loss of the last step", fmt::format("{:.4f}", last.loss), fmt::format("{:.4f}", last_other.loss));
    out += table_row("right in the last step", share_text(last.accuracy), share_text(last_other.accuracy));
    out += table_row("right on unseen examples", share_text(a.right), share_text(b.right));
    for (const train::TaskFigure& figure : a.figures)
        if (const train::TaskFigure* same = same_figure(b, figure.id); same && figure.id != "examples_right")
            out += table_row(name_of_figure(figure), share_text(figure.value), share_text(same->value));
    return out;
}

}  // namespace app
