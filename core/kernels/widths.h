#pragma once
// Which of the kernels run: the widest that the machine has, unless something else is asked for.

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

/// Those that it has, plain first.
std::vector<Width> widths();
/// From now on, for the whole process: for tests, which try each. It changes no result, only how long it takes. The
/// environment's ATTENSCOPE_VECTORS (an id) says which is taken at the start, where the machine has it.
void choose(Width width);
Width chosen();
const Kernels& kernels();
/// Those for a product of so many columns: a narrower machine's where half of a vector would stand empty.
const Kernels& kernels_for(Index columns);

}  // namespace attn::vectors
