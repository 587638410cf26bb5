#pragma once
// Tables as CSV (RFC 4180) for spreadsheets and scripts.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/matrix.h"

namespace attn {

/// Whether a text cell that a spreadsheet would run as a formula (it begins with = + - @, tab or carriage return)
/// gets an apostrophe in front. Off keeps labels byte for byte, which scripts want. Numbers never get one.
enum class CsvGuard : std::uint8_t { Off, Apostrophe };

/// Builds one file of any number of tables. Lines end in LF alone: RFC 4180 names CR LF, yet every reader takes LF, and
/// line tools and diffs take nothing else. Numbers are the shortest text that reads back as the same float, always with
/// '.'; infinities are "inf" and "-inf". Cells are quoted only where they must be. Control and direction characters are
/// made visible (visible_text), save the line breaks and tabs inside quoted cells.
class CsvWriter {
public:
    explicit CsvWriter(CsvGuard guard = CsvGuard::Off) : guard_(guard) {}

    /// A line of its own, "# title"; before any but the first table an empty line goes first.
    void title(std::string_view text);

    /// One line of text cells.
    void row(std::span<const std::string> cells);

    /// A matrix: when `columns` is given, a head line (with an empty corner when `rows` is given too), then one line a
    /// row. Label counts must match the matrix, or be 0.
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
