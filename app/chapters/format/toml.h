#pragma once
// TOML read into the same tree as JSON: every value has its line and column, so that readers of a chapter can report
// the position of an error.

#include <string>
#include <string_view>

#include "core/io/json.h"

namespace app {

/// An error in a file, for the user; the message says what to do.
struct ChapterProblem {
    std::string message;
    std::string file;
    std::string key;  ///< "page[2].ask.row"
    int line = 0, column = 0;
    /// "03-softmax.toml:12:5: page[2].show: there is no step "weight"; did you mean "weights"?"
    std::string text() const;
};

struct Toml {
    attn::JsonValue root;      ///< an object
    std::string problem = {};  ///< the error, if there is no root
    int line = 0, column = 0;  ///< of the error
};

/// Reads TOML 1.0 in UTF-8, and inline tables over several lines. Dates are not supported.
Toml parse_toml(std::string_view bytes);

/// A value as one-line JSON, from which fields of the document and views are set.
std::string json_text(const attn::JsonValue& value);

}  // namespace app
