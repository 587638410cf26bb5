// The tokens as chips: what the text was cut into. A click pins the token's row.

#include "app/views/view.h"

namespace app {
void draw_chips(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const auto& labels = f.derived.labels.tokens;
    if (labels.empty()) return;
    const int lit = f.derived.focus && f.trace()[f.derived.focus->step].rows.kind == attn::Axis::Kind::Tokens
                        ? f.derived.focus->row
                        : -1;
    float x = f.area.x + f.px(24);
    const float gap = f.px(6), room = f.area.right() - f.px(70);
    std::size_t shown = 0;
    for (; shown < labels.size(); ++shown) {
        const Size size = chip_size(f.ui, labels[shown]);
        if (x + size.w > room && shown > 0) break;
        ChipLook look;
        look.lit = static_cast<int>(shown) == lit;
        const std::string id = "chip" + std::to_string(shown);
        const Touch touch = chip(f.ui, id, {x, f.area.center().y - size.h / 2 + f.px(3)}, labels[shown], look);
        if (touch.clicked && f.derived.pose.step != attn::kNoStep) {
            const attn::Step& step = f.trace()[f.derived.pose.step];
            const int row = static_cast<int>(shown);
            if (row < step.value.rows()) f.push(Pin{CellRef{step.tag, row, 0}});
        }
        x += size.w + gap;
    }
    if (shown < labels.size())
        f.painter().text({x + f.px(4), f.area.center().y + f.px(7)}, "+" + std::to_string(labels.size() - shown),
                         {Type::Small}, Hue::Soft);
}

}  // namespace app
