#pragma once
// What a formula of the catalogue comes to: its text read as mathematics, over matrices of float64. Nothing of the engine
// is in it, and nothing of the formula setter: a formula that says something else than what is computed is found.

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "tests/core/reference.h"

namespace attn::test {

/// What the names of a formula stand for. Names are without their colour, with their subscripts: "Q", "W_a", "d_k",
/// "h_{t-1}", "\tau".
struct FormulaNames {
    std::map<std::string, Numbers, std::less<>> values;
    /// \word{softmax}( … ), \tanh( … ), and letters that are functions, "\phi".
    std::map<std::string, std::function<Numbers(const Numbers&)>, std::less<>> functions;
    /// Takes over a part, \part{scores}{…}: gets what stands in it.
    std::map<std::string, std::function<Numbers(std::string_view)>, std::less<>> parts;
    /// [a; b]: below each other, else side by side. [a, b] is the other way.
    bool semicolon_stacks = false;
};

/// Of one expression. A product of things whose shapes do not fit, an unknown name, a bracket without its other half:
/// std::runtime_error, with the text.
Numbers formula_value(std::string_view text, const FormulaNames& names);

/// "Z = … \quad Y = …" in its equations: left side (without colour) and right.
std::vector<std::pair<std::string, std::string>> equations_of(std::string_view text);

}  // namespace attn::test
