// Any bytes as a safetensors file. Oracle: an error says what is wrong; the tensors of a file that is read fill its
// bytes one after the other, and each yields as many numbers as its shape says.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/io/safetensors.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check(std::string_view bytes) {
    const auto file = attn::TensorFile::in_memory(bytes, "bytes");
    if (!file) {
        require(!file.error().message.empty());
        return;
    }
    std::uint64_t end = 0;
    for (const attn::TensorPlace& place : file->header().tensors) {
        require(place.begin == end && place.end >= place.begin);
        end = place.end;
        require(file->header().find(place.name) != nullptr);
        const auto numbers = file->read(place);
        require(numbers ? numbers->values.size() == place.count() : !numbers.error().message.empty());
        const auto matrix = file->matrix(place.name);
        if (numbers && matrix) require(static_cast<std::uint64_t>(matrix->size()) == place.count());
        if (numbers && place.count() > 0) {
            const auto last = file->read_part(place, place.count() - 1, 1);
            require(last && last->size() == 1);
        }
    }
    require(file->header().data_begin + end == bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    check(bytes);
    // Also behind a correct header length, which random bytes rarely contain.
    std::string whole;
    for (int i = 0; i < 8; ++i) whole += static_cast<char>(static_cast<std::uint64_t>(bytes.rfind('}') + 1) >> (8 * i) & 255U);
    check(whole + bytes);
    return 0;
}
