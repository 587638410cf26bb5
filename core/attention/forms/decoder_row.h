#pragma once
// Continues a decoder: computes the row of one more token from the keys and values of its run.

#include "core/attention/forms/block.h"

namespace attn::form {

/// What is carried from one token to the next: keys and values of the previous tokens and of the encoder's text, per
/// layer.
struct DecoderCache {
    std::vector<KeyValues> own, source;
};
/// The cache after a run of the form decoder.
DecoderCache decoder_cache(const Trace& t, const AttentionConfig& config);
/// Whether a row can be computed alone. It cannot if positions are a table that depends on the length of the text.
bool goes_on(const AttentionConfig& config);
/// Logits (1 × words, under `time`) of the token at `place`, from 0, whose vector is `vector`: all blocks of the
/// decoder on its row alone, without computing the encoder again. The result is bit for bit that of a run of the longer
/// text.
StepId decoder_row(Trace& t, const Inputs& in, const AttentionConfig& config, DecoderCache& cache, StepId vector, int place, int time);

}  // namespace attn::form
