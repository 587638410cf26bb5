#include "app/chapters/format/toml_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/io/nesting.h"
#include "core/io/safe_text.h"
#include "core/text/byte_order_mark.h"
#include "core/text/unicode.h"

namespace app {
namespace {

bool is_bare(char32_t c) {
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9') || c == U'_' || c == U'-' ||
           c == U'+' || c == U'.';
}

/// Scans the file for texts, comments and brackets, and knows nothing else of TOML.
class Walk {
public:
    explicit Walk(std::string_view bytes) : bytes_(bytes) {
        at_ = bytes.size() - attn::without_byte_order_mark(bytes).size();
    }

    std::optional<TomlFault> run() {
        while (at_ < bytes_.size() && !fault_) step();
        return fault_;
    }

private:
    bool next_is(std::string_view what) const { return bytes_.substr(at_).starts_with(what); }

    void fail(std::string message) {
        if (!fault_) fault_ = TomlFault{std::move(message), line_, column_};
    }

    /// Takes one character, and rejects one that is never allowed. 0 after an error.
    char32_t take() {
        const attn::CodePoint c = attn::decode_utf8(bytes_, at_);
        if (!c.valid) {
            fail("here are bytes that are not UTF-8; save the file as UTF-8");
            return 0;
        }
        const bool line_end = c.value == U'\n' || (c.value == U'\r' && next_is("\r\n"));
        if (!line_end && c.value != U'\t' && (c.value < 0x20 || c.value == 0x7F)) {
            fail(fmt::format("the control character U+{0:04X} may not stand in TOML; take it out, or write \\u{0:04X} in "
                             "a text in double quotes",
                             static_cast<unsigned>(c.value)));
            return 0;
        }
        at_ += c.length;
        ++column_;
        if (c.value == U'\n') {
            ++line_;
            column_ = 1;
        }
        return c.value;
    }

    void step() {
        const char c = bytes_[at_];
        if (c == '#') return comment();
        if (c == '"' || c == '\'') return text(c);
        if (static_cast<unsigned char>(c) >= 0x80) return foreign();
        if (is_bare(static_cast<char32_t>(c))) return word();
        if (c == '[' || c == '{')
            open();
        else if ((c == ']' || c == '}') && !open_.empty())
            close();
        else if (c == ',' || c == '\n')
            dots_ = 0;
        take();
    }

    void comment() {
        while (at_ < bytes_.size() && bytes_[at_] != '\n' && !fault_) take();
    }

    /// Skips a text of any of the four kinds; an unclosed one is left for the parser to report.
    void text(char quote) {
        const std::string three(3, quote);
        const bool several_lines = next_is(three);
        for (int i = 0; i < (several_lines ? 3 : 1); ++i) take();
        while (at_ < bytes_.size() && !fault_) {
            if (bytes_[at_] == '\n' && !several_lines)
                return fail(fmt::format("a text in {0} does not end on its line; close it, or begin and end it with {1}",
                                        quote, three));
            if (several_lines ? next_is(three) : bytes_[at_] == quote) return close_text(quote, several_lines);
            const bool escape = quote == '"' && bytes_[at_] == '\\';
            take();
            if (escape && at_ < bytes_.size() && bytes_[at_] != '\n' && !fault_) take();
        }
    }

    /// Up to two quotes may precede the three that end a multi-line text.
    void close_text(char quote, bool several_lines) {
        const int most = several_lines ? 5 : 1;
        for (int i = 0; i < most && at_ < bytes_.size() && bytes_[at_] == quote; ++i) take();
    }

    void foreign() {
        const attn::CodePoint c = attn::decode_utf8(bytes_, at_);
        if (!c.valid) return static_cast<void>(take());
        fail(fmt::format("{} (U+{:04X}) may stand only in a text or behind #; put the text in straight quotes, and use "
                         "plain spaces",
                         attn::in_quotes(bytes_.substr(at_, c.length)), static_cast<unsigned>(c.value)));
    }

    /// Takes a bare key, a number, true or false.
    void word() {
        const std::size_t begin = at_;
        const int column = column_;
        while (at_ < bytes_.size() && is_bare(static_cast<char32_t>(static_cast<unsigned char>(bytes_[at_])))) take();
        const std::string_view word = bytes_.substr(begin, at_ - begin);
        refuse_hexadecimal_fraction(word, column);
        count_dots(word, column);
    }

    /// 0x1.8p3: the parser supports these as a future feature, and reads some as 0.
    void refuse_hexadecimal_fraction(std::string_view word, int column) {
        if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
        if (!(word.starts_with("0x") || word.starts_with("0X")) || word.find_first_of("pP.") == std::string_view::npos)
            return;
        column_ = column;
        fail(attn::in_quotes(word) + " is no number of TOML; write it with decimal digits");
    }

    /// a.b.c is three tables deep, in brackets as well as before "=".
    void count_dots(std::string_view word, int column) {
        dots_ += static_cast<int>(std::count(word.begin(), word.end(), '.'));
        if (depth() <= attn::kDeepestNesting) return;
        column_ = column;
        fail(too_deep());
    }

    void open() {
        open_.push_back(dots_ + 1);
        levels_ += open_.back();
        dots_ = 0;
        if (depth() > attn::kDeepestNesting) fail(too_deep());
    }

    void close() {
        levels_ -= open_.back();
        open_.pop_back();
        dots_ = 0;
    }

    int depth() const { return levels_ + dots_; }
    static std::string too_deep() {
        return fmt::format("the tables are nested too deeply; at most {} levels are read", attn::kDeepestNesting);
    }

    std::string_view bytes_;
    std::size_t at_ = 0;
    int line_ = 1, column_ = 1;
    std::vector<int> open_;  ///< for each open bracket: the levels that it and the key before it add
    int levels_ = 0;         ///< their sum
    int dots_ = 0;           ///< of the current key
    std::optional<TomlFault> fault_;
};

}  // namespace

std::optional<TomlFault> find_toml_fault(std::string_view bytes) { return Walk(bytes).run(); }

}  // namespace app
