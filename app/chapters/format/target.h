#pragma once
// The target of a link in a page's text.

#include <optional>
#include <string>
#include <string_view>

#include "app/chapters/format/expression.h"

namespace app {

struct LinkTarget {
    enum class Kind : std::uint8_t {
        Matrix,
        Row,
        Column,
        Cell,
        Part,
        Token,
        Play,
        Set,
        Screen,
        Page,
        Chapter,
        Term,
        Address
    } kind = Kind::Matrix;
    std::string name;         ///< the step, part, page, term or address; Set: the settings as written
    std::string second;       ///< Play: the last step
    std::string row, column;  ///< expressions
};

/// Error: what is wrong with it.
attn::Result<LinkTarget> parse_target(std::string_view text);

/// The target's place now: rows and columns from 0, below 0 all of them. None: it is not there.
struct LitCells {
    attn::Tag tag{};
    int row = -1, col = -1;
    int token = -1;  ///< from 0: lights its chip, and its row in every step's matrix that has tokens as rows
    bool operator==(const LitCells&) const = default;
};
std::optional<LitCells> cells_of(const LinkTarget& target, const ChapterContext& context);

}  // namespace app
