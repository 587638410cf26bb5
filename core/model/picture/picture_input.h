#pragma once
// How a picture model (ViT) takes a picture: its size, its patches, and the normalisation of pixel values. [Dosovitskiy
// et al. 2021, 3.1]

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/io/json.h"
#include "core/model/picture/picture.h"

namespace attn {

struct PictureInput {
    int width = 0, height = 0, patch = 0;           ///< pixels; a patch is a square that divides both sides
    int before = 1;                  ///< tokens without a patch: the class token, and in DeiT the distillation token
    int whole_width = 0, whole_height = 0;  ///< size before the middle is cut out; 0: resized to the final size
    Resize resize = Resize::Bilinear;
    float factor = 1.0f / 255;                      ///< bytes are multiplied by this;
    std::array<float, 3> mean = {0.5f, 0.5f, 0.5f};  ///< then this is subtracted from red, green and blue,
    std::array<float, 3> spread = {0.5f, 0.5f, 0.5f};  ///< and the result divided by this
    bool operator==(const PictureInput&) const = default;

    int columns() const { return width / patch; }
    int rows() const { return height / patch; }
    int patches() const { return columns() * rows(); }
    int numbers() const { return 3 * patch * patch; }  ///< of one patch

    /// A pixel's place in `patch_numbers`: its patch, and the column in it.
    struct Place {
        int row = 0, col = 0;
    };
    /// From the pixel's column and row and its channel: 0 red, 1 green, 2 blue.
    Place place_of(int x, int y, int channel) const {
        return {y / patch * columns() + x / patch, (channel * patch + y % patch) * patch + x % patch};
    }
};

/// Row and column of each patch from 1, row by row: "2,3"; before them the class token, and the distillation token if
/// there is one.
std::vector<std::string> picture_tokens(const PictureInput& input);
inline constexpr std::string_view kClassToken = "[CLS]", kDistillationToken = "[DIST]";

/// patches × (3 · patch²): for each patch its red values row by row, then green and blue, as PyTorch's Conv2d reads
/// them.
Matrix patch_numbers(const Picture& picture, const PictureInput& input);

/// Reads image_size, patch_size and num_channels from config.json; `before` tokens precede the patches.
Result<PictureInput> read_picture_size(const JsonValue& config, int before, const std::string& where);
/// Reads preprocessor_config.json: size, resample, do_center_crop, crop_size, image_mean, image_std, rescale_factor,
/// do_normalize. Settings that would give other pixels (another resizing method), or a size that the model has no
/// positions for, are refused by name.
Result<Done> read_preprocessor(const JsonValue& root, const std::string& where, PictureInput& input);

}  // namespace attn
