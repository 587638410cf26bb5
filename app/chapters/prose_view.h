#pragma once
// Lays out and draws prose: plain and strong words, mathematics, computed numbers, links.

#include <optional>
#include <string>
#include <vector>

#include "app/chapters/format/prose.h"
#include "app/frame/view.h"

namespace app {

/// A piece on one line; x from the left, vertical positions from the top of its block.
struct ProsePiece {
    ProseSpan::Kind kind = ProseSpan::Kind::Plain;
    std::string text;
    float x = 0, width = 0;
    int link = -1;
    bool missing = false;
    FormulaRoom room{};         ///< for mathematics: the space it was set in
    float scale = 1;            ///< and its reduction when drawn
    float top = 0, height = 0;  ///< of its line
    float base = 0;             ///< of its baseline
};

struct ProseLines {
    ProseBlock::Kind kind = ProseBlock::Kind::Paragraph;
    std::vector<ProsePiece> pieces;
    float top = 0, height = 0;
    float first_base = 0;  ///< baseline of the first line, from the top
};

/// Laid out once for a width, and cached.
struct ProsePicture {
    std::vector<ProseLines> blocks;
    std::vector<std::string> links;
    float height = 0, width = 0;
    Type type = Type::Body;
};

/// `cite`: the number of a source; below 1: none.
ProsePicture lay_out_prose(const Frame& frame, const Prose& prose, float width, Type type,
                           const std::function<int(std::string_view)>& cite = {});

/// What the pointer did with the links.
struct ProseTouch {
    int hovered = -1, clicked = -1;
};
/// `at` is the top left; only lines wholly inside `view` are drawn. `blocks`: how many to draw, below 0 all. `id` is
/// the prefix of the links' ids.
ProseTouch draw_prose(const Frame& frame, const ProsePicture& picture, Point at, Rect view, std::string_view id,
                      int blocks = -1);

/// A glossary term's name in the current language, followed by the one in the other language.
void draw_term_names(const Frame& frame, Rect line, const ChapterTerm& term);

}  // namespace app
