#pragma once
// The picture that a document names: the input of a picture model, instead of a text.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/model/named.h"
#include "core/model/picture/picture.h"

namespace attn {

struct GivenPicture {
    std::string name;  ///< the file, as the document names it
    Picture picture;
    std::uint64_t fingerprint = 0;  ///< of the file's bytes

    bool operator==(const GivenPicture& other) const { return name == other.name && fingerprint == other.fingerprint; }
};
using GivenPicturePtr = std::shared_ptr<const GivenPicture>;

/// Reads a file; a relative name is resolved in places.base, and the document stores the absolute name. Errors name the
/// file: anything that decode_picture() refuses, and files that may not be opened.
Result<GivenPicturePtr> find_picture(std::string_view name, const ModelPlaces& places);
/// Whether a file with this name is opened as a picture.
bool is_picture_name(std::string_view name);

}  // namespace attn
