#pragma once
// The panel of a chapter: what its files share.

#include "app/state/course.h"
#include "app/chapters/prose_view.h"
#include "app/frame/view.h"

namespace app {

/// A column of things below each other that scrolls: draws what is wholly inside.
struct CourseColumn {
    const Frame& f;
    Rect view;    ///< that is seen
    float y = 0;  ///< where the next thing begins
    float width = 0;
    bool fits(float height) const { return y >= view.y - 1 && y + height <= view.bottom() + 1; }
    Rect take(float height) {
        const Rect rect{view.x, y, width, height};
        y += height;
        return rect;
    }
    void gap(float design) { y += f.px(design); }
};

/// What the reader did, as an action.
inline void push_course(const Frame& f, CourseAction action) { f.push(Action(std::move(action))); }

/// Words with their links, at most `blocks` of them. Follows what is clicked; what is pointed at lights.
void prose_in(CourseColumn& column, const Prose& prose, Type type, std::string_view id, int blocks = -1);
/// The question, its answer and what came of it.
void question_in(CourseColumn& column);
/// Something to do, with its tick.
void task_in(CourseColumn& column);

/// Type of the page's prose: larger before a room.
Type course_type(const Frame& frame);
/// Paragraphs of the page: what a clicker brings one by one.
int course_steps(const Frame& frame);

}  // namespace app
