#pragma once
// All chapters that there are: the program's own, and the reader's.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/content/assets.h"
#include "app/lesson/lesson.h"

namespace app {

inline constexpr std::string_view kLessonFolder = "assets/lessons/";
inline constexpr std::string_view kGlossaryFile = "assets/lessons/glossary.toml";
inline constexpr std::string_view kPairsFile = "assets/lessons/pairs.toml";

/// Two texts that say the same in two languages.
using TextPair = std::array<std::string, 2>;

struct LessonLibrary {
    std::vector<Lesson> lessons;  ///< in the order of their files' names, the reader's own last
    std::vector<LessonTerm> terms;
    std::vector<TextPair> pairs;  ///< what a chapter may call translations of each other
    std::vector<LessonProblem> problems;  ///< of the glossary and the pairs, and files that cannot be read

    const Lesson* find(std::string_view lesson_id) const;
    /// Of a lesson's own terms or the glossary; `lesson` may be null.
    const LessonTerm* term(std::string_view term_id, const Lesson* lesson) const;
    /// One of the reader's is added, or replaces one with the same id or file.
    void add(Lesson lesson);
};

/// What a term means, and below it as links the terms that it refers to; `lesson` may be null.
Prose term_prose(const LessonLibrary& library, const LessonTerm& term, Language language, const Lesson* lesson);

/// What a chapter is called in the list: "11b" of 11b-name.toml; its place there, from 1, where the file has no number.
std::string chapter_number(const Lesson& lesson, int place);

LessonLibrary load_lessons(const Assets& assets);
/// A file of the reader's. Error: it cannot be read.
attn::Result<Lesson> load_lesson_file(const std::string& path, const LessonLibrary& library);
/// All *.toml of a folder, in order; a folder that is not there has none.
std::vector<std::string> lesson_files_in(const std::string& folder);

}  // namespace app
