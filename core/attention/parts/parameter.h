#pragma once
// What a model would have learned: given in the document by the step's name, else seeded, else the simplest values.

#include "core/attention/inputs.h"

namespace attn {

/// What is used if a document gives nothing: the first alternative for random weights, the second for plain ones.
enum class Fill : std::uint8_t {
    Weight,  ///< seeded with variance 1/rows; or the identity, repeated downwards if there are more rows than columns
    Vector,  ///< seeded with variance 1/rows; or ones
    Table,   ///< seeded with variance 1/cols, always: equal rows could not be told apart
    Ones,    ///< always
    Zeros,   ///< always
};

/// Records a rows×cols input under `tag` without a time: once recorded, the same step serves at every time. A given
/// matrix of another shape is ignored and reported in Trace::refused.
StepId parameter(Trace& t, const Inputs& in, Tag tag, int rows, int cols, Axis row_axis, Axis col_axis, Fill fill);
/// Whether the document or its model gives this step. Biases that neither gives are not recorded.
bool is_given(const Inputs& in, Tag tag);
/// Its number of columns; 0 if it is not given.
int given_columns(const Inputs& in, Tag tag);
/// from × parameter, plus a bias under `bias` if one is given; then the product before the bias is recorded under
/// `product`.
struct BiasedRoles {
    Role weight, product, bias, result;
};
StepId project_biased(Trace& t, const Inputs& in, StepId from, Tag tag, int cols, BiasedRoles roles);
/// from × parameter: the weight under `weight`, the product under `result` (both with the tag's head, layer …).
StepId project_by(Trace& t, const Inputs& in, StepId from, Tag tag, Role weight, int cols, Role result, Fill fill);

}  // namespace attn
