// Home: five entries, each with a picture of computed values.

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/state/course.h"
#include "app/content/number_text.h"
#include "app/frame/commands.h"
#include "app/frame/map_picture.h"
#include "app/state/examples.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

// Design pixels.
constexpr float kHomeMost = 1240, kHomeCardGap = 18, kHomeCardLeast = 188, kHomeCardHigh = 340, kHomePad = 18;
constexpr int kHomeCards = 5, kChaptersShown = 3, kHomeLines = 4;
/// Below this height a picture leaves out secondary parts; below half of it, the picture is left out.
constexpr float kHomeLow = 104;
/// Next to a complete sentence, a picture may be as low as this.
constexpr float kHomeLeast = 24;
/// Smaller weights have no arc.
constexpr float kHomeArc = 0.02f;

/// One row of the first sentence's weights, from the query word to its answers.
void home_watch_picture(const Frame& f, Rect room) {
    if (!f.derived.home.watch) return;
    const OpeningData& data = *f.derived.home.watch;
    Painter& p = f.painter();
    const auto count = static_cast<float>(std::max<std::size_t>(data.words.size(), 1));
    const float line = f.theme.em(Type::BodyStrong) * 1.5f, base = room.bottom() - line - f.px(6), pitch = room.w / count;
    const auto x = [&](int word) { return room.x + pitch * (static_cast<float>(word) + 0.5f); };
    const bool low = room.h < f.px(kHomeLow);
    const float high = base - room.y - f.px(low ? 8 : 26);
    for (int i = 0; i < static_cast<int>(data.words.size()); ++i) {
        const float share = data.shares[static_cast<std::size_t>(i)];
        if (i == data.query || share < kHomeArc) continue;
        const float far = std::abs(x(i) - x(data.query)) / room.w;
        const float rise = high * (0.3f + 0.7f * std::min(1.0f, far * 1.6f)) * 1.3333f;
        p.curve({x(data.query), base}, {x(data.query), base - rise}, {x(i), base - rise}, {x(i), base},
                Ink(Hue::Score, 0.35f + 0.6f * share), std::max(f.px(1), f.px(16) * share));
    }
    for (int i = 0; i < static_cast<int>(data.words.size()); ++i) {
        const bool asks = i == data.query, answers = i == data.key;
        p.circle({x(i), base + f.px(4)}, f.px(asks || answers ? 3.5f : 2), asks ? Hue::Query : answers ? Hue::Key : Hue::Faint);
    }
    const auto word = [&](int i, Hue hue) {
        const std::string& text = data.words[static_cast<std::size_t>(i)];
        const float w = p.width(text, Type::BodyStrong), middle = std::clamp(x(i), room.x + w / 2, room.right() - w / 2);
        p.text_in({middle - w / 2, base + f.px(9), w, line}, text, {Type::BodyStrong, Align::Center}, hue);
    };
    word(data.query, Hue::Query);
    if (data.key != data.query) word(data.key, Hue::Key);
    if (low) return;
    const float middle = (x(data.query) + x(data.key)) / 2;
    const std::string figure = slope_text(data.shares[static_cast<std::size_t>(data.key)]);
    p.text_in({middle - f.px(40), room.y - f.px(6), f.px(80), f.px(22)}, figure, {Type::NumberLarge, Align::Center}, Hue::Score);
}

/// The share of a chapter that has been read, 0 … 1.
float seen_share(const AppState& state, const Chapter& chapter) {
    if (chapter.pages.empty()) return 0;
    const auto seen = std::count_if(chapter.pages.begin(), chapter.pages.end(), [&](const ChapterPage& page) {
        const PageDone* done = state.progress.find(chapter.id, page.id);
        return done && done->seen;
    });
    return static_cast<float>(seen) / static_cast<float>(chapter.pages.size());
}

/// The first chapters, and how far they have been read.
void home_learn_picture(const Frame& f, Rect room) {
    if (!f.state.chapters) return;
    Painter& p = f.painter();
    const int shown = std::clamp(static_cast<int>(room.h / f.px(34)), 1, kChaptersShown);
    const float line = std::min(room.h / static_cast<float>(shown), f.px(44));
    float y = room.center().y - line * static_cast<float>(shown) / 2;
    int number = 0;
    for (const Chapter& chapter : f.state.chapters->chapters) {
        if (number == shown) break;
        ++number;
        const float disc = f.px(24);
        const Rect at{room.x, y + (line - disc) / 2, disc, disc};
        const float done = seen_share(f.state, chapter);
        p.circle(at.center(), disc / 2, Hue::AccentSoft);
        p.text_in(at, std::to_string(number), {Type::SmallStrong, Align::Center}, Hue::Accent);
        const float left = at.right() + f.px(10), wide = room.right() - left;
        p.text_fit({left, y + line * 0.1f, wide, line * 0.5f}, in(chapter.title, f.view().language), {Type::Small}, Hue::Ink);
        progress_bar(f.ui, {left, y + line * 0.72f, wide, f.px(4)}, done);
        y += line;
    }
}

/// A field with a caret, and the words of the current text.
void home_try_picture(const Frame& f, Rect room) {
    Painter& p = f.painter();
    const float high = f.px(40), chip = f.px(26);
    const bool words = room.h >= high + chip + f.px(12);
    const Rect field{room.x, room.center().y - high / 2 - (words ? (chip + f.px(12)) / 2 : 0), room.w, high};
    p.fill(field, Hue::Back, f.theme.field_radius);
    p.stroke(field, Hue::Accent, f.theme.field_radius, f.px(1.6f));
    p.fill({field.x + f.px(12), field.y + f.px(10), f.px(1.6f), field.h - f.px(20)}, Hue::Accent);
    p.text_fit({field.x + f.px(20), field.y, field.w - f.px(30), field.h}, f.say(Str::text_placeholder), {Type::Body}, Hue::Soft);
    if (!words) return;
    float x = room.x;
    const float y = field.bottom() + f.px(12);
    for (const std::string& token : f.derived.labels.tokens) {
        const float w = p.width(token, Type::Small) + f.px(16);
        if (x + w > room.right()) break;
        p.stroke({x, y, w, chip}, Hue::Rule, f.px(8), f.px(1.2f));
        p.text_in({x, y, w, chip}, token, {Type::Small, Align::Center}, Hue::Soft);
        x += w + f.px(6);
    }
}

/// The same sentence in a model before and after its training.
void home_train_picture(const Frame& f, Rect room) {
    if (!f.derived.home.train) return;
    const HomeTraining& made = *f.derived.home.train;
    const float arrow = f.px(30), side = (room.w - arrow) / 2;
    draw_map_picture(f, {room.x, room.y, side, room.h}, made.before, f.px(12));
    draw_map_picture(f, {room.right() - side, room.y, side, room.h}, made.after, f.px(12));
    f.painter().arrow({room.center().x - arrow * 0.34f, room.center().y}, {room.center().x + arrow * 0.34f, room.center().y}, Hue::Soft,
                      f.px(1.6f), f.px(7));
}

/// A map of each included model.
void home_model_picture(const Frame& f, Rect room) {
    const auto& maps = f.derived.home.models;
    if (maps.empty()) return;
    const int across = 3, all = (static_cast<int>(maps.size()) + across - 1) / across, down = room.h < f.px(kHomeLow) ? 1 : all;
    const float gap = f.px(12), w = (room.w - gap * (across - 1)) / across,
                h = (room.h - gap * static_cast<float>(down - 1)) / static_cast<float>(down);
    for (std::size_t i = 0; i < std::min(maps.size(), static_cast<std::size_t>(across * down)); ++i) {
        const auto column = static_cast<float>(i % across), row = static_cast<float>(i / across);
        draw_map_picture(f, {room.x + column * (w + gap), room.y + row * (h + gap), w, h}, maps[i], f.px(10));
    }
}

/// Choosing anything else leaves the chapter; Learn continues it.
void leave_chapter(const Frame& f) {
    if (f.view().course.open()) f.push(CourseAction{CloseChapter{}});
}

/// The opening's sentence with its question, or the user's own text if that uses the same model.
void ask_at_home(const Frame& f, bool own_text) {
    leave_chapter(f);
    const attn::Document first = opening_document(f.view().language);
    if (!own_text || f.state.document.model != first.model) f.push(becomes(first));
    f.change_view([](ViewState& v) {
        v.screen = Screen::Stage;
        v.asking = Asking::Asked;
        v.opening = {};
        v.playing = v.one_step = false;
    });
}

void go_watch(const Frame& f) { ask_at_home(f, false); }
void go_try(const Frame& f) {
    ask_at_home(f, true);
    f.scratch.focus_text = true;
}
void go_learn(const Frame& f) { run_command(f, "learn"); }
void go_train(const Frame& f) {
    leave_chapter(f);
    show_screen(f, Screen::Train);
}
void go_model(const Frame& f) {
    leave_chapter(f);
    run_command(f, "models");
}

std::string home_says_learn(const Frame& f) {
    if (!f.state.chapters) return {};
    // Also of a chapter that has been closed since.
    const ChapterProgress& progress = f.state.progress;
    const auto left = std::find_if(progress.pages.rbegin(), progress.pages.rend(), [&](const PageDone& done) { return done.page == progress.page; });
    if (left != progress.pages.rend())
        if (const Chapter* chapter = f.state.chapters->find(left->chapter)) return f.say(Str::home_learn_on, {in(chapter->title, f.view().language)});
    return f.say(Str::home_learn_says, {std::to_string(f.state.chapters->chapters.size())});
}
template <Str what>
std::string home_says(const Frame& f) {
    return std::string(f.say(what));
}

struct HomeCard {
    std::string_view id;
    Str title;
    std::string (*says)(const Frame&);
    void (*picture)(const Frame&, Rect);
    void (*open)(const Frame&);
};
constexpr HomeCard kHomeCardRows[kHomeCards] = {
    {"home.watch", Str::home_watch, home_says<Str::home_watch_says>, home_watch_picture, go_watch},
    {"home.learn", Str::home_learn, home_says_learn, home_learn_picture, go_learn},
    {"home.try", Str::home_try, home_says<Str::home_try_says>, home_try_picture, go_try},
    {"home.train", Str::home_train, home_says<Str::home_train_says>, home_train_picture, go_train},
    {"home.model", Str::home_model, home_says<Str::home_model_says>, home_model_picture, go_model},
};

/// What all cards share, so that their pictures and texts are aligned.
struct HomeLook {
    int lines = 4;       ///< of text
    float words = 0;     ///< height of the text, including the title
    float picture = 0;   ///< height of the picture; 0: no room for one
    Type type = Type::Body;
};
HomeLook home_look(const Frame& f, float wide, float high) {
    const float title = f.theme.line_height(Type::TitleStrong), gap = f.px(16);
    HomeLook look;
    // An entry must be explained: complete sentences next to a picture, if necessary in smaller type. Smaller type is
    // preferred to the smallest picture.
    const std::pair<Type, float> looks[] = {{Type::Body, kHomeLow / 2}, {Type::Small, kHomeLow / 2}, {Type::Body, kHomeLeast}, {Type::Small, kHomeLeast}};
    for (const auto& [type, least] : looks) {
        float sentence = 0;
        for (const HomeCard& card : kHomeCardRows) sentence = std::max(sentence, lines_height(f.painter(), wide, card.says(f), type, kHomeLines));
        look = {kHomeLines, title + f.px(2) + sentence, 0, type};
        look.picture = high - look.words - gap / 2;
        if (look.picture >= f.px(least)) return look;
    }
    look.type = Type::Body;
    // If both do not fit, the picture stays, because a title with half a sentence says less. If even that does not fit,
    // text alone.
    for (look.lines = 4; look.lines >= 0; look.lines -= look.lines > 2 ? 1 : 2) {
        look.words = title;
        for (const HomeCard& card : kHomeCardRows)
            if (look.lines > 0)
                look.words = std::max(look.words, title + f.px(2) + lines_height(f.painter(), wide, card.says(f), Type::Body, look.lines));
        look.picture = high - look.words - gap;
        if (look.picture >= f.px(kHomeLow / 2)) return look;
    }
    const float line = f.theme.line_height(Type::Body);
    look.lines = std::clamp(static_cast<int>((high - title) / std::max(1.0f, line)), 0, 4);
    return {look.lines, std::min(high, title + f.px(2) + line * static_cast<float>(look.lines)), 0, Type::Body};
}

void paint_home_card(const Frame& f, Rect card, float pad, const HomeCard& of, const HomeLook& look) {
    Painter& p = f.painter();
    const Touch touch = touch_area(f.ui, of.id, card);
    f.ui.record(of.id, card);
    if (touch.hovered) p.shadow(card, f.theme.card_radius, f.theme.shadow_blur, 0.14f, f.px(4));
    p.fill(card, Hue::Paper, f.theme.card_radius);
    p.stroke(card, touch.hovered ? Hue::Accent : Hue::Rule, f.theme.card_radius, f.px(touch.hovered ? 1.8f : 1.2f));
    if (touch.focused) focus_ring(f.ui, card, f.theme.card_radius);
    if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
    const Rect inside = card.inset(pad, pad);
    if (look.picture > 0) of.picture(f, {inside.x, inside.y, inside.w, look.picture});
    const float title = f.theme.line_height(Type::TitleStrong), y = inside.bottom() - look.words;
    p.text_fit({inside.x, y, inside.w, title}, f.say(of.title), {Type::TitleStrong}, touch.hovered ? Hue::Accent : Hue::Ink);
    if (look.lines > 0) draw_lines(p, {inside.x, y + title + f.px(2), inside.w, look.words - title}, of.says(f), {look.type}, Hue::Soft, look.lines);
    if (touch.clicked) of.open(f);
}

}  // namespace

void draw_home(const Frame& f) {
    if (f.area.empty()) return;
    Painter& p = f.painter();
    const auto clip = p.clip(f.area);
    const float margin = std::min(f.px(48), f.area.w * 0.05f), gap = f.px(kHomeCardGap);
    const float wide = std::min(f.area.w - 2 * margin, f.px(kHomeMost)), left = f.area.center().x - wide / 2;
    int across = kHomeCards;
    while (across > 1 && (wide + gap) / static_cast<float>(across) - gap < f.px(kHomeCardLeast)) --across;
    if (across == 4) across = 3;  // three and two, not four and one
    const int down = (kHomeCards + across - 1) / across;
    // With two rows, or in large type, the cards need every line of the window.
    const float w = (wide + gap) / static_cast<float>(across) - gap;
    const float head = down > 1 ? f.theme.line_height(Type::TitleStrong) + f.px(16) : f.px(92), foot = down > 1 ? f.theme.button_height + f.px(12) : f.px(64);
    const float room = (f.area.h - head - foot + gap) / static_cast<float>(down) - gap;
    const float h = std::min(room, f.px(kHomeCardHigh));
    const float all = head + (h + gap) * static_cast<float>(down) - gap + foot, top = f.area.y + std::max(0.0f, (f.area.h - all) * 0.42f);
    p.text_fit({left, top, wide, head}, f.say(Str::home_title), {Type::TitleStrong, Align::Center}, Hue::Ink);
    const float pad = f.px(down > 1 ? kHomePad * 0.6f : kHomePad);
    const HomeLook look = home_look(f, w - 2 * pad, h - 2 * pad);
    for (int i = 0; i < kHomeCards; ++i) {
        const int row = i / across, in_row = std::min(across, kHomeCards - row * across), column = i % across;
        const float shift = (wide - (w + gap) * static_cast<float>(in_row) + gap) / 2;
        paint_home_card(f, {left + shift + (w + gap) * static_cast<float>(column), top + head + (h + gap) * static_cast<float>(row), w, h}, pad, kHomeCardRows[i], look);
    }
    // The button back to what was open.
    if (f.state.document.text.empty()) return;
    const std::string back = f.say(Str::home_back, {p.fitted(f.state.document.text, Type::Body, wide * 0.5f)});
    const float back_w = std::min(button_width(f.ui, back), wide), high = f.theme.button_height;
    const float y = top + head + (h + gap) * static_cast<float>(down) - gap + (foot - high) / 2;
    if (button(f.ui, "home.back", {f.area.center().x - back_w / 2, y, back_w, high}, back, ButtonKind::Plain)) show_screen(f, Screen::Stage);
}

constexpr ScreenRow kHomeScreen = {.steps = false, .walks = false, .timeline = false, .tab = false};

}  // namespace app
