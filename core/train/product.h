#pragma once
// The product inside a training step: the engine's tiles (core/kernels/vector_kernels.h), with a preallocated result,
// and either operand transposed.

#include <cstddef>

namespace attn::train {

/// Element (r, c) is at data[r · row + c · col].
struct Operand {
    const float* data;
    std::ptrdiff_t row, col;
};

/// out (rows × cols, row-major) = A (rows × inner) · B (inner × cols): each cell is a chain of fused multiply-adds in
/// the order of the inner index, so that the result does not depend on the processor or on the cell's place. `room`: a
/// buffer of product_room() numbers.
void product_into(std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t inner, Operand a, Operand b, float* out, float* room);
std::size_t product_room(std::ptrdiff_t inner);

}  // namespace attn::train
