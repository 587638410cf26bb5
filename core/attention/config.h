#pragma once
// The choices of a computation, as a flat struct. Ids name rows of the tables in parts/ and forms/. The document's
// field table (core/document/table.cpp) says under which other choices a choice is read.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/defaults.h"

namespace attn {


struct AttentionConfig {
    std::string form = "multi_head";
    std::string score;  ///< empty: the form's own score (see Form::score)
    std::string mask = "none";
    std::string position = "none";
    std::string scope = "global";    ///< which keys are in reach: all, or a window around a centre
    std::string selection = "soft";  ///< how scores become weights
    std::string gate = "none";       ///< β of Xu et al. 2015
    int heads = 1;
    int kv_heads = 0;             ///< heads that have their own keys and values; 0: as many as heads
    int head_width = 0;           ///< d_k: columns of one head's queries, keys and values; 0: the model's width / heads
    int score_width = 0;          ///< d_a of additive and concat, d′ of gat; 0: as wide as a key
    std::vector<int> heads_off;   ///< heads whose output is set to 0, from 0
    float temperature = 1;        ///< divides the scores before the softmax; 0: arg max, +∞: uniform
    int window = 2;               ///< D: keys on either side; sliding window: how many keys back
    int global_tokens = 1;        ///< global + window: this many first tokens see all and are seen by all
    int top_k = 2;                ///< selection top_k: scores kept per row
    int draws = 1;                ///< selection hard: number of draws averaged
    std::uint64_t draw_seed = 1;  ///< selection hard, and sampling while decoding
    /// selection hard: the target words, one per query or one for all; empty: no training
    std::vector<std::string> target;
    float penalty = 0;            ///< λ of the doubly stochastic penalty; 0: not computed
    int relative_clip = 2;        ///< position relative: distances are cut to ±k
    float rope_base = kRopeBase;  ///< rotary positions: θ_i = base^(−2i/d_k)
    float rope_share = 1;         ///< the share of a head's columns that is rotated; the rest are unchanged
    float rope_factor = 1;        ///< divides the angles: of all pairs, or of the slow ones if rope_original is set
    int rope_original = 0;        ///< context length that the model was first trained with; 0: all pairs are slowed
    float rope_low = 1, rope_high = 4;  ///< pairs that rotate less over rope_original are slowed; more: not
    float rope_pair_low = 0, rope_pair_high = 0;  ///< unchanged up to, slowed from this pair on; 0: by rotations
    float rope_length = 1;        ///< factor on rotated queries and keys
    int unplaced_every = 0;       ///< one layer in this many has no position; 0: all have one
    int unplaced_first = 0;       ///< the first of these layers, from 0
    int bias_buckets = 32;        ///< position relative_bias: number of distance buckets per head
    int bias_distance = 128;      ///< all distances from here on share the last bucket
    int global_every = 0;         ///< one layer in this many has no window; 0: all layers have the same mask
    int global_first = 0;         ///< the first of these layers, from 0
    float local_rope_base = 0;    ///< RoPE base of the layers with a window; 0: the same as in the others
    float score_root = 0;         ///< scaled_dot divides by the square root of this; 0: of a key's width
    float score_cap = 0;          ///< c: scores become c·tanh(s/c); 0: no cap

    // blocks
    int layers = 1;
    int encoder_layers = 0;            ///< encoder layers of a model that also has a decoder; 0: as many as layers
    std::string block = "post_norm";   ///< a row of block_orders()
    int bare_layers = 0;               ///< attention in this many first layers reads its input without a norm
    std::string norm = "layer_norm";   ///< or rms_norm
    float epsilon = kNormEpsilon;      ///< added inside the square root of both norms
    std::string activation = "relu";   ///< of the feed-forward layer: a row of feed_forwards()
    std::string unembedding = "by_form";  ///< outputs to words: tied, own, or the form's default
    std::string unit = "tanh";        ///< unit of the recurrent decoder of Bahdanau et al.: tanh or gru
    int ffn_width = 0;                 ///< 0: four times the model's width
    float embedding_scale = 1;         ///< factor on the word vectors before anything else
    float output_scale = 1;            ///< factor on the outputs before the logits are computed
    float logit_cap = 0;               ///< c: logits become c·tanh(z/c); 0: no cap
    // decoding
    int generate = 4;                  ///< number of tokens to generate
    std::string choose = "greedy";     ///< how the next token is chosen: greedy or sample
    float choose_temperature = 1;      ///< sample: divides the logits
    int choose_top_k = 0;              ///< sample: only the k largest logits; 0: all
    float choose_top_p = 1;            ///< sample: only the most probable tokens that together reach p
    // tiles
    int tile = 2;                      ///< keys per tile

    bool operator==(const AttentionConfig&) const = default;

    int encoder_blocks() const { return encoder_layers == 0 ? layers : encoder_layers; }
    int key_heads() const { return kv_heads == 0 ? heads : kv_heads; }
    bool is_off(int head) const {
        for (const int off : heads_off)
            if (off == head) return true;
        return false;
    }
};

/// The score that is used: the chosen one, or else the form's own.
std::string_view score_of(const AttentionConfig& config);

}  // namespace attn
