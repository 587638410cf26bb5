#pragma once
// Explains syntax errors in a JSON text. Internal to json.cpp.

#include <string>
#include <string_view>

namespace attn {

/// A syntax error as reported by the parsing library.
struct JsonFault {
    std::string_view report;  ///< the library's own message; only its stable phrases are searched for
    std::string_view rest;    ///< the text from the offending token on
    std::string open;         ///< "the object opened at line 3, column 5", or empty outside any
    bool complete = false;    ///< the document had ended before
};

/// One sentence for a person: what is wrong and, for a common mistake, what to write instead.
std::string describe_fault(const JsonFault& fault);

}  // namespace attn
