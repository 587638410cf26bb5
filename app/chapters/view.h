#pragma once
// The chapter panel; shared by its files.

#include "app/state/course.h"
#include "app/chapters/prose_view.h"
#include "app/frame/view.h"

namespace app {

/// A scrolling column of elements: draws those that are wholly inside.
struct CourseColumn {
    const Frame& f;
    Rect view;    ///< the visible part
    float y = 0;  ///< where the next element begins
    float width = 0;
    bool fits(float height) const { return y >= view.y - 1 && y + height <= view.bottom() + 1; }
    Rect take(float height) {
        const Rect rect{view.x, y, width, height};
        y += height;
        return rect;
    }
    void gap(float design) { y += f.px(design); }
};

/// Pushes the user's action.
inline void push_course(const Frame& f, CourseAction action) { f.push(Action(std::move(action))); }

/// Text with links, at most `blocks` blocks of it. Follows clicked links and lights the one under the pointer.
void prose_in(CourseColumn& column, const Prose& prose, Type type, std::string_view id, int blocks = -1);
/// The question, its answer and the result.
void question_in(CourseColumn& column);
/// A task, with its tick.
void task_in(CourseColumn& column);

/// The type of the page's prose.
Type course_type(const Frame& frame);
/// Number of the page's paragraphs, which a clicker shows one by one.
int course_steps(const Frame& frame);

}  // namespace app
