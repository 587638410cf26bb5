// Any bytes as .npy. Oracle: what was read is written, read again, and must be the same array bit for bit.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/io/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto array = attn::read_npy({reinterpret_cast<const char*>(data), size});
    if (!array) return 0;
    static_cast<void>(attn::matrix_from_npy(*array, "X"));
    const auto again = attn::read_npy(attn::npy_bytes(array->shape, array->values));
    const bool same = again.ok() && again->shape == array->shape && again->values.size() == array->values.size() &&
                      (array->values.empty() || std::memcmp(again->values.data(), array->values.data(),
                                                            array->values.size() * sizeof(float)) == 0);
    if (!same) std::abort();
    return 0;
}
