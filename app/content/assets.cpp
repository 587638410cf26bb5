#include "app/content/assets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace app {
namespace {

namespace fs = std::filesystem;

/// Whether it is relative and stays below its root: a chapter may name a file, but must not reach outside the folder.
bool stays_inside(const fs::path& path) {
    if (path.empty() || path.is_absolute()) return false;
    return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

attn::Result<std::string> read_embedded(std::string_view path) {
    const auto files = embedded_files();
    const auto found =
        std::lower_bound(files.begin(), files.end(), path, [](const EmbeddedFile& f, auto p) { return f.path < p; });
    if (found == files.end() || found->path != path)
        return attn::Error{"there is no such built-in file", std::string(path), {}, 0};
    return std::string(found->text);
}

attn::Result<std::string> read_disk(const fs::path& file) {
    std::error_code code;
    if (!fs::is_regular_file(file, code)) return attn::Error{"there is no such file", file.string(), {}, 0};
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.good() && !in.eof()) return attn::Error{"the file cannot be read", file.string(), {}, 0};
    return text;
}

std::vector<std::string> list_disk(const fs::path& root, std::string_view prefix) {
    const fs::path folder = root / fs::path(prefix).parent_path();
    std::vector<std::string> out;
    std::error_code code;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code);
    for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
        std::error_code ignored;
        if (!at->is_regular_file(ignored)) continue;
        std::string path = at->path().lexically_relative(root).generic_string();
        if (path.starts_with(prefix)) out.push_back(std::move(path));
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

attn::Result<std::string> Assets::read(std::string_view path) const {
    if (!on_disk()) return read_embedded(path);
    if (!stays_inside(fs::path(path)))
        return attn::Error{"the path leaves the assets folder", std::string(path), {}, 0};
    return read_disk(fs::path(dir_) / path);
}

std::vector<std::string> Assets::list(std::string_view prefix) const {
    if (on_disk()) {
        if (!prefix.empty() && !stays_inside(fs::path(prefix))) return {};
        return list_disk(fs::path(dir_), prefix);
    }
    std::vector<std::string> out;
    for (const EmbeddedFile& file : embedded_files())
        if (file.path.starts_with(prefix)) out.emplace_back(file.path);
    return out;
}

}  // namespace app
