#pragma once
// Prose laid out in lines and drawn: words, strong words, mathematics, numbers that were computed, links.

#include <optional>
#include <string>
#include <vector>

#include "app/chapters/format/prose.h"
#include "app/frame/view.h"

namespace app {

/// One piece on one line; x from the left, the rest from the top of its block.
struct ProsePiece {
    ProseSpan::Kind kind = ProseSpan::Kind::Plain;
    std::string text;
    float x = 0, width = 0;
    int link = -1;
    bool missing = false;
    FormulaRoom room{};         ///< of mathematics: how it was set
    float scale = 1;            ///< and how much smaller it is drawn
    float top = 0, height = 0;  ///< of its line
    float base = 0;             ///< of its letters
};

struct ProseLines {
    ProseBlock::Kind kind = ProseBlock::Kind::Paragraph;
    std::vector<ProsePiece> pieces;
    float top = 0, height = 0;
    float first_base = 0;  ///< of the first line's letters, from the top
};

/// Laid out once for a width and kept.
struct ProsePicture {
    std::vector<ProseLines> blocks;
    std::vector<std::string> links;
    float height = 0, width = 0;
    Type type = Type::Body;
};

/// `cite`: the number that a source is called by; below 1: none.
ProsePicture lay_out_prose(const Frame& frame, const Prose& prose, float width, Type type,
                           const std::function<int(std::string_view)>& cite = {});

/// What the pointer did with the links.
struct ProseTouch {
    int hovered = -1, clicked = -1;
};
/// At a top left; only lines that are wholly inside `view` are drawn. `blocks`: how many of them, below 0 all. `id`
/// makes its links' ids.
ProseTouch draw_prose(const Frame& frame, const ProsePicture& picture, Point at, Rect view, std::string_view id,
                      int blocks = -1);

/// A term of the glossary by its name in the language shown, and behind it in the other one.
void draw_term_names(const Frame& frame, Rect line, const ChapterTerm& term);

}  // namespace app
