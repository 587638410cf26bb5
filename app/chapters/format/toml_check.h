#pragma once
// Checks that must precede the packaged TOML parser: in places it assumes valid UTF-8 and characters that TOML allows,
// it recurses for each level of nesting (also to destroy the result), and it misreads some numbers that TOML 1.0 does
// not have.

#include <optional>
#include <string>
#include <string_view>

namespace app {

struct TomlFault {
    std::string message;       ///< for the user, with what to do
    int line = 1, column = 1;  ///< column in characters
};

/// The first fault in `bytes` that the parser could not handle; none if it can read them (and report its own errors).
std::optional<TomlFault> find_toml_fault(std::string_view bytes);

}  // namespace app
