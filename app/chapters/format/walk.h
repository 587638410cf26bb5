#pragma once
// Pages of several chapters that are walked one after the other: a lesson for a class, or the questions of a quiz.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/chapters/format/library.h"

namespace app {

struct CourseWalk {
    LocalText title;
    std::vector<std::string> pages;  ///< "chapter/page" each
    int at = 0;                      ///< one past the last: its end
    std::uint64_t quiz = 0;          ///< the seed that chose its questions; 0: a lesson, whose answers are not counted
    std::vector<std::optional<bool>> first;  ///< of each page of a quiz: whether the first answer was right; none: not given

    int size() const { return static_cast<int>(pages.size()); }
    bool ended() const { return at >= size(); }
    bool counts() const { return quiz != 0; }
    int right() const;
    bool operator==(const CourseWalk&) const = default;
};

/// The lesson of a route, its pages as far as they are there.
CourseWalk walk_of(const CourseRoute& route, const ChapterLibrary& library);

inline constexpr int kQuizQuestions = 10;
/// Ten closing questions of the program's own chapters, from as many chapters as there are, in the order of the course;
/// `route`: of the chapters that it goes through. The same seed chooses the same.
CourseWalk quiz_of(const ChapterLibrary& library, std::uint64_t seed, const CourseRoute* route = nullptr);

/// A page by its "chapter/page"; no chapter: there is none.
struct PagePlace {
    const Chapter* chapter = nullptr;
    int page = -1;
};
PagePlace place_of_page(const ChapterLibrary& library, std::string_view name);

}  // namespace app
