#include "app/chapters/worksheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/page_run.h"
#include "app/content/number_text.h"
#include "app/explain/inspection.h"
#include "app/timeline/labels.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

using attn::Op;

/// The longest row, or sum of products, to compute by hand; and the most cells for which the whole matrix is a task.
constexpr Eigen::Index kMostAcross = 8, kMostCells = 12;

/// Whether the operation can be done with the tables alone: a softmax must have temperature 1.
bool by_hand(const attn::Step& step) {
    switch (step.op) {
        case Op::MatMul:
        case Op::Add:
            return true;
        case Op::Softmax:
            return step.as<attn::SoftmaxParams>().temperature == 1;
        default:
            return false;
    }
}

bool fits_paper(const attn::Trace& trace, const attn::Step& step) {
    if (step.inputs.empty() || step.value.cols() > kMostAcross || step.value.cols() < 2) return false;
    return std::ranges::all_of(step.inputs, [&](attn::StepId id) {
        const attn::Matrix& m = trace[id].value;
        return m.size() > 0 && m.rows() <= kMostAcross && m.cols() <= kMostAcross && m.allFinite();
    });
}

bool are_whole(const attn::Matrix& m) {
    return std::ranges::all_of(m.reshaped(), [](float x) { return std::abs(x - std::round(x)) < 1e-6f; });
}

/// `count` rows from `first` on.
SheetTable table(const attn::Trace& trace, attn::StepId id, const AxisLabels& labels, Language language, int first, int count) {
    const attn::Step& step = trace[id];
    SheetTable out;
    out.title = name_of(trace, id, language);
    const int decimals = are_whole(step.value) ? 0 : 2;
    for (int c = 0; c < static_cast<int>(step.value.cols()); ++c) out.cols.push_back(labels.of(step.cols, c));
    for (int r = first; r < first + count; ++r) {
        out.rows.push_back(labels.of(step.rows, r));
        std::vector<std::string>& row = out.cells.emplace_back();
        for (int c = 0; c < static_cast<int>(step.value.cols()); ++c) row.push_back(number_text(step.value(r, c), decimals));
    }
    return out;
}

/// The step between scores and weights in numbers for a calculation by hand.
SheetTable powers(const attn::Matrix& scores, const SheetTable& weights, int first) {
    SheetTable out{"100 · e^(s − max s)", weights.rows, weights.cols, {}};
    out.cols.push_back("Σ");
    for (std::size_t r = 0; r < weights.rows.size(); ++r) {
        const auto row = scores.row(first + static_cast<Eigen::Index>(r));
        const float most = row.maxCoeff();
        long sum = 0;
        std::vector<std::string>& cells = out.cells.emplace_back();
        for (const float score : row) {
            const long power = std::lround(100 * std::exp(score - most));
            sum += power;
            cells.push_back(std::to_string(power));
        }
        cells.push_back(std::to_string(sum));
    }
    return out;
}
/// The row that the page is about, from 0: that of its pinned cell, else that of its question, else the first.
int row_of_page(const ChapterPage& page, const ChapterContext& context, int rows) {
    const std::string& named = page.enter.pin ? page.enter.pin->row : page.ask ? page.ask->row : std::string();
    return named.empty() ? 0 : index_of(named, context, rows).value_or(0);
}

/// The step that the question is about, which makes the better exercise, or else the one that the page shows.
attn::StepId step_of_page(const ChapterPage& page, const ChapterContext& context) {
    for (const std::string& name : {page.ask ? page.ask->step : std::string(), page.enter.show, page.play_to}) {
        const attn::StepId id = name.empty() ? attn::kNoStep : step_in(context, name);
        if (id != attn::kNoStep && by_hand(context.trace[id]) && fits_paper(context.trace, context.trace[id])) return id;
    }
    return attn::kNoStep;
}

std::string key_of_task(const SheetTask& task) {
    std::string out = task.made.title;
    for (const auto& row : task.made.cells)
        for (const std::string& cell : row) out += " " + cell;
    return out;
}

}  // namespace

std::vector<SheetTask> worksheet(const Chapter& chapter, Language language) {
    std::vector<SheetTask> out;
    std::vector<std::string> done;
    for (const ChapterPage& page : chapter.pages) {
        const auto of = run_page(chapter, page, language);
        if (!of) continue;
        const attn::Trace& trace = of->run.trace;
        const attn::StepId id = step_of_page(page, *of->context);
        if (id == attn::kNoStep) continue;
        const attn::Step& step = trace[id];
        const AxisLabels labels = labels_of(trace, language);
        const auto all = static_cast<int>(step.value.rows());
        const bool whole = step.value.size() <= kMostCells;
        const int first = whole ? 0 : row_of_page(page, *of->context, all), count = whole ? all : 1;
        SheetTask task;
        task.page = in(page.title, language);
        task.says = tr(say_of(of->run, id), language);
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const attn::StepId given = step.inputs[i];
            const bool turned = step.op == Op::MatMul && i == 1;  // all of the right factor is needed
            task.given.push_back(turned ? table(trace, given, labels, language, 0, static_cast<int>(trace[given].value.rows()))
                                        : table(trace, given, labels, language, first, count));
        }
        task.made = table(trace, id, labels, language, first, count);
        if (step.op == Op::Softmax) {
            task.halfway = powers(trace[step.inputs[0]].value, task.made, first);
            // Shares are percentages, on paper as on the pages.
            for (std::size_t r = 0; r < task.made.cells.size(); ++r)
                for (std::size_t c = 0; c < task.made.cells[r].size(); ++c)
                    task.made.cells[r][c] = fmt::format("{:.0f}%", 100 * step.value(first + static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)));
        }
        const std::string key = key_of_task(task);
        if (std::ranges::find(done, key) != done.end()) continue;
        done.push_back(key);
        out.push_back(std::move(task));
    }
    return out;
}

}  // namespace app
