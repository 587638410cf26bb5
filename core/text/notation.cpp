#include "core/text/notation.h"

#include <algorithm>

namespace attn {

std::string_view convention_id(Convention convention) { return convention == Convention::Columns ? "columns" : "rows"; }

std::optional<Convention> find_convention(std::string_view id) {
    for (const Convention one : {Convention::Rows, Convention::Columns})
        if (convention_id(one) == id) return one;
    return std::nullopt;
}

std::string write(std::string_view pattern, std::initializer_list<Filling> fillings) {
    std::string out;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const auto filling = pattern[i] != '$' || i + 1 == pattern.size()
                                 ? fillings.end()
                                 : std::find_if(fillings.begin(), fillings.end(),
                                                [&](const Filling& f) { return f.letter == pattern[i + 1]; });
        if (filling == fillings.end()) {
            out += pattern[i];
            continue;
        }
        out += filling->text;
        ++i;
    }
    return out;
}

std::string write(std::string_view pattern, const Letters& letters) {
    return write(pattern, {{'q', letters.query}, {'k', letters.key}, {'v', letters.value}, {'d', letters.width}});
}

}  // namespace attn
