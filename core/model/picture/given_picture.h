#pragma once
// The picture that a document names: what a model of pictures looks at in place of a text.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/document/document.h"
#include "core/model/picture/picture.h"

namespace attn {

struct GivenPicture {
    std::string name;  ///< the file, as a document says it
    Picture picture;
    std::uint64_t fingerprint = 0;  ///< of the file's bytes

    bool operator==(const GivenPicture& other) const { return name == other.name && fingerprint == other.fingerprint; }
};
using GivenPicturePtr = std::shared_ptr<const GivenPicture>;

/// From a file; a relative name is looked for in places.base, and the document's name of it is absolute. Errors name the
/// file: whatever decode_picture() refuses, and files that may not be opened.
Result<GivenPicturePtr> find_picture(std::string_view name, const ModelPlaces& places);
/// Whether a file by this name is opened as a picture.
bool is_picture_name(std::string_view name);

/// The document's rows are patches of its picture: its model is one of pictures, and vectors come from it.
bool shows_picture(const Document& document);
/// Nothing but a picture is missing.
bool wants_picture(const Document& document);
/// What a document with a model of pictures is told that has no picture yet.
inline constexpr std::string_view kPictureWanted =
    "this model looks at a picture, and none is named; add --picture FILE.png, or \"picture\" to the document";

}  // namespace attn
