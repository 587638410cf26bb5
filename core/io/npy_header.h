#pragma once
// The header of a .npy file. Internal to npy.cpp.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace attn {

inline Error npy_error(std::string message) { return {std::move(message), {}, {}, 0}; }

struct NpyHeader {
    std::string dtype;  ///< "<f4"
    char byte_order = '<';
    char kind = 'f';  ///< f, i, u, b; for texts U, S
    std::size_t item_bytes = 4;
    bool fortran_order = false;
    std::vector<std::size_t> shape;
    std::size_t data_offset = 0;  ///< where the numbers begin in the file
};

/// What the array is expected to hold.
enum class NpyItems : unsigned char { Numbers, Texts };

/// Reads magic, version, header length and the header's dictionary by hand, as data: nothing is ever evaluated.
Result<NpyHeader> read_npy_header(std::string_view bytes, NpyItems wanted = NpyItems::Numbers);

}  // namespace attn
