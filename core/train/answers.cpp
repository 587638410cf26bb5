// A model's predictions for a text, position by position, next to its task's targets.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/train/tasks.h"

namespace attn::train {
namespace {

/// The next word of the text at each position; for a form whose rows predict their own word, that word.
std::vector<std::string> next_words(const std::vector<std::string>& text, int places, bool own_place) {
    std::vector<std::string> out(static_cast<std::size_t>(places));
    const std::size_t ahead = own_place ? 0 : 1;
    for (std::size_t i = 0; i < out.size() && i + ahead < text.size(); ++i) out[i] = text[i + ahead];
    return out;
}

}  // namespace

std::vector<PlaceAnswer> answers_of(const Task& task, const TaskOptions& options, const Run& run) {
    const Trace& trace = run.trace;
    std::map<int, PlaceAnswer> said;
    for (const Step& step : trace.steps) {
        if (step.tag.role != Role::Logits || step.rows.kind != Axis::Kind::Tokens || step.cols.kind != Axis::Kind::Words) continue;
        for (int row = 0; row < static_cast<int>(step.value.rows()); ++row) {
            const RowVector logits = step.value.one_row(row);
            Eigen::Index best = 0;
            const double most = static_cast<double>(logits.maxCoeff(&best));
            const double sum = (logits.cast<double>().array() - most).exp().sum();
            PlaceAnswer one;
            one.place = step.rows.first + row;
            one.said = axis_label(trace, step.cols, static_cast<int>(best));
            one.share = 1 / sum;
            said[one.place] = std::move(one);
        }
    }
    if (said.empty()) return {};
    const std::size_t n = std::min(trace.tokens.size(), static_cast<std::size_t>(run.inputs.n()));
    const std::vector<std::string> text(trace.tokens.begin(), trace.tokens.begin() + static_cast<std::ptrdiff_t>(n));
    const int places = said.rbegin()->first + 1;
    const bool own_place = has(find_form(run.config.form)->reads, Reads::Unit);
    const std::vector<std::string> targets =
        task.targets ? task.targets(text, trace.source_tokens, places, options) : next_words(text, places, own_place);
    std::vector<PlaceAnswer> out;
    for (auto& [place, one] : said) {
        const auto at = static_cast<std::size_t>(place);
        if (at < trace.tokens.size()) one.token = trace.tokens[at];
        one.target = targets[at];
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace attn::train
