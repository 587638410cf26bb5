#include "app/state/picture.h"

#include <algorithm>

#include "core/model/model.h"

namespace app {

std::optional<HeadsPicture> picture_of(const attn::Run& run) {
    const attn::Step* pixels = attn::find(run.trace, {attn::Role::Pixels});
    const attn::Model* model = run.inputs.picture_model.get();
    if (!pixels || !model || !model->picture) return std::nullopt;
    constexpr std::array kBrightness = {0.299f, 0.587f, 0.114f};  // weights of red, green and blue [ITU-R BT.601]
    const attn::PictureInput& how = *model->picture;
    const attn::Matrix& numbers = pixels->value;
    auto grey = std::make_shared<attn::Matrix>(attn::Matrix::Zero(how.height, how.width));
    for (int y = 0; y < how.height; ++y)
        for (int x = 0; x < how.width; ++x) {
            float sum = 0;
            for (int channel = 0; channel < 3; ++channel) {
                const auto i = static_cast<std::size_t>(channel);
                const auto [row, col] = how.place_of(x, y, channel);
                sum += kBrightness[i] * (numbers(row, col) * how.spread[i] + how.mean[i]);
            }
            (*grey)(y, x) = std::clamp(sum / (255 * how.factor), 0.0f, 1.0f);
        }
    return HeadsPicture{std::move(grey), how.rows(), how.columns(), how.before};
}

}  // namespace app
