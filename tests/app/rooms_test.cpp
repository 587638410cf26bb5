// The architecture in terms of includes: a folder includes those below it, never one above, and no two include each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "places.h"

namespace {

namespace fs = std::filesystem;

/// From the bottom up: a folder may include those before it.
const std::vector<std::string> kFloors = {
    "core/base", "core/windows", "core/windows/include", "core/windows/include/sys", "core/text", "core/io", "core/tokenizers", "core/kernels",
    "core/trace", "core/ops", "core/remake", "core/gradient", "core/model/picture", "core/model", "core/model/attention_file",
    "core/attention", "core/attention/parts", "core/attention/forms", "core/document", "core/model/checkpoint", "core/model/files",
    "core/analysis", "core/train", "core/train/shipped", "core/train/tasks", "core/model/open",
    "app/draw", "app/gfx", "app/content", "app/timeline", "app/ui", "app/chapters/format", "app/export", "app/explain", "app/layout", "app/layout/flow", "app/state",
    "app/frame", "app/screens/stage", "app/screens/flow", "app/screens/heads", "app/screens/compare", "app/screens/prediction",
    "app/screens/experiments", "app/screens/training", "app/screens/opening", "app/screens/home", "app/chapters", "app/panels", "app/shell", "app/shell/web", "app/shell/windows", "app/shell/macos", "app/shell/no_egl", "app/cli", "app/packaging/windows", "app/python", "app"};

using Arrow = std::pair<std::string, std::string>;

struct Include {
    std::string file, included;
};

std::string folder_of(const std::string& path) { return fs::path(path).parent_path().generic_string(); }

std::map<Arrow, std::vector<Include>> arrows() {
    const fs::path root = ATTN_SOURCE_DIR;
    std::map<Arrow, std::vector<Include>> out;
    for (const char* top : {"core", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string ext = entry.path().extension().string();
            if (ext != ".cpp" && ext != ".h" && ext != ".inc") continue;
            const std::string file = fs::relative(entry.path(), root).generic_string();
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);) {
                constexpr std::string_view kInclude = "#include \"";
                if (!line.starts_with(kInclude)) continue;
                const std::string included = line.substr(kInclude.size(), line.find('"', kInclude.size()) - kInclude.size());
                if (!fs::exists(root / included)) continue;  // of a library, or generated
                const Arrow arrow{folder_of(file), folder_of(included)};
                if (arrow.first != arrow.second) out[arrow].push_back({file, included});
            }
        }
    return out;
}

std::size_t floor_of(const std::string& folder) {
    return static_cast<std::size_t>(std::find(kFloors.begin(), kFloors.end(), folder) - kFloors.begin());
}

bool is_screen(const std::string& folder) { return folder.starts_with("app/screens/"); }

/// What tests/core/io_files_test.cpp tests of the writer, with each of its calls failing, then holds for every file that is
/// written.
TEST(Rooms, OnlyOneFileWrites) {
    const fs::path root = ATTN_SOURCE_DIR;
    // Setting a broken document aside is a rename, not a write. (core/windows/posix.cpp implements the writer's calls on
    // Windows.)
    const std::set<std::string> allowed = {"core/io/write_file.cpp", "app/shell/session.cpp", "core/windows/posix.cpp"};
    std::set<std::string> found;
    for (const char* top : {"core", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string file = fs::relative(entry.path(), root).generic_string();
            if (!file.ends_with(".cpp") && !file.ends_with(".h")) continue;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                for (const std::string_view way : {"ofstream", "std::fopen(", " fopen(", "O_WRONLY", "O_RDWR", "O_CREAT", "fs::rename(", "filesystem::rename(", "copy_file("})
                    if (line.find(way) != std::string::npos) found.insert(file);
        }
    EXPECT_EQ(found, allowed);
}

constexpr std::string_view kSystems[] = {"core/windows/", "app/shell/web/", "app/shell/windows/", "app/shell/macos/"};

/// Every system has its files in its own folders (page.cmake, windows.cmake, macos.cmake); and where file names are wide strings, what the
/// C++ library calls native is not a text to show.
TEST(Rooms, SystemsAreUsedOnlyInTheirOwnFolders) {
    const fs::path root = ATTN_SOURCE_DIR;
    std::set<std::string> found;
    for (const char* top : {"core", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
            const std::string file = fs::relative(entry.path(), root).generic_string();
            if (!file.ends_with(".cpp") && !file.ends_with(".h")) continue;
            if (std::ranges::any_of(kSystems, [&](std::string_view folder) { return file.starts_with(folder); })) continue;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                for (const std::string_view way : {"_WIN32", "__MINGW", "__EMSCRIPTEN__", "__APPLE__", ".native()"})
                    if (line.find(way) != std::string::npos) found.insert(file + ": " + line);
        }
    EXPECT_EQ(found, std::set<std::string>());
}

TEST(Rooms, EveryFolderHasAPlaceInTheOrder) {
    for (const auto& [arrow, includes] : arrows())
        for (const std::string& folder : {arrow.first, arrow.second})
            EXPECT_LT(floor_of(folder), kFloors.size()) << folder << " is not among the floors, and " << includes.front().file << " needs it";
}

/// So no two folders include each other, either.
TEST(Rooms, NoFolderIncludesOneAboveIt) {
    for (const auto& [arrow, includes] : arrows()) {
        const bool up = floor_of(arrow.first) <= floor_of(arrow.second), between_screens = is_screen(arrow.first) && is_screen(arrow.second);
        EXPECT_FALSE(up || between_screens) << arrow.first << " includes " << arrow.second << ", which is above it or a screen beside it: "
                                            << includes.front().file << " includes " << includes.front().included;
    }
}

}  // namespace
