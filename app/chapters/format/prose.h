#pragma once
// The text of a page: paragraphs of plain and strong words, mathematics, computed numbers, links, terms and sources.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/chapters/format/expression.h"

namespace app {

struct ProseSpan {
    enum class Kind : std::uint8_t { Plain, Strong, Code, Math, Number, Cite } kind = Kind::Plain;
    std::string text;      ///< Number: the expression, later its value; Math: the formula's source; Cite: position
    int link = -1;         ///< index in Prose::links; −1: none
    bool missing = false;  ///< a number without a value at present
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

/// `term` maps a term's id to its name; "" means that it is unknown, which is an error. Errors are appended to
/// `errors`; whatever could be parsed is returned.
Prose parse_prose(std::string_view markup, const std::function<std::string(std::string_view)>& term,
                  std::vector<ProseError>& errors);

/// The same with its numbers computed. A number without a value becomes a faint dash.
Prose fill_prose(const Prose& prose, const ChapterContext& context);

/// All its words, for searching; without numbers and mathematics.
std::string words_of(const Prose& prose);
/// All of it as one line of text; numbers must be filled in first.
std::string text_of(const Prose& prose);
/// Every expression in it, with its format, for checking.
std::vector<std::string> expressions_of(const Prose& prose);

}  // namespace app
