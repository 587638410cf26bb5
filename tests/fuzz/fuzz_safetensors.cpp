// Any bytes as a safetensors file. Oracle: an error says what is wrong; the tensors of a file that is read fill its bytes
// one behind the other, and what is read of each is as many numbers as its shape says.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/io/safetensors.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto file = attn::TensorFile::in_memory({reinterpret_cast<const char*>(data), size}, "bytes");
    if (!file) {
        require(!file.error().message.empty());
        return 0;
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
    require(file->header().data_begin + end == size);
    return 0;
}
