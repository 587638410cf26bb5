// Any bytes as a picture. Oracle: a decoded picture has as many numbers as its size says, stays within the limit, and
// decodes the same again; a refusal says why.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/model/picture/picture.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

/// Pixels of a picture that is checked further: larger ones cost time and reach no other code path.
constexpr std::int64_t kMostLookedAt = 1'000'000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto picture = attn::decode_picture(bytes);
    if (!picture) {
        require(!picture.error().message.empty());
        return 0;
    }
    const std::int64_t pixels = std::int64_t{picture->width} * picture->height;
    require(picture->width > 0 && picture->height > 0 && pixels <= attn::kMostPicturePixels);
    require(picture->rgb.size() == static_cast<std::size_t>(pixels) * 3);
    if (pixels > kMostLookedAt) return 0;
    const auto again = attn::decode_picture(bytes);
    require(again && *again == *picture);
    const attn::Picture small = attn::resized(*picture, 4, 3);
    require(small.rgb.size() == 36);
    return 0;
}
