#pragma once
// A formula as one line of plain text, for terminals: "softmax(Q K^T/√d_k) V".

#include <string>
#include <string_view>

namespace app {

/// `source` as for parse_formula(). A source that cannot be parsed is returned unchanged.
std::string formula_to_text(std::string_view source);

}  // namespace app
