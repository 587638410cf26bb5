#pragma once
// How a model of pictures (ViT) takes one: its size, its patches, and what is done to the pixels' numbers. [Dosovitskiy et
// al. 2021, 3.1]

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/io/json.h"
#include "core/model/picture/picture.h"

namespace attn {

struct PictureInput {
    int width = 0, height = 0, patch = 0;           ///< pixels; a patch has equal sides that divide both others
    int before = 1;                  ///< tokens without a patch: the class token, and with DeiT the distillation token
    int whole_width = 0, whole_height = 0;  ///< what a picture is resized to, of which the middle is looked at; 0: no more than that
    Resize resize = Resize::Bilinear;
    float factor = 1.0f / 255;                      ///< bytes times this,
    std::array<float, 3> mean = {0.5f, 0.5f, 0.5f};  ///< minus this, of red, green and blue,
    std::array<float, 3> spread = {0.5f, 0.5f, 0.5f};  ///< over this
    bool operator==(const PictureInput&) const = default;

    int columns() const { return width / patch; }
    int rows() const { return height / patch; }
    int patches() const { return columns() * rows(); }
    int numbers() const { return 3 * patch * patch; }  ///< of one patch

    /// A pixel's number in `patch_numbers`: its patch, and where in it.
    struct Place {
        int row = 0, col = 0;
    };
    /// Of column and row of pixels and the channel: 0 red, 1 green, 2 blue.
    Place place_of(int x, int y, int channel) const {
        return {y / patch * columns() + x / patch, (channel * patch + y % patch) * patch + x % patch};
    }
};

/// Row and column of each patch from 1, row by row: "2,3"; before them stand the class token, and the distillation token where
/// there is one.
std::vector<std::string> picture_tokens(const PictureInput& input);
inline constexpr std::string_view kClassToken = "[CLS]", kDistillationToken = "[DIST]";

/// patches × (3 · patch²): of each patch its red numbers row by row, then green and blue, as PyTorch's Conv2d reads them.
Matrix patch_numbers(const Picture& picture, const PictureInput& input);

/// What config.json says: image_size, patch_size, num_channels; so many tokens stand before the patches.
Result<PictureInput> read_picture_size(const JsonValue& config, int before, const std::string& where);
/// And preprocessor_config.json: size, resample, do_center_crop, crop_size, image_mean, image_std, rescale_factor, do_normalize.
/// Refused, each by its name: what would make other pixels (another way to resize), and another size than the model has
/// positions for.
Result<Done> read_preprocessor(const JsonValue& root, const std::string& where, PictureInput& input);

}  // namespace attn
