#pragma once
// Tables as CSV (RFC 4180) for spreadsheets and scripts.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/matrix.h"

namespace attn {

/// Whether a text cell that a spreadsheet would run as a formula (it begins with = + - @, tab or carriage return) is
/// prefixed with an apostrophe. Off leaves labels unchanged, which scripts want. Numbers never get one.
enum class CsvGuard : std::uint8_t { Off, Apostrophe };

/// Builds one file of any number of tables. Lines end in LF alone: RFC 4180 says CR LF, but every reader accepts LF,
/// and line tools and diffs expect it. Numbers are the shortest text that reads back as the same float, always with
/// '.'; infinities are "inf" and "-inf". Cells are quoted only where necessary. Control and direction characters are
/// made visible (visible_text), except for line breaks and tabs inside quoted cells.
class CsvWriter {
public:
    explicit CsvWriter(CsvGuard guard = CsvGuard::Off) : guard_(guard) {}

    /// A separate line, "# title"; an empty line precedes it except before the first table.
    void title(std::string_view text);

    /// One line of text cells.
    void row(std::span<const std::string> cells);

    /// A matrix: if `columns` is given, a header line (with an empty corner if `rows` is given too), then one line per
    /// row. The number of labels must match the matrix, or be 0.
    void table(const Matrix& values, std::span<const std::string> rows, std::span<const std::string> columns);

    /// The text. The writer is empty afterwards.
    std::string take();

private:
    void text_cell(std::string_view text);
    void separate();

    CsvGuard guard_;
    std::string out_;
    bool line_begun_ = false;
};

}  // namespace attn
