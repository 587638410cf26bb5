#pragma once
// Recognises the kinds of files that people most often open by mistake.

#include <optional>
#include <string>
#include <string_view>

namespace attn {

/// A sentence that says what the file really is and what to do ("This is a Git LFS pointer …: run git lfs pull."), or
/// nullopt if the bytes are none of: UTF-16 or UTF-32 text, a Git LFS pointer, a web page, a PyTorch file, ZIP, gzip,
/// PNG, JPEG, PDF, a Python pickle. `wanted` names what was expected: "a document in JSON".
std::optional<std::string> recognise_other(std::string_view bytes, std::string_view wanted);

}  // namespace attn
