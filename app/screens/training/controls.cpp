// The controls of the training: the task and its description, its size and seed, and the buttons.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/screens/training/data.h"
#include "app/screens/training/parts.h"
#include "app/screens/training/training.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

namespace train = attn::train;

constexpr int kTrainSpeeds[] = {0, 100, 20, 5, 1};
constexpr int kMostTextLines = 7;

/// Filled from the top and from the bottom; the text gets what is left in between.
struct ControlColumn {
    const Frame& f;
    Rect rest;

    Rect line(float high, float gap) {
        const Rect out{rest.x, rest.y, rest.w, high};
        rest.y += high + gap;
        rest.h -= high + gap;
        return out;
    }
    Rect foot(float high, float gap) {
        const Rect out{rest.x, rest.bottom() - high, rest.w, high};
        rest.h -= high + gap;
        return out;
    }
};

void choose_training(const Frame& f, ChooseTraining choice) { f.push(TrainingAction{std::move(choice)}); }

void task_row(const Frame& f, Rect row) {
    std::vector<SelectOption> options;
    int chosen = 0;
    for (const train::Task& task : train::tasks()) {
        if (&task == &task_of(f.view().part<TrainingLook>())) chosen = static_cast<int>(options.size());
        options.push_back({in_language(f, task.name)});
    }
    const int before = chosen;
    if (select(f.ui, "train_task", row, options, chosen, Align::Left) && chosen != before)
        choose_training(f, {std::string(train::tasks()[static_cast<std::size_t>(chosen)].id), {}, f.view().part<TrainingLook>().seed, f.view().part<TrainingLook>().beside});
}

/// The title on the left; returns the rest of the row for the control.
Rect titled_row(const Frame& f, Rect row, Str title) {
    const std::string_view words = f.say(title);
    f.painter().text_in(row, words, {Type::Small}, Hue::Soft);
    const float used = f.painter().width(words, Type::Small) + f.px(12);
    return {row.x + used, row.y, row.w - used, row.h};
}

void size_row(const Frame& f, Rect row) {
    const train::Task& task = task_of(f.view().part<TrainingLook>());
    const std::string now = options_of(f.view().part<TrainingLook>()).size;
    std::vector<std::string> names;
    int chosen = 0;
    for (const train::TaskSize& size : task.sizes) {
        if (size.id == now) chosen = static_cast<int>(names.size());
        names.push_back(f.say(Str::train_size_says,
                              {in_language(f, size.name), std::to_string(size.width), std::to_string(size.heads * size.layers)}));
    }
    std::vector<SelectOption> options(names.begin(), names.end());
    const int before = chosen;
    if (select(f.ui, "train_size", titled_row(f, row, Str::train_size), options, chosen) && chosen != before)
        choose_training(f, {std::string(task.id), std::string(task.sizes[static_cast<std::size_t>(chosen)].id), f.view().part<TrainingLook>().seed, f.view().part<TrainingLook>().beside});
}

void seed_row(const Frame& f, Rect row) {
    const TrainingLook& look = f.view().part<TrainingLook>();
    const Rect at = titled_row(f, row, Str::train_seed);
    const float side = row.h, number = f.px(40);
    const auto other = [&](int by) { choose_training(f, {look.task, look.size, look.seed + by, look.beside}); };
    const float x = at.right() - 2 * side - number;
    if (icon_button(f.ui, "train_seed_less", {x, at.y, side, side}, Icon::Minus, ButtonKind::Plain, look.seed > 0)) other(-1);
    f.painter().text_in({x + side, at.y, number, side}, std::to_string(look.seed), {Type::Number, Align::Center}, Hue::Ink);
    if (icon_button(f.ui, "train_seed_more", {x + side + number, at.y, side, side}, Icon::Plus)) other(1);
}

/// What is trained in parallel: nothing, or a variation; those that the task does not have are faint, and say why.
void beside_row(const Frame& f, Rect row) {
    const TrainingLook& look = f.view().part<TrainingLook>();
    const train::TaskOptions options = options_of(look);
    const train::Variation* now = beside_of(look);
    std::vector<SelectOption> all = {{f.say(Str::train_beside_nothing)}};
    int chosen = 0;
    for (const train::Variation& one : train::variations()) {
        if (&one == now) chosen = static_cast<int>(all.size());
        const bool applies = train::applies(task_of(look), options, one);
        all.push_back({in_language(f, one.name), applies, applies ? std::string_view() : in_language(f, one.otherwise)});
    }
    const int before = chosen;
    if (!select(f.ui, "train_beside", titled_row(f, row, Str::train_beside), all, chosen) || chosen == before) return;
    const std::string_view id = chosen == 0 ? std::string_view() : train::variations()[static_cast<std::size_t>(chosen - 1)].id;
    choose_training(f, {look.task, look.size, look.seed, std::string(id)});
}

void speed_row(const Frame& f, Rect row) {
    std::vector<std::string> names;
    int chosen = 0;
    for (const int speed : kTrainSpeeds) {
        if (speed == f.view().part<TrainingLook>().speed) chosen = static_cast<int>(names.size());
        names.push_back(speed == 0 ? std::string(f.say(Str::train_fastest)) : f.say(Str::train_speed_says, {std::to_string(speed)}));
    }
    std::vector<SelectOption> options(names.begin(), names.end());
    if (select(f.ui, "train_speed", titled_row(f, row, Str::train_speed), options, chosen))
        f.change_view([chosen](ViewState& v) { v.part<TrainingLook>().speed = kTrainSpeeds[chosen]; });
}

/// A button with an icon before its word.
bool signed_button(const Frame& f, std::string_view id, Rect rect, Icon icon, std::string_view word, bool enabled) {
    const bool pressed = button(f.ui, id, rect, "", ButtonKind::Filled, enabled);
    const float size = f.px(14), w = f.painter().width(word, Type::BodyStrong), all = size + f.px(8) + w;
    const auto faded = f.painter().opacity(enabled ? 1.0f : 0.5f);
    const float x = rect.center().x - all / 2;
    f.painter().icon(icon, {x + size / 2, rect.center().y}, size, Hue::Paper);
    f.painter().text_in({x + size + f.px(8), rect.y, w + f.px(2), rect.h}, word, {Type::BodyStrong}, f.theme[Hue::Paper]);
    return pressed;
}

void train_buttons(const Frame& f, Rect row) {
    const TrainingData& data = f.derived.part<TrainingData>();
    const bool now = trains_now(f), finished = data.news && data.news->finished;
    const float side = row.h, gap = f.px(6);
    const Str word = now ? Str::train_pause : data.news && data.news->step > 0 ? Str::train_go_on : Str::train_start;
    const Rect large{row.x, row.y, row.w - 2 * (side + gap), side};
    if (signed_button(f, "train_run", large, now ? Icon::Pause : Icon::Play, f.say(word), !finished))
        f.push(now ? TrainingAction{PauseTraining{}} : TrainingAction{StartTraining{}});
    if (icon_button(f.ui, "train_step", {large.right() + gap, row.y, side, side}, Icon::StepForward, ButtonKind::Soft, !finished))
        f.push(TrainingAction{StepTraining{}});
    if (icon_button(f.ui, "train_again", {row.right() - side, row.y, side, side}, Icon::Undo, ButtonKind::Soft,
                    data.news && (data.news->step > 0 || now)))
        f.push(TrainingAction{StopTraining{}});
}

void draw_progress(const Frame& f, Rect row) {
    const TrainingData& data = f.derived.part<TrainingData>();
    const float bar = f.px(4);
    std::string says(f.say(Str::train_preparing));
    double share = 0;
    if (data.news) {
        says = f.say(data.news->finished ? Str::train_finished : Str::train_progress,
                     {steps_text(data.news->step), steps_text(data.news->planned)});
        share = static_cast<double>(data.news->step) / static_cast<double>(std::max<std::int64_t>(data.news->planned, 1));
    }
    f.painter().text_fit({row.x, row.y, row.w, row.h - bar - f.px(4)}, says, {Type::Small}, Hue::Soft);
    progress_bar(f.ui, {row.x, row.bottom() - bar, row.w, bar}, static_cast<float>(share));
}

/// As many lines as fit; false: none.
bool draw_words(const Frame& f, ControlColumn& column, std::string_view text, Ink ink) {
    const float line = f.theme.line_height(Type::Small);
    const int most = std::min(kMostTextLines, static_cast<int>(column.rest.h / line));
    if (most < 1) return false;
    const float high = draw_lines(f.painter(), column.rest, text, {Type::Small}, ink, most);
    column.line(high, f.px(8));
    return true;
}

}  // namespace

void draw_train_controls(const Frame& f, Rect area) {
    ControlColumn column{f, area};
    const float row = f.theme.control_height, gap = f.px(8);
    const train::Task& task = task_of(f.view().part<TrainingLook>());
    task_row(f, column.line(row, gap));
    const Rect take = column.foot(row + f.px(4), f.px(14));
    const TrainingData& data = f.derived.part<TrainingData>();
    const bool can_take = data.shown() && data.picture && !f.state.keeping;
    if (button(f.ui, "train_take", take, f.painter().fitted(f.say(Str::train_take), Type::Body, take.w - f.px(16)), ButtonKind::Soft, can_take))
        f.push(TrainingAction{TakeSnapshot{}});
    speed_row(f, column.foot(row, f.px(2)));
    beside_row(f, column.foot(row, f.px(2)));
    seed_row(f, column.foot(row, f.px(2)));
    size_row(f, column.foot(row, f.px(12)));
    draw_progress(f, column.foot(f.theme.line_height(Type::Small) + f.px(8), f.px(12)));
    train_buttons(f, column.foot(row + f.px(6), f.px(10)));
    column.rest.h -= f.px(10);
    if (!draw_words(f, column, in_language(f, task.about), Hue::Ink)) return;
    if (const train::Variation* beside = beside_of(f.view().part<TrainingLook>()); beside && column.rest.h > f.theme.line_height(Type::Small) * 2.5f)
        draw_words(f, column, f.say(Str::train_beside_says, {in_language(f, beside->name), in_language(f, beside->about)}), Ink(kBesideHue));
    // Before the first step a page of the course asks what will appear: to say what to look for would be the answer.
    const bool begun = data.news && data.news->step > 0;
    if (!begun || column.rest.h < f.theme.line_height(Type::Small) * 2.5f) return;
    column.rest.y += f.px(4);
    column.rest.h -= f.px(4);
    draw_words(f, column, f.say(Str::train_look_for, {in_language(f, task.look_for)}), Hue::Soft);
}

}  // namespace app
