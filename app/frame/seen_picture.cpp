#include "app/frame/seen_picture.h"

#include <algorithm>
#include <cmath>

#include "app/frame/heatmaps.h"

namespace app {
namespace {

constexpr attn::StepId kFirstPictureKey = -(1 << 29);
constexpr int kPictureKeys = 1 << 16;

/// From black to white in every theme, because it is a picture.
constexpr gfx::Lut kGreys = [] {
    gfx::Lut out{};
    for (std::size_t i = 0; i < gfx::kLutSize; ++i) {
        const auto level = static_cast<std::uint8_t>(i * 255 / (gfx::kLutSize - 1));
        const std::uint8_t entry[] = {level, level, level, 255};
        std::copy(std::begin(entry), std::end(entry), out.begin() + static_cast<std::ptrdiff_t>(i * 4));
    }
    return out;
}();

}  // namespace

Size size_in(Size room, const HeadsPicture& picture) {
    const auto wide = static_cast<float>(picture.grey->cols()), high = static_cast<float>(picture.grey->rows());
    const float unit = std::min(room.w / wide, room.h / high);
    return {std::max(1.0f, std::floor(unit * wide)), std::max(1.0f, std::floor(unit * high))};
}

void draw_seen_picture(const Frame& f, Rect all, const HeadsPicture& picture, int part) {
    const attn::Matrix& grey = *picture.grey;
    MatrixPicture look{grey, kFirstPictureKey - static_cast<int>(f.derived.generation % kPictureKeys),
                       {0, 0, static_cast<double>(grey.cols()), static_cast<double>(grey.rows())}, {Hue::Score, 0, 1, false},
                       static_cast<int>(std::lround(all.w)), static_cast<int>(std::lround(all.h)), 0, part, picture.grey};
    look.lut = &kGreys;
    look.whole = look.pixels = true;
    if (const unsigned id = f.scratch.heatmaps->texture(look); id != 0) f.painter().image(id, all);
}

Rect patch_in(Rect all, const HeadsPicture& picture, int index) {
    const float w = all.w / static_cast<float>(picture.cols), h = all.h / static_cast<float>(picture.rows);
    return {all.x + w * static_cast<float>(index % picture.cols), all.y + h * static_cast<float>(index / picture.cols), w, h};
}

}  // namespace app
