// The settings' text: the round trip, and values that are refused.

#include "app/state/settings.h"

#include <gtest/gtest.h>

#include "app/screens/compare/look.h"
#include "app/screens/experiments/look.h"
#include "app/screens/heads/look.h"
#include "app/screens/prediction/look.h"
#include "app/screens/training/training.h"
#include "core/document/link.h"

namespace {

using namespace app;

TEST(Settings, TextAndBack) {
    ViewState view;
    view.language = Language::Chinese;
    view.theme = "projector";
    view.scale = 1.1f;
    view.speed = 0.25;
    view.convention = attn::Convention::Columns;
    view.pooling = Pooling::Largest;
    view.memory = 3000;
    view.still = view.shared_scale = view.cube = true;
    Settings settings = settings_of(view, {1000, 700, WindowCorner{-30, 40}});
    settings.fonts = "/opt/typefaces";
    for (const Settings& s : {settings, Settings{}}) {
        const auto back = settings_from_json(settings_to_json(s), "settings.json");
        ASSERT_TRUE(back);
        EXPECT_TRUE(back->problems.empty());
        EXPECT_EQ(back->settings, s);
    }
}

TEST(Settings, SizesAreClamped) {
    const auto read = [](std::string_view json) { return settings_from_json(json, "s")->settings.window; };
    EXPECT_EQ(read(R"({"window": [1, 999999999]})"), (WindowPlace{200, 16384, {}}));
    EXPECT_EQ(read(R"({"window": [1, 2, 3]})"), WindowPlace{});
    EXPECT_EQ(read(R"({"window": [1e3, 700]})"), WindowPlace{});
    EXPECT_EQ(read(R"({"window": "large"})"), WindowPlace{});
}

TEST(Settings, AMemoryBudgetIsAWholeNumberOfMiB) {
    const auto read = [](std::string_view json) { return settings_from_json(json, "s"); };
    EXPECT_EQ(read(R"({"memory": 2048})")->settings.view.values.memory, 2048);
    EXPECT_EQ(read(R"({"memory": 0})")->settings.view.values.memory, 0);
    EXPECT_EQ(read(R"({"memory": 1})")->settings.view.values.memory, kLeastMemory);
    const auto wrong = read(R"({"memory": "much"})");
    EXPECT_FALSE(wrong->settings.view.has("memory"));
    ASSERT_EQ(wrong->problems.size(), 1u);
    EXPECT_EQ(wrong->problems[0].key, "memory");
}

TEST(Settings, AConventionIsRowsOrColumns) {
    const auto read = settings_from_json(R"({"convention": "columns"})", "s");
    EXPECT_EQ(read->settings.view.values.convention, attn::Convention::Columns);
    for (const char* bad : {R"({"convention": "cols"})", R"({"convention": true})"}) {
        const auto wrong = settings_from_json(bad, "s");
        EXPECT_FALSE(wrong->settings.view.has("convention"));
        ASSERT_EQ(wrong->problems.size(), 1u) << bad;
        EXPECT_EQ(wrong->problems[0].key, "convention");
    }
}

/// A view in which every stored field differs from its default.
ViewState changed_view() {
    ViewState view;
    view.playhead = {{attn::Role::Weights, 1}, 0.1};
    view.head = 1;
    view.inspector = !view.inspector;
    view.pinned = CellRef{{attn::Role::Queries}, 4, 7};
    view.unfolded = attn::Tag{attn::Role::Up, attn::kNoHead, 1};
    view.screen = Screen::Compare;
    view.part<ExperimentsLook>().page = "gradient";
    view.part<Comparison>() = {"order", "causal", 2, 0, "output", "a “text”", "./tuned", attn::document_link({})};
    view.part<HeadsChoice>().page = "grid";
    view.part<HeadsChoice>().find = "7.11";
    view.part<HeadsChoice>().times = 2;
    view.part<HeadsChoice>().composes = "q";
    view.part<HeadsChoice>().only = {1, 3};
    view.part<TrainingLook>().task = "copy";
    view.part<PredictionLook>().top_k = 5;
    view.difference = true;
    view.part<ExperimentsLook>().scaling_width = 128;
    view.part<ExperimentsLook>().scaling_seed = 7;
    view.part<ExperimentsLook>().paths.only = attn::PathKind::Convolution;
    view.language = Language::Chinese;
    view.theme = "dark";
    view.scale = 1.5f;
    view.memory = 2048;
    view.speed = 2;
    view.pace = WalkPace::Deep;
    view.still = view.shared_scale = view.cube = true;
    view.convention = attn::Convention::Columns;
    view.pooling = Pooling::Largest;
    view.level = Detail::WithNumbers;
    view.count_from = attn::CountFrom::Zero;
    view.model_names = {{"copy-seed3-step7", "my “first” copier"}};
    return view;
}

TEST(ViewFields, KeysAreDifferent) {
    for (const ViewField& a : view_fields())
        for (const ViewField& b : view_fields()) EXPECT_EQ(a.key == b.key, &a == &b) << a.key;
}

TEST(Sheets, AreFoundByTheirIdsAndFormerOnes) {
    for (int i = 0; i <= static_cast<int>(Sheet::Help); ++i) {
        const auto sheet = static_cast<Sheet>(i);
        EXPECT_EQ(find_sheet(sheet_id(sheet)), sheet);
    }
    EXPECT_EQ(sheet_id(Sheet::Description), "description");
    EXPECT_EQ(find_sheet("words"), Sheet::Description);
    EXPECT_EQ(find_sheet("no such sheet"), std::nullopt);
}

/// After writing and reading, every stored field is the same; so a field whose row forgets something is found.
TEST(ViewFields, SavedFieldsAreRestored) {
    const ViewState view = changed_view();
    const ViewPart part = part_of(view, kSetting | kPlace);
    const auto back = part_from_json(part_to_json(part), kSetting | kPlace, "a file");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_TRUE(back->problems.empty());
    EXPECT_EQ(back->part, part);
    for (const ViewField& field : view_fields())
        if (field.uses & (kSetting | kPlace)) {
            EXPECT_FALSE(field.same(view, ViewState{})) << field.key;
        }
    ViewState again;
    use_part(again, back->part);
    EXPECT_EQ(again, view);
}

TEST(ViewFields, AResetChangesOnlyItsOwn) {
    ViewState view = changed_view();
    reset_fields(view, kPageStarts);
    for (const ViewField& field : view_fields())
        EXPECT_EQ(field.same(view, ViewState{}), (field.uses & kPageStarts) || field.same(changed_view(), ViewState{}))
            << field.key;
}

TEST(ViewFields, APageChangesNoSettingOfTheUser) {
    const auto read = part_from_json(R"({"theme": "dark", "convention": "columns"})", kOnPage, "view");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->problems.size(), 1u);
    EXPECT_EQ(read->problems[0].key, "theme");
    EXPECT_TRUE(read->part.has("convention"));
    EXPECT_FALSE(read->part.has("theme"));
}

/// Invalid values are named; the rest of the place is used.
TEST(LastView, InvalidValuesAreNamed) {
    for (const char* bad : {R"({"head": 1.5})", R"({"playhead": {"step": "no_such", "progress": 1}})",
                            R"({"playhead": {"step": "weights"}})", R"({"pinned": {"step": "weights", "row": 0}})"}) {
        const auto back = part_from_json(bad, kPlace, "last-view.json");
        ASSERT_TRUE(back) << bad;
        ASSERT_EQ(back->problems.size(), 1u) << bad;
        EXPECT_EQ(back->problems[0].line, 1) << bad;
        EXPECT_FALSE(back->problems[0].key.empty()) << bad;
        EXPECT_TRUE(back->part.named.none()) << bad;
    }
}

}  // namespace
