#pragma once
// All chapters that there are: the program's own, and the reader's.

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

/// Two texts that say the same in two languages.
using TextPair = std::array<std::string, 2>;

struct ChapterLibrary {
    std::vector<Chapter> chapters;  ///< in the order of their files' names, the reader's own last
    std::vector<ChapterTerm> terms;
    std::vector<TextPair> pairs;  ///< what a chapter may call translations of each other
    std::vector<CourseRoute> routes;  ///< through the program's own chapters
    std::vector<ChapterProblem> problems;  ///< of the glossary, the pairs and the routes, and files that cannot be read

    const Chapter* find(std::string_view chapter_id) const;
    /// Of a chapter's own terms or the glossary; `chapter` may be null.
    const ChapterTerm* term(std::string_view term_id, const Chapter* chapter) const;
    /// The page that "chapter/page" names; null: there is none.
    const ChapterPage* page(std::string_view name) const;
    /// One of the reader's is added, or replaces one with the same id or file.
    void add(Chapter chapter);
};

/// What a term means, and below it as links the terms that it refers to; `chapter` may be null.
Prose term_prose(const ChapterLibrary& library, const ChapterTerm& term, Language language, const Chapter* chapter);

/// What a chapter is called in the list: "11b" of 11b-name.toml, "B" of an appendix B-name.toml; its place there, from 1,
/// where the file has neither.
std::string chapter_number(const Chapter& chapter, int place);

ChapterLibrary load_chapters(const Assets& assets);
/// A file of the reader's. Error: it cannot be read.
attn::Result<Chapter> load_chapter_file(const std::string& path, const ChapterLibrary& library);
/// All *.toml of a folder, in order; a folder that is not there has none.
std::vector<std::string> chapter_files_in(const std::string& folder);

}  // namespace app
