#pragma once
// The chapters of the sources, and what is wrong with one.

#include <string>
#include <vector>

#include "app/chapters/format/library.h"
#include "places.h"

namespace app {

/// The sources' own files, so that a new chapter is tested before it is embedded.
inline const ChapterLibrary& library() {
    static const ChapterLibrary kLibrary = load_chapters(Assets(ATTN_SOURCE_DIR));
    return kLibrary;
}

inline std::string all_of(const std::vector<ChapterProblem>& problems) {
    std::string out;
    for (const ChapterProblem& problem : problems) out += problem.text() + "\n";
    return out;
}

}  // namespace app
