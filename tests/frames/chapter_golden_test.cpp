// Every page of every chapter in both languages: what is drawn, as data, against its golden. A chapter is one file.
// Renewed as the others are: ATTN_RENEW_GOLDENS=1 frame_tests --gtest_filter='*ChapterGolden*'

#include <fmt/format.h>

#include <set>

#include "tests/frames/chapter_stage.h"
#include "tests/frames/golden.h"
#include "tests/frames/replay.h"

namespace frames {
namespace {

namespace fs = std::filesystem;

constexpr app::Size kGoldenWindow{1280, 800};

fs::path chapter_golden(const app::Chapter& chapter) { return fs::path("chapters") / chapter.id; }

/// A page as it stands in the chapter's file.
struct GoldenPage {
    int page = 0;
    app::Language language = app::Language::English;
    std::string name;
};

/// One language after the other: most of a page is as it was on the page before.
std::vector<GoldenPage> golden_pages_of(const app::Chapter& chapter) {
    std::vector<GoldenPage> pages;
    const int count = static_cast<int>(chapter.pages.size());
    for (const app::Language language : {app::Language::English, app::Language::Chinese})
        for (int page = 0; page <= count; ++page)
            pages.push_back({page, language,
                             fmt::format("{}-{}", page < count ? chapter.pages[static_cast<std::size_t>(page)].id : "reading",
                                         language_id(language))});
    return pages;
}

class ChapterGoldenTest : public ChapterStage, public ::testing::WithParamInterface<int> {};

TEST_P(ChapterGoldenTest, PagesAreUnchanged) {
    const app::Chapter& chapter = built_in_chapters()[static_cast<std::size_t>(GetParam())];
    const std::vector<GoldenPage> pages = golden_pages_of(chapter);
    const auto turn_to = [&](std::size_t i) {
        open(chapter, pages[i].page, "light", pages[i].language);
        labels(kGoldenWindow);  // until nothing changes any more
    };
    Records found;
    for (std::size_t i = 0; i < pages.size(); ++i) {
        turn_to(i);
        found.emplace_back(pages[i].name, record(kGoldenWindow));
    }
    const auto now = [&](std::size_t i) { return turn_to(i), render(kGoldenWindow); };
    const auto of = [&](std::size_t i, const Record& golden) { return turn_to(i), replay(program(), golden, kGoldenWindow); };
    expect_records(chapter_golden(chapter), found, {now, of});
}

INSTANTIATE_TEST_SUITE_P(Chapters, ChapterGoldenTest, ::testing::Range(0, static_cast<int>(built_in_chapters().size())),
                         [](const auto& row) { return fmt::format("chapter{}", row.param + 1); });

TEST(ChapterGoldens, BelongToAChapterEach) {
    std::set<fs::path> wanted;
    for (const app::Chapter& chapter : built_in_chapters())
        wanted.insert((golden_folder() / chapter_golden(chapter)).concat(".txt"));
    ASSERT_TRUE(fs::exists(golden_folder() / "chapters"));
    for (const auto& entry : fs::recursive_directory_iterator(golden_folder() / "chapters"))
        EXPECT_TRUE(wanted.count(entry.path())) << entry.path() << " belongs to no chapter";
}

}  // namespace
}  // namespace frames
