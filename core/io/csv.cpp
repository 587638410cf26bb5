#include "core/io/csv.h"

#include <cassert>

#include "core/io/json_writer.h"
#include "core/io/safe_text.h"

namespace attn {

namespace {

bool runs_as_formula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

bool needs_quotes(std::string_view text) {
    if (text.find_first_of(",\"\r\n") != std::string_view::npos) return true;
    // Some readers trim blanks at the ends unless they are quoted.
    return !text.empty() && (text.front() == ' ' || text.back() == ' ' || text.front() == '\t' || text.back() == '\t');
}

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

}  // namespace

void CsvWriter::separate() {
    if (line_begun_) out_ += ',';
    line_begun_ = true;
}

void CsvWriter::text_cell(std::string_view text) {
    separate();
    std::string shown = visible_text(text, true);
    if (guard_ == CsvGuard::Apostrophe && runs_as_formula(shown)) shown.insert(shown.begin(), '\'');
    if (needs_quotes(shown))
        append_quoted(out_, shown);
    else
        out_ += shown;
}

void CsvWriter::title(std::string_view text) {
    if (!out_.empty()) out_ += '\n';
    // A cell like any other, so that a comma or a break in the title stays within it.
    text_cell("# " + std::string(text));
    out_ += '\n';
    line_begun_ = false;
}

void CsvWriter::row(std::span<const std::string> cells) {
    for (const std::string& cell : cells) text_cell(cell);
    out_ += '\n';
    line_begun_ = false;
}

void CsvWriter::table(const Matrix& values, std::span<const std::string> rows, std::span<const std::string> columns) {
    assert(rows.empty() || static_cast<Eigen::Index>(rows.size()) == values.rows());
    assert(columns.empty() || static_cast<Eigen::Index>(columns.size()) == values.cols());
    if (!columns.empty()) {
        if (!rows.empty()) separate();
        row(columns);
    }
    for (Eigen::Index i = 0; i < values.rows(); ++i) {
        if (!rows.empty()) text_cell(rows[static_cast<std::size_t>(i)]);
        for (Eigen::Index j = 0; j < values.cols(); ++j) {
            separate();
            out_ += shortest(values(i, j));
        }
        out_ += '\n';
        line_begun_ = false;
    }
}

std::string CsvWriter::take() {
    std::string taken = std::move(out_);
    out_.clear();
    return taken;
}

}  // namespace attn
