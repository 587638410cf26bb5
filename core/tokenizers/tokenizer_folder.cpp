#include "core/tokenizers/tokenizer_folder.h"

#include <array>

#include "core/io/files.h"
#include "core/io/safe_text.h"

namespace attn {

namespace {

constexpr std::size_t kMostOfAFile = std::size_t{128} << 20;  // bytes

struct NamedFile {
    const char* name;
    std::string TokenizerFiles::*into;
};
/// The names that SentencePiece models have are tried in this order: the first that is there is taken.
constexpr std::array kTokenizerFileNames = {
    NamedFile{"tokenizer.json", &TokenizerFiles::tokenizer_json},
    NamedFile{"tokenizer_config.json", &TokenizerFiles::tokenizer_config},
    NamedFile{"vocab.json", &TokenizerFiles::vocab_json},
    NamedFile{"merges.txt", &TokenizerFiles::merges},
    NamedFile{"vocab.txt", &TokenizerFiles::vocab_txt},
    NamedFile{"tokenizer.model", &TokenizerFiles::sentencepiece},
    NamedFile{"spiece.model", &TokenizerFiles::sentencepiece},
    NamedFile{"sentencepiece.bpe.model", &TokenizerFiles::sentencepiece},
    NamedFile{"source.spm", &TokenizerFiles::sentencepiece},
};

}  // namespace

Result<TokenizerFiles> read_tokenizer_files(const std::filesystem::path& folder) {
    TokenizerFiles out;
    out.where = visible_text(folder.native());
    std::error_code problem;
    if (!std::filesystem::is_directory(folder, problem)) return Error{"there is no such folder", out.where, "", 0};
    for (const NamedFile& file : kTokenizerFileNames) {
        if (!std::filesystem::exists(folder / file.name, problem) || !(out.*file.into).empty()) continue;
        auto bytes = read_file(folder / file.name, kMostOfAFile);
        if (!bytes) return bytes.error();
        out.*file.into = std::move(*bytes);
    }
    return out;
}

Result<std::shared_ptr<const TokenizerModel>> read_tokenizer_folder(const std::filesystem::path& folder) {
    const auto files = read_tokenizer_files(folder);
    if (!files) return files.error();
    return read_tokenizer(*files);
}

}  // namespace attn
