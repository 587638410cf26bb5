#include "app/chapters/do.h"

#include <algorithm>

#include "app/state/course.h"
#include "app/screens/experiments/look.h"
#include "app/screens/training/data.h"
#include "app/screens/training/page.h"
#include "app/state/derived.h"
#include "app/state/edits.h"
#include "app/state/screens.h"
#include "app/timeline/answer.h"
#include "core/document/fields.h"

namespace app {
namespace {

/// Splits "experiments scaling".
std::pair<std::string_view, std::string_view> two_words(std::string_view name) {
    const std::size_t blank = name.find(' ');
    if (blank == std::string_view::npos) return {name, {}};
    return {name.substr(0, blank), name.substr(blank + 1)};
}

constexpr std::string_view kWords = "words", kArcs = "arcs";

}  // namespace

bool use_screen(ViewState& view, std::string_view name) {
    if (name == kWords || name == kArcs) {
        view.screen = Screen::Stage;
        view.playing = view.one_step = false;
        view.asking = name == kWords ? Asking::Asked : Asking::Answered;
        view.opening = {};
        view.opening.seconds = name == kWords ? 0 : kAnswerSeconds;
        return true;
    }
    const auto [first, second] = two_words(name);
    const auto screen = find_screen(first);
    if (!screen) return false;
    view.screen = *screen;
    view.asking = Asking::None;
    if (second.empty()) return true;
    const ScreenPages* pages = row_of(*screen).pages;
    if (!pages) return false;
    const auto all = pages->all();
    if (std::find(all.begin(), all.end(), second) == all.end()) return false;
    pages->show(view, std::string(second));
    return true;
}

std::string screen_name(const ViewState& view) {
    if (view.screen == Screen::Stage && view.asking == Asking::Asked) return std::string(kWords);
    if (view.screen == Screen::Stage && view.asking == Asking::Answered) return std::string(kArcs);
    const ScreenRow& row = row_of(view.screen);
    return std::string(row.id) + (row.pages ? " " + row.pages->shown(view) : "");
}

attn::Result<attn::Done> set_by_text(attn::Document& document, std::string_view settings) {
    while (!settings.empty()) {
        const auto [one, rest] = two_words(settings);
        settings = rest;
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos) return attn::Error{"write field=value", "", std::string(one), 0};
        const std::string_view field = one.substr(0, equals), value = one.substr(equals + 1);
        if (field == "variant") attn::choose_form(document, value);
        if (auto set = attn::set_field(document, field, value); !set) return set.error();
    }
    attn::drop_unread(document);
    return attn::Done{};
}

ChapterContext page_context(const attn::Document& document, const attn::Run& run, const attn::Document& own,
                           Language language, const attn::PathChoice& dials) {
    ChapterContext context{run.trace, document, &own, language, attn::Convention::Rows, 0, "stage", {}, {}, 0, 0, dials};
    return context;
}

ChapterContext context_now(const AppState& state, const Derived& derived, const attn::Document& own) {
    const ViewState& v = state.view;
    ChapterContext context{derived.run->trace, state.document, &own,           v.language, v.convention,
                          v.head,    screen_name(v), v.playhead.tag, {},         0,
                          0,         v.part<ExperimentsLook>().paths.dials};
    if (const Chapter* chapter = open_chapter(state)) context.memo = chapter->memo.get();
    context.trained = trained_now(derived.part<TrainingData>());
    if (v.pinned) context.pinned = ChapterContext::Pinned{v.pinned->tag, v.pinned->row, v.pinned->col};
    return context;
}

ViewPart part_of_page(const ChapterDo& how, Language language) {
    const std::string& view = in(how.view, language);
    if (view.empty()) return {};
    auto read = part_from_json(view, kOnPage, "view");
    return read ? std::move(read->part) : ViewPart{};
}

bool do_edits(attn::Document& document, const ChapterDo& how, Language language) {
    if (!set_fields(document, how.set, language)) return false;
    if (!how.edit) return true;
    const auto run = attn::run(document);
    if (!run) return false;
    const ChapterContext context = page_context(document, *run, document, language);
    const attn::StepId id = step_in(context, how.edit->cell.step);
    if (id == attn::kNoStep) return false;
    const attn::Matrix& m = run->trace[id].value;
    const auto row = index_of(how.edit->cell.row, context, static_cast<int>(m.rows()));
    const auto column = index_of(how.edit->cell.column, context, static_cast<int>(m.cols()));
    if (!row || !column) return false;
    type_over(document, {run->trace[id].tag, *row, *column}, static_cast<float>(how.edit->value));
    return true;
}

}  // namespace app
