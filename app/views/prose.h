#pragma once
// Prose laid out in lines and drawn: words, strong words, mathematics, numbers that were computed, links.

#include <optional>
#include <string>
#include <vector>

#include "app/lesson/prose.h"
#include "app/views/view.h"

namespace app {

/// One piece on one line; x from the left, `line` from the top of its block.
struct ProsePiece {
    ProseSpan::Kind kind = ProseSpan::Kind::Plain;
    std::string text;
    float x = 0, width = 0;
    int line = 0;
    int link = -1;
    bool missing = false;
};

struct ProseLines {
    ProseBlock::Kind kind = ProseBlock::Kind::Paragraph;
    std::vector<ProsePiece> pieces;
    float top = 0, height = 0;
};

/// Laid out once for a width and kept.
struct ProsePicture {
    std::vector<ProseLines> blocks;
    std::vector<std::string> links;
    float height = 0, width = 0, line = 0;
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

}  // namespace app
