// The training screen: the controls on the left, the progress in the middle, and where the heads attend on the right.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/screens/training/data.h"
#include "app/screens/training/parts.h"
#include "app/screens/training/training.h"

namespace app {
namespace {

/// Widths in ems: for three columns, and for the controls.
constexpr float kThreeColumns = 66, kControls = 18.5f, kLeastControls = 15;

}  // namespace

std::string percent_text(double share) { return fmt::format("{:.0f}%", 100 * share); }

std::string steps_text(std::int64_t steps) {
    std::string digits = std::to_string(steps);
    for (std::size_t at = digits.size(); digits.size() > 4 && at > 3;) digits.insert(at -= 3, "\u00A0");
    return digits;
}

void draw_line_sample(const Frame& f, Rect area, bool beside) {
    const Point middle = area.center();
    const float radius = f.px(3);
    if (!beside) {
        f.painter().line({area.x, middle.y}, {area.right(), middle.y}, Hue::Accent, f.px(2));
        f.painter().circle(middle, radius, Hue::Accent);
        return;
    }
    f.painter().line_dashed({area.x, middle.y}, {area.right(), middle.y}, kBesideHue, f.px(2), f.px(5), f.px(3.5f));
    f.painter().fill({middle.x - radius, middle.y - radius, 2 * radius, 2 * radius}, kBesideHue);
}

std::string_view name_of_run(const Frame& f, bool beside) {
    const attn::train::Variation* variation = beside ? beside_of(f.view().part<TrainingLook>()) : nullptr;
    return variation ? in_language(f, variation->name) : f.say(Str::train_as_it_is);
}

bool trains_now(const Frame& f) {
    const auto& news = f.derived.part<TrainingData>().news;
    return f.view().part<TrainingLook>().running && !(news && news->finished);
}

void draw_train(const Frame& f) {
    if (f.area.empty()) return;
    const auto clip = f.painter().clip(f.area);
    const float em = f.theme.em(Type::Body), margin = f.px(24), gap = f.px(30);
    const bool three = f.area.w >= em * kThreeColumns;
    const Rect body{f.area.x, f.area.y, f.area.w, f.area.h};
    const float controls = three ? em * kControls : std::min(em * kLeastControls, body.w * 0.4f);
    const Rect left{body.x, body.y, controls + margin, body.h};
    f.painter().fill(left, Hue::Paper);
    f.painter().fill({left.right() - f.theme.rule_width, left.y, f.theme.rule_width, left.h}, Hue::Rule);
    draw_train_controls(f, {left.x + margin * 0.75f, left.y + f.px(16), left.w - margin * 1.5f, left.h - f.px(32)});
    const Rect rest{left.right() + gap * 0.8f, body.y + f.px(16), body.right() - left.right() - gap * 0.8f - margin,
                    body.h - f.px(32)};
    if (three) {
        const float curves = (rest.w - gap) * 0.42f;
        draw_train_curves(f, {rest.x, rest.y, curves, rest.h});
        draw_train_heads(f, {rest.x + curves + gap, rest.y, rest.w - curves - gap, rest.h});
        return;
    }
    const float heads = std::round(rest.h * 0.55f);
    draw_train_heads(f, {rest.x, rest.y, rest.w, heads});
    draw_train_curves(f, {rest.x, rest.y + heads + gap * 0.4f, rest.w, rest.h - heads - gap * 0.4f});
}

}  // namespace app
