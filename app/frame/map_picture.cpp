#include "app/frame/map_picture.h"

#include <algorithm>
#include <cmath>

namespace app {

void draw_map_picture(const Frame& f, Rect room, const attn::Matrix& weights, float most) {
    const bool turned = f.columns();
    const auto down = static_cast<int>(turned ? weights.cols() : weights.rows());
    const auto right = static_cast<int>(turned ? weights.rows() : weights.cols());
    const float pitch = std::floor(std::min({room.w / static_cast<float>(right), room.h / static_cast<float>(down), most}));
    const float gap = pitch > f.px(7) ? f.px(1.5f) : 0;
    const Point at{std::round(room.center().x - pitch * static_cast<float>(right) / 2),
                   std::round(room.center().y - pitch * static_cast<float>(down) / 2)};
    const ColorScale scale{Hue::Score, 0, std::max(weights.maxCoeff(), 1e-6f), false};
    for (int y = 0; y < down; ++y)
        for (int x = 0; x < right; ++x) {
            const float weight = turned ? weights(x, y) : weights(y, x);
            const Rect cell{at.x + pitch * static_cast<float>(x), at.y + pitch * static_cast<float>(y), pitch - gap, pitch - gap};
            f.painter().fill(cell, f.scratch.heatmaps->color(scale, weight), gap > 0 ? f.px(2) : 0);
        }
}

}  // namespace app
