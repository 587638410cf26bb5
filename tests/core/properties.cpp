#include "tests/core/properties.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "core/attention/forms/attention.h"
#include "core/ops/explain.h"
#include "core/ops/measure.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kRounding = 1e-5;      // of the tensor's largest magnitude
constexpr double kTermRounding = 1e-6;  // of the sum of the terms' magnitudes: cancellation leaves their rounding
constexpr double kShareSum = 1e-6;

template <class Check>
std::string each_cell(const Trace& trace, const Check& check) {
    for (StepId id = 0; id < trace.size(); ++id)
        for (int r = 0; r < trace[id].value.rows(); ++r)
            for (int c = 0; c < trace[id].value.cols(); ++c)
                if (std::string wrong = check(Cell{id, r, c}); !wrong.empty())
                    return fmt::format("{}[{}, {}]: {}", step_name(trace[id].tag), r, c, wrong);
    return "";
}

/// The largest magnitude of each step, without masked scores and overflows.
std::vector<double> sizes_of(const Trace& trace) {
    std::vector<double> sizes;
    for (const Step& step : trace.steps) sizes.push_back(largest(step.value));
    return sizes;
}

bool agrees(double given, float number, double size, double terms) {
    if (std::isnan(number)) return std::isnan(given);
    if (std::isinf(number)) return static_cast<float>(given) == number || std::abs(given) > 3.4e38;
    return std::abs(given - static_cast<double>(number)) <=
           kRounding * std::max(size, std::abs(given)) + kTermRounding * terms;
}

/// A term comes from an earlier step or, in a recurrence, from a row of the same step that was computed before.
bool is_earlier(const Trace& trace, Cell term, Cell cell) {
    if (term.step != cell.step) return term.step < cell.step;
    if (trace[cell.step].op != Op::Recur) return false;
    return trace[cell.step].as<RecurParams>().backward ? term.row == cell.row + 1 : term.row == cell.row - 1;
}

std::string row_is_shares(const Trace& trace, StepId id, int row) {
    const auto weights = trace[id].value.row(row);
    const auto scores = trace[trace[id].inputs[0]].value.row(row);
    double sum = 0;
    bool all_masked = true;
    for (Eigen::Index j = 0; j < weights.cols(); ++j) {
        sum += static_cast<double>(weights[j]);
        if (!(weights[j] >= 0 && weights[j] <= 1)) return fmt::format("{} is no share", weights[j]);
        if (scores[j] == -kInfinity && weights[j] != 0) return fmt::format("masked, but weighs {}", weights[j]);
        all_masked = all_masked && scores[j] == -kInfinity;
    }
    const bool noted = row_state(trace, id, row) == RowState::AllMasked;
    if (all_masked != noted) return "the note on a wholly masked row is missing or too much";
    if (std::abs(sum - (all_masked ? 0.0 : 1.0)) > (all_masked ? 0.0 : kShareSum))
        return fmt::format("the row sums to {}", sum);
    return "";
}

}  // namespace

std::string inputs_come_earlier(const Trace& trace) {
    for (StepId id = 0; id < trace.size(); ++id)
        for (const StepId from : trace[id].inputs)
            if (from < 0 || from >= id) return fmt::format("step {} reads step {}", id, from);
    return "";
}

std::string names_are_unique_and_read_back(const Trace& trace) {
    std::set<std::string> names;
    for (StepId id = 0; id < trace.size(); ++id) {
        const std::string name = step_name(trace[id].tag);
        if (!names.insert(name).second) return name + " occurs twice";
        if (parse_step_name(name) != trace[id].tag) return name + " does not read back";
        if (find_step(trace, name) != id) return name + " is not found";
        if (find_step(trace, std::to_string(id + 1)) != id) return name + " is not found by its number";
    }
    return "";
}

std::string every_row_and_column_has_a_label(const Trace& trace) {
    const auto check = [&](Axis axis, Eigen::Index count) -> std::string {
        for (int i = 0; i < count; ++i) {
            if (axis_label(trace, axis, i).empty()) return "has an empty label";
            const auto at = static_cast<std::size_t>(axis.first + i);
            if (axis.kind == Axis::Kind::Distances) continue;
            if (axis.kind == Axis::Kind::Tokens && at >= trace.tokens.size()) return " has more rows than tokens";
            if (axis.kind == Axis::Kind::SourceTokens && at >= trace.source_tokens.size())
                return " has more rows than source tokens";
            if (axis.kind == Axis::Kind::Words && at >= trace.words.size()) return " has more rows than words";
            if (axis.kind == Axis::Kind::Things && at >= trace.things.size()) return " has more rows than things";
            if (axis.kind == Axis::Kind::Features && !trace.features.empty() && at >= trace.features.size())
                return " has more columns than features";
        }
        return "";
    };
    for (const Step& step : trace.steps) {
        if (std::string wrong = check(step.rows, step.value.rows()); !wrong.empty()) return step_name(step.tag) + wrong;
        if (std::string wrong = check(step.cols, step.value.cols()); !wrong.empty()) return step_name(step.tag) + wrong;
    }
    return "";
}

std::string every_cell_is_explained(const Trace& trace) {
    const std::vector<double> sizes = sizes_of(trace);
    return each_cell(trace, [&](Cell cell) -> std::string {
        const Explanation e = explain(trace, cell);
        const float shown = trace[cell.step].value(cell.row, cell.col);
        if (!same_number(e.result, shown)) return fmt::format("the explanation is of {}, shown is {}", e.result, shown);
        if (!e.edited && !same_number(e.computed, shown)) return "not typed over, yet computed differs";
        double terms = 0;
        for (const Term& term : e.terms) {
            if (!is_earlier(trace, term.left, cell) || (term.right && !is_earlier(trace, *term.right, cell)))
                return "a later term";
            if (!term.masked) terms += std::abs(static_cast<double>(term.value));
        }
        if (!std::isfinite(terms)) terms = 0;
        if (e.op == Op::MatMul && !same_number(static_cast<float>(e.named(Name::Sum)), e.computed))
            return fmt::format("the products in their order give {}, computed {}", static_cast<float>(e.named(Name::Sum)), e.computed);
        const double given = recompute(trace, e);
        const double size = sizes[static_cast<std::size_t>(cell.step)];
        if (!agrees(given, e.computed, size, terms))
            return fmt::format("the terms give {}, computed {}", given, e.computed);
        return explain_text(trace, e).empty() ? "nothing is said" : "";
    });
}

std::string every_step_computes_again(const Trace& trace) {
    for (const Step& step : trace.steps) {
        Matrix expected(step.value);
        for (auto old = step.replaced.rbegin(); old != step.replaced.rend(); ++old)
            expected(old->row, old->col) = old->computed;
        if (step.op == Op::Input) continue;
        if (!same_bits(compute(trace, step), expected)) return step_name(step.tag) + " computes to other bits";
    }
    return "";
}

std::string rows_are_shares(const Trace& trace) {
    for (StepId id = 0; id < trace.size(); ++id)
        for (int row = 0;
             (trace[id].op == Op::Softmax || trace[id].op == Op::Sparsemax) && row < trace[id].value.rows(); ++row)
            if (std::string wrong = row_is_shares(trace, id, row); !wrong.empty())
                return fmt::format("{}, row {}: {}", step_name(trace[id].tag), row, wrong);
    return "";
}

std::string cost_is_exact(const Run& run, const Document& document) {
    Cost held;
    for (StepId id = 0; id < run.trace.size(); ++id) {
        const Cost one = cost(run.trace, id);
        held.bytes += one.bytes;
        held.multiply_adds += one.multiply_adds;
        held.work += one.work;
    }
    const Cost found = cost_of(document);
    if (found.bytes != held.bytes) return fmt::format("{} bytes are told, {} held", found.bytes, held.bytes);
    if (found.multiply_adds != held.multiply_adds)
        return fmt::format("{} multiply-adds are told, {} done", found.multiply_adds, held.multiply_adds);
    if (found.work != held.work) return fmt::format("work of {} is told, {} done", found.work, held.work);
    return "";
}

std::string anything_wrong(const Document& document, const Run& run) {
    const Trace& t = run.trace;
    for (const auto& check : {inputs_come_earlier, names_are_unique_and_read_back, every_row_and_column_has_a_label,
                              every_cell_is_explained, every_step_computes_again})
        if (std::string wrong = check(t); !wrong.empty()) return wrong;
    if (std::string wrong = cost_is_exact(run, document); !wrong.empty()) return wrong;
    return document.edits.empty() ? rows_are_shares(t) : "";
}

}  // namespace attn::test
