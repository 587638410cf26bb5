#include "core/model/given_picture.h"

#include "core/base/random.h"
#include "core/io/files.h"
#include "core/io/safe_text.h"

namespace attn {
namespace {

constexpr std::size_t kMostPictureBytes = std::size_t{64} << 20;

}  // namespace

Result<GivenPicturePtr> find_picture(std::string_view name, const ModelPlaces& places) {
    if (!places.folders)
        return Error{"a picture is a file of one's own: it is read where a document of one's own names it, not from a link", "", "", 0};
    std::filesystem::path file(name);
    if (file.is_relative()) file = (places.base.empty() ? std::filesystem::current_path() : places.base) / file;
    file = std::filesystem::absolute(file).lexically_normal();
    const auto bytes = read_file(file, kMostPictureBytes);
    if (!bytes) return bytes.error();
    auto picture = decode_picture(*bytes);
    if (!picture) return Error{picture.error().message, visible_text(file.string()), "", 0};
    return std::make_shared<const GivenPicture>(GivenPicture{file.string(), std::move(*picture), hash_bytes(*bytes)});
}

bool is_picture_name(std::string_view name) {
    for (const std::string_view end : {".png", ".PNG", ".jpg", ".jpeg", ".JPG", ".JPEG", ".gif", ".webp", ".bmp"})
        if (name.ends_with(end)) return true;
    return false;
}

}  // namespace attn
