// An added screen: how much attention each word receives, that is the sum of its column of weights.
#include <algorithm>

#include "app/content/number_text.h"
#include "app/frame/view.h"
#include "app/state/screens.h"

namespace app {

void draw_tally(const Frame& f) {
    const attn::Trace& trace = f.trace();
    const auto weights = std::ranges::find(trace.steps, attn::Role::Weights, [](const attn::Step& step) { return step.tag.role; });
    if (f.area.empty() || weights == trace.steps.end()) return;
    Painter& p = f.painter();
    const float line = f.theme.line_height(Type::Body);
    for (Eigen::Index word = 0; word < weights->value.cols(); ++word) {
        const Rect row{f.area.x + line, f.area.y + line * static_cast<float>(2 * word + 1), f.area.w / 3, line};
        p.text_in(row, trace.tokens[static_cast<std::size_t>(word)], {Type::Body}, Hue::Ink);
        p.text_in(row, number_text(weights->value.col(word).sum()), {Type::Number, Align::Right}, Hue::Ink);
    }
}

constexpr ScreenRow kTallyScreen = {};

}  // namespace app
