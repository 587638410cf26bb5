#pragma once
// What is done to a text before it is split: a table of names (tokenizer.json, "normalizer") and functions.

#include <functional>
#include <string_view>
#include <vector>

#include "core/tokenizers/aligned_text.h"
#include "core/tokenizers/json_part.h"
#include "core/tokenizers/pattern_field.h"

namespace attn::tokenizing {

using Normalizer = std::function<Result<Done>(AlignedText&, Effort&)>;

struct NormalizerRow {
    std::string_view name;
    Normalizer (*read)(const JsonPart&);
};
const std::vector<NormalizerRow>& normalizer_rows();

/// The normalizer that a part describes; an error is noted, and the function then does nothing.
Normalizer read_normalizer(const JsonPart& part);

Normalizer in_sequence(std::vector<Normalizer> steps);

/// BERT's: removes control characters, turns blanks into spaces, separates ideographs, removes accents and capitals.
struct BertChoices {
    bool clean = true;
    bool set_han_apart = true;
    bool strip_accents = true;
    bool lowercase = true;
};
Normalizer bert_normalizer(BertChoices choices);
Normalizer normal_form_c();
Normalizer prepend_text(std::string text);

/// Replaces what a search finds; fails before building a text that would be too long.
Result<Done> replace_found(AlignedText& text, const Search& search, std::string_view with, Effort& effort);

/// Replaces bytes [begin, end) of each match and leaves the rest unchanged.
AlignedText replace_matches(const AlignedText& text, const std::vector<Match>& matches, std::string_view with);

}  // namespace attn::tokenizing
