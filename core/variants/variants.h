#pragma once
// The forms of attention, declared: one constant a file.

#include "core/attention.h"

namespace attn::variant {

#define ATTN_DECLARE_VARIANT(name)                                               \
    void run_##name(Trace& t, const Inputs& in, const AttentionConfig& config);  \
    std::string name##_formula(const AttentionConfig& config, Convention shown); \
    std::string name##_where(const AttentionConfig& config, Convention shown);   \
    Estimate name##_estimate(const Sizes& sizes, const AttentionConfig& config);
ATTN_DECLARE_VARIANT(raw)
ATTN_DECLARE_VARIANT(multi_head)
ATTN_DECLARE_VARIANT(sliced_input)
ATTN_DECLARE_VARIANT(cross)
ATTN_DECLARE_VARIANT(encoder)
ATTN_DECLARE_VARIANT(decoder)
ATTN_DECLARE_VARIANT(generate)
ATTN_DECLARE_VARIANT(bahdanau)
ATTN_DECLARE_VARIANT(luong)
ATTN_DECLARE_VARIANT(online)
ATTN_DECLARE_VARIANT(linear)
Variant::Refusal generate_refuses(const AttentionConfig& config);
Variant::Refusal bahdanau_refuses(const AttentionConfig& config);
Variant::Refusal online_refuses(const AttentionConfig& config);
Variant::Refusal linear_refuses(const AttentionConfig& config);

/// softmax(X Xᵀ) X: self-attention with no parameters.
inline constexpr Variant raw = {
    "raw", "dot", raw_formula, raw_where, "", Uses::Attend | Uses::Order, run_raw, raw_estimate,
};

/// Concat(head_1 … head_h) W_O, head_i = softmax(Q_i K_iᵀ / √d_k) V_i [Vaswani et al. 2017, 3.2.2]; with fewer key
/// heads than heads: grouped-query [Ainslie et al. 2023], with one: multi-query [Shazeer 2019].
inline constexpr Variant multi_head = {
    "multi_head",
    "scaled_dot",
    multi_head_formula,
    multi_head_where,
    "Vaswani et al. 2017",
    Uses::Heads | Uses::KeyHeads | Uses::Projections | Uses::Weights | Uses::Attend | Uses::Order,
    run_multi_head,
    multi_head_estimate,
};

/// What many first take multi-head attention for: each head projects its own segment of the input's columns, and never
/// sees the others.
inline constexpr Variant sliced_input = {
    "sliced_input",
    "scaled_dot",
    sliced_input_formula,
    sliced_input_where,
    "",
    Uses::Heads | Uses::Weights | Uses::Attend | Uses::Order,
    run_sliced_input,
    sliced_input_estimate,
};

/// Queries from one text, keys and values from another [Vaswani et al. 2017, 3.2.3]
inline constexpr Variant cross = {
    "cross",
    "scaled_dot",
    cross_formula,
    cross_where,
    "Vaswani et al. 2017",
    Uses::Heads | Uses::KeyHeads | Uses::Projections | Uses::Weights | Uses::Attend | Uses::Source,
    run_cross,
    cross_estimate,
};

/// Blocks of self-attention and feed-forward layer, each with residual and norm [Vaswani et al. 2017, 3.1]; the norm
/// behind (post-norm), or in front with one more at the end (pre-norm) [Xiong et al. 2020].
inline constexpr Variant encoder = {
    "encoder",
    "scaled_dot",
    encoder_formula,
    encoder_where,
    "Vaswani et al. 2017",
    Uses::Heads | Uses::KeyHeads | Uses::Weights | Uses::Attend | Uses::Order | Uses::Blocks,
    run_encoder,
    encoder_estimate,
};

/// The whole Transformer: an encoder over the second text; over the first, blocks of masked self-attention,
/// cross-attention and feed-forward layer; the share of every word by its vector [Vaswani et al. 2017, 3.1, 3.4]. A
/// configured mask adds to the causal one, but padding is the second text's. Positions that act on scores act within
/// one text only.
inline constexpr Variant decoder = {
    "decoder",
    "scaled_dot",
    decoder_formula,
    decoder_where,
    "Vaswani et al. 2017",
    Uses::Heads | Uses::KeyHeads | Uses::Weights | Uses::Source | Uses::Attend | Uses::Order | Uses::Blocks |
        Uses::Words | Uses::Causal,
    run_decoder,
    decoder_estimate,
};

/// A decoder alone that goes on with the text, one token at a time. The text is computed in one go (t1); from then on a
/// time computes the row of the new token only: its key and value go below those in the cache, and it looks at all of
/// them. Keys are cached before they are turned, so a rotary position turns the cache again. [Radford et al. 2019;
/// Pope et al. 2022, 2.1]
inline constexpr Variant generate = {
    "generate",
    "scaled_dot",
    generate_formula,
    generate_where,
    "Radford et al. 2019",
    Uses::Heads | Uses::KeyHeads | Uses::Weights | Uses::Attend | Uses::Order | Uses::Blocks | Uses::Words |
        Uses::Generate | Uses::Causal,
    run_generate,
    generate_estimate,
    generate_refuses,
};

/// The first attention: a recurrent encoder both ways over the second text; a recurrent decoder whose state asks,
/// before each word, where to look [Bahdanau, Cho, Bengio 2014, 3]. A tanh unit stands for the paper's gated unit, and
/// the word read at step i is the i-th of the text.
inline constexpr Variant bahdanau = {
    "bahdanau",
    "additive",
    bahdanau_formula,
    bahdanau_where,
    "Bahdanau et al. 2014",
    Uses::Weights | Uses::Source | Uses::Score | Uses::Mask | Uses::Scope | Uses::Selection | Uses::Temperature,
    run_bahdanau,
    bahdanau_estimate,
    bahdanau_refuses,
};

/// Attention after the decoder: h̃_t = tanh(W_c [c_t; h_t]), global or local [Luong, Pham, Manning 2015, 3]. A tanh unit
/// stands for the paper's LSTM, and the decoder begins at 0.
inline constexpr Variant luong = {
    "luong",
    "general",
    luong_formula,
    luong_where,
    "Luong et al. 2015",
    Uses::Weights | Uses::Source | Uses::Score | Uses::Mask | Uses::Scope | Uses::Selection | Uses::Temperature,
    run_luong,
    luong_estimate,
};

/// multi_head without ever holding n×n: a few keys at a time, with a running maximum, sum and output
/// [Milakov, Gimelshein 2018; Dao et al. 2022, alg. 1]. Time is the tile.
inline constexpr Variant online = {
    "online",
    "scaled_dot",
    online_formula,
    online_where,
    "Dao et al. 2022",
    Uses::Heads | Uses::KeyHeads | Uses::Projections | Uses::Weights | Uses::Score | Uses::Mask | Uses::Position |
        Uses::Order | Uses::Tile,
    run_online,
    online_estimate,
    online_refuses,
};

/// φ(q_i) Σ_j φ(k_j)ᵀ v_j over φ(q_i)·Σ_j φ(k_j), φ(x) = elu(x) + 1: no softmax, and no n×n. Causal, the sums grow
/// token by token, which is a recurrent network; time is the token. [Katharopoulos et al. 2020]
inline constexpr Variant linear = {
    "linear",
    "",
    linear_formula,
    linear_where,
    "Katharopoulos et al. 2020",
    Uses::Heads | Uses::KeyHeads | Uses::Projections | Uses::Weights | Uses::Mask | Uses::Position | Uses::Order,
    run_linear,
    linear_estimate,
    linear_refuses,
};

}  // namespace attn::variant
