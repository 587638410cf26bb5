#pragma once
// What a link in a page's text points at.

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
    std::string name;         ///< the step, part, page, term or address; Set: the settings as they stand
    std::string second;       ///< Play: the last step
    std::string row, column;  ///< expressions
};

/// Error: what is wrong with it.
attn::Result<LinkTarget> parse_target(std::string_view text);

/// Where it lies now: rows and columns from 0, below 0 all of them. None: it is not there.
struct LitCells {
    attn::Tag tag{};
    int row = -1, col = -1;
    int token = -1;  ///< from 0: its chip and its row in every matrix that has one, of whichever step
    bool operator==(const LitCells&) const = default;
};
std::optional<LitCells> cells_of(const LinkTarget& target, const ChapterContext& context);

}  // namespace app
