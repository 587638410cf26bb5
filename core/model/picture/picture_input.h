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
    int before = 1;                  ///< tokens without a patch: the class token, and in DeiT the distillation token, or registers
    bool class_token = true;         ///< the first of those is the class token
    int registers = 0;               ///< of those, after the class token: they have no position [Darcet et al. 2024]
    int stored_columns = 0, stored_rows = 0;  ///< grid of the stored positions if they are interpolated; 0: they are used as they are
    bool averaged = false;           ///< where that grid is finer, interpolation averages over all stored positions
    int shorter = 0;                 ///< before the middle is cut out, the shorter side becomes so long; 0: the following
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

/// Shares of the stored positions (the class token's, then the grid's) in each token's: one row per token. Bicubic, as
/// PyTorch's interpolate makes them; a register has none.
Matrix position_shares(const PictureInput& input);
/// Row and column of each patch from 1, row by row: "2,3"; before them the class token, and the distillation token if
/// there is one, or the registers.
std::vector<std::string> picture_tokens(const PictureInput& input);
inline constexpr std::string_view kClassToken = "[CLS]", kDistillationToken = "[DIST]";

/// patches × (3 · patch²): for each patch its red values row by row, then green and blue, as PyTorch's Conv2d reads
/// them.
Matrix patch_numbers(const Picture& picture, const PictureInput& input);

/// What a family's pictures are like.
struct PictureKind {
    int before = 1;                ///< tokens before the patches, without registers
    int registers = 0;
    bool shortest_edge = false;    ///< a size that is one number is that of the shorter side
    bool interpolated = false;     ///< positions are interpolated to the size that the preprocessor gives
    bool averaged = false;
};
/// Reads image_size, patch_size and num_channels from config.json.
Result<PictureInput> read_picture_size(const JsonValue& config, const PictureKind& kind, const std::string& where);
/// Reads preprocessor_config.json: size, resample, do_center_crop, crop_size, image_mean, image_std, rescale_factor,
/// do_normalize. Settings that would give other pixels (another resizing method), or a size that the model has no
/// positions for, are refused by name.
Result<Done> read_preprocessor(const JsonValue& root, const PictureKind& kind, const std::string& where, PictureInput& input);

}  // namespace attn
