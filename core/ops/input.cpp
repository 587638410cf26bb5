// Numbers that a document, a model or a file gives.
#include <fmt/format.h>

#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId input(Trace& t, StepValue value, Tag tag, Axis rows, Axis cols, Sources sources) {
    Step& step = begin(t, Op::Input, tag, {}, rows, cols);
    step.params = InputParams{std::move(sources)};
    step.value = std::move(value);
    return record(t);
}

namespace {

Shape input_shape(const Trace&, const Step& step) { return {step.value.rows(), step.value.cols()}; }

Matrix input_value(const Reading& r) { return r.step.value.matrix(); }

void explain_input(const Trace&, const Step& step, Explanation& e) {
    e.measures = InputMeasures{step.as<InputParams>().sources.of_row(e.cell.row).value_or(Source::Given)};
}

std::string input_text(const Trace&, const Explanation& e, Convention) { return fmt::format("{} ({})", e.computed, source_id(e.measured<InputMeasures>().source)); }

double input_again(const Explanation& e) { return static_cast<double>(e.computed); }

}  // namespace

constexpr Operation operations::kInput = {
    .shape = input_shape, .work = no_work, .value = input_value,
    .explain = explain_input, .text = input_text, .recompute = input_again,
    .has_slope = no_slope, .gradient = no_gradient, .trained = kNotTrained,
    .noted = kCarriesNumbers, .remade = kHeld,
};

}  // namespace attn
