// A number's formula as LaTeX: the source of the formula setter without its parts and colours.

#include <array>
#include <cctype>
#include <utility>

#include "app/cli/explain_report.h"
#include "app/explain/substitution.h"

namespace app {
namespace {

/// Colours: one letter, and the space after it.
constexpr std::string_view kColours = "qkvsoxmf";

/// Commands that have another name in LaTeX.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kNames = {
    {{"\\word{", "\\operatorname{"}, {"−", "-"}, {"×", "\\times "}, {"·", "\\cdot "}}};

bool is_colour(std::string_view text) {
    return text.size() > 2 && text[0] == '\\' && kColours.find(text[1]) != std::string_view::npos &&
           !std::isalpha(static_cast<unsigned char>(text[2]));
}

std::string to_latex(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        if (text.substr(0, 6) == "\\part{") {
            text.remove_prefix(text.find('}') + 1);
            continue;
        }
        if (is_colour(text)) {
            text.remove_prefix(text[2] == ' ' ? 3 : 2);
            continue;
        }
        if (text.substr(0, 5) == "\\abs{") {  // \abs with one group that contains no groups
            const std::size_t end = text.find('}');
            out += "\\left|" + to_latex(text.substr(5, end - 5)) + "\\right|";
            text.remove_prefix(end + 1);
            continue;
        }
        const auto* known = kNames.data();
        while (known != kNames.data() + kNames.size() && text.substr(0, known->first.size()) != known->first) ++known;
        if (known != kNames.data() + kNames.size()) {
            out += known->second;
            text.remove_prefix(known->first.size());
            continue;
        }
        out += text.front();
        text.remove_prefix(1);
    }
    return out;
}

}  // namespace

std::string explanation_latex(const ExplainSource& source) {
    const Substitution formula = substitute(source.trace, *source.inspection.cell, source.language, source.convention);
    return formula.lines.empty() ? std::string() : to_latex(formula.lines.front().text) + '\n';
}

}  // namespace app
