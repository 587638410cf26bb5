// The settings' own text: there and back, and what is not believed.

#include "app/state/settings.h"

#include <gtest/gtest.h>

#include "core/link.h"

namespace {

using namespace app;

TEST(Settings, TextAndBack) {
    Settings settings;
    settings.language = Language::Chinese;
    settings.theme = "projector";
    settings.scale = 1.1f;
    settings.speed = 0.25;
    settings.fonts = "/opt/typefaces";
    settings.window = {1000, 700, WindowCorner{-30, 40}};
    settings.convention = attn::Convention::Columns;
    settings.still = settings.shared_scale = settings.first_start_done = settings.cube = true;
    for (const Settings& s : {settings, Settings{}}) {
        const auto back = settings_from_json(settings_to_json(s), "settings.json");
        ASSERT_TRUE(back);
        EXPECT_TRUE(back->problems.empty());
        EXPECT_EQ(back->settings, s);
    }
}

TEST(Settings, SizesOutsideReasonAreTakenToTheNearest) {
    const auto read = [](std::string_view json) { return settings_from_json(json, "s")->settings.window; };
    EXPECT_EQ(read(R"({"window": [1, 999999999]})"), (WindowPlace{200, 16384, {}}));
    EXPECT_EQ(read(R"({"window": [1, 2, 3]})"), WindowPlace{});
    EXPECT_EQ(read(R"({"window": [1e3, 700]})"), WindowPlace{});
    EXPECT_EQ(read(R"({"window": "large"})"), WindowPlace{});
}

TEST(Settings, AConventionIsRowsOrColumns) {
    const auto read = settings_from_json(R"({"convention": "columns"})", "s");
    EXPECT_EQ(read->settings.convention, attn::Convention::Columns);
    for (const char* bad : {R"({"convention": "cols"})", R"({"convention": true})"}) {
        const auto wrong = settings_from_json(bad, "s");
        EXPECT_EQ(wrong->settings.convention, attn::Convention::Rows);
        ASSERT_EQ(wrong->problems.size(), 1u) << bad;
        EXPECT_EQ(wrong->problems[0].key, "convention");
    }
}

TEST(LastView, TextAndBack) {
    LastView view{
        {{attn::Role::Weights, 1}, 0.1},    1, CellRef{{attn::Role::Queries}, 4, 7}, Screen::Compare, "gradient",
        {"order", "causal", 2, 0, "output", "a “text”", attn::document_link({})}};
    for (const LastView& v : {view, LastView{}}) {
        const auto back = last_view_from_json(last_view_to_json(v), "last-view.json");
        ASSERT_TRUE(back) << back.error().text();
        EXPECT_EQ(*back, v);
    }
}

TEST(LastView, WhatIsWrongIsNamed) {
    for (const char* bad : {R"({"head": 1.5})", R"({"playhead": {"step": "no_such", "progress": 1}})",
                            R"({"playhead": {"step": "weights"}})", R"({"pinned": {"step": "weights", "row": 0}})"}) {
        const auto back = last_view_from_json(bad, "last-view.json");
        ASSERT_FALSE(back) << bad;
        EXPECT_EQ(back.error().line, 1) << bad;
        EXPECT_FALSE(back.error().key.empty()) << bad;
    }
}

}  // namespace
