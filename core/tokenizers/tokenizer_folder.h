#pragma once
// The tokenizer of a checkpoint's folder.

#include <filesystem>

#include "core/tokenizers/tokenizer_model.h"

namespace attn {

/// The files of a folder that say how text is cut; those that are not there stay empty. Fails where there is no such
/// folder, or a file cannot be read or is larger than any that exists.
Result<TokenizerFiles> read_tokenizer_files(const std::filesystem::path& folder);

/// Both at once.
Result<std::shared_ptr<const TokenizerModel>> read_tokenizer_folder(const std::filesystem::path& folder);

}  // namespace attn
