// Models by name: shipped ones by id, others by folder.
#include <fmt/format.h>

#include "core/io/files.h"
#include "core/io/safe_text.h"
#include "core/model/checkpoint/source.h"
#include "core/model/files/model_files.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"
#include "core/model/named.h"
#include "core/text/unicode.h"
#include "core/train/untrained.h"

namespace attn {
namespace {

/// model_type of config.json; empty for a malformed file, so that its reader can report the error.
std::string family_of(const std::filesystem::path& folder) {
    const auto bytes = read_file(folder / kConfigFile, kMostConfigBytes);
    if (!bytes) return {};
    const auto root = parse_json(*bytes);
    const JsonValue* type = root ? root->find("model_type") : nullptr;
    return type && type->kind == JsonKind::String ? type->string : std::string();
}

}  // namespace

Result<ModelPtr> find_model(std::string_view name, const ModelPlaces& places) {
    if (ModelPtr model = shipped_model(name)) return model;
    if (name.ends_with(train::kUntrained)) {
        const auto trained = find_model(name.substr(0, name.size() - train::kUntrained.size()), places);
        if (trained) return train::untrained(**trained);
    }
    if (!places.folders) {
        std::string ids;
        for (const std::string_view id : shipped_ids()) ids.append(ids.empty() ? "" : ", ").append(id);
        return Error{
            fmt::format(
                "there is no shipped model \"{}\" ({}), and a folder is read where a document of one's own names it",
                visible(name), ids),
            "", "", 0};
    }
    // One of two models in a folder: "clip#text". A folder of that very name comes first.
    std::string_view tower;
    std::error_code problem;
    const std::filesystem::path base = places.base.empty() ? std::filesystem::current_path(problem) : places.base;
    if (const std::size_t mark = name.rfind('#'); mark != name.npos && !std::filesystem::exists(base / name, problem)) {
        tower = name.substr(mark + 1);
        name = name.substr(0, mark);
    }
    std::filesystem::path folder(name);
    if (folder.is_relative()) folder = base / folder;
    folder = std::filesystem::absolute(folder).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    folder = snapshot_of(folder);
    if (auto sound = check_model_folder(folder, visible_text(folder.string())); !sound) return sound.error();
    if (const std::string family = family_of(folder); !family.empty() && family != kOwnFamily)
        return read_checkpoint(folder, folder.string() + (tower.empty() ? "" : "#" + std::string(tower)), tower);
    auto files = read_model_folder(folder, folder.string());
    if (!files) return files.error();
    return read_model(*files);
}

}  // namespace attn
