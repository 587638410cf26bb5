// The view in words: a sheet to read and copy.

#include "app/panels/description.h"

#include <algorithm>

#include "app/explain/describe.h"
#include "app/frame/commands.h"
#include "app/frame/sheet.h"
#include "app/panels/clipboard.h"
#include "app/screens/experiments/experiments.h"
#include "app/ui/rich_text.h"

namespace app {
namespace {

constexpr float kWordsWidth = 720, kLeast = 240, kMost = 580, kWordsMargin = 28;

/// Whether the experiments' paths page is on the screen.
bool on_paths(const AppState& state) {
    return state.view.screen == Screen::Experiments && shown_experiment_page(state.view.part<ExperimentsLook>().page, state.document) == "paths";
}

/// Updated when the screen's contents change.
const std::string& words(const Frame& f) {
    DescriptionSheet& s = f.scratch.description;
    DescriptionSheet::Key key{f.derived.generation, picked_step(f), f.view().pinned, f.view().language, f.view().convention, f.counts_from()};
    if (on_paths(f.state)) key.experiment = f.derived.part<ExperimentData>().revision;
    if (s.key != key) {
        s.key = key;
        s.text = description_of(f.state, f.derived);
        s.scroll = 0;
    }
    return s.text;
}

void copy(const Frame& f) {
    gui::set_clipboard(f.scratch.description.text);
    f.push(Tell{std::string(f.say(Str::copied_description))});
}

/// The text in lines of a given width, each with its position from the top; `height`: of all lines.
struct WordsPage {
    struct Line {
        std::string_view text;
        float y;
    };
    std::vector<Line> lines;
    float height = 0;
};

WordsPage page_of(const Frame& f, float width) {
    const MeasureWidth measure = [&](std::string_view part) { return f.painter().width(part, Type::Body); };
    const float line = f.theme.line_height(Type::Body), gap = f.px(7);
    WordsPage page;
    const std::string_view all = f.scratch.description.text;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        for (const std::string_view piece : wrap_lines(all.substr(at, end - at), width, measure)) {
            page.lines.push_back({piece, page.height});
            page.height += line;
        }
        page.height += gap;
        at = end + 1;
    }
    return page;
}

void paragraphs(const Frame& f, const WordsPage& page, Rect area) {
    const float line = f.theme.line_height(Type::Body);
    float& scroll = f.scratch.description.scroll;
    const int down = (gui::pressed(gui::Key::Down, true) ? 1 : 0) - (gui::pressed(gui::Key::Up, true) ? 1 : 0);
    scroll += line * static_cast<float>(down);
    scroll_area(f.ui, "description.scroll", area, page.height, scroll);
    const auto clip = f.painter().clip(area);
    for (const WordsPage::Line& one : page.lines) {
        const float top = area.y + one.y - scroll;
        // Only whole lines: half a word cannot be read.
        if (top < area.y - 1 || top + line > area.bottom() + 1) continue;
        f.painter().text_in({area.x, top, area.w, line}, one.text, {Type::Body}, Hue::Ink);
    }
}

}  // namespace

std::string description_of(const AppState& state, const Derived& derived) {
    const ViewState& view = state.view;
    DescribeSource source{.document = state.document, .trace = derived.run->trace, .labels = derived.labels};
    source.step = picked_step(state, derived);
    source.place = derived.pose.stop + 1;
    source.places = source.step == derived.pose.step ? static_cast<int>(derived.timeline.stops.size()) : 0;
    source.convention = view.convention;
    source.language = view.language;
    source.count = counts_from(view, state.document);
    if (source.step == derived.pose.step && derived.explained && row_of(view.screen).walks)
        source.caption = caption({.run = *derived.run,
                                  .labels = derived.labels,
                                  .step = source.step,
                                  .explained = *derived.explained,
                                  .news = derived.timeline.stops[static_cast<std::size_t>(derived.pose.stop)].news,
                                  .language = view.language,
                                  .convention = view.convention,
                                  .count = source.count})
                             .text();
    if (view.pinned && derived.focus && derived.focus_pinned) source.cell = derived.focus;
    if (on_paths(state)) source.page = describe_paths(derived.part<ExperimentData>().paths, derived.labels.tokens, view.language);
    return describe_view(source);
}

void draw_words(const Frame& f) {
    if (f.view().sheet != Sheet::Description || f.window.empty()) return;
    words(f);
    const float around = f.px(90) + f.theme.button_height;
    const float width = std::min(f.px(kWordsWidth), f.window.w - f.px(24)) - 2 * f.px(kWordsMargin) - f.px(14);
    const WordsPage page = page_of(f, width);
    const Rect card = sheet_rect(f, f.px(kWordsWidth), std::clamp(page.height + around, f.px(kLeast), f.px(kMost)));
    const SheetScope sheet(f, "description", card);
    Painter& p = f.painter();
    const auto clip = p.clip(card);
    const float margin = f.px(kWordsMargin), cross = f.px(30), high = f.theme.button_height;
    const Rect head{card.x + margin, card.y + f.px(18), card.w - 2 * margin, f.px(40)};
    p.text_in(head, f.say(Str::described_title), {Type::TitleStrong}, Hue::Ink);
    const float w = button_width(f.ui, f.say(Str::export_copy));
    const Rect copy_rect{card.right() - margin - w, card.bottom() - f.px(20) - high, w, high};
    if (button(f.ui, "description_copy", copy_rect, f.say(Str::export_copy), ButtonKind::Filled)) copy(f);
    if (icon_button(f.ui, "description_close", {head.right() - cross, head.y + f.px(4), cross, cross}, Icon::Close))
        toggle_sheet(f, Sheet::Description);
    if (gui::mod_ctrl() && gui::pressed(gui::Key::C)) copy(f);
    paragraphs(f, page, {head.x, head.bottom() + f.px(8), head.w, copy_rect.y - head.bottom() - f.px(20)});
}

}  // namespace app
