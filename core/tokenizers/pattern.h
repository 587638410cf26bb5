#pragma once
// Regular expressions of tokenizers (PCRE2): of the common engines, the only one that supports `(?!\S)` and \p{L}, is
// safe on any text and has a step limit. Tokenizers are written for Oniguruma: constructs that differ are translated
// (oniguruma.h). A newer Unicode version may know more letters.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn::tokenizing {

/// A match: bytes [begin, end).
struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// A budget of steps for all patterns on one text, beyond a basic allowance per match: counted, not timed, so that a
/// text is split or refused alike on every machine. Also limits how long the text may become, because replacements may
/// double it again and again.
struct Effort {
    explicit Effort(std::size_t bytes)
        : spare(20'000'000 + 64 * static_cast<std::uint64_t>(bytes)), most(std::min(kMostMade, (std::size_t{1} << 20) + 64 * bytes)) {}
    /// An error if a text of this size is too long.
    Result<Done> check_size(std::size_t bytes) const;

    static constexpr std::size_t kMostMade = std::size_t{128} << 20;  ///< takes about ten times as much memory
    std::uint64_t spare;
    std::size_t most;  ///< bytes
};

class Pattern {
public:
    /// Fails on an invalid regular expression: the message says what is wrong and at which character.
    static Result<Pattern> make(std::string_view expression);

    /// All non-empty matches from left to right in valid UTF-8. Each has a basic allowance of steps, and all share what
    /// is left in `effort`; beyond that an error, so that even `(a+)+$` ends quickly.
    Result<std::vector<Match>> find_all(std::string_view text, Effort& effort) const;

    const std::string& expression() const { return expression_; }

private:
    struct Code;
    Pattern(std::shared_ptr<const Code> code, std::string expression);

    std::shared_ptr<const Code> code_;
    std::string expression_;
};

}  // namespace attn::tokenizing
