// Every page of every chapter in both languages: what is written can be read, at the desk and on a projector; and some
// of them as pictures.

#include <fmt/format.h>

#include <algorithm>

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
    /// What overlaps or is cut on a page, in words.
    std::string faults(int page, std::string_view theme, app::Language language, app::Size size) {
        open(page, theme, language);
        const auto found = label_faults(labels(size), size, {});
        std::string told;
        for (std::size_t i = 0; i < std::min(found.size(), kTold); ++i) told += "\n  " + found[i].text();
        return told;
    }
};

/// Pages with faults that are known and not mended yet. One that is mended leaves the list: the test says so.
struct Faulty {
    std::string_view lesson;
    int page;  ///< from 1
};
constexpr Faulty kFaulty[] = {
    {"q-k-v", 10},           {"masks-and-the-decoder", 3}, {"the-transformer", 7},        {"the-transformer", 10},
    {"the-transformer", 15}, {"the-transformer", 16},      {"before-the-transformer", 10}};

bool is_known(std::string_view lesson, int page) {
    return std::any_of(std::begin(kFaulty), std::end(kFaulty),
                       [&](const Faulty& f) { return f.lesson == lesson && f.page == page; });
}

TEST_P(LessonTest, NothingOverlapsAndNothingIsCut) {
    for (int page = 0; page <= static_cast<int>(lesson().pages.size()); ++page) {
        const std::string english = faults(page, "light", app::Language::English, {1280, 800}),
                          chinese = faults(page, "light", app::Language::Chinese, {1280, 800});
        const std::string where = fmt::format("{} page {}", lesson().id, page + 1);
        if (is_known(lesson().id, page + 1)) {
            EXPECT_NE(english + chinese, "") << where << " is mended: take it off the list";
            continue;
        }
        EXPECT_EQ(english, "") << where << ", en";
        EXPECT_EQ(chinese, "") << where << ", zh";
    }
}

/// On a small projector the text leaves the stage too little room for many of its labels: not mended yet.
TEST_P(LessonTest, DISABLED_NothingOverlapsAndNothingIsCutOnAProjector) {
    for (int page = 0; page <= static_cast<int>(lesson().pages.size()); ++page)
        for (const app::Language language : {app::Language::English, app::Language::Chinese})
            EXPECT_EQ(faults(page, "projector", language, {1024, 768}), "")
                << fmt::format("{} page {}, {}", lesson().id, page + 1, language_id(language));
}

INSTANTIATE_TEST_SUITE_P(Lessons, LessonTest, ::testing::Range(0, static_cast<int>(library().lessons.size())),
                         [](const auto& row) { return fmt::format("chapter{}", row.param + 1); });

}  // namespace
}  // namespace frames
