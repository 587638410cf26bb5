#include <fmt/format.h>

#include "app/cli/columns.h"
#include "app/cli/explain_report.h"
#include "core/trace/trace.h"

namespace app {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// More decimals than on the stage, because there is room.
constexpr int kDecimals = 4;
constexpr std::size_t kIndent = 2;

std::string number(float value) { return number_text(value, kDecimals); }
std::string mark(bool here) { return here ? "←" : ""; }

std::string heading(const ExplainSource& s) {
    const Inspection& i = s.inspection;
    const bool columns = s.convention == attn::Convention::Columns;
    return fmt::format("{} [{}, {}] = {}\n{}\n", i.matrix, columns ? i.col_label : i.row_label,
                       columns ? i.row_label : i.col_label, number(i.explanation.result), i.place);
}

void section(std::string& out, std::string_view title, const Rows& rows, const std::vector<Side>& sides) {
    if (!rows.empty()) out += fmt::format("\n{}\n{}", title, in_columns(rows, sides, kIndent));
}

Rows chain_rows(const Inspection& i) {
    Rows rows;
    for (const ChainRow& row : i.chain)
        rows.push_back({row.how, row.infinite ? "−∞" : number(row.value), mark(row.here)});
    return rows;
}

Rows term_rows(const ExplainSource& s) {
    const Inspection& i = s.inspection;
    Rows rows;
    for (const TermRow& term : i.terms) {
        if (term.product)
            rows.push_back({term.label, number(term.left), "×", number(term.right), "=", number(term.value)});
        else
            rows.push_back({term.label, "", "", "", "", number(term.value)});
    }
    if (!rows.empty()) rows.push_back({std::string(tr(Str::sum, s.language)), "", "", "", "", number(i.sum)});
    return rows;
}

Rows share_rows(const Inspection& i) {
    Rows rows;
    for (const ShareRow& share : i.shares)
        rows.push_back({share.name(), share.masked ? "−∞ → 0" : number(share.value), mark(share.here)});
    return rows;
}

std::string hidden_line(const ExplainSource& s) {
    const Inspection& i = s.inspection;
    if (i.hidden_terms == 0) return "";
    return std::string(kIndent, ' ') +
           fill_in(tr(Str::more_terms, s.language), {std::to_string(i.hidden_terms), number(i.hidden_sum)}) + '\n';
}

std::string geometry_lines(const ExplainSource& s) {
    if (!s.inspection.geometry) return "";
    const Geometry& g = *s.inspection.geometry;
    return fmt::format("\n{}\n  {}\n", tr(Str::geometry, s.language), geometry_note(g, 1, s.language));
}

}  // namespace

std::string explanation_text(const ExplainSource& s) {
    const Inspection& i = s.inspection;
    std::string out = heading(s);
    section(out, tr(Str::how_made, s.language), chain_rows(i), {Side::Left, Side::Right});
    section(out, tr(Str::adding_up, s.language), term_rows(s),
            {Side::Left, Side::Right, Side::Left, Side::Right, Side::Left, Side::Right});
    out += hidden_line(s);
    section(out, tr(in_convention(i.shares_title, s.convention), s.language),
            share_rows(i), {Side::Left, Side::Right});
    out += geometry_lines(s);
    if (!i.note.empty()) out += '\n' + i.note + '\n';
    return out + '\n' + attn::explain_text(s.trace, i.explanation, s.convention) + '\n';
}

}  // namespace app
