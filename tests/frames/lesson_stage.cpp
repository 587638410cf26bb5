#include "tests/frames/lesson_stage.h"

namespace frames {

const std::vector<app::Lesson>& built_in_lessons() {
    static const app::LessonLibrary kLibrary = app::load_lessons(app::Assets());
    return kLibrary.lessons;
}

void LessonStage::open(const app::Lesson& lesson, int page, std::string_view theme, app::Language language,
                       bool before_room) {
    app::ViewState view = program().state().view;
    view.theme = theme;
    view.language = language;
    view.still = true;
    view.present.on = before_room;
    program().apply(app::becomes(view));
    program().apply(app::StudyAction{app::OpenPage{lesson.id, page}});
    program().finish();
    constexpr int kAllParagraphs = 1000;
    view = program().state().view;
    view.study.shown = kAllParagraphs;
    program().apply(app::becomes(view));
}

}  // namespace frames
