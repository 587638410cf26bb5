#include "app/views/uses.h"

#include <algorithm>

#include "app/views/present.h"
#include "app/views/study.h"

namespace app {
namespace {

constexpr Str kTitles[kUses] = {Str::use_study, Str::use_present, Str::use_inspect};
constexpr Str kNotes[kUses] = {Str::use_study_note, Str::use_present_note, Str::use_inspect_note};

/// Where the learner was last, also when the chapter has been closed since.
OpenPage page_to_resume(const AppState& state) {
    const LessonProgress& progress = state.progress;
    const auto left = std::find_if(progress.pages.rbegin(), progress.pages.rend(),
                                   [&](const PageDone& done) { return done.page == progress.page; });
    if (left != progress.pages.rend())
        if (const Lesson* lesson = state.lessons->find(left->lesson); lesson && lesson->page_index(left->page) >= 0)
            return {lesson->id, lesson->page_index(left->page)};
    return {std::string(kFirstChapter), 0};
}

}  // namespace

Use use_of(const ViewState& view) {
    if (view.present.on) return Use::Present;
    return view.study.open() ? Use::Study : Use::Inspect;
}

void use_for(const Frame& f, Use use) {
    if (use == use_of(f.view())) return;
    if ((use == Use::Present) != f.view().present.on) toggle_presenting(f);
    if (use == Use::Study && !f.view().study.open() && f.state.lessons) f.push(StudyAction{page_to_resume(f.state)});
    if (use == Use::Inspect && f.view().study.open()) f.push(StudyAction{CloseLesson{}});
}

float use_width(const Frame& f) {
    float widest = 0;
    for (const Str title : kTitles) widest = std::max(widest, f.painter().width(f.say(title), Type::Body));
    return widest + f.px(30);
}

void use_switch(const Frame& f, Rect rect) {
    std::vector<SelectOption> options;
    for (int i = 0; i < kUses; ++i) options.push_back({f.say(kTitles[i]), true, f.say(kNotes[i])});
    int chosen = static_cast<int>(use_of(f.view()));
    if (select(f.ui, "use", rect, options, chosen)) use_for(f, static_cast<Use>(chosen));
}

}  // namespace app
