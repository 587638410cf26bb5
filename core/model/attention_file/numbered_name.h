#pragma once
// The numbers in an array's name, which say what it is. Internal to the readers of attention.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// "step_2_layer_12_head_0" gives 12, 0 and 2, and the stem "step_#_layer_#_head_#". A number after the word head or
/// step counts these; the last of the other numbers counts layers.
struct NumberedName {
    std::string stem;
    std::optional<std::int64_t> layer, head, step;
};
NumberedName numbers_of_name(std::string_view name);

}  // namespace attn
