#include "app/panels/modes.h"

#include <algorithm>

#include "app/chapters/view.h"
#include "app/panels/present.h"

namespace app {
namespace {

constexpr Str kTitles[kModeCount] = {Str::mode_study, Str::mode_present, Str::mode_inspect};
constexpr Str kNotes[kModeCount] = {Str::mode_study_note, Str::mode_present_note, Str::mode_inspect_note};

/// Where the learner was last, also when the chapter has been closed since.
OpenPage page_to_resume(const AppState& state) {
    const ChapterProgress& progress = state.progress;
    const auto left = std::find_if(progress.pages.rbegin(), progress.pages.rend(),
                                   [&](const PageDone& done) { return done.page == progress.page; });
    if (left != progress.pages.rend())
        if (const Chapter* chapter = state.chapters->find(left->chapter); chapter && chapter->page_index(left->page) >= 0)
            return {chapter->id, chapter->page_index(left->page)};
    return {std::string(kFirstChapter), 0};
}

}  // namespace

Mode mode_of(const ViewState& view) {
    if (view.present.on) return Mode::Present;
    return view.reading.open() ? Mode::Study : Mode::Inspect;
}

void enter_mode(const Frame& f, Mode mode) {
    if (mode == mode_of(f.view())) return;
    if ((mode == Mode::Present) != f.view().present.on) toggle_presenting(f);
    if (mode == Mode::Study && !f.view().reading.open() && f.state.chapters) f.push(ReadingAction{page_to_resume(f.state)});
    if (mode == Mode::Inspect && f.view().reading.open()) f.push(ReadingAction{CloseChapter{}});
}

float use_width(const Frame& f) {
    float widest = 0;
    for (const Str title : kTitles) widest = std::max(widest, f.painter().width(f.say(title), Type::Body));
    return widest + f.px(30);
}

void use_switch(const Frame& f, Rect rect) {
    std::vector<SelectOption> options;
    for (int i = 0; i < kModeCount; ++i) options.push_back({f.say(kTitles[i]), true, f.say(kNotes[i])});
    int chosen = static_cast<int>(mode_of(f.view()));
    if (select(f.ui, "use", rect, options, chosen)) enter_mode(f, static_cast<Mode>(chosen));
}

}  // namespace app
