#pragma once
// What is looked at before a chapter's bytes are given to the packaged parser: it takes valid UTF-8 and the characters
// of TOML for granted in places, calls itself for each level of nesting (and to throw the levels away again), and
// reads numbers wrongly that TOML 1.0 does not have.

#include <optional>
#include <string>
#include <string_view>

namespace app {

struct TomlFault {
    std::string message;       ///< for a person, with what to do
    int line = 1, column = 1;  ///< column in characters
};

/// The first thing in `bytes` that the parser must not see; nothing where it may read on (and find its own faults).
std::optional<TomlFault> find_toml_fault(std::string_view bytes);

}  // namespace app
