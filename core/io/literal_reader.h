#pragma once
// The few Python literals that a .npy header is made of. Internal to npy_header.cpp.

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace attn {

/// Consumes Python literals from a text, skipping blanks: only those that a header may contain.
class LiteralReader {
public:
    explicit LiteralReader(std::string_view text) : rest_(text) {}

    bool take(char mark) {
        skip_blanks();
        if (!rest_.starts_with(mark)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    bool at_end() {
        skip_blanks();
        return rest_.empty();
    }

    /// 'text' or "text" without escapes.
    std::optional<std::string_view> text() {
        skip_blanks();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return std::nullopt;
        const std::size_t end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) return std::nullopt;
        const std::string_view taken = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        if (taken.find('\\') != std::string_view::npos) return std::nullopt;
        return taken;
    }

    std::optional<bool> truth() {
        if (take_word("True")) return true;
        if (take_word("False")) return false;
        return std::nullopt;
    }

    /// A non-negative integer; Python 2 wrote an L after large ones.
    std::optional<std::size_t> natural() {
        skip_blanks();
        std::size_t value = 0;
        const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (read.ec != std::errc{}) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
        if (rest_.starts_with('L')) rest_.remove_prefix(1);
        return value;
    }

    /// (), (3,), (3, 4), (3, 4,)
    std::optional<std::vector<std::size_t>> tuple() {
        std::vector<std::size_t> items;
        if (!take('(')) return std::nullopt;
        while (!take(')')) {
            const auto item = natural();
            if (!item) return std::nullopt;
            items.push_back(*item);
            if (!take(',')) {
                if (items.size() == 1) return std::nullopt;  // "(3)" is a number, not a tuple
                if (!take(')')) return std::nullopt;
                break;
            }
        }
        return items;
    }

    bool next_is(char mark) {
        skip_blanks();
        return rest_.starts_with(mark);
    }

private:
    void skip_blanks() {
        const std::size_t first = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
    }

    bool take_word(std::string_view word) {
        skip_blanks();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::string_view rest_;
};

}  // namespace attn
