#pragma once
// The texts that the program contains: shaders, chapters, tables. They are built in (embed.cmake); if a folder is
// given, they are read from there instead, so that they can be edited while the program runs.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace app {

struct EmbeddedFile {
    std::string_view path;  // relative to the source root, with '/': "shaders/heatmap.frag"
    std::string_view text;
};

/// Every built-in file, ordered by path. Generated at build time.
std::span<const EmbeddedFile> embedded_files();

class Assets {
public:
    /// `dir` has the same tree as the source root ("shaders/…", "assets/…"); empty: the built-in files.
    explicit Assets(std::string dir = {}) : dir_(std::move(dir)) {}

    /// The text of a file. Error: it does not exist, cannot be read, or `path` leaves the folder.
    attn::Result<std::string> read(std::string_view path) const;

    /// The paths that start with `prefix` ("assets/chapters/"), ordered. On disk only the prefix's folder and its
    /// subfolders are searched; links are not followed.
    std::vector<std::string> list(std::string_view prefix) const;

    bool on_disk() const { return !dir_.empty(); }

private:
    std::string dir_;
};

}  // namespace app
