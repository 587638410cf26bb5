#pragma once
// The value of a formula of the catalogue: its text read as mathematics over matrices of float64. It shares no code
// with the engine or the formula setter, so it finds a formula that differs from what is computed.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tests/core/reference.h"

namespace attn::test {

/// What the names of a formula stand for. Names come without their colour and with their subscripts: "Q", "W_a", "d_k",
/// "h_{t-1}", "\tau".
struct FormulaNames {
    std::map<std::string, Numbers, std::less<>> values;
    /// \word{softmax}( … ), \tanh( … ), and letters that are functions, "\phi".
    std::map<std::string, std::function<Numbers(const Numbers&)>, std::less<>> functions;
    /// Evaluates a part, \part{scores}{…}, itself: it gets the text in the braces.
    std::map<std::string, std::function<Numbers(std::string_view)>, std::less<>> parts;
    /// [a; b] stacks vertically, else side by side. [a, b] does the opposite.
    bool semicolon_stacks = false;
};

/// The value of one expression. Throws std::runtime_error, with the text, for a product of shapes that do not fit, an
/// unknown name or an unmatched bracket.
Numbers formula_value(std::string_view text, const FormulaNames& names);

/// The equations of "Z = … \quad Y = …": left side (without colour) and right side.
std::vector<std::pair<std::string, std::string>> equations_of(std::string_view text);

}  // namespace attn::test
