#include <algorithm>
#include <array>

#include "app/frame/asking.h"
#include "app/frame/view.h"
#include "app/timeline/roles.h"
#include "core/attention/forms/attention.h"

namespace app {

const FormulaLayout& FormulaCache::get(std::string_view source, FormulaSize size, const Theme& theme,
                                       const Fonts& fonts, FormulaRoom room) {
    const auto found = std::find_if(layouts_.begin(), layouts_.end(), [&](const auto& entry) {
        return entry.first.size == size && entry.first.room == room && entry.first.source == source;
    });
    if (found != layouts_.end()) return found->second;
    const auto formula = parse_formula(source);
    FormulaLayout layout;
    if (formula) layout = lay_out_formula(*formula, formula_style(theme, size), measure_with(fonts), room);
    return layouts_.emplace(Key{std::string(source), size, room}, std::move(layout)).first->second;
}

void Frame::push(Action action) const { actions.push_back(std::move(action)); }
void Frame::change_view(std::function<void(ViewState&)> change) const { push(ChangeView{std::move(change)}); }
void Frame::edit(std::function<void(attn::Document&)> change, std::string gesture) const {
    push(EditDocument{std::move(change), std::move(gesture)});
}

std::span<const View> views() {
    static constexpr std::array kViews = {
#define VIEW(name, place) View{#name, Place::place, Part::name, draw_##name},
#include "app/frame/views.inc"
#undef VIEW
    };
    return kViews;
}

namespace {

/// Share of the window's width for a chapter's text; at normal size with a maximum in design pixels.
constexpr float kScalingShare = 0.37f, kProjectedShare = 0.345f, kScalingWidth = 408, kRoomShare = 0.40f;
/// Share of its height while presenting: for the text at the foot, and for the formula.
constexpr float kFootShare = 0.12f, kFormulaShare = 0.125f;
/// Height of the foot without a caption, in design pixels. A note that appears for a moment covers the screen above it.
constexpr float kBareFoot = 20;

/// The screen fills the window; the formula is above the stage, a chapter's text on the left.
Rect presented_rect(Place place, Rect window, const Theme& theme, const Panels& panels) {
    const float foot = std::round(std::min(theme.px(kPresentFoot), window.h * kFootShare));
    // Next to a chapter, the step is described below its formula, as at normal size.
    const float beside = window.h >= theme.px(420) ? theme.px(104) : 0;
    const float alone = std::round(std::min(theme.px(104), window.h * kFormulaShare));
    const float formula = !panels.formula ? 0 : panels.course ? beside : alone;
    const float words = panels.course ? std::round(window.w * kRoomShare) : 0;
    const Rect body{window.x + words, window.y, window.w - words, window.h - (panels.captioned ? foot : std::min(foot, theme.px(kBareFoot)))};
    switch (place) {
        case Place::Course:
            return {window.x, window.y, words, body.h};
        case Place::Formula:
            return {body.x, body.y, body.w, formula};
        case Place::Stage:
            return {body.x, body.y + formula, body.w, body.h - formula};
        case Place::Overlay:
            return window;
        case Place::Footer:
            return {window.x, window.bottom() - foot, window.w, foot};
        default:
            return body;
    }
}

}  // namespace

Panels panels_of(const AppState& state) {
    const ViewState& v = state.view;
    Panels panels{v.present.on, v.panels,
                  v.course.open() && open_chapter(state) != nullptr && v.screen != Screen::Home && (v.panels || v.present.on)};
    const auto has = [&](Part part) { return has_part(v.level, part); };
    panels.left = has(Part::steps);
    panels.right = has(Part::inspector);
    panels.formula = has(Part::formula);
    panels.tokens = has(Part::tokens);
    panels.footer = row_of(v.screen).timeline && has(Part::timeline);
    panels.captioned = row_of(v.screen).walks;
    const attn::Form* form = attn::find_form(state.document.config.form);
    panels.writes = form && attn::has(form->reads, attn::Reads::Generate);
    panels.asking = shows_question(state);
    panels.yields = (v.screen == Screen::Stage || v.screen == Screen::Flow) && !panels.course;
    panels.inspector_opened = v.inspector;
    if (panels.asking) panels.formula = panels.tokens = panels.footer = false;
    if (!panels.course) return panels;
    const ChapterPage* page = open_page(state);
    const auto shows = [&](std::string_view panel) { return !page || !page->hides(panel); };
    // Readers are to predict first: until the question is answered, nothing is shown that gives the answer away.
    const bool asking = page && page->ask && !v.course.checked && page->ask->kind != "drag_vector";
    const bool by_settings = asking && page->ask->kind == "which_mask";
    // One column serves both: the inspector while a cell is pinned, else steps and settings.
    const bool settings = panels.left && (shows("steps") || shows("settings")) && !by_settings,
               inspector = panels.right && shows("inspector") && !asking;
    panels.right = inspector && (v.pinned || !settings);
    panels.left = settings && !panels.right;
    panels.formula = panels.formula && shows("formula");
    panels.tokens = panels.tokens && shows("tokens");
    panels.footer = panels.footer && shows("timeline");
    return panels;
}

namespace {

/// Narrower windows have no column for the inspector, in design pixels. On a projector it needs to be larger.
bool has_column(Rect window, const Theme& theme) { return window.w >= theme.px(theme.projector ? 1240 : 980); }

/// Height of a formula on one line, and of the chips, in design pixels.
constexpr float kOneLine = 60, kChips = 46;

float formula_height(Rect window, const Theme& theme) {
    return window.h >= theme.px(760) ? theme.px(124) : window.h >= theme.px(480) ? theme.px(96) : 0;
}

/// What surrounds the stage and must make room for its figures.
Omitted omitted_around(Rect window, const Theme& theme, const Panels& panels) {
    if (!panels.yields) return {};
    Surroundings s;
    s.window = {window.w - (panels.around && panels.left && !panels.asking ? theme.left_width : 0),
                window.h - (panels.around ? theme.header_height + theme.footer_height : 0)};
    s.inspector = panels.around && panels.right ? theme.right_width : 0;
    s.chips = theme.px(kChips);
    s.formula = panels.formula ? formula_height(window, theme) : 0;
    s.one_line = std::min(s.formula, theme.px(kOneLine));
    s.em = theme.em(Type::Number);
    return around_the_stage(s);
}

}  // namespace

bool inspector_has_handle(const Frame& f) {
    const Panels panels = panels_of(f.state);
    return panels.around && !panels.presenting && !panels.asking && panels.right && panels.yields && f.view().screen == Screen::Stage &&
           has_column(f.window, f.theme) && !omitted_around(f.window, f.theme, panels).shows(Omittable::Inspector);
}

Rect inspector_handle_rect(const Frame& f) {
    constexpr float kWide = 20, kHigh = 72;
    if (!inspector_has_handle(f)) return {};
    const Rect stage = place_rect(Place::Stage, f.window, f.theme, panels_of(f.state));
    return {stage.right() - f.px(kWide), stage.center().y - f.px(kHigh) / 2, f.px(kWide), f.px(kHigh)};
}

Rect place_rect(Place place, Rect window, const Theme& theme, const Panels& panels) {
    if (panels.presenting) return presented_rect(place, window, theme, panels);
    const Omitted omitted = omitted_around(window, theme, panels);
    // In a narrow window the inspector goes first, then the steps; the stage always stays. On a projector these panels
    // need to be larger, so they go sooner.
    const bool wide = has_column(window, theme) && (panels.inspector_opened || omitted.shows(Omittable::Inspector)),
               middling = window.w >= theme.px(theme.projector ? 1000 : 680);
    const bool beside = panels.around && window.w >= theme.px(1180);
    const bool right = panels.course ? beside && (panels.right || panels.left) : panels.right && panels.around && wide && !panels.asking;
    const bool left = !panels.course && panels.left && panels.around && middling && !panels.asking;
    const float words =
        panels.course
            ? std::round(std::min(theme.px(kScalingWidth), window.w * (theme.projector ? kProjectedShare : kScalingShare)))
            : 0;
    const float header = panels.around ? std::min(theme.header_height, window.h) : 0,
                footer = panels.around && panels.footer && window.h >= theme.px(320) ? theme.footer_height : 0;
    const float side = panels.course && panels.left ? std::max(theme.left_width, theme.px(240)) : theme.right_width;
    const float l = words + (left ? theme.left_width : 0), r = right ? side : 0;
    const float tokens = window.h >= theme.px(640) && panels.tokens && (omitted.shows(Omittable::Chips) || panels.writes) ? theme.px(kChips) : 0;
    const float tall = panels.formula ? formula_height(window, theme) : 0;
    const float formula = omitted.shows(Omittable::SecondLine) ? tall : std::min(tall, theme.px(kOneLine));
    const float body = std::max(0.0f, window.h - header - footer), middle = std::max(0.0f, window.w - l - r);
    const float top = window.y + header;
    switch (place) {
        case Place::Header:
            return {window.x, window.y, window.w, header};
        case Place::Course:
            return {window.x, top, words, body};
        case Place::Left:
            return panels.course ? Rect{window.right() - r, top, r, body} : Rect{window.x, top, l, body};
        case Place::Right:
            return {window.right() - r, top, r, body};
        case Place::Footer:
            return {window.x, window.bottom() - footer, window.w, footer};
        case Place::Tokens:
            return {window.x + l, top, middle, tokens};
        case Place::Formula:
            return {window.x + l, top + tokens, middle, formula};
        case Place::Stage:
            return {window.x + l, top + tokens + formula, middle, std::max(0.0f, body - tokens - formula)};
        case Place::Overlay:
            return window;
        default:
            break;
    }
    // A screen gets the area that the panels next to it leave.
    const ScreenRow& screen = row_of(*screen_at(place));
    const float from = screen.steps ? l : words;
    return {window.x + from, top, std::max(0.0f, window.w - from - (screen.inspector ? r : 0)), body};
}

namespace {
constexpr int kPanels = static_cast<int>(Place::Overlay) + 1;
}  // namespace

std::optional<Screen> screen_at(Place place) {
    const int at = static_cast<int>(place) - kPanels;
    return at < 0 ? std::nullopt : std::optional(static_cast<Screen>(at));
}

Place place_at(Screen screen) { return static_cast<Place>(kPanels + static_cast<int>(screen)); }

bool is_on(Place place, Screen screen, const Panels& panels) {
    const bool panel = place == Place::Header || place == Place::Left || place == Place::Right ||
                       place == Place::Tokens || place == Place::Footer;
    if (panels.presenting && panel) return false;
    if (panels.asking && (place == Place::Left || place == Place::Right || place == Place::Tokens || place == Place::Formula || place == Place::Footer)) return false;
    if (const auto own = screen_at(place)) return *own == screen;
    switch (place) {
        case Place::Course:
            return panels.course;
        case Place::Tokens:
        case Place::Formula:
            return screen == Screen::Stage;
        case Place::Right:
            return panels.right && row_of(screen).inspector;
        case Place::Left:
            // Next to a chapter, they get the column on the right only if the screen leaves it free.
            return panels.left && row_of(screen).steps && (!panels.course || row_of(screen).inspector);
        default:
            return true;
    }
}

std::string symbol_of_stage(const Frame& frame, Stage stage) {
    return symbol_of(stage, frame.derived.run->config, frame.view().convention);
}

void show_screen(const Frame& f, Screen screen) {
    if (screen == f.view().screen) return;
    if (screen == Screen::Flow && f.view().screen == Screen::Stage) return f.push(LeaveMatrix{});
    f.change_view([screen](ViewState& v) { v.screen = screen; });
}

bool is_drawer(const Frame& f, Place place) {
    const Panels panels = panels_of(f.state);
    const Screen screen = has_screen(f, f.view().screen) ? f.view().screen : Screen::Stage;
    return panels.around && !panels.presenting && is_on(place, screen, panels) &&
           place_rect(place, f.window, f.theme, panels).empty() && !(place == Place::Right && inspector_has_handle(f));
}

bool has_screen(const Frame& frame, Screen screen) { return is_available(screen, frame.state.document); }

std::string place_of(const Frame& f, const Section& section) {
    const auto& sections = f.derived.timeline.sections;
    const bool encoders = std::any_of(sections.begin(), sections.end(), [](const Section& s) { return s.encoder; });
    std::string place;
    const auto add = [&place](std::string_view words) { place.append(place.empty() ? "" : " · ").append(words); };
    if (section.reverse) add(f.say(Str::place_backwards));
    if (section.encoder)
        add(f.say(Str::place_encoder));
    else if (section.cross)
        add(f.say(Str::place_cross));
    else if (encoders)
        add(f.say(Str::place_decoder));
    if (section.layer != attn::kNoLayer) add(f.say(Str::place_block, {f.number(section.layer)}));
    if (section.time != attn::kNoTime) add(f.say(Str::place_time, {std::to_string(section.time + 1)}));
    return place;
}

float widest_name(const Frame& f, const std::vector<std::string>& names, Type type) {
    constexpr std::size_t kMeasured = 128;
    float w = 0;
    const auto measure = [&](const std::string& name) { w = std::max(w, f.painter().width(name, type)); };
    if (names.size() <= kMeasured) {
        std::for_each(names.begin(), names.end(), measure);
        return w;
    }
    std::size_t longest = 0, measured = 0;
    for (const std::string& name : names) longest = std::max(longest, name.size());
    for (const std::string& name : names)
        if (name.size() * 4 >= longest * 3 && measured++ < kMeasured) measure(name);
    return w;
}

std::string_view part_of(Stage stage) { return look_of(stage).part; }
Str title_of(Stage stage) { return look_of(stage).title; }

}  // namespace app
