#pragma once
// The tokenizer of a checkpoint's folder.

#include <filesystem>
#include <functional>

#include "core/tokenizers/tokenizer_model.h"

namespace attn {

/// The tokenizer's files: `there` says which exist, by name; `bytes_of` reads one.
Result<TokenizerFiles> gather_tokenizer_files(std::string where, const std::function<bool(std::string_view)>& there,
                                              const std::function<Result<std::string>(std::string_view)>& bytes_of);

/// The tokenizer's files in a folder; those that do not exist stay empty. Fails if the folder does not exist, or if a
/// file cannot be read or is larger than any published one.
Result<TokenizerFiles> read_tokenizer_files(const std::filesystem::path& folder);

/// Both at once.
Result<std::shared_ptr<const TokenizerModel>> read_tokenizer_folder(const std::filesystem::path& folder);

}  // namespace attn
