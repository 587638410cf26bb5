#include "tests/frames/chapter_stage.h"
#include "app/state/course.h"

namespace frames {

const std::vector<app::Chapter>& built_in_chapters() {
    static const app::ChapterLibrary kLibrary = app::load_chapters(app::Assets());
    return kLibrary.chapters;
}

void ChapterStage::open(const app::Chapter& chapter, int page, std::string_view theme, app::Language language,
                       bool presenting) {
    app::ViewState view = program().state().view;
    view.theme = theme;
    view.language = language;
    view.still = true;
    view.present.on = presenting;
    program().apply(app::becomes(view));
    program().apply(app::CourseAction{app::OpenPage{chapter.id, page}});
    program().finish();
    constexpr int kAllParagraphs = 1000;
    view = program().state().view;
    view.course.shown = kAllParagraphs;
    program().apply(app::becomes(view));
}

}  // namespace frames
