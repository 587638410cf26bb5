#include "app/cli/step_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "app/content/strings.h"
#include "app/export/trace_labels.h"
#include "core/io/safe_text.h"
#include "core/text/closest_name.h"
#include "core/text/unicode.h"

namespace app {
namespace {

std::optional<long long> whole_number(std::string_view text) {
    long long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size() || text.empty()) return std::nullopt;
    // Too many digits still make a number, but one that does not exist.
    return error == std::errc::result_out_of_range ? -1 : number;
}

/// Whether the name matches a label as written, as shown, or, for features, in another language.
bool is_called(const std::string& label, std::string_view name) {
    return label == name || attn::visible(label) == name || label_of(label, Language::Chinese) == name;
}

/// The axis of a step in which a name is looked up.
struct Wanted {
    std::string_view what;  ///< "row", "column"
    const attn::Step& step;
    const std::vector<std::string>& labels;
};

attn::Result<int> by_number(const Wanted& wanted, long long number) {
    const auto count = static_cast<long long>(wanted.labels.size());
    if (number >= 1 && number <= count) return static_cast<int>(number - 1);
    return wrong_option(
        fmt::format("--{}", wanted.what),
        count == 0 ? fmt::format("{} has no {}s: the text has no tokens", attn::step_name(wanted.step.tag), wanted.what)
                   : fmt::format("{} has {}s 1 to {}", attn::step_name(wanted.step.tag), wanted.what, count));
}

attn::Result<int> by_name(const Wanted& wanted, std::string_view name) {
    if (const auto number = whole_number(name)) return by_number(wanted, *number);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < wanted.labels.size(); ++i)
        if (is_called(wanted.labels[i], name)) found.push_back(i + 1);
    if (found.size() == 1) return static_cast<int>(found.front() - 1);
    const std::string option = fmt::format("--{}", wanted.what);
    if (found.empty())
        return wrong_option(option,
                     fmt::format("{} has no {} {}; give its number, from 1 to {}", attn::step_name(wanted.step.tag),
                                 wanted.what, attn::in_quotes(name), wanted.labels.size()));
    return wrong_option(option, fmt::format("{} is the label of {}s {}; give the number", attn::in_quotes(name), wanted.what,
                                     fmt::join(found, ", ")));
}

}  // namespace

attn::Result<attn::StepId> step_named(const attn::Trace& trace, std::string_view name, attn::CountFrom count) {
    const auto said = attn::read_said_name(name, count);
    if (const attn::StepId id = said ? attn::find_step(trace, attn::step_name(*said)) : attn::kNoStep; id != attn::kNoStep) return id;
    if (const attn::StepId id = attn::find_step(trace, name); id != attn::kNoStep) return id;
    if (trace.size() == 0) return wrong_option("--step", "there are no steps: the text has no tokens");
    constexpr int kMostListed = 60;
    std::vector<std::string> names;
    for (const attn::Step& step : trace.steps) names.push_back(attn::step_name(step.tag));
    if (trace.size() > kMostListed)
        return wrong_option("--step", fmt::format("there is no step {}; did you mean {}? `attenscope trace` has all {}", attn::in_quotes(name),
                                                  attn::in_quotes(attn::closest_name(name, {names.begin(), names.end()})), trace.size()));
    return wrong_option("--step", fmt::format("there is no step {}; choose a number from 1 to {} or one of {}",
                                       attn::in_quotes(name), trace.size(), fmt::join(names, ", ")));
}

attn::Result<attn::Cell> cell_named(const attn::Trace& trace, attn::StepId id, std::string_view row,
                                    std::string_view column, attn::Convention shown) {
    const attn::Step& step = trace[id];
    const bool columns = shown == attn::Convention::Columns;
    const std::vector<std::string> of_rows = row_labels(trace, step), of_columns = column_labels(trace, step);
    const auto down = by_name({"row", step, columns ? of_columns : of_rows}, row);
    if (!down) return down.error();
    const auto right = by_name({"column", step, columns ? of_rows : of_columns}, column);
    if (!right) return right.error();
    return columns ? attn::Cell{id, *right, *down} : attn::Cell{id, *down, *right};
}

}  // namespace app
