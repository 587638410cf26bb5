#pragma once
// A chapter without a window: its pages are entered as in a frame.

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "app/state/course.h"
#include "app/chapters/course_page.h"
#include "tests/app/state_fixture.h"

namespace app_test {

class ChapterTest : public testing::Test {
protected:
    explicit ChapterTest(std::string_view chapter) {
        auto library = std::make_shared<app::ChapterLibrary>();
        library->add(app::parse_chapter(chapter, "c.toml", {}));
        EXPECT_TRUE(library->chapters[0].problems.empty());
        bench.state.chapters = std::move(library);
    }
    void act(app::CourseAction action) {
        bench.act(app::Action(std::move(action)));
        if (bench.view().course.arriving) bench.act(app::Action(app::CourseAction{app::Arrive{}}));
    }
    void open(int page) { act(app::OpenPage{"c", page}); }
    const app::CoursePage& page() const { return bench.derived.part<app::CoursePage>(); }

    Bench bench;
};

}  // namespace app_test
