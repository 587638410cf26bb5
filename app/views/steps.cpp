// The list of steps with what each has made, and the settings below it.

#include <fmt/format.h>

#include <algorithm>

#include "app/views/settings.h"
#include "app/views/view.h"

namespace app {
namespace {

constexpr int kThumbnail = 4;

/// The corner of the matrix that a stage ends with, as a small picture of real values.
void thumbnail(const Frame& f, Rect box, attn::StepId id, bool reached) {
    const attn::Matrix& value = f.trace()[id].value;
    const ColorScale scale = color_scale(f.trace(), f.derived.computed->ranges, id, f.view().shared_scale);
    const int rows = std::min<int>(kThumbnail, static_cast<int>(value.rows())),
              cols = std::min<int>(kThumbnail, static_cast<int>(value.cols()));
    const float pitch = box.w / kThumbnail, gap = f.px(1);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
            const Rect cell{box.x + pitch * static_cast<float>(kThumbnail - cols + c),
                            box.y + pitch * static_cast<float>(r), pitch - gap, pitch - gap};
            const float v = value(r, c);
            if (!reached)
                f.painter().fill(cell, Hue::Rule, f.px(2));
            else if (std::isfinite(v))
                f.painter().fill(cell, f.scratch.heatmaps->color(scale, v), f.px(2));
            else
                f.painter().fill(cell, Ink(Hue::Masked, 0.5f), f.px(2));
        }
}

void stage_row(const Frame& f, Rect row, Stage stage, StopRange stops) {
    const int now = f.derived.pose.stop;
    const bool here = now >= stops.first && now <= stops.last, reached = now >= stops.first;
    const std::string id = "stage_" + std::to_string(static_cast<int>(stage) + 1);
    const Touch touch = touch_area(f.ui, id, row);
    const Rect pill = row.inset(f.px(10), f.px(2));
    if (here)
        f.painter().fill(pill, Hue::AccentSoft, f.px(10));
    else if (touch.hovered)
        f.painter().fill(pill, Hue::Back, f.px(10));
    if (here) f.painter().fill({pill.x, pill.y + f.px(9), f.px(3), pill.h - f.px(18)}, Hue::Accent, f.px(1.5f));
    if (touch.focused) focus_ring(f.ui, pill, f.px(10));
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    const FormulaLayout& symbol =
        f.scratch.formulas.get(symbol_of_stage(f.trace(), stage), FormulaSize::Small, f.theme, f.painter().fonts());
    const float x = row.x + f.px(26), high = row.h, room = row.w - f.px(26) - f.px(60);
    const auto faded = f.painter().opacity(reached || touch.hovered ? 1.0f : 0.55f);
    const Hue ink = here ? Hue::Ink : Hue::Soft;
    if (high >= f.px(46)) {
        draw_formula(f.painter(), symbol, {x, row.y + high * 0.43f});
        f.painter().text_fit({x, row.y + high * 0.5f, room, high * 0.42f}, f.say(title_of(stage)), {Type::Small}, ink);
    } else {
        // Low rows hold one line.
        f.painter().text_fit({x, row.y, room, high}, f.say(title_of(stage)), {Type::Small}, ink);
    }
    const float side = std::min(f.px(36), high - f.px(8));
    thumbnail(f, {row.right() - f.px(18) - side, row.y + (high - side) / 2 + f.px(1), side, side},
              f.derived.timeline.stops[static_cast<std::size_t>(stops.last)].step, reached);
    if (touch.clicked) {
        // The next step of a stage that has several, then round again.
        const int next = here && now < stops.last ? now + 1 : stops.first;
        f.push(Play{false});
        f.push(GoToStop{next, here && now < stops.last ? 1.0 : 0.0});
        if (!(here && now < stops.last)) f.push(Play{true});
    }
}

}  // namespace

void draw_steps(const Frame& f) {
    if (f.area.empty()) return;
    f.painter().fill(f.area, Hue::Paper);
    f.painter().fill({f.area.right() - f.theme.rule_width, f.area.y, f.theme.rule_width, f.area.h}, Hue::Rule);
    const auto clip = f.painter().clip(f.area);
    section_label(f.ui, {f.area.x + f.theme.margin, f.area.y + f.px(33)}, f.say(Str::steps));
    int count = 0;
    for (int s = 0; s < kStageCount; ++s) count += stops_of(f.derived.timeline, static_cast<Stage>(s)).first >= 0;
    // Steps and settings share the height: low rows before anything is cut.
    const float rows = static_cast<float>(std::max(count, 1)), head = f.px(46), gap = f.px(10);
    const float spare = f.area.h - head - gap - rows * f.px(34);
    const float count_of_settings = settings_height(f, 1) - settings_height(f, 0);
    const float setting = std::clamp((spare - settings_height(f, 0)) / std::max(1.0f, count_of_settings),
                                     lowest_setting(f), usual_setting(f));
    const float settings = settings_height(f, setting);
    const float high = std::clamp((f.area.h - head - gap - settings) / rows, f.px(28), f.px(58));
    float y = f.area.y + f.px(46);
    for (int s = 0; s < kStageCount; ++s) {
        const auto stage = static_cast<Stage>(s);
        const StopRange stops = stops_of(f.derived.timeline, stage);
        if (stops.first < 0) continue;
        stage_row(f, {f.area.x, y, f.area.w, high}, stage, stops);
        y += high;
    }
    draw_settings(f, {f.area.x, std::max(y + f.px(10), f.area.bottom() - settings), f.area.w, settings});
}

}  // namespace app
