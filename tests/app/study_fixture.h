#pragma once
// A chapter on a bench: its pages are entered the way a frame does it.

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "tests/app/state_fixture.h"

namespace app_test {

class ChapterTest : public testing::Test {
protected:
    explicit ChapterTest(std::string_view chapter) {
        auto library = std::make_shared<app::LessonLibrary>();
        library->add(app::parse_lesson(chapter, "c.toml", {}));
        EXPECT_TRUE(library->lessons[0].problems.empty());
        bench.state.lessons = std::move(library);
    }
    void act(app::StudyAction action) {
        bench.act(app::Action(std::move(action)));
        if (bench.view().study.arriving) bench.act(app::Action(app::StudyAction{app::Arrive{}}));
    }
    void open(int page) { act(app::OpenPage{"c", page}); }
    const app::StudyPage& page() const { return bench.derived.study; }

    Bench bench;
};

}  // namespace app_test
