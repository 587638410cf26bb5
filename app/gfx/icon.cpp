#include "app/gfx/icon.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gfx/palette.h"

namespace app::gfx {
namespace {

constexpr int kCells = 4;
// The weights of each row, as in causal attention; below 0: masked.
constexpr std::array<float, kCells* kCells> kShares = {1.0f, -1,   -1,    -1, 0.3f, 0.85f, -1,    -1,
                                                       0.1f, 0.6f, 0.95f, -1, 0.2f, 0.1f,  0.45f, 0.9f};

/// In units of the icon's side.
constexpr float kMargin = 0.13f;
constexpr float kGap = 0.035f;
constexpr float kCellRadius = 0.045f;
constexpr float kOutlineRadius = 0.21f;

struct Box {
    float x0, y0, x1, y1, radius;
};

/// Distance to a rounded box, negative inside.
float distance(const Box& box, float x, float y) {
    const float cx = 0.5f * (box.x0 + box.x1), cy = 0.5f * (box.y0 + box.y1);
    const float dx = std::fabs(x - cx) - (0.5f * (box.x1 - box.x0) - box.radius);
    const float dy = std::fabs(y - cy) - (0.5f * (box.y1 - box.y0) - box.radius);
    const float outside = std::hypot(std::max(dx, 0.0f), std::max(dy, 0.0f));
    return outside + std::min(std::max(dx, dy), 0.0f) - box.radius;
}

Box cell_box(int row, int col) {
    const float pitch = (1 - 2 * kMargin + kGap) / kCells;
    const float x = kMargin + static_cast<float>(col) * pitch, y = kMargin + static_cast<float>(row) * pitch;
    return {x, y, x + pitch - kGap, y + pitch - kGap, kCellRadius};
}

}  // namespace

Image app_icon(int size) {
    Image image = make_image(size, size);
    const Ramp ramp = sequential_ramp(kScoreHue);
    const Rgb empty = rgb(0xE4E7EE);
    const auto scale = static_cast<float>(size);
    const auto cover = [&](const Box& box, float x, float y) {
        return std::clamp(0.5f - distance(box, x, y) * scale, 0.0f, 1.0f);
    };
    for (int py = 0; py < size; ++py)
        for (int px = 0; px < size; ++px) {
            const float x = (static_cast<float>(px) + 0.5f) / scale, y = (static_cast<float>(py) + 0.5f) / scale;
            Rgb color = rgb(0xFFFFFF);
            for (int i = 0; i < kCells * kCells; ++i) {
                const float share = kShares[static_cast<std::size_t>(i)];
                const Rgb fill = share < 0 ? empty : ramp_color(ramp, share);
                const float c = cover(cell_box(i / kCells, i % kCells), x, y);
                if (c > 0) color = mix(color, fill, c);
            }
            std::uint8_t* out = image.at(px, py);
            out[0] = to_byte(color.r);
            out[1] = to_byte(color.g);
            out[2] = to_byte(color.b);
            out[3] = to_byte(cover({0, 0, 1, 1, kOutlineRadius}, x, y));
        }
    return image;
}

}  // namespace app::gfx
