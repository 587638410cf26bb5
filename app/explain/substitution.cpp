#include "app/explain/substitution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/content/number_text.h"
#include "app/explain/inspection_parts.h"
#include "app/explain/substitution_parts.h"
#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"

namespace app {
namespace substitution {
namespace {

/// Numbers of terms that are written out, descending; each one that gives a different text is a line.
constexpr std::size_t kLengths[] = {16, 12, 9, 7, 5, 4, 3, 2};

/// The formula setter's command for a hue, with a space after it; empty for ink.
std::string_view colour(Hue hue) {
    switch (hue) {
        case Hue::Query:
            return "\\q ";
        case Hue::Key:
            return "\\k ";
        case Hue::Value:
            return "\\v ";
        case Hue::Score:
            return "\\s ";
        case Hue::Output:
            return "\\o ";
        case Hue::Input:
            return "\\x ";
        case Hue::Masked:
            return "\\m ";
        case Hue::Gradient:
            return "\\g ";
        default:
            return "";
    }
}

}  // namespace

std::string number_formula(double value, int decimals) {
    if (std::isinf(value)) return value < 0 ? "-\\infty" : "\\infty";
    constexpr double kMost = 99999.5;
    if (std::abs(value) >= kMost) {
        const auto power = static_cast<int>(std::floor(std::log10(std::abs(value))));
        return fmt::format("{:.3f} \\cdot 10^{{{}}}", value / std::pow(10.0, power), power);
    }
    std::string text = fmt::format("{:.{}f}", value, decimals);
    return text[0] == '-' && has_only_zeros(text) ? text.substr(1) : text;
}

std::string Writer::number(attn::Cell cell, bool plain) {
    const std::string part = "n" + std::to_string(sources.size());
    sources.push_back({part, cell});
    std::string text = number_formula(static_cast<double>(value(cell)));
    if (plain && text[0] == '-') text.erase(0, 1);
    return fmt::format("\\part{{{}}}{{{}{}}}", part, colour(hue_of(trace, cell.step)), text);
}

std::string Writer::sum(std::size_t count, const std::function<std::string(std::size_t, bool)>& one,
                        const std::function<double(std::size_t)>& worth) {
    std::string out;
    const bool whole = count <= listed;
    const std::size_t before = whole ? count : (listed + 1) / 2, after = whole ? count : count - listed / 2;
    for (std::size_t i = 0; i < before; ++i) out += one(i, i == 0);
    if (whole) return out;
    double left_out = 0;
    for (std::size_t i = before; i < after; ++i) left_out += worth(i);
    const std::string left = number_formula(left_out);
    out += fmt::format(" {} \\text{{{}}}\\;{}", left[0] == '-' ? "-" : "+",
                       fill_in(tr(Str::terms_left_out, language), {std::to_string(after - before)}),
                       left[0] == '-' ? left.substr(1) : left);
    for (std::size_t i = after; i < count; ++i) out += one(i, false);
    return out;
}

std::string Writer::indexed(attn::Cell cell) const {
    const std::string symbol = symbol_of(trace, cell.step, convention);
    const int row = (columns() ? cell.col : cell.row) + 1, col = (columns() ? cell.row : cell.col) + 1;
    // "\\q Q" is a letter with a colour: its entries are q. Longer symbols are put in parentheses.
    const std::size_t begin = symbol.size() > 3 && symbol[0] == '\\' && symbol[2] == ' ' ? 3 : 0;
    const std::string_view bare = std::string_view(symbol).substr(begin);
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const std::string entry = bare.size() == 1 && upper(bare[0])
                                  ? fmt::format("{{{}{}}}", symbol.substr(0, begin), char(bare[0] - 'A' + 'a'))
                                  : fmt::format("({})", symbol);
    return fmt::format("{}_{{{},{}}}", entry, row, col);
}

}  // namespace substitution

const attn::Cell* Substitution::Line::cell_of(std::string_view part) const {
    const auto found =
        std::find_if(sources.begin(), sources.end(), [&](const FormulaSource& s) { return s.part == part; });
    return found == sources.end() ? nullptr : &found->cell;
}

std::string_view Substitution::Line::part_of(attn::Cell of) const {
    const auto found =
        std::find_if(sources.begin(), sources.end(), [&](const FormulaSource& s) { return s.cell == of; });
    return found == sources.end() ? std::string_view{} : std::string_view(found->part);
}

bool Substitution::has_source(attn::Cell of) const { return !lines.empty() && !lines[0].part_of(of).empty(); }

namespace {

std::string written(const std::string& name, const substitution::Said& said, const std::string& result, bool general) {
    std::string out = name;
    if (general && !said.general.empty()) out += " = " + said.general;
    out += " = " + said.numbers;
    for (const std::string& step : said.between) out += " = " + step;
    // A number that was only moved is already its own result.
    if (!result.empty()) out += " = " + result;
    return said.condition.empty() ? out : out + "\\quad " + said.condition;
}

}  // namespace

Substitution substitute(const attn::Trace& trace, attn::Cell cell, Language language, attn::Convention convention) {
    const attn::Explanation e = attn::explain(trace, cell);
    Substitution out;
    if (std::isnan(e.computed)) return out;
    std::vector<Substitution::Line> plain;
    for (const std::size_t listed : substitution::kLengths) {
        Substitution::Line line;
        substitution::Writer writer{trace, language, convention, line.sources, listed};
        const substitution::Said said = substitution::say(writer, e);
        if (said.numbers.empty()) return {};
        const std::string name = writer.indexed(cell);
        std::string result = substitution::number_formula(static_cast<double>(e.computed));
        if (carries_cells(e.op) && !e.edited) result.clear();
        if (e.edited) result += " \\to " + substitution::number_formula(static_cast<double>(e.result));
        line.numbers = said.numbers;
        line.text = written(name, said, result, false);
        if (!plain.empty() && plain.back().text == line.text) continue;
        plain.push_back(line);
        if (said.general.empty()) continue;
        line.text = written(name, said, result, true);
        out.lines.push_back(std::move(line));
    }
    out.lines.insert(out.lines.end(), plain.begin(), plain.end());
    out.cell = cell;
    return out;
}

}  // namespace app
