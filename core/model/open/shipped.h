#pragma once
// The files of the shipped models, embedded at build time (app/content/embed.cmake). Read by shipped_models().

#include <span>
#include <string_view>

namespace attn {

struct ShippedFile {
    std::string_view path;  ///< "assets/models/questions/config.json"
    std::string_view text;
};
/// Ordered by path. Generated at build time.
std::span<const ShippedFile> shipped_files();

}  // namespace attn
