#pragma once
// Where the program may store files: the folders of the XDG Base Directory Specification.

#include <filesystem>
#include <functional>

#include "core/base/result.h"

namespace app {

/// Our own folder in each place. If a path is empty, nothing is read or written there.
struct Folders {
    std::filesystem::path config;  ///< settings
    std::filesystem::path state;   ///< the last document
    std::filesystem::path data;    ///< documents
    std::filesystem::path cache;   ///< what can be recomputed

    bool operator==(const Folders&) const = default;
};

/// The value of an environment variable, or null.
using Environment = std::function<const char*(const char* name)>;

/// $XDG_CONFIG_HOME/attenscope and so on. An empty or relative value counts as not set (so the specification); then it
/// is the usual folder below $HOME. Without a usable $HOME the path stays empty. Touches no file.
Folders find_folders(const Environment& environment);
/// The folders of this process.
Folders system_folders();

/// Creates a folder of ours and its parents, for the user alone (0700). The error names the obstacle: a file in a
/// folder's place, a loop of links, a read-only disk.
attn::Result<attn::Done> make_folder(const std::filesystem::path& folder);

}  // namespace app
