#include "core/attention/parts/parameter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/model/model.h"
#include "core/ops/ops.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

Matrix plain_weight(int rows, int cols) {
    Matrix w = Matrix::Zero(rows, cols);
    for (int r = 0; r < rows; ++r)
        if (rows > cols || r < cols) w(r, r % cols) = 1;
    return w;
}

FrozenMatrix filled(const Inputs& in, std::string_view name, int rows, int cols, Fill fill, Source& source) {
    const bool seeded = fill == Fill::Table || (in.random_weights && fill != Fill::Ones && fill != Fill::Zeros);
    source = seeded ? Source::Seeded : fill == Fill::Weight ? Source::Identity : Source::Formula;
    if (fill == Fill::Table) return random_table(in.weight_seed, name, rows, cols);
    if (seeded) return random_weight(in.weight_seed, name, rows, cols);
    if (fill == Fill::Weight) return plain_weight(rows, cols);
    return Matrix(Matrix::Constant(rows, cols, fill == Fill::Zeros ? 0.0f : 1.0f));
}

bool in_document(const Inputs& in, Tag tag) {
    return std::any_of(in.parameters.begin(), in.parameters.end(), [&](const GivenParameter& given) { return given.tag == tag; });
}

/// The model's own matrix for this step; of a table of positions, as many rows as needed. A matrix that the model lacks
/// is reported, except biases and gains, which a model may do without.
std::optional<StepValue> of_model(Trace& t, const Inputs& in, Tag tag, int rows, int cols, Fill fill, Source& source) {
    source = Source::Model;
    const std::string name = step_name(tag);
    const auto refuse = [&](std::string why) {
        t.refused.push_back({fmt::format("{} of the model \"{}\" {}", name, visible(in.model->name), why), "", "weights", 0});
    };
    const bool places = tag.role == Role::Positions;
    if (places && in.model->waves) {
        source = Source::Formula;
        if (t.shapes) return FrozenMatrix::of_shape(rows, cols);
        return FrozenMatrix(wave_positions(rows, cols, *in.model->waves));
    }
    // A checkpoint's unembedding is always read on demand, because its logits may be evicted and recomputed only when
    // they are read.
    if (!t.shapes && t.evict_from && (in.weights_stay_on_disk || tag.role == Role::UnembeddingWeight))
        if (std::optional<StepValue> value = in.model->value_of(name); value && value->rows() == rows && value->cols() == cols) return value;
    const std::optional<FrozenMatrix> own = in.model->shape_of(name);
    if (!own) {
        if (fill == Fill::Weight || fill == Fill::Table)
            t.refused.push_back({fmt::format("the model \"{}\" has no tensor \"{}\" ({} × {})", visible(in.model->name), name, rows, cols),
                                 "", "weights", 0});
        return std::nullopt;
    }
    if (places && own->cols() == cols && own->rows() < rows)
        refuse(fmt::format("has {} places, but the text has {} tokens; shorten the text", own->rows(), rows));
    else if (own->cols() != cols || (!places && own->rows() != rows))
        refuse(fmt::format("is {} × {}, but must be {} × {}", own->rows(), own->cols(), rows, cols));
    else if (t.shapes)
        return FrozenMatrix::of_shape(rows, cols);
    else
        return own->rows() == rows ? *in.model->matrix(name) : FrozenMatrix(in.model->first_rows(name, rows));
    return std::nullopt;
}

/// The matrix that the document gives for this step, if it fits.
const FrozenMatrix* given_for(Trace& t, const Inputs& in, Tag tag, int rows, int cols) {
    for (const GivenParameter& given : in.parameters) {
        if (given.tag != tag) continue;
        if (given.value.rows() == rows && given.value.cols() == cols) return &given.value;
        t.refused.push_back(
            {fmt::format("it is {} × {}, but must be {} × {}", given.value.rows(), given.value.cols(), rows, cols), "",
             fmt::format("parameters.{}", step_name(tag)), 0});
    }
    return nullptr;
}

}  // namespace

bool is_given(const Inputs& in, Tag tag) {
    tag.time = kNoTime;
    return in_document(in, tag) || (in.model && in.model->has(step_name(tag)));
}

int given_columns(const Inputs& in, Tag tag) {
    tag.time = kNoTime;
    for (const GivenParameter& given : in.parameters)
        if (given.tag == tag) return static_cast<int>(given.value.cols());
    const auto shape = in.model ? in.model->shape_of(step_name(tag)) : std::nullopt;
    return shape ? static_cast<int>(shape->cols()) : 0;
}

StepId project_biased(Trace& t, const Inputs& in, StepId from, Tag tag, int cols, BiasedRoles roles) {
    if (!is_given(in, tag.as(roles.bias)))
        return project_by(t, in, from, tag, roles.weight, cols, roles.result, Fill::Weight);
    const StepId product = project_by(t, in, from, tag, roles.weight, cols, roles.product, Fill::Weight);
    const StepId bias = parameter(t, in, tag.as(roles.bias), 1, cols, {}, {}, Fill::Zeros);
    return add_row(t, product, bias, tag.as(roles.result));
}

StepId parameter(Trace& t, const Inputs& in, Tag tag, int rows, int cols, Axis row_axis, Axis col_axis, Fill fill) {
    tag.time = kNoTime;
    if (const StepId there = find_given(t, tag); there != kNoStep) return there;
    Source source = Source::Seeded;
    std::optional<StepValue> own;
    if (in.model && !in_document(in, tag)) own = of_model(t, in, tag, rows, cols, fill, source);
    if (t.shapes) return input(t, FrozenMatrix::of_shape(rows, cols), tag, row_axis, col_axis, {});
    if (const FrozenMatrix* given = given_for(t, in, tag, rows, cols)) {
        t.taken.push_back(tag);
        return input(t, *given, tag, row_axis, col_axis, {Source::Given});
    }
    if (own) return input(t, std::move(*own), tag, row_axis, col_axis, {source});
    FrozenMatrix value = filled(in, step_name(tag), rows, cols, fill, source);
    return input(t, std::move(value), tag, row_axis, col_axis, {source});
}

StepId project_by(Trace& t, const Inputs& in, StepId from, Tag tag, Role weight, int cols, Role result, Fill fill) {
    const auto rows = static_cast<int>(t[from].value.cols());
    const StepId w = parameter(t, in, tag.as(weight), rows, cols, t[from].cols, {}, fill);
    return matmul(t, from, w, tag.as(result));
}

}  // namespace attn
