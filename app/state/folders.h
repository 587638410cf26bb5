#pragma once
// Where the program may keep things: the folders of the XDG Base Directory Specification.

#include <filesystem>
#include <functional>

#include "core/base/result.h"

namespace app {

/// Our own folder in each place. An empty path: there is no such place, and nothing is read or written there.
struct Folders {
    std::filesystem::path config;  ///< settings
    std::filesystem::path state;   ///< the last document
    std::filesystem::path data;    ///< documents
    std::filesystem::path cache;   ///< what can be made again

    bool operator==(const Folders&) const = default;
};

/// The value of an environment variable, or null.
using Environment = std::function<const char*(const char* name)>;

/// $XDG_CONFIG_HOME/attenscope and so on; an empty or relative value counts as not set (so the specification), and
/// then it is the usual folder below $HOME. Without a usable $HOME either the path stays empty. Touches no file.
Folders find_folders(const Environment& environment);
/// Of this process.
Folders system_folders();

/// Makes a folder of ours and the ones above it, for the user alone (0700). The error says what is in the way: a file
/// in a folder's place, links in a circle, a read-only disk.
attn::Result<attn::Done> make_folder(const std::filesystem::path& folder);

}  // namespace app
