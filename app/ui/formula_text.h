#pragma once
// A formula as one line of plain text, for terminals: "softmax(Q K^T/√d_k) V".

#include <string>
#include <string_view>

namespace app {

/// `source` as parse_formula() takes it. What cannot be parsed comes back as it is.
std::string formula_to_text(std::string_view source);

}  // namespace app
