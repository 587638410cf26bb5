#include "core/io/json_syntax.h"

#include <fmt/format.h>

#include <array>

#include "core/io/safe_text.h"

namespace attn {

namespace {

struct Phrase {
    std::string_view report;    // the library's phrase
    std::string_view sentence;  // our sentence
};

constexpr std::array kStringFaults = {
    Phrase{"ill-formed UTF-8", "These bytes are not UTF-8: save the file again as UTF-8."},
    Phrase{"missing closing quote", "This text is never closed: its second '\"' is missing."},
    Phrase{"must be escaped",
           "There is a line break, tab or other control character in this text (or its closing '\"' is "
           "missing): write \\n, \\t or \\u00XX."},
    Phrase{"after backslash",
           "After a backslash only one of \" \\ / b f n r t u is allowed: write \\\\ for a backslash."},
    Phrase{"4 hex digits", "\\u must be followed by four hexadecimal digits."},
    Phrase{"surrogate", "Half of a surrogate pair is alone here: both \\u halves are needed for one character."},
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The offending token: up to the next blank or punctuation.
std::string_view word_at(std::string_view rest) {
    const std::size_t end = rest.find_first_of(" \t\r\n,:[]{}\"");
    return rest.substr(0, end == 0 ? 1 : end);
}

/// Mistakes carried over from other languages; empty if the word is none of them.
std::string describe_habit(std::string_view word) {
    if (word.empty()) return {};
    if (word.starts_with("//") || word.starts_with("/*") || word.starts_with('#')) return "JSON has no comments.";
    if (word.starts_with('\'')) return "Text goes in double quotes (\"), not in single ones.";
    if (word == "NaN" || word == "nan")
        return fmt::format("{} is not a JSON number: a file of attention has null where there is none.", in_quotes(word));
    if (contains(word, "Infinity") || contains(word, "inf"))
        return fmt::format("{} is not a JSON number: where an infinity is allowed it is written as text, \"-inf\".",
                           in_quotes(word));
    if (word == "True" || word == "False" || word == "None")
        return fmt::format("{} is Python: JSON writes true, false and null.", in_quotes(word));
    if (word.starts_with('+')) return "A number has no leading '+'.";
    if (word.starts_with('.')) return "A number has a digit before its '.': 0.5, not .5.";
    return {};
}

std::string describe_key(char next, std::string_view word) {
    if (next == '}') return "There is a ',' before this '}' with nothing after it.";
    if (next == ',') return "A key is missing before this ','.";
    return fmt::format("A key in double quotes is expected here, not {}.", in_quotes(word));
}

std::string describe_value(char next, std::string_view word) {
    if (next == ']' || next == '}') return fmt::format("A value is missing before this '{}'.", next);
    if (next == ',') return "A value is missing before this ','.";
    return fmt::format("A value is expected here, not {}.", in_quotes(word));
}

/// The grammar expected something else here.
std::string describe_context(const JsonFault& fault, std::string_view word) {
    const char next = fault.rest.empty() ? '\0' : fault.rest.front();
    if (contains(fault.report, "object key")) return describe_key(next, word);
    if (contains(fault.report, "object separator")) return "A ':' is expected between the key and its value.";
    if (contains(fault.report, "parsing object"))
        return "A ',' or the closing '}' of " + fault.open + " is missing here.";
    if (contains(fault.report, "parsing array"))
        return "A ',' or the closing ']' of " + fault.open + " is missing here.";
    return describe_value(next, word);
}

}  // namespace

std::string describe_fault(const JsonFault& fault) {
    for (const Phrase& known : kStringFaults)
        if (contains(fault.report, known.report)) return std::string(known.sentence);
    if (contains(fault.report, "unexpected end of input"))
        return fault.open.empty() ? "The file ends before the document begins."
                                  : "The file ends too early: " + fault.open + " is never closed.";
    const std::string_view word = word_at(fault.rest);
    if (contains(fault.report, "number overflow"))
        return fmt::format("The number {} is too large to be held.", in_quotes(word));
    if (std::string habit = describe_habit(word); !habit.empty()) return habit;
    if (fault.complete) return fmt::format("The document has ended, yet {} follows.", in_quotes(word));
    if (contains(fault.report, "invalid number"))
        return fmt::format("{} is not a whole number or decimal.", in_quotes(word));
    if (contains(fault.report, "invalid literal") && contains(fault.report, "parsing value"))
        return fmt::format("{} is not a JSON value: text goes between double quotes.", in_quotes(word));
    return describe_context(fault, word);
}

}  // namespace attn
