#include "core/tokenizers/tokenizer_folder.h"

#include <array>

#include "core/io/files.h"
#include "core/io/safe_text.h"

namespace attn {

namespace {

constexpr std::size_t kMostOfAFile = std::size_t{128} << 20;  // bytes

struct NamedFile {
    std::string_view name;
    std::string TokenizerFiles::*into;
};
/// Alternative names of SentencePiece models are tried in this order: the first that exists is taken.
constexpr std::array kTokenizerFileNames = {
    NamedFile{"tokenizer.json", &TokenizerFiles::tokenizer_json},
    NamedFile{"tokenizer_config.json", &TokenizerFiles::tokenizer_config},
    NamedFile{"special_tokens_map.json", &TokenizerFiles::special_tokens},
    NamedFile{"added_tokens.json", &TokenizerFiles::added_tokens},
    NamedFile{"config.json", &TokenizerFiles::config},
    NamedFile{"vocab.json", &TokenizerFiles::vocab_json},
    NamedFile{"merges.txt", &TokenizerFiles::merges},
    NamedFile{"vocab.txt", &TokenizerFiles::vocab_txt},
    NamedFile{"tokenizer.model", &TokenizerFiles::sentencepiece},
    NamedFile{"spiece.model", &TokenizerFiles::sentencepiece},
    NamedFile{"sentencepiece.bpe.model", &TokenizerFiles::sentencepiece},
    NamedFile{"source.spm", &TokenizerFiles::sentencepiece},
};

}  // namespace

Result<TokenizerFiles> gather_tokenizer_files(std::string where, const std::function<bool(std::string_view)>& there,
                                              const std::function<Result<std::string>(std::string_view)>& bytes_of) {
    TokenizerFiles out;
    out.where = std::move(where);
    for (const NamedFile& file : kTokenizerFileNames) {
        if (!(out.*file.into).empty() || !there(file.name)) continue;
        auto bytes = bytes_of(file.name);
        if (!bytes) return bytes.error();
        out.*file.into = std::move(*bytes);
    }
    return out;
}

Result<TokenizerFiles> read_tokenizer_files(const std::filesystem::path& folder) {
    std::string where = visible_text(folder.string());
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem)) return Error{"there is no such folder", where, "", 0};
    return gather_tokenizer_files(
        std::move(where), [&](std::string_view name) { return std::filesystem::exists(folder / name, problem); },
        [&](std::string_view name) { return read_file(folder / name, kMostOfAFile); });
}

Result<std::shared_ptr<const TokenizerModel>> read_tokenizer_folder(const std::filesystem::path& folder) {
    const auto files = read_tokenizer_files(folder);
    if (!files) return files.error();
    return read_tokenizer(*files);
}

}  // namespace attn
