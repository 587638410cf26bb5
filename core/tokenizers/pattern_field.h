#pragma once
// {"String": "…"} or {"Regex": "…"}: the search field that several parts of a tokenizer have.

#include <optional>
#include <string>
#include <string_view>

#include "core/tokenizers/json_part.h"
#include "core/tokenizers/pattern.h"

namespace attn::tokenizing {

class Search {
public:
    Search() = default;
    explicit Search(std::string literal) : literal_(std::move(literal)) {}
    explicit Search(Pattern pattern) : pattern_(std::move(pattern)) {}

    Result<std::vector<Match>> find_all(std::string_view text, Effort& effort) const;

private:
    std::string literal_;
    std::optional<Pattern> pattern_;
};

/// The member "pattern", which may also be a plain string. Errors are noted.
Search read_search(const JsonPart& part);

}  // namespace attn::tokenizing
