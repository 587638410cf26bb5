#pragma once
// The tree of a formula, for the parser and the layout only.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/draw/vocab.h"
#include "app/ui/formula.h"

namespace app {

/// The classes of neighbouring atoms decide the space between them (TeXbook, chapter 18).
enum class AtomClass : std::uint8_t { Ordinary, Operator, Binary, Relation, Open, Close, Punctuation };

enum class FormulaFace : std::uint8_t { Italic, Upright, Words };

struct FormulaNode {
    enum class Kind : std::uint8_t { Row, Symbol, Space, Fraction, Root, Fence, Scripts, Accent };
    Kind kind = Kind::Row;
    AtomClass atom = AtomClass::Ordinary;
    FormulaFace face = FormulaFace::Italic;
    bool limits = false;  // for an operator: scripts are set below and above it in a displayed formula
    bool large = false;   // a sum or product sign
    Hue hue = Hue::Ink;
    int part = FormulaLayout::kNoPart;        // the innermost part that contains it
    int opens_part = FormulaLayout::kNoPart;  // for a row: the part that is this row
    std::string text;                         // a symbol's letters; an accent's name; a fence's two delimiters' names
    std::string close;
    float space = 0.0f;  // in ems
    // Row: its items. Fraction: above, below. Root, Fence, Accent: the content. Scripts: base, above, below (or null).
    std::vector<std::shared_ptr<const FormulaNode>> children;
    // The root only: name and parent of every part, outer before inner.
    std::vector<FormulaLayout::Part> parts;
};

using NodePtr = std::shared_ptr<const FormulaNode>;

}  // namespace app
