// Numbers that a document, a model or a file gives.
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

Node derive_input(const Trace&, const Step& step, Explanation& e) {
    e.source = step.as<InputParams>().sources.of_row(e.cell.row).value_or(Source::Given);
    return number(static_cast<double>(e.computed));
}

}  // namespace

constexpr Operation operations::kInput = {
    .shape = input_shape, .work = no_work, .value = input_value, .derive = derive_input,
    .has_slope = no_slope, .gradient = no_gradient, .trained = kNotTrained,
    .noted = kCarriesNumbers, .remade = kHeld,
};

}  // namespace attn
