#pragma once
// The tokens that a checkpoint puts around a text: a table of names (tokenizer.json, "post_processor").

#include <string_view>
#include <vector>

#include "core/tokenizers/json_part.h"
#include "core/tokenizers/pipeline.h"
#include "core/tokenizers/vocabulary.h"

namespace attn::tokenizing {

struct ProcessorRow {
    std::string_view name;
    Around (*read)(const JsonPart&, const Vocabulary&);
};
const std::vector<ProcessorRow>& processor_rows();

Around read_processor(const JsonPart& part, const Vocabulary& vocabulary);

}  // namespace attn::tokenizing
