#pragma once
// The choices of a computation: a flat struct. Ids are rows of the tables in parts/ and forms/. Which choice is read
// under which others stands in the document's field table (core/document/table.cpp).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/ops/defaults.h"

namespace attn {

inline constexpr int kMaxHeads = 64;
inline constexpr int kMaxLayers = 64;

struct AttentionConfig {
    std::string form = "multi_head";
    std::string score;  ///< empty: the form's own (see Form::score)
    std::string mask = "none";
    std::string position = "none";
    std::string scope = "global";    ///< which keys at most: all, or a window around a centre
    std::string selection = "soft";  ///< how scores become weights
    std::string gate = "none";       ///< β of Xu et al. 2015
    int heads = 1;
    int kv_heads = 0;             ///< heads that have keys and values of their own; 0: as many as heads
    int head_width = 0;           ///< columns of one head's queries and keys, and values: d_k; 0: the width over heads
    int score_width = 0;          ///< d_a of additive and concat, d′ of gat; 0: as wide as a key
    std::vector<int> heads_off;   ///< heads whose output is set to 0, from 0
    float temperature = 1;        ///< divides the scores before the softmax; 0: arg max, +∞: uniform
    int window = 2;               ///< D: keys on either side; of the sliding window: keys up to this far back
    int global_tokens = 1;        ///< global + window: the first so many tokens see all and are seen by all
    int top_k = 2;                ///< selection top_k: scores kept in a row
    int draws = 1;                ///< selection hard: draws that are averaged
    std::uint64_t draw_seed = 1;  ///< selection hard, and sampling while decoding
    /// selection hard: the words that the queries are to say, one for each or one for all; empty: nothing is learned
    std::vector<std::string> target;
    float penalty = 0;            ///< λ of the doubly stochastic penalty; 0: not computed
    int relative_clip = 2;        ///< position relative: distances are cut to ±k
    float rope_base = kRopeBase;  ///< rotary positions: θ_i = base^(−2i/d_k)
    float rope_share = 1;         ///< the share of a head's columns that are rotated; the others stay
    float rope_factor = 1;        ///< rotated so many times as slowly: all pairs, or, with rope_original, the slow ones
    int rope_original = 0;        ///< places that a model was trained on before its angles were slowed; 0: all are
    float rope_low = 1, rope_high = 4;  ///< pairs with fewer rotations over those places are slowed; with more: kept
    float rope_pair_low = 0, rope_pair_high = 0;  ///< pairs up to the first are kept, from the second on slowed; 0: by their rotations
    float rope_length = 1;        ///< rotated queries and keys times this
    int unplaced_every = 0;       ///< one layer in so many has no position; 0: all have
    int unplaced_first = 0;       ///< which of them, from 0
    int bias_buckets = 32;        ///< position relative_bias: distances share so many numbers a head
    int bias_distance = 128;      ///< from this distance on all share the last of them
    int global_every = 0;         ///< one layer in so many has no window; 0: all layers are masked alike
    int global_first = 0;         ///< which of them, from 0
    float local_rope_base = 0;    ///< of the layers with a window; 0: as the others
    float score_root = 0;         ///< scores scaled_dot are divided by the root of this; 0: of a key's width
    float score_cap = 0;          ///< c: scores become c·tanh(s/c); 0: they stay

    // blocks
    int layers = 1;
    int encoder_layers = 0;            ///< of the encoder, where there is a decoder, too; 0: as many
    std::string block = "post_norm";   ///< a row of block_orders()
    int bare_layers = 0;               ///< attention of the first so many reads its input without a norm
    std::string norm = "layer_norm";   ///< or rms_norm
    float epsilon = kNormEpsilon;      ///< beneath the root of both norms
    std::string activation = "relu";   ///< of the feed-forward layer: a row of feed_forwards()
    std::string unembedding = "by_form";  ///< from outputs to words: tied, own, or what the form does unasked
    std::string unit = "tanh";        ///< of the recurrent decoder of Bahdanau et al.: tanh or gru
    int ffn_width = 0;                 ///< 0: four times the model's width
    float embedding_scale = 1;         ///< the words' vectors times this, before everything
    float output_scale = 1;            ///< outputs times this, before words are read off them
    float logit_cap = 0;               ///< c: logits become c·tanh(z/c); 0: they stay
    // decoding
    int generate = 4;                  ///< tokens to add
    std::string choose = "greedy";     ///< how the next token is taken: greedy or sample
    float choose_temperature = 1;      ///< sample: divides the logits
    int choose_top_k = 0;              ///< sample: only the k largest logits; 0: all
    float choose_top_p = 1;            ///< sample: only the likeliest tokens that together reach p
    // tiles
    int tile = 2;                      ///< keys a tile

    bool operator==(const AttentionConfig&) const = default;

    int encoder_blocks() const { return encoder_layers == 0 ? layers : encoder_layers; }
    int key_heads() const { return kv_heads == 0 ? heads : kv_heads; }
    bool is_off(int head) const {
        for (const int off : heads_off)
            if (off == head) return true;
        return false;
    }
};

/// The score that is really used: the chosen one, or the form's own.
std::string_view score_of(const AttentionConfig& config);

}  // namespace attn
