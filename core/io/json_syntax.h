#pragma once
// What is wrong with a JSON text, in words. Internal to json.cpp.

#include <string>
#include <string_view>

namespace attn {

/// A syntax error as the parsing library found it.
struct JsonFault {
    std::string_view report;  ///< the library's own message; only its stable phrases are looked for
    std::string_view rest;    ///< the text from the offending token on
    std::string open;         ///< "the object opened at line 3, column 5", or empty outside any
    bool complete = false;    ///< the document had ended before
};

/// One sentence for a person: what is wrong and, where the cause is a usual one, what to write instead.
std::string describe_fault(const JsonFault& fault);

}  // namespace attn
