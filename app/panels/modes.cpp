#include "app/panels/modes.h"

#include <algorithm>

#include "app/state/course.h"
#include "app/panels/present.h"

namespace app {

OpenPage page_to_learn(const AppState& state) {
    const ChapterProgress& progress = state.progress;
    const auto left = std::find_if(progress.pages.rbegin(), progress.pages.rend(),
                                   [&](const PageDone& done) { return done.page == progress.page; });
    if (left != progress.pages.rend())
        if (const Chapter* chapter = state.chapters->find(left->chapter); chapter && chapter->page_index(left->page) >= 0)
            return {chapter->id, chapter->page_index(left->page)};
    return {state.chapters->chapters.empty() ? std::string() : state.chapters->chapters.front().id, 0};
}

Mode mode_of(const ViewState& view) {
    if (view.present.on) return Mode::Present;
    return view.course.open() ? Mode::Study : Mode::Inspect;
}

void enter_mode(const Frame& f, Mode mode) {
    if (mode == mode_of(f.view())) return;
    if ((mode == Mode::Present) != f.view().present.on) toggle_presenting(f);
    if (mode == Mode::Study && !f.view().course.open() && f.state.chapters) f.push(CourseAction{page_to_learn(f.state)});
    if (mode == Mode::Inspect && f.view().course.open()) f.push(CourseAction{CloseChapter{}});
}

}  // namespace app
