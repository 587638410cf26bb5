#pragma once
// Which kernels run: the widest that the machine supports, unless another is chosen.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/kernels/vector_kernels.h"

namespace attn::vectors {

enum class Width : std::uint8_t { Plain, Avx2, Avx512 };
std::string_view width_id(Width width);  ///< plain, avx2, avx512

/// Whether this machine (and its operating system) can run it.
bool has(Width width);
const Kernels& kernels_of(Width width);  ///< must be one that the machine has

/// Those that this machine has, plain first.
std::vector<Width> widths();
/// From now on, for the whole process; for tests, which try each. It changes no result, only the time. The environment
/// variable ATTENSCOPE_VECTORS (an id) sets the initial choice, if the machine has it.
void choose(Width width);
Width chosen();
const Kernels& kernels();
/// The kernels for a product of so many columns: narrower ones where half of a vector would be unused.
const Kernels& kernels_for(Index columns);

}  // namespace attn::vectors
