#pragma once
// The picture that a model looks at, as the heads screen draws it below the weights of its patches.

#include <memory>
#include <optional>

#include "core/document/document.h"

namespace app {

struct HeadsPicture {
    /// How bright each pixel is that the model got, 0 … 1; what is typed over a pixel is in it.
    std::shared_ptr<const attn::Matrix> grey;
    int rows = 0, cols = 0;  ///< of patches
    int before = 1;          ///< tokens without a patch: the class token, and of a DeiT the distillation token

    int patches() const { return rows * cols; }
    int token_of(int patch) const { return patch + before; }
};

/// Of a run that looks at no picture nothing.
std::optional<HeadsPicture> picture_of(const attn::Run& run);

}  // namespace app
