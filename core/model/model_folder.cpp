// Where models are looked for: those that come along by their id, others by their folder; and what kind a folder holds.
#include <fmt/format.h>

#include <system_error>

#include "core/io/files.h"
#include "core/io/safe_text.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"
#include "core/text/unicode.h"
#include "core/train/untrained.h"

namespace attn {
namespace {

constexpr std::size_t kMostVocabularyBytes = std::size_t{16} << 20, kMostTensorBytes = std::size_t{256} << 20;

bool is_there(const std::filesystem::path& path) {
    std::error_code problem;
    return std::filesystem::exists(path, problem);
}

/// What a folder of a model must have: it is there, and its weights are.
Result<Done> check_folder(const std::filesystem::path& folder, const std::string& where) {
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem))
        return Error{
            "there is no such folder, and no model of that name; `attenscope list models` names those that come along",
            where, "", 0};
    if (is_there(folder / kTensorFile) || is_there(folder / kShardIndex)) return Done{};
    for (const auto* pickle : {"pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth", "model.bin"})
        if (is_there(folder / pickle))
            return Error{"pickle can run code, so it is never opened; convert the weights to safetensors",
                         where + "/" + pickle, "", 0};
    return Done{};
}

/// model_type of config.json; of a file that is not sound nothing, so that who reads it can say why.
std::string family_of(const std::filesystem::path& folder) {
    const auto bytes = read_file(folder / kConfigFile, kMostConfigBytes);
    if (!bytes) return {};
    const auto root = parse_json(*bytes);
    const JsonValue* type = root ? root->find("model_type") : nullptr;
    return type && type->kind == JsonKind::String ? type->string : std::string();
}

}  // namespace

Result<ModelFiles> read_model_folder(const std::filesystem::path& folder, std::string name) {
    ModelFiles out;
    out.name = std::move(name);
    out.where = visible_text(folder.native());
    if (auto sound = check_folder(folder, out.where); !sound) return sound.error();
    if (!is_there(folder / kVocabularyFile) && is_there(folder / kTokenizerFile)) out.vocabulary_name = kTokenizerFile;
    const auto take = [&](std::string_view file, std::size_t most, std::string& into) -> Result<Done> {
        auto bytes = read_file(folder / file, most);
        if (!bytes) return bytes.error();
        into = std::move(*bytes);
        return Done{};
    };
    if (auto done = take(kConfigFile, kMostConfigBytes, out.config); !done) return done.error();
    if (auto done = take(out.vocabulary_name, kMostVocabularyBytes, out.vocabulary); !done) return done.error();
    if (auto done = take(kTensorFile, kMostTensorBytes, out.tensors); !done) return done.error();
    return out;
}

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
    std::filesystem::path folder(name);
    if (folder.is_relative()) folder = (places.base.empty() ? std::filesystem::current_path() : places.base) / folder;
    folder = std::filesystem::absolute(folder).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    if (auto sound = check_folder(folder, visible_text(folder.native())); !sound) return sound.error();
    if (const std::string family = family_of(folder); !family.empty() && family != kOwnFamily)
        return read_checkpoint(folder, folder.string());
    auto files = read_model_folder(folder, folder.string());
    if (!files) return files.error();
    return read_model(*files);
}

}  // namespace attn
