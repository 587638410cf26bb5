#pragma once
// All chapters: the program's own and the user's.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "app/chapters/format/chapter.h"
#include "app/content/assets.h"

namespace app {

inline constexpr std::string_view kChapterFolder = "assets/chapters/";
inline constexpr std::string_view kGlossaryFile = "assets/chapters/glossary.toml";
inline constexpr std::string_view kPairsFile = "assets/chapters/pairs.toml";
inline constexpr std::string_view kRoutesFile = "assets/chapters/routes.toml";

/// Two texts with the same meaning in two languages.
using TextPair = std::array<std::string, 2>;

struct ChapterLibrary {
    std::vector<Chapter> chapters;  ///< ordered by their files' names, the user's own last
    std::vector<ChapterTerm> terms;
    std::vector<TextPair> pairs;  ///< which texts a chapter may call translations of each other
    std::vector<CourseRoute> routes;  ///< through the program's own chapters
    std::vector<ChapterProblem> problems;  ///< of the glossary, the pairs, the routes and unreadable files

    const Chapter* find(std::string_view chapter_id) const;
    /// Looks in a chapter's own terms and in the glossary; `chapter` may be null.
    const ChapterTerm* term(std::string_view term_id, const Chapter* chapter) const;
    /// The page with this name, "chapter/page"; null if there is none.
    const ChapterPage* page(std::string_view name) const;
    /// Adds one of the user's chapters, or replaces one with the same id or file.
    void add(Chapter chapter);
};

/// The meaning of a term, followed by links to the terms that it refers to; `chapter` may be null.
Prose term_prose(const ChapterLibrary& library, const ChapterTerm& term, Language language, const Chapter* chapter);

/// A chapter's number in the list: "11b" of 11b-name.toml, "B" of an appendix B-name.toml; its position, from 1, if the
/// file's name has neither.
std::string chapter_number(const Chapter& chapter, int place);

ChapterLibrary load_chapters(const Assets& assets);
/// Reads one of the user's files. Error: it cannot be read.
attn::Result<Chapter> load_chapter_file(const std::string& path, const ChapterLibrary& library);
/// All *.toml files of a folder, sorted; none if the folder does not exist.
std::vector<std::string> chapter_files_in(const std::string& folder);

}  // namespace app
