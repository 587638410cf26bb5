#pragma once
// What decode_picture() is made of, one format a file.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/picture/picture.h"

namespace attn {

inline constexpr std::string_view kJpegMagic = "\xFF\xD8\xFF";

/// Baseline and progressive files, grey, in colours and in inks, upright as EXIF says it.
Result<Picture> decode_jpeg(std::string_view bytes);

/// 1 to 8, as EXIF counts the eight ways that a picture may lie; 1, as it is, where nothing sound is said. `segment`: what
/// an APP1 segment of a JPEG holds.
int exif_orientation(std::string_view segment);

/// Why so many pixels are not read, where they are too many or none. Asked before memory is taken for them.
std::optional<Error> refuse_size(std::int64_t width, std::int64_t height);

}  // namespace attn
