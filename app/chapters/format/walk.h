#pragma once
// A sequence of pages from several chapters: a lesson for a class, or the questions of a quiz.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/chapters/format/library.h"

namespace app {

struct CourseWalk {
    LocalText title;
    int minutes = 0;                 ///< of its route; 0: a quiz
    std::vector<std::string> pages;  ///< each as "chapter/page"
    int at = 0;                      ///< one past the last page: the end
    std::uint64_t quiz = 0;          ///< the seed that chose its questions; 0: a lesson, whose answers are not counted
    /// For each page of a quiz, whether the first answer was right; none: not answered.
    std::vector<std::optional<bool>> first;

    int size() const { return static_cast<int>(pages.size()); }
    bool ended() const { return at >= size(); }
    bool counts() const { return quiz != 0; }
    int right() const;
    bool operator==(const CourseWalk&) const = default;
};

/// The lesson of a route: those of its pages that exist.
CourseWalk walk_of(const CourseRoute& route, const ChapterLibrary& library);

inline constexpr int kQuizQuestions = 10;
/// Ten closing questions from the program's own chapters, from as many different chapters as possible, in the course's
/// order; with `route`, only from chapters that it contains. The same seed gives the same questions.
CourseWalk quiz_of(const ChapterLibrary& library, std::uint64_t seed, const CourseRoute* route = nullptr);

/// Restores a saved lesson or quiz with the pages of this library, at the page where it was left. None: its route no longer
/// exists, or has become too short.
std::optional<CourseWalk> restored_walk(const CourseWalk& stored, const ChapterLibrary& library);
/// The page "chapter/page"; `chapter` is null if there is none.
struct PagePlace {
    const Chapter* chapter = nullptr;
    int page = -1;
};
PagePlace place_of_page(const ChapterLibrary& library, std::string_view name);

}  // namespace app
