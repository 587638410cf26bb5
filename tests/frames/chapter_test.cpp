// Every page of every chapter in both languages: all text is legible, in normal and in projector themes, beside the program
// and while presenting.

#include <fmt/format.h>

#include <algorithm>

#include "tests/frames/chapter_stage.h"
#include "tests/frames/label_check.h"

namespace frames {
namespace {

constexpr std::size_t kListedChapters = 6;

/// The conditions under which a page is tested.
struct Layout {
    std::string_view name, theme;
    app::Size size;
    bool presenting = false;
    bool words_alone = false;  ///< a window so high that no word of the page is scrolled away: only the words are checked
};
void PrintTo(const Layout& layout, std::ostream* out) { *out << layout.name; }

constexpr Layout kLayouts[] = {
    {"desk", "light", {1280, 800}},
    {"room", "light", {1280, 800}, true},
    {"projector", "projector", {1024, 768}},
    {"projector_room", "projector", {1024, 768}, true},
    {"all_words", "light", {1280, 2400}, false, true},
    {"all_words_projected", "projector", {1024, 2800}, false, true},
};

class ChapterTest : public ChapterStage, public ::testing::WithParamInterface<std::tuple<int, Layout>> {
protected:
    const app::Chapter& chapter() const { return built_in_chapters()[static_cast<std::size_t>(std::get<0>(GetParam()))]; }

    /// What overlaps, is cut off or was too long for its place, in words.
    std::string faults(int page, const Layout& layout, app::Language language) {
        open(chapter(), page, layout.theme, language, layout.presenting);
        auto all = labels(layout.size);
        const app::Rect panel = app::place_rect(app::Place::Course, {0, 0, layout.size.w, layout.size.h},
                                                app::theme_named(layout.theme), app::panels_of(program().state()));
        const auto of_page = [&](const app::LabelRect& l) { return panel.contains(l.rect.center()); };
        if (layout.words_alone) std::erase_if(all, [&](const app::LabelRect& l) { return !of_page(l); });
        std::string listed;
        const auto found = label_faults(all, layout.size, {});
        for (std::size_t i = 0; i < std::min(found.size(), kListedChapters); ++i) listed += "\n  " + found[i].text();
        for (const app::LabelRect& l : all)
            if (l.shortened && (of_page(l) || l.text == "…")) listed += "\n  “" + l.text + "” is too long for its place";
        return listed;
    }
};

TEST_P(ChapterTest, NothingOverlapsAndNothingIsCut) {
    const Layout& layout = std::get<1>(GetParam());
    for (int page = 0; page <= static_cast<int>(chapter().pages.size()); ++page)
        for (const app::Language language : {app::Language::English, app::Language::Chinese})
            EXPECT_EQ(faults(page, layout, language), "")
                << fmt::format("{} page {}, {}", chapter().id, page + 1, language_id(language));
}

/// The first page of “Watch it learn” asks which cells will be dark, and the list beside it said so.
TEST_F(ChapterStage, WhatToLookForIsNotSaidBeforeTheFirstStep) {
    const auto& all = built_in_chapters();
    const auto chapter = std::find_if(all.begin(), all.end(), [](const app::Chapter& one) { return one.id == "watch-it-learn"; });
    ASSERT_NE(chapter, all.end());
    const auto says_what = [&](int page) {
        open(*chapter, page, "light", app::Language::English, false);
        const auto drawn = labels({1280, 800});
        return std::any_of(drawn.begin(), drawn.end(), [](const app::LabelRect& l) { return l.text.find("Look for") != std::string::npos; });
    };
    EXPECT_FALSE(says_what(0));
    EXPECT_TRUE(says_what(2)) << "after a hundred steps it helps";
}

INSTANTIATE_TEST_SUITE_P(Chapters, ChapterTest,
                         ::testing::Combine(::testing::Range(0, static_cast<int>(built_in_chapters().size())),
                                            ::testing::ValuesIn(kLayouts)),
                         [](const auto& row) {
                             return fmt::format("chapter{}_{}", std::get<0>(row.param) + 1,
                                                std::get<1>(row.param).name);
                         });

}  // namespace
}  // namespace frames
