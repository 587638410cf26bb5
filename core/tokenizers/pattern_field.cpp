#include "core/tokenizers/pattern_field.h"

namespace attn::tokenizing {

Result<std::vector<Match>> Search::find_all(std::string_view text, Effort& effort) const {
    if (pattern_) return pattern_->find_all(text, effort);
    std::vector<Match> out;
    if (literal_.empty()) return out;
    for (std::size_t at = text.find(literal_); at != std::string_view::npos;
         at = text.find(literal_, at + literal_.size()))
        out.push_back({at, at + literal_.size()});
    return out;
}

Search read_search(const JsonPart& part) {
    const JsonValue* value = part.member("pattern");
    if (value && value->kind == JsonKind::String) return Search(value->string);
    const JsonPart pattern = part.part("pattern");
    if (!pattern.has("Regex")) return Search(pattern.text("String"));
    auto made = Pattern::make(pattern.text("Regex"));
    if (made) return Search(std::move(*made));
    pattern.wrong("Regex", made.error().message);
    return {};
}

}  // namespace attn::tokenizing
