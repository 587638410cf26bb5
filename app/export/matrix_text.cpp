#include "app/export/matrix_text.h"

#include <fmt/format.h>

#include <cmath>

#include "core/io/json_writer.h"
#include "core/io/safe_text.h"

namespace app {
namespace {

using attn::Result;
using Eigen::Index;

/// In shortened LaTeX, a side longer than this shows its first rows or columns and the last one, with dots in between.
constexpr Index kLongSide = 8, kFirstShown = 4;
/// The most columns that amsmath's matrices take by default.
constexpr Index kLatexColumns = 10;

/// How a notation writes numbers, infinities and NaN.
struct Notation {
    std::string_view minus_infinity, infinity, not_a_number;
    std::string operator()(float value) const {
        if (std::isnan(value)) return std::string(not_a_number);
        if (std::isinf(value)) return std::string(value < 0 ? minus_infinity : infinity);
        return attn::shortest(value);
    }
};
constexpr Notation kPython{"-np.inf", "np.inf", "np.nan"};
constexpr Notation kLatex{"-\\infty", "\\infty", "\\text{NaN}"};
constexpr Notation kPlain{"-inf", "inf", "nan"};
constexpr Notation kMarkdown{"−∞", "∞", "NaN"};

/// A valid Python name: "l1.weights.h2" becomes l1_weights_h2.
std::string python_name(std::string_view name) {
    std::string out;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        out += plain ? c : '_';
    }
    return out.empty() || (out.front() >= '0' && out.front() <= '9') ? "m_" + out : out;
}

std::string comment(std::string_view what, const std::vector<std::string>& labels) {
    if (labels.empty()) return {};
    std::string line = fmt::format("# {}:", what);
    for (const std::string& label : labels) line += " " + attn::in_quotes(label);
    return line + '\n';
}

/// The indices to show; -1 means dots.
std::vector<Index> shown(Index count, bool shortened) {
    std::vector<Index> out;
    const bool cut = shortened && count > kLongSide;
    for (Index i = 0; i < (cut ? kFirstShown : count); ++i) out.push_back(i);
    if (cut) out.insert(out.end(), {-1, count - 1});
    return out;
}

std::string latex_entry(const MatrixSource& m, Index row, Index col) {
    if (row < 0) return col < 0 ? "\\ddots" : "\\vdots";
    if (col < 0) return "\\cdots";
    const float value = m.value(row, col);
    return m.shortened && std::isfinite(value) ? fmt::format("{:.3f}", value) : kLatex(value);
}

std::string markdown_cell(std::string_view text) {
    std::string out;
    for (const char c : attn::visible_text(text)) {
        if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '`' || c == '<' || c == '[') out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

Result<std::string> matrix_tsv(const MatrixSource& m) {
    std::string out;
    for (Index r = 0; r < m.value.rows(); ++r) {
        for (Index c = 0; c < m.value.cols(); ++c) out.append(c == 0 ? "" : "\t").append(kPlain(m.value(r, c)));
        out += '\n';
    }
    return out;
}

Result<std::string> matrix_numpy(const MatrixSource& m) {
    const std::string name = python_name(m.name);
    std::string out = comment("rows", m.rows) + comment("columns", m.columns);
    if (m.value.size() == 0)
        return out + fmt::format("{} = np.zeros(({}, {}), dtype=np.float32)\n", name, m.value.rows(), m.value.cols());
    const std::string head = name + " = np.array([", indent(head.size(), ' ');
    out += head;
    for (Index r = 0; r < m.value.rows(); ++r) {
        out += (r == 0 ? "[" : indent + "[");
        for (Index c = 0; c < m.value.cols(); ++c) out.append(c == 0 ? "" : ", ").append(kPython(m.value(r, c)));
        out += r + 1 < m.value.rows() ? "],\n" : "]";
    }
    return out + "], dtype=np.float32)\n";
}

Result<std::string> matrix_latex(const MatrixSource& m) {
    const auto rows = shown(m.value.rows(), m.shortened), cols = shown(m.value.cols(), m.shortened);
    std::string out;
    const auto width = static_cast<Index>(cols.size());
    if (width > kLatexColumns) out += fmt::format("\\setcounter{{MaxMatrixCols}}{{{}}}\n", width);
    out += "\\begin{bmatrix}\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out += "  ";
        for (std::size_t c = 0; c < cols.size(); ++c)
            out.append(c == 0 ? "" : " & ").append(latex_entry(m, rows[r], cols[c]));
        out += r + 1 < rows.size() ? " \\\\\n" : "\n";
    }
    return out + "\\end{bmatrix}\n";
}

Result<std::string> matrix_markdown(const MatrixSource& m) {
    std::string head = "| |", rule = "|---|", out;
    for (Index c = 0; c < m.value.cols(); ++c) {
        const auto i = static_cast<std::size_t>(c);
        head += " " + (i < m.columns.size() ? markdown_cell(m.columns[i]) : std::to_string(c + 1)) + " |";
        rule += "---:|";
    }
    out = head + '\n' + rule + '\n';
    for (Index r = 0; r < m.value.rows(); ++r) {
        const auto i = static_cast<std::size_t>(r);
        out += "| " + (i < m.rows.size() ? markdown_cell(m.rows[i]) : std::to_string(r + 1)) + " |";
        for (Index c = 0; c < m.value.cols(); ++c) out += " " + kMarkdown(m.value(r, c)) + " |";
        out += '\n';
    }
    return out;
}

}  // namespace app
