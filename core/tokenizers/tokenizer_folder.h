#pragma once
// The tokenizer of a checkpoint's folder.

#include <filesystem>
#include <functional>

#include "core/tokenizers/tokenizer_model.h"

namespace attn {

/// The files that say how text is cut, of those that are `there` by their names; `bytes_of` reads one.
Result<TokenizerFiles> gather_tokenizer_files(std::string where, const std::function<bool(std::string_view)>& there,
                                              const std::function<Result<std::string>(std::string_view)>& bytes_of);

/// The files of a folder that say how text is cut; those that are not there stay empty. Fails where there is no such
/// folder, or a file cannot be read or is larger than any that exists.
Result<TokenizerFiles> read_tokenizer_files(const std::filesystem::path& folder);

/// Both at once.
Result<std::shared_ptr<const TokenizerModel>> read_tokenizer_folder(const std::filesystem::path& folder);

}  // namespace attn
