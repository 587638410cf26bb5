#include "app/cli/columns.h"

#include <utf8proc.h>

#include "core/text/unicode.h"

namespace app {

std::size_t terminal_width(std::string_view text) {
    std::size_t width = 0;
    for (const char32_t code : attn::to_code_points(text)) {
        const int cells = utf8proc_charwidth(static_cast<utf8proc_int32_t>(code));
        width += static_cast<std::size_t>(std::max(cells, 0));
    }
    return width;
}

std::vector<Side> right_but_first(std::size_t columns) {
    std::vector<Side> out(columns, Side::Right);
    out.front() = Side::Left;
    return out;
}

std::string in_columns(const std::vector<std::vector<std::string>>& rows, const std::vector<Side>& sides,
                       std::size_t indent) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        if (row.size() > widths.size()) widths.resize(row.size());
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], terminal_width(row[i]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string blanks(widths[i] - terminal_width(row[i]), ' ');
            const bool right = i < sides.size() && sides[i] == Side::Right;
            line += (i > 0 ? "  " : "") + (right ? blanks + row[i] : row[i] + blanks);
        }
        out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return out;
}

}  // namespace app
