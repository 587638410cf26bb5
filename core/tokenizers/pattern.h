#pragma once
// Regular expressions of tokenizers (PCRE2): the only engine of the usual ones that knows `(?!\S)` and \p{L}, is safe
// on any text and can be told when to give up. Tokenizers are made with Oniguruma: what differs is written anew
// (oniguruma.h). A newer Unicode may know more letters.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn::tokenizing {

/// A match of something: bytes [begin, end).
struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Steps that the patterns of one text may take beyond what every match has: counted, not timed, so that a text is cut
/// or refused alike on every machine.
/// And how long the text may become: a tokenizer's replacements may double it again and again.
struct Effort {
    explicit Effort(std::size_t bytes)
        : spare(20'000'000 + 64 * static_cast<std::uint64_t>(bytes)), most(std::min(kMostMade, (std::size_t{1} << 20) + 64 * bytes)) {}
    /// Says so where a text of so many bytes is too long.
    Result<Done> check_size(std::size_t bytes) const;

    static constexpr std::size_t kMostMade = std::size_t{128} << 20;  ///< about ten times as much in memory
    std::uint64_t spare;
    std::size_t most;  ///< bytes
};

class Pattern {
public:
    /// Fails where it is no regular expression: the message says what is wrong and at which character.
    static Result<Pattern> make(std::string_view expression);

    /// All matches from left to right in valid UTF-8, empty ones left out. Each may take so many steps, and all of them
    /// together what `effort` still has; past that an error: `(a+)+$` ends as quickly as anything else.
    Result<std::vector<Match>> find_all(std::string_view text, Effort& effort) const;

    const std::string& expression() const { return expression_; }

private:
    struct Code;
    Pattern(std::shared_ptr<const Code> code, std::string expression);

    std::shared_ptr<const Code> code_;
    std::string expression_;
};

}  // namespace attn::tokenizing
