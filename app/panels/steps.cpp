// The list of steps with their results, and the settings below it.

#include <fmt/format.h>

#include <algorithm>

#include "app/frame/backwards.h"
#include "app/frame/matrix_view.h"
#include "app/frame/view.h"
#include "app/panels/settings.h"
#include "app/timeline/reverse.h"
#include "core/remake/remake.h"

namespace app {
namespace {

constexpr int kThumbnail = 4;
/// Design pixels: the text above a place's first section, the gap before the model's end, the lowest row.
constexpr float kPlaceHeight = 24, kPlaceGap = 10, kLowestRow = 34;
/// Settings take at most this fraction of the panel's height.
constexpr float kSettingsShare = 0.56f, kFewSteps = 5;

/// Whether only the corner of a matrix is read, because it lies in a file and nobody has looked at it yet. Its colours are
/// then those of the corner.
bool reads_corner(const Frame& f, attn::StepId id) {
    const attn::Recipe* recipe = f.trace()[id].value.recipe();
    return recipe && recipe->read_rows && !f.trace()[id].value.at_hand() && !f.derived.computed->ranges.known(static_cast<std::size_t>(id));
}

/// The corner of a stage's last matrix, as a small picture of its actual values.
void thumbnail(const Frame& f, Rect box, attn::StepId id, bool reached) {
    // If recomputing takes long, only the corner is computed, once the colours are known.
    const attn::Step& step = f.trace()[id];
    const Eigen::Index rows = std::min<Eigen::Index>(kThumbnail, step.value.rows());
    const bool corner = reads_corner(f, id);
    reached = reached && (corner || f.scratch.heatmaps->knows_colours(f.derived.computed, id));
    const attn::Matrix value = reached ? step.value.some_rows(0, rows) : attn::Matrix(attn::Matrix::Zero(rows, step.value.cols()));
    const bool weighs = step.op == attn::Op::Softmax || step.op == attn::Op::Sparsemax;
    const attn::Matrix scores = reached && weighs ? f.trace()[step.inputs[0]].value.some_rows(0, rows) : attn::Matrix();
    ColorScale scale;
    if (corner) {
        scale.hue = hue_of(f.trace(), id);
        if (const float largest = value.size() > 0 ? value.maxCoeff() : 0; largest > 0 && largest < 1) scale.high = largest;
    } else {
        scale = color_scale(f.trace(), f.derived.computed->ranges, id, f.view().shared_scale);
    }
    const bool turned = f.columns();
    const int lines = std::min<int>(kThumbnail, static_cast<int>(turned ? value.cols() : value.rows())),
              uprights = std::min<int>(kThumbnail, static_cast<int>(turned ? value.rows() : value.cols()));
    const float pitch = box.w / kThumbnail, gap = f.px(1);
    for (int down = 0; down < lines; ++down)
        for (int right = 0; right < uprights; ++right) {
            const Rect cell{box.x + pitch * static_cast<float>(kThumbnail - uprights + right),
                            box.y + pitch * static_cast<float>(down), pitch - gap, pitch - gap};
            const int row = turned ? right : down, col = turned ? down : right;
            const float v = value(row, col);
            if (!reached) {
                f.painter().fill(cell, Hue::Rule, f.px(2));
            } else if (std::isfinite(v) && !(scores.size() > 0 && is_masked_score(scores(row, col)))) {
                f.painter().fill(cell, f.scratch.heatmaps->color(scale, v), f.px(2));
            } else {
                f.painter().fill(cell, Ink(Hue::Masked, 0.2f), f.px(2));
                f.painter().hatch(cell, Ink(Hue::Masked, 0.75f), f.px(3), f.px(1));
            }
        }
}

void section_row(const Frame& f, Rect row, Rect view, int index) {
    const Section& section = f.derived.timeline.sections[static_cast<std::size_t>(index)];
    const int now = f.derived.pose.stop;
    const bool here = section.has(now), reached = now >= section.first;
    const std::string id = "section_" + std::to_string(index + 1);
    const Touch touch = touch_area(f.ui, id, intersection(row, view));
    const Rect pill = row.inset(f.px(10), f.px(2));
    if (here)
        f.painter().fill(pill, Hue::AccentSoft, f.px(10));
    else if (touch.hovered)
        f.painter().fill(pill, Hue::Back, f.px(10));
    if (here) f.painter().fill({pill.x, pill.y + f.px(9), f.px(3), pill.h - f.px(18)}, Hue::Accent, f.px(1.5f));
    if (touch.focused) focus_ring(f.ui, pill, f.px(10));
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    const FormulaLayout& symbol =
        f.scratch.formulas.get(symbol_of_section(f, section), FormulaSize::Small, f.theme, f.painter().fonts());
    const float x = row.x + f.px(26), high = row.h, room = row.w - f.px(26) - f.px(60);
    const auto faded = f.painter().opacity(reached || touch.hovered ? 1.0f : 0.55f);
    const Hue ink = here ? Hue::Ink : Hue::Soft;
    if (high >= f.px(46)) {
        draw_formula(f.painter(), symbol, {x, row.y + high * 0.43f});
        f.painter().text_fit({x, row.y + high * 0.5f, room, high * 0.42f}, title_of_section(f, section), {Type::Small}, ink);
    } else {
        // Low rows have a single line.
        f.painter().text_fit({x, row.y, room, high}, title_of_section(f, section), {Type::Small}, ink);
    }
    const float side = std::min(f.px(36), high - f.px(8));
    thumbnail(f, {row.right() - f.px(18) - side, row.y + (high - side) / 2 + f.px(1), side, side},
              f.derived.timeline.stops[static_cast<std::size_t>(section.last)].step, reached);
    if (touch.clicked) {
        // The next step of a stage that has several, then round again. Of a stage its motion is shown, and none behind it: the walk
        // stays where one went.
        const bool goes_on = here && now < section.last;
        f.push(Play{false});
        f.push(GoToStop{goes_on ? now + 1 : section.first, goes_on ? 1.0 : 0.0});
        if (!goes_on) {
            f.push(Play{true});
            const attn::Tag end = f.trace()[f.derived.timeline.stops[static_cast<std::size_t>(section.last)].step].tag;
            f.push(ChangeView{[end](ViewState& v) { v.course.play_to = end; }});
        }
    }
}

/// The unscrolled list: the position of each section, and the text above those that begin a place.
struct List {
    struct Entry {
        float top, high;
        std::string place;  ///< the text above it; empty: the same place as the previous one
        bool turns_back = false;  ///< the reverse pass begins here, with a button to leave it
    };
    std::vector<Entry> entries;
    float height = 0;
};

List lay_out_list(const Frame& f, float row) {
    List list;
    const Section* before = nullptr;
    for (const Section& section : f.derived.timeline.sections) {
        const bool moved = !before || !before->same_place(section);
        List::Entry entry{list.height, row, moved ? place_of(f, section) : ""};
        if (section.reverse && before && !before->reverse) {
            entry.turns_back = true;
            if (std::string whose = whose_gradient(f); !whose.empty()) entry.place = std::move(whose);
        }
        if (!entry.place.empty()) entry.top += f.px(kPlaceHeight);
        // The end of the model belongs to no block, which a gap shows.
        if (moved && before && entry.place.empty()) entry.top += f.px(kPlaceGap);
        list.height = entry.top + row;
        list.entries.push_back(std::move(entry));
        before = &section;
    }
    return list;
}

/// Scrolls to the section at the playhead when that changes: to the same position from either side.
void follow_playhead(const Frame& f, const List& list, float height) {
    const int now = section_of(f.derived.timeline, f.derived.pose.stop);
    // A list of another height, or in another space, counts as a new list.
    constexpr int kSections = 4096, kHeights = 512;
    const int seen = now + kSections * (static_cast<int>(list.height + 3 * height) % kHeights);
    if (now < 0 || seen == f.scratch.steps_section) return;
    f.scratch.steps_section = seen;
    const List::Entry& entry = list.entries[static_cast<std::size_t>(now)];
    const float middle = entry.top + entry.high / 2;
    f.scratch.steps_scroll = std::clamp(middle - height / 2, 0.0f, std::max(0.0f, list.height - height));
}

void draw_list(const Frame& f, Rect area, float row) {
    const List list = lay_out_list(f, row);
    follow_playhead(f, list, area.h);
    const auto clip = f.painter().clip(area);
    scroll_area(f.ui, "steps_scroll", area, list.height, f.scratch.steps_scroll);
    for (std::size_t i = 0; i < list.entries.size(); ++i) {
        const List::Entry& entry = list.entries[i];
        const float y = area.y + entry.top - f.scratch.steps_scroll, above = f.px(kPlaceHeight);
        // Only whole rows: half a word cannot be read.
        const auto fits = [&](float top, float high) { return top >= area.y - 1 && top + high <= area.bottom() + 1; };
        if (!entry.place.empty() && fits(y - above, above)) {
            const float cross = entry.turns_back ? above : 0;
            f.painter().text_fit({area.x + f.theme.margin, y - above, area.w - 2 * f.theme.margin - cross, above}, entry.place,
                                 {Type::SmallStrong}, entry.turns_back ? Hue::Gradient : Hue::Faint);
            if (entry.turns_back &&
                icon_button(f.ui, "leave_gradient", {area.right() - f.theme.margin - cross, y - above, cross, cross}, Icon::Close))
                leave_reverse(f);
        }
        if (fits(y, entry.high)) section_row(f, {area.x, y, area.w, entry.high}, area, static_cast<int>(i));
    }
}

}  // namespace

void draw_steps(const Frame& f) {
    if (f.area.empty()) return;
    f.painter().fill(f.area, Hue::Paper);
    const float edge = f.area.right() < f.window.right() ? f.area.right() - f.theme.rule_width : f.area.x;
    f.painter().fill({edge, f.area.y, f.theme.rule_width, f.area.h}, Hue::Rule);
    const auto clip = f.painter().clip(f.area);
    section_label(f.ui, {f.area.x + f.theme.margin, f.area.y + f.px(33)}, f.say(Str::steps));
    // Steps and settings share the height; if not all settings fit, they fold before anything scrolls.
    const auto count = static_cast<float>(std::max<std::size_t>(f.derived.timeline.sections.size(), 1));
    const float head = f.px(46), gap = f.px(10), places = lay_out_list(f, 0).height, all = settings_height(f, f.area.w, false);
    const bool folded = all > f.area.h * kSettingsShare;
    // Folded settings may exceed their fraction as long as a few steps stay visible.
    const float most = std::max(f.area.h * kSettingsShare, f.area.h - head - gap - f.px(kFewSteps * kLowestRow));
    const float settings = folded ? std::min(settings_height(f, f.area.w, true), most) : all;
    const float room = f.area.h - head - gap - settings;
    const float row = std::clamp((room - places) / count, f.px(kLowestRow), f.px(58));
    const float high = std::min(room, places + count * row);
    draw_list(f, {f.area.x, f.area.y + head, f.area.w, high}, row);
    draw_settings(f,
                  {f.area.x, std::max(f.area.y + head + high + gap, f.area.bottom() - settings), f.area.w, settings},
                  folded);
}

}  // namespace app
