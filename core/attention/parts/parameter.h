#pragma once
// What a model would have learned: given in the document by the step's name, else seeded, else the plainest there is.

#include "core/attention/inputs.h"

namespace attn {

/// What stands in where a document gives nothing: first for random weights, then for plain ones.
enum class Fill : std::uint8_t {
    Weight,  ///< seeded with variance 1/rows; or the identity, repeated down where there are more rows than columns
    Vector,  ///< seeded with variance 1/rows; or ones
    Table,   ///< seeded with variance 1/cols, always: plain numbers would tell nothing apart
    Ones,    ///< always
    Zeros,   ///< always
};

/// Records a rows×cols input under `tag`, at no time: once it is there, the same step serves at every time. One that is
/// given in another shape is left out and named in Trace::refused.
StepId parameter(Trace& t, const Inputs& in, Tag tag, int rows, int cols, Axis row_axis, Axis col_axis, Fill fill);
/// Whether the document or its model gives this step. Biases that neither gives are no steps at all.
bool is_given(const Inputs& in, Tag tag);
/// How many columns it has; 0 where it is not given.
int given_columns(const Inputs& in, Tag tag);
/// from × parameter, and plus a bias under `bias` where one is given; then the bare product is `product`.
struct BiasedRoles {
    Role weight, product, bias, result;
};
StepId project_biased(Trace& t, const Inputs& in, StepId from, Tag tag, int cols, BiasedRoles roles);
/// from × parameter: the weight under `weight`, the product under `result` (both with the tag's head, layer …).
StepId project_by(Trace& t, const Inputs& in, StepId from, Tag tag, Role weight, int cols, Role result, Fill fill);

}  // namespace attn
