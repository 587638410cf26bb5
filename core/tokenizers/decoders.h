#pragma once
// From tokens back to text: a table of names (tokenizer.json, "decoder") and of functions from tokens to texts.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tokenizers/json_part.h"
#include "core/tokenizers/pre_tokenizers.h"

namespace attn::tokenizing {

using Decoder = std::function<void(std::vector<std::string>&)>;

struct DecoderRow {
    std::string_view name;
    Decoder (*read)(const JsonPart&);
};
const std::vector<DecoderRow>& decoder_rows();

/// The decoder that a part describes; an error is noted, and the function then does nothing.
Decoder read_decoder(const JsonPart& part);

Decoder one_after_the_other(std::vector<Decoder> steps);
Decoder byte_level_decoder();
Decoder wordpiece_decoder(std::string prefix, bool clean_up);
Decoder metaspace_decoder(MetaspaceChoices choices);
Decoder byte_fallback_decoder();
Decoder spaced_decoder();  ///< if a file names none: tokens separated by spaces

}  // namespace attn::tokenizing
