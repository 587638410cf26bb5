// Every page of every chapter in both languages as a small picture against its golden. Renewed as the others are:
// ATTN_RENEW_GOLDENS=1 frame_tests --gtest_filter='*LessonGolden*'

#include <fmt/format.h>

#include <set>

#include "tests/frames/golden.h"
#include "tests/frames/lesson_stage.h"

namespace frames {
namespace {

namespace fs = std::filesystem;
using app::gfx::Image;

constexpr app::Size kGoldenWindow{1280, 800};
constexpr int kSmaller = 4;  ///< pixels of the window for one of the golden, each way
/// Channels are kept in so many steps: what the eye sees as one colour is one, and the files are small. A mean between
/// two steps may be rounded either way.
constexpr int kStep = 8;
constexpr Tolerance kSmallExact{kStep, 0, 0}, kSmallElsewhere{3 * kStep, 0.02, 32};

/// The mean of each block of pixels, in steps.
Image smaller(const Image& image) {
    Image out = app::gfx::make_image(image.width / kSmaller, image.height / kSmaller);
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
            for (int c = 0; c < 4; ++c) {
                int sum = 0;
                for (int i = 0; i < kSmaller * kSmaller; ++i)
                    sum += image.at(x * kSmaller + i % kSmaller, y * kSmaller + i / kSmaller)[c];
                const int mean = sum / (kSmaller * kSmaller);
                out.at(x, y)[c] =
                    static_cast<std::uint8_t>(c == 3 ? mean : std::min(255, mean / kStep * kStep + kStep / 2));
            }
    return out;
}

std::string page_name(const app::Lesson& lesson, int page) {
    return page < static_cast<int>(lesson.pages.size()) ? lesson.pages[static_cast<std::size_t>(page)].id : "reading";
}
/// Below the folder of goldens, without its ending.
fs::path golden_name(const app::Lesson& lesson, int page, app::Language language) {
    return fs::path("lessons") / lesson.id / fmt::format("{}-{}", page_name(lesson, page), language_id(language));
}

class LessonGoldenTest : public LessonStage, public ::testing::WithParamInterface<int> {};

TEST_P(LessonGoldenTest, PagesAreUnchanged) {
    const app::Lesson& lesson = built_in_lessons()[static_cast<std::size_t>(GetParam())];
    for (int page = 0; page <= static_cast<int>(lesson.pages.size()); ++page)
        for (const app::Language language : {app::Language::English, app::Language::Chinese}) {
            SCOPED_TRACE(fmt::format("{} page {} “{}”, {}", lesson.id, page + 1, page_name(lesson, page),
                                     language_id(language)));
            open(lesson, page, "light", language);
            labels(kGoldenWindow);  // until nothing changes any more
            const Image actual = smaller(render(kGoldenWindow));
            ASSERT_FALSE(actual.empty());
            expect_golden(golden_name(lesson, page, language), actual, kSmallExact, kSmallElsewhere);
        }
}

INSTANTIATE_TEST_SUITE_P(Lessons, LessonGoldenTest, ::testing::Range(0, static_cast<int>(built_in_lessons().size())),
                         [](const auto& row) { return fmt::format("chapter{}", row.param + 1); });

TEST(LessonGoldens, BelongToAPageEach) {
    std::set<fs::path> wanted;
    for (const app::Lesson& lesson : built_in_lessons())
        for (int page = 0; page <= static_cast<int>(lesson.pages.size()); ++page)
            for (const app::Language language : {app::Language::English, app::Language::Chinese})
                wanted.insert(golden_folder() / golden_name(lesson, page, language).concat(".png"));
    if (!fs::exists(golden_folder() / "lessons")) GTEST_SKIP() << "no goldens yet";
    for (const auto& entry : fs::recursive_directory_iterator(golden_folder() / "lessons")) {
        if (entry.is_directory()) continue;
        EXPECT_TRUE(wanted.count(entry.path())) << entry.path() << " belongs to no page";
    }
}

}  // namespace
}  // namespace frames
