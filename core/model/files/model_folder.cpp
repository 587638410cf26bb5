// Recognises what a folder contains, and reads the files of this program's own models.
#include <fmt/format.h>

#include <system_error>

#include "core/io/files.h"
#include "core/io/safe_text.h"
#include "core/model/files/model_files.h"
#include "core/model/folder_names.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::string_view kAdapterConfig = "adapter_config.json", kSnapshots = "snapshots";
constexpr std::size_t kMostVocabularyBytes = std::size_t{16} << 20, kMostTensorBytes = std::size_t{256} << 20;

bool is_there(const std::filesystem::path& path) {
    std::error_code problem;
    return std::filesystem::exists(path, problem);
}

/// A low-rank adapter (LoRA) only has additions to the weights of another model.
Error is_an_adapter(const std::filesystem::path& folder, const std::string& where) {
    std::string base = "the model that it was made for";
    if (const auto bytes = read_file(folder / kAdapterConfig, kMostConfigBytes))
        if (const auto root = parse_json(*bytes))
            if (const JsonValue* named = root->find("base_model_name_or_path"); named && named->kind == JsonKind::String && !named->string.empty())
                base = visible(named->string);
    return {fmt::format("this is an adapter, which has only what is added to the weights of {}; merge the two (merge_and_unload of PEFT), "
                        "save the result with its tokenizer, and open that", base),
            where + "/" + std::string(kAdapterConfig), "", 0};
}

}  // namespace

Result<Done> check_model_folder(const std::filesystem::path& folder, const std::string& where) {
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem))
        return Error{
            "there is no such folder, and no model of that name; `attenscope list models` lists the included ones",
            where, "", 0};
    for (const std::string_view file : kWeightFiles)
        if (is_there(folder / file)) return Done{};
    if (is_there(folder / kAdapterConfig)) return is_an_adapter(folder, where);
    for (const auto* pickle : {"pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "model.pth", "model.bin"})
        if (is_there(folder / pickle))
            return Error{"pickle can run code, so it is never opened; convert the weights to safetensors",
                         where + "/" + pickle, "", 0};
    if (is_there(folder / kConfigFile))
        return Error{fmt::format("there are no weights beside {}; {} or {} is expected, so download the whole folder", kConfigFile, kTensorFile, kShardIndex),
                     where, "", 0};
    if (std::filesystem::is_directory(folder / kSnapshots, problem))
        return Error{"this folder of the hub's cache has no revision, or several and no refs/main that says which; name one of the folders in it",
                     where + "/" + std::string(kSnapshots), "", 0};
    return Done{};
}

std::filesystem::path snapshot_of(const std::filesystem::path& folder) {
    constexpr std::size_t kMostName = 256;
    std::error_code problem;
    const std::filesystem::path all = folder / kSnapshots;
    if (is_there(folder / kConfigFile) || !std::filesystem::is_directory(all, problem)) return folder;
    if (auto name = read_file(folder / "refs" / "main", kMostName)) {
        while (!name->empty() && (name->back() == '\n' || name->back() == '\r')) name->pop_back();
        const bool plain = !name->empty() && name->find_first_of("/\\") == name->npos && !name->starts_with(".");
        if (plain && std::filesystem::is_directory(all / *name, problem)) return all / *name;
    }
    std::vector<std::filesystem::path> there;
    for (std::filesystem::directory_iterator at(all, problem), end; !problem && at != end; at.increment(problem))
        if (at->is_directory(problem)) there.push_back(at->path());
    return there.size() == 1 ? there.front() : folder;
}

Result<ModelFiles> read_model_folder(const std::filesystem::path& folder, std::string name) {
    ModelFiles out;
    out.name = std::move(name);
    out.where = visible_text(folder.string());
    if (auto sound = check_model_folder(folder, out.where); !sound) return sound.error();
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

}  // namespace attn
