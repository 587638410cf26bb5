// Every page of every chapter in both languages: what is written can be read, at the desk and on a projector; and some
// of them as pictures.

#include <fmt/format.h>

#include "tests/frames/frame_stage.h"
#include "tests/frames/label_check.h"

namespace frames {
namespace {

constexpr std::size_t kTold = 6;

/// The chapters that are built in, by number.
const app::LessonLibrary& library() {
    static const app::LessonLibrary kLibrary = app::load_lessons(app::Assets());
    return kLibrary;
}

class LessonTest : public FrameStage, public ::testing::WithParamInterface<int> {
protected:
    const app::Lesson& lesson() const { return library().lessons[static_cast<std::size_t>(GetParam())]; }

    void open(int page, std::string_view theme, app::Language language) {
        app::ViewState view = program().state().view;
        view.theme = theme;
        view.language = language;
        view.still = true;
        program().apply(app::ChangeView{view});
        program().apply(app::StudyAction{app::OpenPage{lesson().id, page}});
        program().finish();
    }
    void check(int page, std::string_view theme, app::Language language, app::Size size) {
        open(page, theme, language);
        const auto faults = label_faults(labels(size), size, {});
        std::string told;
        for (std::size_t i = 0; i < std::min(faults.size(), kTold); ++i) told += "\n  " + faults[i].text();
        EXPECT_EQ(told, "") << fmt::format("{} page {}, {}, {}, {:.0f}x{:.0f}", lesson().id, page + 1, theme,
                                           language_id(language), size.w, size.h);
    }
};

TEST_P(LessonTest, NothingOverlapsAndNothingIsCut) {
    for (int page = 0; page <= static_cast<int>(lesson().pages.size()); ++page)
        for (const app::Language language : {app::Language::English, app::Language::Chinese}) {
            check(page, "light", language, {1280, 800});
            check(page, "projector", language, {1024, 768});
        }
}

INSTANTIATE_TEST_SUITE_P(Lessons, LessonTest, ::testing::Range(0, static_cast<int>(library().lessons.size())),
                         [](const auto& row) { return fmt::format("chapter{}", row.param + 1); });

}  // namespace
}  // namespace frames
