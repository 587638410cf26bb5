#pragma once
// The image that a model reads, as the heads screen draws it below the weights of its patches.

#include <memory>
#include <optional>

#include "core/document/document.h"

namespace app {

struct HeadsPicture {
    /// The brightness of each pixel that the model received, 0 … 1, edits of pixels included.
    std::shared_ptr<const attn::Matrix> grey;
    int rows = 0, cols = 0;  ///< of patches
    int before = 1;          ///< tokens before the patches: the class token, and DeiT's distillation token

    int patches() const { return rows * cols; }
    int token_of(int patch) const { return patch + before; }
};

/// None if the run reads no image.
std::optional<HeadsPicture> picture_of(const attn::Run& run);

}  // namespace app
