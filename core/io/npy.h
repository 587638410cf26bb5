#pragma once
// NumPy's .npy format, version 1.0 to 3.0: numpy/lib/format.py describes it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/result.h"

namespace attn {

/// An array of any rank, converted to float32 in C order (last index fastest).
struct NpyArray {
    std::vector<std::size_t> shape;  ///< empty: one number, rank 0
    std::vector<float> values;       ///< as many as the product of the shape
    std::string dtype;               ///< as the file names it: "<f8"
    std::size_t rounded = 0;         ///< how many values float32 could not hold exactly (f8, i4 … only)
};

/// An array as the bytes of a .npy file: version 1.0, "<f4", C order. `values` has the product of `shape` numbers. The
/// same values give the same bytes on every machine.
std::string npy_bytes(std::span<const std::size_t> shape, std::span<const float> values);

/// A matrix as a .npy file of shape (rows, columns).
std::string npy_bytes(const Matrix& matrix);

/// Reads floats of 2, 4, 8 bytes, bfloat16 ("|V2", as ml_dtypes and JAX save it), signed and unsigned integers of 1 to
/// 8 bytes, and booleans, in either byte order, in C or Fortran order. Refused, each with its own message: wrong magic
/// or version; a header over 10 000 bytes (before it is read), or one that is not the three-key dictionary; Python
/// objects, text, complex and structured types; a shape whose product overflows or does not match the bytes that
/// follow.
Result<NpyArray> read_npy(std::string_view bytes);

/// A list of texts (types U and S, rank 1; NumPy's trailing padding dropped), in UTF-8. Refuses what read_npy refuses,
/// and bytes that are not text.
Result<std::vector<std::string>> read_npy_texts(std::string_view bytes);

/// Rank 2 as it is, rank 1 as one row, rank 0 as 1×1; others and empty ones are refused. `name` names it in errors.
Result<Matrix> matrix_from_npy(const NpyArray& array, std::string_view name);

}  // namespace attn
