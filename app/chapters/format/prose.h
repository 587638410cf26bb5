#pragma once
// The text of a page: paragraphs of plain words, strong ones, mathematics, computed numbers, links, terms and sources.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/chapters/format/expression.h"

namespace app {

struct ProseSpan {
    enum class Kind : std::uint8_t { Plain, Strong, Code, Math, Number, Cite } kind = Kind::Plain;
    std::string text;      ///< Number: the expression, and once filled in what it is; Math: formula setter; Cite: place
    int link = -1;         ///< of Prose::links
    bool missing = false;  ///< a number that has no value now
    std::string source{};  ///< Cite: its id
};

struct ProseBlock {
    enum class Kind : std::uint8_t { Paragraph, Item, Formula } kind = Kind::Paragraph;
    std::vector<ProseSpan> spans;
};

struct Prose {
    std::vector<ProseBlock> blocks;
    std::vector<std::string> links;  ///< targets: "row weights 3", "term softmax"

    bool empty() const { return blocks.empty(); }
};

struct ProseError {
    std::string message;
    int line = 0, column = 0;  ///< inside the text, from 0
};

/// Names of terms are filled in by `term` (id -> name); one that gives "" is unknown, which is an error. Mistakes go
/// to `errors`; what could be read comes back all the same.
Prose parse_prose(std::string_view markup, const std::function<std::string(std::string_view)>& term,
                  std::vector<ProseError>& errors);

/// The same with its numbers computed. A number without a value is a faint dash.
Prose fill_prose(const Prose& prose, const ChapterContext& context);

/// All words of it, for searching; numbers and mathematics left out.
std::string words_of(const Prose& prose);
/// Everything in it as one line of text, as it stands: numbers once filled in.
std::string text_of(const Prose& prose);
/// Every expression in it, with its format: for checking.
std::vector<std::string> expressions_of(const Prose& prose);

}  // namespace app
