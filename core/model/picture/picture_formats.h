#pragma once
// The parts of decode_picture(), one format per file.

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/picture/picture.h"

namespace attn {

inline constexpr std::string_view kJpegMagic = "\xFF\xD8\xFF";

/// Baseline and progressive files, grey, colour or CMYK, rotated upright by EXIF.
Result<Picture> decode_jpeg(std::string_view bytes);

/// The EXIF orientation, 1 to 8; 1 (unchanged) if there is no valid one. `segment`: the content of an APP1 segment of a
/// JPEG.
int exif_orientation(std::string_view segment);

/// An error if a picture of this size has no pixels or too many. Checked before memory is allocated.
std::optional<Error> refuse_size(std::int64_t width, std::int64_t height);

}  // namespace attn
