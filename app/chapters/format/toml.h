#pragma once
// TOML as the same tree that JSON is read into: every value knows its line and column, so that whoever reads a chapter
// can say where it is wrong.

#include <string>
#include <string_view>

#include "core/io/json.h"

namespace app {

/// A place in a file and what is wrong there, for a person: what to do stands in the message.
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
    std::string problem = {};  ///< why there is none
    int line = 0, column = 0;  ///< of the problem
};

/// Reads TOML 1.0 in UTF-8, and inline tables over several lines. Dates are not known here.
Toml parse_toml(std::string_view bytes);

/// A value as JSON on one line: what fields of the document and views are set from.
std::string json_text(const attn::JsonValue& value);

}  // namespace app
