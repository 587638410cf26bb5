#pragma once
// Splitting a text before the model splits each part: a table of names (tokenizer.json, "pre_tokenizer") and functions.

#include <functional>
#include <string_view>
#include <vector>

#include "core/tokenizers/aligned_text.h"
#include "core/tokenizers/json_part.h"
#include "core/tokenizers/pattern_field.h"

namespace attn::tokenizing {

/// Chunks that are already added tokens (id >= 0) stay as they are.
using PreTokenizer = std::function<Result<Done>(Chunks&, Effort&)>;

struct PreTokenizerRow {
    std::string_view name;
    PreTokenizer (*read)(const JsonPart&);
};
const std::vector<PreTokenizerRow>& pre_tokenizer_rows();

/// The pre-tokenizer that a part describes; an error is noted, and the function then does nothing.
PreTokenizer read_pre_tokenizer(const JsonPart& part);

PreTokenizer in_order(std::vector<PreTokenizer> steps);

/// What happens to the match at which a text is split.
enum class Behavior { Removed, Isolated, Contiguous, MergedWithPrevious, MergedWithNext };

/// GPT-2's pattern: 's and the like; letters, digits or other signs, each with the space before it; blanks.
extern const std::string_view kGpt2Pattern;

PreTokenizer split_at(Search search, Behavior behavior, bool invert);
PreTokenizer byte_level(bool add_space, bool use_pattern);
PreTokenizer bert_words();

enum class Prepend { Never, First, Always };
struct MetaspaceChoices {
    std::string mark = "\u2581";  ///< ▁
    Prepend prepend = Prepend::Always;
    bool split = true;
};
PreTokenizer metaspace(MetaspaceChoices choices);
MetaspaceChoices read_metaspace(const JsonPart& part);

}  // namespace attn::tokenizing
