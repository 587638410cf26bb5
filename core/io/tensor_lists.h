#pragma once
// tensor_file_bytes() that writes the tensors in `lists` (one row each) with rank 1, as PyTorch stores gains and
// biases. Internal to core/model.

#include <set>

#include "core/io/safetensors.h"

namespace attn {

std::string tensor_file_bytes(std::span<const NamedTensor> tensors, const std::map<std::string, std::string>& metadata,
                              TensorNumbers numbers, const std::set<std::string>& lists);

}  // namespace attn
