#include "app/panels/find.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/frame/map_touch.h"
#include "app/screens/heads/heads.h"
#include "app/screens/heads/view.h"

namespace app {
namespace {

/// Design pixels.
constexpr float kFindWidth = 318, kPad = 12, kField = 34, kLine = 27, kAway = 14;
constexpr int kMostLines = 8;
/// Rows that are visible after a jump: few enough to read names, enough for context.
constexpr int kLinesSeen = 24;
/// A field gets the keyboard two frames after requesting it, or never, if the user has clicked elsewhere.
constexpr int kFramesToKeyboard = 4;

void give_keyboard(const Frame& f) {
    f.scratch.search_focus = true;
    f.scratch.search_coming = kFramesToKeyboard;
}

/// The i-th match: a token of the text, or of the second text.
struct Match {
    int index = 0;
    bool source = false;
};
Match match_at(const Found& found, int i) {
    const auto tokens = static_cast<int>(found.tokens.size());
    if (i < tokens) return {found.tokens[static_cast<std::size_t>(i)], false};
    return {found.source[static_cast<std::size_t>(i - tokens)], true};
}

std::string name_of_match(const Frame& f, Match m) {
    const auto& names = m.source ? f.derived.labels.source_tokens : f.derived.labels.tokens;
    return names[static_cast<std::size_t>(m.index)];
}

/// The cell of a matrix whose row is the token, and whose column is the token, too, if columns are tokens.
Spot cell_of(const attn::Step& step, Match m) {
    using Kind = attn::Axis::Kind;
    const Kind kind = m.source ? Kind::SourceTokens : Kind::Tokens;
    const auto last = [](int index, Eigen::Index count) { return std::clamp(index, 0, static_cast<int>(count) - 1); };
    Spot spot;
    if (step.rows.kind == kind) spot.row = last(m.index, step.value.rows());
    if (step.cols.kind == kind) spot.col = last(m.index, step.value.cols());
    return spot;
}

void go_to(const Frame& f, int at) {
    const Match m = match_at(f.derived.found, at);
    std::optional<CellRef> cell;
    MapLook look = f.view().map;
    if (f.view().screen == Screen::Heads && f.derived.part<HeadsData>().here()) {
        const HeadsPlace& place = *f.derived.part<HeadsData>().here();
        const auto rows = static_cast<int>(place.query_names.size()), cols = static_cast<int>(place.key_names.size());
        const Spot spot{std::min(m.index, rows - 1), std::min(m.index, cols - 1)};
        look = looking_at(look, spot, rows, cols, kLinesSeen);
        cell = weight_at(f.trace(), f.derived.part<HeadsData>(), f.derived.part<HeadsData>().head, {spot.row, spot.col});
    } else if (f.derived.pose.step != attn::kNoStep && f.trace()[f.derived.pose.step].value.size() > 0) {
        const attn::Step& step = f.trace()[f.derived.pose.step];
        const Spot spot = cell_of(step, m);
        look = looking_at(look, spot, static_cast<int>(step.value.rows()), static_cast<int>(step.value.cols()),
                          kLinesSeen);
        cell = CellRef{step.tag, spot.row, spot.col};
    }
    f.change_view([at, look](ViewState& v) {
        v.search.at = at;
        v.map = look;
    });
    if (cell) f.push(Pin{cell});
}

struct FindPanel {
    const Frame& f;
    const Found& found;
    Rect card, inner;

    explicit FindPanel(const Frame& frame) : f(frame), found(frame.derived.found) {
        const float pad = f.px(kPad), w = std::min(f.px(kFindWidth), f.window.w - 2 * f.px(kAway));
        const float lines = static_cast<float>(std::min(found.count(), kMostLines)) * f.px(kLine);
        const float h = 2 * pad + f.px(kField) + f.px(26) + (found.count() > 1 ? lines + f.px(6) : 0);
        const Rect header = place_rect(Place::Header, f.window, f.theme, panels_of(f.state));
        const Rect right = place_rect(Place::Right, f.window, f.theme, panels_of(f.state));
        const bool beside = is_on(Place::Right, f.view().screen, panels_of(f.state)) && !right.empty();
        const float edge = beside ? right.x : f.window.right();
        card = {std::round(edge - w - f.px(kAway)), std::round(header.bottom() + f.px(kAway)), w, h};
        inner = card.inset(pad);
    }

    void field() {
        std::string& text = f.scratch.search;
        if (!f.scratch.search_active) text = f.view().search.text;
        FieldLook look;
        const std::string row_hint = f.say(Str::find_row_hint, {std::to_string(f.derived.labels.tokens.size())});
        look.placeholder = f.view().search.rows ? std::string_view(row_hint) : f.say(Str::find_hint);
        look.take_focus = std::exchange(f.scratch.search_focus, false);
        const float button = f.px(28);
        const Rect rect{inner.x, inner.y, inner.w - button - f.px(6), f.px(kField)};
        const auto result = text_field(f.ui, "find_text", rect, text, look);
        // Escape has taken the keyboard away from the field before it is checked here.
        const bool coming = f.scratch.search_coming > 0;
        const bool had_keyboard = std::exchange(f.scratch.search_active, result.active) || result.active || coming;
        const bool typed = text != f.view().search.text;
        if (icon_button(f.ui, "find_close", {inner.right() - button, inner.y + f.px(3), button, button}, Icon::Close) ||
            (had_keyboard && gui::pressed(gui::Key::Escape)))
            return close();
        if (typed)
            f.change_view([text](ViewState& v) {
                v.search.text = text;
                v.search.at = -1;
            });
        if (result.entered || (coming && gui::pressed(gui::Key::Enter))) {
            give_keyboard(f);  // Enter released it; the next Enter goes on, however soon
            f.scratch.search_go = gui::mod_shift() ? -1 : 1;
        }
        // First search for what has just been typed.
        if (!typed) go_to_found(f, std::exchange(f.scratch.search_go, 0));
    }

    void close() {
        f.scratch.search_active = false;
        f.scratch.search_coming = 0;
        f.scratch.search.clear();
        gui::release_keyboard();
        f.change_view([](ViewState& v) { v.search = {}; });
    }

    std::string count_text() const {
        if (f.view().search.text.empty()) return {};
        if (found.by_number && found.count() == 0)
            return f.say(Str::find_no_row, {std::to_string(f.derived.labels.tokens.size())});
        if (found.by_number) return f.say(Str::find_row, {std::to_string(found.tokens.front() + 1)});
        if (found.count() == 0) return std::string(f.say(Str::find_none));
        const int at = std::clamp(f.view().search.at, -1, found.count() - 1);
        return f.say(Str::find_count, {at < 0 ? "–" : std::to_string(at + 1), std::to_string(found.count())});
    }

    void walk(float y) {
        const float button = f.px(26), x = inner.right() - 2 * button - f.px(4);
        f.painter().text_fit({inner.x + f.px(4), y, x - inner.x - f.px(8), button}, count_text(), {Type::Small},
                             Hue::Soft);
        const bool some = found.count() > 0;
        if (icon_button(f.ui, "find_back", {x, y, button, button}, Icon::StepBack, ButtonKind::Plain, some))
            go_to_found(f, -1);
        if (icon_button(f.ui, "find_on", {inner.right() - button, y, button, button}, Icon::StepForward,
                        ButtonKind::Plain, some))
            go_to_found(f, 1);
    }

    void line(Rect row, int i) {
        const Match m = match_at(found, i);
        const bool chosen = i == f.view().search.at;
        const Touch touch = touch_area(f.ui, "find_" + std::to_string(i), row, false);
        if (chosen || touch.hovered) f.painter().fill(row, chosen ? Hue::AccentSoft : Hue::Back, f.px(6));
        if (touch.hovered) gui::set_cursor(gui::Cursor::Hand);
        const float number_w = f.px(56);
        f.painter().text_in({row.x, row.y, number_w, row.h}, std::to_string(m.index + 1),
                            {Type::NumberSmall, Align::Right}, Hue::Faint);
        const float note = m.source ? f.painter().width(f.say(Str::find_second_text), Type::Small) + f.px(12) : 0;
        f.painter().text_fit({row.x + number_w + f.px(12), row.y, row.w - number_w - f.px(18) - note, row.h},
                             name_of_match(f, m), {chosen ? Type::BodyStrong : Type::Body}, Hue::Ink);
        if (m.source)
            f.painter().text_in({row.right() - note, row.y, note - f.px(6), row.h}, f.say(Str::find_second_text),
                                {Type::Small, Align::Right}, Hue::Faint);
        if (touch.clicked) go_to(f, i);
    }

    /// Only visible lines look up their names.
    void list(Rect view) {
        const float each = f.px(kLine), content = each * static_cast<float>(found.count());
        float& offset = f.scratch.search_scroll;
        if (const int at = f.view().search.at; at >= 0 && at != f.scratch.search_shown) {
            const float top = each * static_cast<float>(at);
            offset = std::clamp(offset, top + each - view.h, top);
        }
        f.scratch.search_shown = f.view().search.at;
        scroll_area(f.ui, "find_scroll", view, content, offset);
        const auto clip = f.painter().clip(view);
        const int first = std::max(0, static_cast<int>(std::floor(offset / each)));
        for (int i = first; i < found.count() && each * static_cast<float>(i) - offset < view.h; ++i) {
            const Rect row{view.x, view.y + each * static_cast<float>(i) - offset, view.w - f.px(8), each};
            // Only whole lines: half a word cannot be read.
            if (row.y >= view.y - 1 && row.bottom() <= view.bottom() + 1) line(row, i);
        }
    }

    void draw() {
        f.painter().card(card);
        f.ui.record("find", card);
        field();
        const float y = inner.y + f.px(kField) + f.px(4);
        walk(y);
        if (found.count() > 1) list({inner.x, y + f.px(28), inner.w, inner.bottom() - y - f.px(28)});
    }
};

}  // namespace

void open_search(const Frame& f, bool rows) {
    give_keyboard(f);
    f.scratch.search_active = false;
    f.change_view([rows](ViewState& v) {
        v.sheet = Sheet::None;
        if (!v.search.open || v.search.rows != rows) v.search = {true, rows, {}, -1};
    });
}

bool has_found(const Frame& f) { return f.derived.found.count() > 0; }

void go_to_found(const Frame& f, int by) {
    const int count = f.derived.found.count();
    if (count == 0 || by == 0) return;
    const int at = f.view().search.at;
    go_to(f, at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count);
}

void draw_find(const Frame& f) {
    if (!f.view().search.open || f.view().sheet != Sheet::None || f.window.empty()) return;
    FindPanel panel(f);
    {
        const auto onto = f.painter().onto(gui::begin_layer("find", panel.card.inset(-f.px(14))));
        panel.draw();
    }
    gui::end_layer();
}

}  // namespace app
