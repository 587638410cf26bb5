#include "app/panels/settings_switches.h"

#include <algorithm>
#include <array>

#include "app/frame/hint.h"
#include "app/panels/settings_controls.h"
#include "app/state/edits.h"
#include "app/state/reasons.h"
#include "app/state/refusals.h"

namespace app {
namespace {

struct BiasSwitch {
    attn::Given which;
    std::string_view letter;
    attn::Role products;  ///< its columns give the number of biases
    attn::Role result;    ///< the same if no bias is added yet
};
constexpr BiasSwitch kBiases[] = {
    {attn::Given::b_Q, "Q", attn::Role::QueryProducts, attn::Role::Queries},
    {attn::Given::b_K, "K", attn::Role::KeyProducts, attn::Role::Keys},
    {attn::Given::b_V, "V", attn::Role::ValueProducts, attn::Role::Values},
    {attn::Given::b_O, "O", attn::Role::OutputProducts, attn::Role::Output},
};

/// The number of values of this bias; 0: the run has no such step.
Eigen::Index bias_width(const Frame& f, const BiasSwitch& bias) {
    for (const attn::Role role : {bias.products, bias.result})
        if (const attn::Step* step = attn::find(f.trace(), {role})) return step->value.cols();
    return 0;
}

void head_switch(const Frame& f, Rect rect, int head) {
    const auto& off = f.state.document.config.heads_off;
    const bool on = std::find(off.begin(), off.end(), head) == off.end();
    const Touch touch = touch_area(f.ui, "head_" + std::to_string(head + 1), rect);
    const Color fill = f.theme.head(head);
    if (on)
        f.painter().fill(rect, Ink(fill, touch.hovered ? 0.85f : 1.0f), f.px(5));
    else
        f.painter().stroke(rect, Ink(fill, touch.hovered ? 1.0f : 0.5f), f.px(5), f.px(1.3f));
    f.painter().text_in(rect, f.number(head), {Type::SmallStrong, Align::Center},
                        on ? Ink(ink_on(fill)) : Ink(Hue::Soft));
    if (touch.focused) focus_ring(f.ui, rect, f.px(5));
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    if (!touch.clicked) return;
    f.edit([on, head](attn::Document& d) {
        auto& list = d.config.heads_off;
        if (on)
            list.insert(std::lower_bound(list.begin(), list.end(), head), head);
        else
            std::erase(list, head);
    });
}

}  // namespace

void biases_row(const Frame& f, const Setting& setting, Rect row) {
    const Rect part = label_part(f, row);
    const float side = f.px(20), gap = f.px(4);
    const float width = static_cast<float>(std::size(kBiases)) * (side + gap) - gap;
    label(f, row, f.say(setting.title), part.right() - width);
    for (std::size_t i = 0; i < std::size(kBiases); ++i) {
        const BiasSwitch& bias = kBiases[i];
        const Rect rect{part.right() - width + static_cast<float>(i) * (side + gap), part.center().y - side / 2, side,
                        side};
        const bool on = f.state.document.matrix(bias.which).has_value();
        const Eigen::Index numbers = on ? 1 : bias_width(f, bias);
        const auto faded = f.painter().opacity(numbers > 0 ? 1.0f : 0.45f);
        Touch touch;
        if (numbers > 0) touch = touch_area(f.ui, "bias_" + std::string(bias.letter), rect);
        if (on)
            f.painter().fill(rect, Hue::AccentSoft, f.px(5));
        else
            f.painter().stroke(rect, touch.hovered ? Hue::Soft : Hue::Rule, f.px(5), f.px(1.3f));
        f.painter().text_in(rect, bias.letter, {Type::SmallStrong, Align::Center}, on ? Hue::Accent : Hue::Soft);
        if (touch.focused) focus_ring(f.ui, rect, f.px(5));
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        if (!touch.clicked) continue;
        f.edit([which = bias.which, on, numbers](attn::Document& d) {
            auto& given = d.given[static_cast<std::size_t>(which)];
            if (on)
                given.reset();
            else
                given = attn::Matrix(attn::Matrix::Zero(1, numbers));
        });
    }
}

void heads_row(const Frame& f, const Setting& setting, Rect row) {
    const int heads = f.state.document.config.heads;
    const float line = row.h / setting_rows(f, setting);
    const bool wide = heads > 4;  // then the switches have their own lines
    const Rect part = label_part(f, row);
    const float gap = f.px(4), side = std::min(f.px(20), (part.w - gap * (kSwitchesInARow - 1)) / kSwitchesInARow);
    const float width = static_cast<float>(std::min(heads, kSwitchesInARow)) * (side + gap) - gap;
    label(f, {row.x, row.y, row.w, line}, f.say(setting.title), wide ? part.right() : part.right() - width);
    for (int head = 0; head < heads; ++head) {
        const int in_row = head % kSwitchesInARow;
        const float top = row.y + line * (static_cast<float>(head / kSwitchesInARow) + (wide ? 1.0f : 0.0f));
        const Rect at{part.right() - width + static_cast<float>(in_row) * (side + gap), top + (line - side) / 2, side,
                      side};
        head_switch(f, at, head);
    }
}

}  // namespace app
