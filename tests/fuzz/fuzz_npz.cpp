// Any bytes as .npz. Oracle: the arrays read are packed with and without compression, read again, and must be the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/npz.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check(std::string_view archive) {
    constexpr attn::NpzLimits kLimits{.max_files = 64, .max_unpacked = std::size_t{1} << 20};
    const auto npz = attn::read_npz(archive, kLimits);
    if (!npz || npz->arrays.empty()) return;
    std::vector<attn::NpzFile> files;
    for (const attn::NpzArray& item : npz->arrays)
        files.push_back({item.name + ".npy", attn::npy_bytes(item.array.shape, item.array.values)});
    for (const attn::NpzPacking packing : {attn::NpzPacking::Stored, attn::NpzPacking::Deflated}) {
        const auto bytes = attn::npz_bytes(files, packing);
        require(bytes.ok());
        const auto again = attn::read_npz(*bytes);
        require(again.ok() && again->arrays.size() == npz->arrays.size());
        for (std::size_t i = 0; i < files.size(); ++i) {
            const auto& before = npz->arrays[i];
            const auto& after = again->arrays[i];
            require(before.name == after.name && before.array.shape == after.array.shape);
            require(before.array.values.size() == after.array.values.size());
            require(before.array.values.empty() || std::memcmp(before.array.values.data(), after.array.values.data(),
                                                               before.array.values.size() * sizeof(float)) == 0);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    check(bytes);
    // Also as an array in a valid archive: random bytes rarely match an archive's checksums.
    const attn::NpzFile file{"a.npy", bytes};
    const auto packed = attn::npz_bytes({&file, 1}, attn::NpzPacking::Deflated);
    require(packed.ok());
    check(*packed);
    return 0;
}
