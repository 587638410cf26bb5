#include "app/state/folders.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "core/io/safe_text.h"

namespace app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOurFolder = "attenscope";

/// An absolute path from a variable; empty where it is not set or not absolute.
fs::path absolute_from(const Environment& environment, const char* name) {
    const char* value = environment(name);
    fs::path path = value ? value : "";
    return path.is_absolute() ? path : fs::path();
}

fs::path folder_in(const Environment& environment, const char* name, const char* below_home) {
    if (const fs::path base = absolute_from(environment, name); !base.empty()) return base / kOurFolder;
    const fs::path home = absolute_from(environment, "HOME");
    return home.empty() ? fs::path() : home / below_home / kOurFolder;
}

attn::Error cannot_make(const fs::path& folder, int reason) {
    const std::string why = reason == ENOTDIR || reason == EEXIST ? "something that is not a folder is in its place"
                                                                  : std::generic_category().message(reason);
    return {fmt::format("the folder cannot be made ({})", why), attn::visible_text(folder.string()), {}, 0};
}

/// 0, or an errno. Follows links: a settings folder may well be one.
int make_one(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0700) == 0) return 0;
    const int failed = errno;
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0) return failed == EEXIST ? errno : failed;
    return S_ISDIR(info.st_mode) ? 0 : ENOTDIR;
}

}  // namespace

Folders find_folders(const Environment& environment) {
    return {
        folder_in(environment, "XDG_CONFIG_HOME", ".config"), folder_in(environment, "XDG_STATE_HOME", ".local/state"),
        folder_in(environment, "XDG_DATA_HOME", ".local/share"), folder_in(environment, "XDG_CACHE_HOME", ".cache")};
}

Folders system_folders() {
    return find_folders([](const char* name) -> const char* { return std::getenv(name); });
}

attn::Result<attn::Done> make_folder(const fs::path& folder) {
    if (folder.empty()) return attn::Error{"there is no folder to save in: HOME is not set", {}, {}, 0};
    fs::path whole;
    int failed = 0;
    for (const fs::path& part : folder) {
        whole /= part;
        failed = make_one(whole);
        // A parent folder that exists but cannot be created or inspected may still be traversed.
        if (failed == ENOTDIR || failed == ELOOP) break;
    }
    if (failed != 0) return cannot_make(folder, failed);
    return attn::Done{};
}

}  // namespace app
