#pragma once
// A decoder that goes on: the row of one more token, by the keys and values that its run made.

#include "core/attention/forms/block.h"

namespace attn::form {

/// What lasts from one token to the next: keys and values of the tokens before, one a layer, and of the encoder's text.
struct DecoderCache {
    std::vector<KeyValues> own, source;
};
/// Of a run of the form decoder.
DecoderCache decoder_cache(const Trace& t, const AttentionConfig& config);
/// Whether a row can be made by itself: places that are a table of its own length are another table for a longer text.
bool goes_on(const AttentionConfig& config);
/// Logits (1 × words, under `time`) of the token at `place`, from 0, whose vector is `vector`: all blocks of the decoder on its
/// row alone. The encoder is not computed again. The bytes are those of a run of the longer text.
StepId decoder_row(Trace& t, const Inputs& in, const AttentionConfig& config, DecoderCache& cache, StepId vector, int place, int time);

}  // namespace attn::form
