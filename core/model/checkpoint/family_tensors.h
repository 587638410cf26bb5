#pragma once
// The tensors of each family, by their names in its checkpoints. Internal to families.cpp.

#include "core/model/checkpoint/families.h"

namespace attn::family_tensors {

using enum Side;
constexpr bool kTransposed = true;
constexpr bool kMayLack = false;

/// A PyTorch linear layer with its bias.
#define LINEAR(step, tensor, in, out) \
    FamilyTensor{step "_weight", tensor ".weight", in, out, kTransposed}, FamilyTensor{step "_bias", tensor ".bias", One, out}
/// A linear layer whose bias may be missing.
#define PLAIN_LINEAR(step, tensor, in, out)                        \
    FamilyTensor{step "_weight", tensor ".weight", in, out, kTransposed}, \
        FamilyTensor{step "_bias", tensor ".bias", One, out, false, Fused::No, kMayLack}
/// A linear layer that may be missing entirely.
#define MAYBE_LINEAR(step, tensor, in, out)                                            \
    FamilyTensor{step "_weight", tensor ".weight", in, out, kTransposed, Fused::No, kMayLack}, \
        FamilyTensor{step "_bias", tensor ".bias", One, out, false, Fused::No, kMayLack}
/// Queries, keys and values that share a tensor, stored as `transposed` says; `kind` is empty, or Head if stored head
/// by head.
#define QUERY_KEY_VALUE(tensor, transposed, kind, bias_needed)                                             \
    FamilyTensor{"l#.query_weight", tensor ".weight", Width, Queries, transposed, Fused::kind##Query},         \
        FamilyTensor{"l#.key_weight", tensor ".weight", Width, Keys, transposed, Fused::kind##Key},            \
        FamilyTensor{"l#.value_weight", tensor ".weight", Width, Keys, transposed, Fused::kind##Value},        \
        FamilyTensor{"l#.query_bias", tensor ".bias", One, Queries, false, Fused::kind##Query, bias_needed},   \
        FamilyTensor{"l#.key_bias", tensor ".bias", One, Keys, false, Fused::kind##Key, bias_needed},          \
        FamilyTensor{"l#.value_bias", tensor ".bias", One, Keys, false, Fused::kind##Value, bias_needed}
#define NORM(step, tensor) FamilyTensor{step "_gain", tensor ".weight"}, FamilyTensor{step "_bias", tensor ".bias"}
/// A layer norm whose bias may be missing, and one that may be missing entirely.
#define PLAIN_NORM(step, tensor) \
    FamilyTensor{step "_gain", tensor ".weight"}, FamilyTensor{step "_bias", tensor ".bias", One, Width, false, Fused::No, kMayLack}
#define MAYBE_NORM(step, tensor) \
    MAYBE_GAIN(step, tensor, Width, 0), FamilyTensor{step "_bias", tensor ".bias", One, Width, false, Fused::No, kMayLack}
#define GAIN(step, tensor, cols, plus) FamilyTensor{step "_gain", tensor ".weight", One, cols, false, Fused::No, true, -1, plus}
/// The norms of words' vectors, which may be narrower than the blocks.
#define NARROW_NORM(step, tensor) \
    GAIN(step, tensor, Narrow, 0), FamilyTensor{step "_bias", tensor ".bias", One, Narrow}
#define MAYBE_GAIN(step, tensor, cols, plus) \
    FamilyTensor{step "_gain", tensor ".weight", One, cols, false, Fused::No, kMayLack, -1, plus}
/// The head of a masked language model: a layer and a norm before the word vectors, and one bias per word. Word vectors
/// and biases may be stored a second time as a linear layer's.
#define MASKED_WORDS(dense, norm, bias, decoder)                                 \
    MAYBE_LINEAR("words.up", dense, Width, Narrow), MAYBE_GAIN("words.norm", norm, Narrow, 0), \
        FamilyTensor{"words.norm_bias", norm ".bias", One, Narrow, false, Fused::No, kMayLack}, \
        FamilyTensor{"unembedding_bias", bias, One, Words, false, Fused::No, kMayLack}, MAYBE_LINEAR("unembedding", decoder, Narrow, Words)
/// Another name of the word vectors.
#define ALSO_WORDS(tensor) FamilyTensor{"embeddings", tensor ".weight", Words, Width, false, Fused::No, kMayLack}

constexpr FamilyTensor kGpt2[] = {
    {"embeddings", "wte.weight", Words, Width},
    {"positions", "wpe.weight", Places, Width},
    NORM("l#.norm", "h.#.ln_1"),
    QUERY_KEY_VALUE("h.#.attn.c_attn", false, , true),
    {"l#.output_weight", "h.#.attn.c_proj.weight", Queries, Width},
    {"l#.output_bias", "h.#.attn.c_proj.bias", One, Width},
    NORM("ffn.l#.norm", "h.#.ln_2"),
    {"l#.up_weight", "h.#.mlp.c_fc.weight", Width, Inner},
    {"l#.up_bias", "h.#.mlp.c_fc.bias", One, Inner},
    {"l#.down_weight", "h.#.mlp.c_proj.weight", Inner, Width},
    {"l#.down_bias", "h.#.mlp.c_proj.bias", One, Width},
    NORM("final.norm", "ln_f"),
};

/// What BERT and related families have before the first block.
constexpr FamilyTensor kBertInputs[] = {
    {"embeddings", "embeddings.word_embeddings.weight", Words, Narrow},
    {"positions", "embeddings.position_embeddings.weight", Places, Narrow},
    {"token_type", "embeddings.token_type_embeddings.weight", One, Narrow, false, Fused::No, kMayLack, 0},
    {"second_token_type", "embeddings.token_type_embeddings.weight", One, Narrow, false, Fused::No, kMayLack, 1},
    NARROW_NORM("norm", "embeddings.LayerNorm"),
};
constexpr FamilyTensor kBertLayers[] = {
    LINEAR("l#.query", "encoder.layer.#.attention.self.query", Width, Queries),
    LINEAR("l#.key", "encoder.layer.#.attention.self.key", Width, Keys),
    LINEAR("l#.value", "encoder.layer.#.attention.self.value", Width, Keys),
    LINEAR("l#.output", "encoder.layer.#.attention.output.dense", Queries, Width),
    NORM("l#.norm", "encoder.layer.#.attention.output.LayerNorm"),
    LINEAR("l#.up", "encoder.layer.#.intermediate.dense", Width, Inner),
    LINEAR("l#.down", "encoder.layer.#.output.dense", Inner, Width),
    NORM("ffn.l#.norm", "encoder.layer.#.output.LayerNorm"),
};
constexpr FamilyTensor kBertWords[] = {
    MASKED_WORDS("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias",
                 "cls.predictions.decoder"),
};
constexpr FamilyTensor kRobertaWords[] = {
    MASKED_WORDS("lm_head.dense", "lm_head.layer_norm", "lm_head.bias", "lm_head.decoder"),
};
/// The generator's head; the discriminator says of each token whether it was replaced, and no words.
constexpr FamilyTensor kElectraWords[] = {
    MAYBE_LINEAR("embedding", "embeddings_project", Narrow, Width),
    MASKED_WORDS("generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head.bias", "generator_lm_head"),
};
/// Groups of layers that share their tensors; all of the published ones have one group of one layer.
constexpr FamilyTensor kAlbert[] = {
    LINEAR("embedding", "encoder.embedding_hidden_mapping_in", Narrow, Width),
    LINEAR("l#.query", "encoder.albert_layer_groups.#.albert_layers.@.attention.query", Width, Queries),
    LINEAR("l#.key", "encoder.albert_layer_groups.#.albert_layers.@.attention.key", Width, Keys),
    LINEAR("l#.value", "encoder.albert_layer_groups.#.albert_layers.@.attention.value", Width, Keys),
    LINEAR("l#.output", "encoder.albert_layer_groups.#.albert_layers.@.attention.dense", Queries, Width),
    NORM("l#.norm", "encoder.albert_layer_groups.#.albert_layers.@.attention.LayerNorm"),
    LINEAR("l#.up", "encoder.albert_layer_groups.#.albert_layers.@.ffn", Width, Inner),
    LINEAR("l#.down", "encoder.albert_layer_groups.#.albert_layers.@.ffn_output", Inner, Width),
    NORM("ffn.l#.norm", "encoder.albert_layer_groups.#.albert_layers.@.full_layer_layer_norm"),
    MASKED_WORDS("predictions.dense", "predictions.LayerNorm", "predictions.bias", "predictions.decoder"),
};
constexpr FamilyTensor kMpnet[] = {
    {"bucket_values", "encoder.relative_attention_bias.weight", Buckets, Heads},
    LINEAR("l#.query", "encoder.layer.#.attention.attn.q", Width, Queries),
    LINEAR("l#.key", "encoder.layer.#.attention.attn.k", Width, Keys),
    LINEAR("l#.value", "encoder.layer.#.attention.attn.v", Width, Keys),
    LINEAR("l#.output", "encoder.layer.#.attention.attn.o", Queries, Width),
    NORM("l#.norm", "encoder.layer.#.attention.LayerNorm"),
    LINEAR("l#.up", "encoder.layer.#.intermediate.dense", Width, Inner),
    LINEAR("l#.down", "encoder.layer.#.output.dense", Inner, Width),
    NORM("ffn.l#.norm", "encoder.layer.#.output.LayerNorm"),
};
constexpr FamilyTensor kDistilbertLayers[] = {
    LINEAR("l#.query", "transformer.layer.#.attention.q_lin", Width, Queries),
    LINEAR("l#.key", "transformer.layer.#.attention.k_lin", Width, Keys),
    LINEAR("l#.value", "transformer.layer.#.attention.v_lin", Width, Keys),
    LINEAR("l#.output", "transformer.layer.#.attention.out_lin", Queries, Width),
    NORM("l#.norm", "transformer.layer.#.sa_layer_norm"),
    LINEAR("l#.up", "transformer.layer.#.ffn.lin1", Width, Inner),
    LINEAR("l#.down", "transformer.layer.#.ffn.lin2", Inner, Width),
    NORM("ffn.l#.norm", "transformer.layer.#.output_layer_norm"),
    MASKED_WORDS("vocab_transform", "vocab_layer_norm", "vocab_projector.bias", "vocab_projector"),
};

/// The projections and the gated layer of Llama and related families.
constexpr FamilyTensor kLlamaLayers[] = {
    {"embeddings", "embed_tokens.weight", Words, Width},
    PLAIN_LINEAR("l#.query", "layers.#.self_attn.q_proj", Width, Queries),
    PLAIN_LINEAR("l#.key", "layers.#.self_attn.k_proj", Width, Keys),
    PLAIN_LINEAR("l#.value", "layers.#.self_attn.v_proj", Width, Keys),
    PLAIN_LINEAR("l#.output", "layers.#.self_attn.o_proj", Queries, Width),
    PLAIN_LINEAR("l#.up", "layers.#.mlp.gate_proj", Width, Inner),
    PLAIN_LINEAR("l#.side", "layers.#.mlp.up_proj", Width, Inner),
    PLAIN_LINEAR("l#.down", "layers.#.mlp.down_proj", Inner, Width),
};
constexpr FamilyTensor kLlamaNorms[] = {
    GAIN("l#.norm", "layers.#.input_layernorm", Width, 0),
    GAIN("ffn.l#.norm", "layers.#.post_attention_layernorm", Width, 0),
    GAIN("final.norm", "norm", Width, 0),
};
constexpr FamilyTensor kHeadGains[] = {
    GAIN("l#.query", "layers.#.self_attn.q_norm", Head, 0),
    GAIN("l#.key", "layers.#.self_attn.k_norm", Head, 0),
};
constexpr FamilyTensor kOlmoNorms[] = {
    GAIN("l#.query", "layers.#.self_attn.q_norm", Queries, 0),
    GAIN("l#.key", "layers.#.self_attn.k_norm", Keys, 0),
    GAIN("l#.outer", "layers.#.post_attention_layernorm", Width, 0),
    GAIN("ffn.l#.outer", "layers.#.post_feedforward_layernorm", Width, 0),
    GAIN("final.norm", "norm", Width, 0),
};
constexpr FamilyTensor kGemmaNorms[] = {
    GAIN("l#.norm", "layers.#.input_layernorm", Width, 1),
    GAIN("ffn.l#.norm", "layers.#.post_attention_layernorm", Width, 1),
    GAIN("final.norm", "norm", Width, 1),
};
constexpr FamilyTensor kGemma2Norms[] = {
    GAIN("l#.norm", "layers.#.input_layernorm", Width, 1),
    GAIN("l#.outer", "layers.#.post_attention_layernorm", Width, 1),
    GAIN("ffn.l#.norm", "layers.#.pre_feedforward_layernorm", Width, 1),
    GAIN("ffn.l#.outer", "layers.#.post_feedforward_layernorm", Width, 1),
    GAIN("final.norm", "norm", Width, 1),
};
constexpr FamilyTensor kGemma3HeadGains[] = {
    GAIN("l#.query", "layers.#.self_attn.q_norm", Head, 1),
    GAIN("l#.key", "layers.#.self_attn.k_norm", Head, 1),
};

constexpr FamilyTensor kNeox[] = {
    {"embeddings", "embed_in.weight", Words, Width},
    NORM("l#.norm", "layers.#.input_layernorm"),
    NORM("ffn.l#.norm", "layers.#.post_attention_layernorm"),
    QUERY_KEY_VALUE("layers.#.attention.query_key_value", kTransposed, Head, true),
    LINEAR("l#.output", "layers.#.attention.dense", Queries, Width),
    LINEAR("l#.up", "layers.#.mlp.dense_h_to_4h", Width, Inner),
    LINEAR("l#.down", "layers.#.mlp.dense_4h_to_h", Inner, Width),
    NORM("final.norm", "final_layer_norm"),
    MAYBE_LINEAR("unembedding", "embed_out", Width, Words),
};
/// Attention and feed-forward layer share one norm.
constexpr FamilyTensor kPhi[] = {
    {"embeddings", "embed_tokens.weight", Words, Width},
    NORM("l#.norm", "layers.#.input_layernorm"),
    NORM("ffn.l#.norm", "layers.#.input_layernorm"),
    LINEAR("l#.query", "layers.#.self_attn.q_proj", Width, Queries),
    LINEAR("l#.key", "layers.#.self_attn.k_proj", Width, Keys),
    LINEAR("l#.value", "layers.#.self_attn.v_proj", Width, Keys),
    LINEAR("l#.output", "layers.#.self_attn.dense", Queries, Width),
    LINEAR("l#.up", "layers.#.mlp.fc1", Width, Inner),
    LINEAR("l#.down", "layers.#.mlp.fc2", Inner, Width),
    NORM("final.norm", "final_layernorm"),
};
constexpr FamilyTensor kGptNeo[] = {
    {"embeddings", "wte.weight", Words, Width},
    {"positions", "wpe.weight", Places, Width},
    NORM("l#.norm", "h.#.ln_1"),
    {"l#.query_weight", "h.#.attn.attention.q_proj.weight", Width, Queries, kTransposed},
    {"l#.key_weight", "h.#.attn.attention.k_proj.weight", Width, Keys, kTransposed},
    {"l#.value_weight", "h.#.attn.attention.v_proj.weight", Width, Keys, kTransposed},
    LINEAR("l#.output", "h.#.attn.attention.out_proj", Queries, Width),
    NORM("ffn.l#.norm", "h.#.ln_2"),
    LINEAR("l#.up", "h.#.mlp.c_fc", Width, Inner),
    LINEAR("l#.down", "h.#.mlp.c_proj", Inner, Width),
    NORM("final.norm", "ln_f"),
};
/// Attention, which has no biases, and feed-forward layer share one norm.
constexpr FamilyTensor kGptJ[] = {
    {"embeddings", "wte.weight", Words, Width},
    NORM("l#.norm", "h.#.ln_1"),
    NORM("ffn.l#.norm", "h.#.ln_1"),
    {"l#.query_weight", "h.#.attn.q_proj.weight", Width, Queries, kTransposed},
    {"l#.key_weight", "h.#.attn.k_proj.weight", Width, Keys, kTransposed},
    {"l#.value_weight", "h.#.attn.v_proj.weight", Width, Keys, kTransposed},
    {"l#.output_weight", "h.#.attn.out_proj.weight", Queries, Width, kTransposed},
    LINEAR("l#.up", "h.#.mlp.fc_in", Width, Inner),
    LINEAR("l#.down", "h.#.mlp.fc_out", Inner, Width),
    NORM("final.norm", "ln_f"),
};
/// Checkpoints with norms after the sub-layers have no final norm.
constexpr FamilyTensor kOpt[] = {
    {"embeddings", "embed_tokens.weight", Words, Width},
    {"positions", "embed_positions.weight", Places, Width},
    PLAIN_LINEAR("l#.query", "layers.#.self_attn.q_proj", Width, Queries),
    PLAIN_LINEAR("l#.key", "layers.#.self_attn.k_proj", Width, Keys),
    PLAIN_LINEAR("l#.value", "layers.#.self_attn.v_proj", Width, Keys),
    PLAIN_LINEAR("l#.output", "layers.#.self_attn.out_proj", Queries, Width),
    NORM("l#.norm", "layers.#.self_attn_layer_norm"),
    PLAIN_LINEAR("l#.up", "layers.#.fc1", Width, Inner),
    PLAIN_LINEAR("l#.down", "layers.#.fc2", Inner, Width),
    NORM("ffn.l#.norm", "layers.#.final_layer_norm"),
    MAYBE_NORM("final.norm", "final_layer_norm"),
};
/// Llama's tensors, but with queries, keys and values in one tensor, and both halves of the gated layer in another.
constexpr FamilyTensor kPhi3[] = {
    {"embeddings", "embed_tokens.weight", Words, Width},
    QUERY_KEY_VALUE("layers.#.self_attn.qkv_proj", kTransposed, , kMayLack),
    PLAIN_LINEAR("l#.output", "layers.#.self_attn.o_proj", Queries, Width),
    {"l#.up_weight", "layers.#.mlp.gate_up_proj.weight", Width, Inner, kTransposed, Fused::Up},
    {"l#.side_weight", "layers.#.mlp.gate_up_proj.weight", Width, Inner, kTransposed, Fused::Side},
    PLAIN_LINEAR("l#.down", "layers.#.mlp.down_proj", Inner, Width),
};
/// A separate output matrix, which a tied checkpoint may have in addition to the word vectors or instead of them.
constexpr FamilyTensor kOwnWords[] = {
    MAYBE_LINEAR("unembedding", "lm_head", Width, Words),
};

/// No biases, unless a switch of config.json asks for them; one tensor has both halves of the gated layer.
constexpr FamilyTensor kModernBert[] = {
    {"embeddings", "embeddings.tok_embeddings.weight", Words, Width},
    PLAIN_NORM("norm", "embeddings.norm"),
    MAYBE_NORM("l#.norm", "layers.#.attn_norm"),
    QUERY_KEY_VALUE("layers.#.attn.Wqkv", kTransposed, , kMayLack),
    PLAIN_LINEAR("l#.output", "layers.#.attn.Wo", Queries, Width),
    PLAIN_NORM("ffn.l#.norm", "layers.#.mlp_norm"),
    {"l#.up_weight", "layers.#.mlp.Wi.weight", Width, Inner, kTransposed, Fused::Up},
    {"l#.side_weight", "layers.#.mlp.Wi.weight", Width, Inner, kTransposed, Fused::Side},
    {"l#.up_bias", "layers.#.mlp.Wi.bias", One, Inner, false, Fused::Up, kMayLack},
    {"l#.side_bias", "layers.#.mlp.Wi.bias", One, Inner, false, Fused::Side, kMayLack},
    PLAIN_LINEAR("l#.down", "layers.#.mlp.Wo", Inner, Width),
    PLAIN_NORM("final.norm", "final_norm"),
    MAYBE_LINEAR("words.up", "head.dense", Width, Width),
    MAYBE_NORM("words.norm", "head.norm"),
    MAYBE_LINEAR("unembedding", "decoder", Width, Words),
};

/// Weights of T5's attention; encoder, decoder and cross-attention each have these.
#define T5_ATTENTION(steps, tensors)                                                       \
    FamilyTensor{steps "query_weight", tensors ".q.weight", Width, Queries, kTransposed},      \
        FamilyTensor{steps "key_weight", tensors ".k.weight", Width, Keys, kTransposed},       \
        FamilyTensor{steps "value_weight", tensors ".v.weight", Width, Keys, kTransposed},     \
        FamilyTensor{steps "output_weight", tensors ".o.weight", Queries, Width, kTransposed}
/// Only wi, or (v1.1) wi_0 and the wi_1 it is multiplied by.
#define T5_FEED_FORWARD(steps, tensors)                                                                          \
    FamilyTensor{steps "up_weight", tensors ".wi.weight", Width, Inner, kTransposed, Fused::No, kMayLack},           \
        FamilyTensor{steps "up_weight", tensors ".wi_0.weight", Width, Inner, kTransposed, Fused::No, kMayLack},     \
        FamilyTensor{steps "side_weight", tensors ".wi_1.weight", Width, Inner, kTransposed, Fused::No, kMayLack},   \
        FamilyTensor{steps "down_weight", tensors ".wo.weight", Inner, Width, kTransposed}
constexpr FamilyTensor kT5[] = {
    {"embeddings", "shared.weight", Words, Width},
    ALSO_WORDS("encoder.embed_tokens"),
    ALSO_WORDS("decoder.embed_tokens"),
    {"encoder.bucket_values", "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", Buckets, Heads},
    {"bucket_values", "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", Buckets, Heads},
    {"encoder.l#.norm_gain", "encoder.block.#.layer.0.layer_norm.weight"},
    T5_ATTENTION("encoder.l#.", "encoder.block.#.layer.0.SelfAttention"),
    {"encoder_ffn.l#.norm_gain", "encoder.block.#.layer.1.layer_norm.weight"},
    T5_FEED_FORWARD("encoder.l#.", "encoder.block.#.layer.1.DenseReluDense"),
    {"encoder.norm_gain", "encoder.final_layer_norm.weight"},
    {"l#.norm_gain", "decoder.block.#.layer.0.layer_norm.weight"},
    T5_ATTENTION("l#.", "decoder.block.#.layer.0.SelfAttention"),
    {"cross.l#.norm_gain", "decoder.block.#.layer.1.layer_norm.weight"},
    T5_ATTENTION("cross.l#.", "decoder.block.#.layer.1.EncDecAttention"),
    {"ffn.l#.norm_gain", "decoder.block.#.layer.2.layer_norm.weight"},
    T5_FEED_FORWARD("l#.", "decoder.block.#.layer.2.DenseReluDense"),
    {"final.norm_gain", "decoder.final_layer_norm.weight"},
};

/// Marian's attention and the norm after it.
#define MARIAN_ATTENTION(steps, tensors)                              \
    LINEAR(steps "query", tensors ".q_proj", Width, Queries),         \
        LINEAR(steps "key", tensors ".k_proj", Width, Keys),          \
        LINEAR(steps "value", tensors ".v_proj", Width, Keys),        \
        LINEAR(steps "output", tensors ".out_proj", Queries, Width),  \
        NORM(steps "norm", tensors "_layer_norm")
constexpr FamilyTensor kMarian[] = {
    {"embeddings", "shared.weight", Words, Width},
    ALSO_WORDS("encoder.embed_tokens"),
    ALSO_WORDS("decoder.embed_tokens"),
    MARIAN_ATTENTION("encoder.l#.", "encoder.layers.#.self_attn"),
    LINEAR("encoder.l#.up", "encoder.layers.#.fc1", Width, Inner),
    LINEAR("encoder.l#.down", "encoder.layers.#.fc2", Inner, Width),
    NORM("encoder_ffn.l#.norm", "encoder.layers.#.final_layer_norm"),
    MARIAN_ATTENTION("l#.", "decoder.layers.#.self_attn"),
    MARIAN_ATTENTION("cross.l#.", "decoder.layers.#.encoder_attn"),
    LINEAR("l#.up", "decoder.layers.#.fc1", Width, Inner),
    LINEAR("l#.down", "decoder.layers.#.fc2", Inner, Width),
    NORM("ffn.l#.norm", "decoder.layers.#.final_layer_norm"),
};
constexpr FamilyTensor kMarianWords[] = {
    {"unembedding_bias", "final_logits_bias", One, Words},
};
/// BART's and mBART's tables of places, and the norms of their inputs; a file without a head lacks the last.
constexpr FamilyTensor kBartInputs[] = {
    {"source.positions", "encoder.embed_positions.weight", Places, Width},
    {"positions", "decoder.embed_positions.weight", Places, Width},
    NORM("source.norm", "encoder.layernorm_embedding"),
    NORM("norm", "decoder.layernorm_embedding"),
    {"unembedding_bias", "final_logits_bias", One, Words, false, Fused::No, kMayLack},
};
/// Where a norm precedes each sub-layer, another one follows the last block of encoder and decoder.
constexpr FamilyTensor kEndNorms[] = {
    NORM("encoder.norm", "encoder.layer_norm"),
    NORM("final.norm", "decoder.layer_norm"),
};

/// Patches, the class token, and blocks with their norms before the sub-layers.
constexpr FamilyTensor kVit[] = {
    {.step = "class_token", .tensor = "embeddings.cls_token", .folded = true},
    {.step = "positions", .tensor = "embeddings.position_embeddings", .rows = Places, .folded = true},
    {.step = "patch_weight", .tensor = "embeddings.patch_embeddings.projection.weight", .rows = Pixels, .transposed = kTransposed, .folded = true},
    {.step = "patch_bias", .tensor = "embeddings.patch_embeddings.projection.bias"},
    NORM("l#.norm", "encoder.layer.#.layernorm_before"),
    PLAIN_LINEAR("l#.query", "encoder.layer.#.attention.attention.query", Width, Queries),
    PLAIN_LINEAR("l#.key", "encoder.layer.#.attention.attention.key", Width, Keys),
    PLAIN_LINEAR("l#.value", "encoder.layer.#.attention.attention.value", Width, Keys),
    LINEAR("l#.output", "encoder.layer.#.attention.output.dense", Queries, Width),
    NORM("ffn.l#.norm", "encoder.layer.#.layernorm_after"),
    LINEAR("l#.up", "encoder.layer.#.intermediate.dense", Width, Inner),
    LINEAR("l#.down", "encoder.layer.#.output.dense", Inner, Width),
    NORM("final.norm", "layernorm"),
};

/// DINOv2's: a table of positions that is interpolated; blocks with the names of ViT's attention; a scale behind each
/// sub-layer. The largest models have a gated layer, whose halves share a tensor.
constexpr FamilyTensor kDinoInputs[] = {
    {.step = "class_token", .tensor = "embeddings.cls_token", .folded = true},
    {.step = "stored_positions", .tensor = "embeddings.position_embeddings", .rows = Places, .folded = true},
    {.step = "patch_weight", .tensor = "embeddings.patch_embeddings.projection.weight", .rows = Pixels, .transposed = kTransposed, .folded = true},
    {.step = "patch_bias", .tensor = "embeddings.patch_embeddings.projection.bias"},
};
constexpr FamilyTensor kVitAttention[] = {
    PLAIN_LINEAR("l#.query", "encoder.layer.#.attention.attention.query", Width, Queries),
    PLAIN_LINEAR("l#.key", "encoder.layer.#.attention.attention.key", Width, Keys),
    PLAIN_LINEAR("l#.value", "encoder.layer.#.attention.attention.value", Width, Keys),
    LINEAR("l#.output", "encoder.layer.#.attention.output.dense", Queries, Width),
};
constexpr FamilyTensor kDinoBlocks[] = {
    NORM("l#.norm", "encoder.layer.#.norm1"),
    {"l#.layer_scale", "encoder.layer.#.layer_scale1.lambda1"},
    NORM("ffn.l#.norm", "encoder.layer.#.norm2"),
    MAYBE_LINEAR("l#.up", "encoder.layer.#.mlp.fc1", Width, Inner),
    MAYBE_LINEAR("l#.down", "encoder.layer.#.mlp.fc2", Inner, Width),
    {"l#.up_weight", "encoder.layer.#.mlp.weights_in.weight", Width, Inner, kTransposed, Fused::Up, kMayLack},
    {"l#.side_weight", "encoder.layer.#.mlp.weights_in.weight", Width, Inner, kTransposed, Fused::Side, kMayLack},
    {"l#.up_bias", "encoder.layer.#.mlp.weights_in.bias", One, Inner, false, Fused::Up, kMayLack},
    {"l#.side_bias", "encoder.layer.#.mlp.weights_in.bias", One, Inner, false, Fused::Side, kMayLack},
    MAYBE_LINEAR("l#.down", "encoder.layer.#.mlp.weights_out", Inner, Width),
    {"ffn.l#.layer_scale", "encoder.layer.#.layer_scale2.lambda1"},
    NORM("final.norm", "layernorm"),
};
constexpr FamilyTensor kRegisters[] = {
    {.step = "register_tokens", .tensor = "embeddings.register_tokens", .rows = Registers, .folded = true},
};

/// CLIP's for pictures ("pre_layrnorm" is how its files spell it), and SigLIP's, which has a bias instead of that norm
/// and of the class token.
constexpr FamilyTensor kClipPicture[] = {
    {"positions", "embeddings.position_embedding.weight", Places, Width},
    {.step = "patch_weight", .tensor = "embeddings.patch_embedding.weight", .rows = Pixels, .transposed = kTransposed, .folded = true},
    NORM("final.norm", "post_layernorm"),
};
constexpr FamilyTensor kClassEmbedding[] = {
    {"class_token", "embeddings.class_embedding"},
    NORM("norm", "pre_layrnorm"),
};
constexpr FamilyTensor kPatchBias[] = {
    {"patch_bias", "embeddings.patch_embedding.bias"},
};
constexpr FamilyTensor kClipText[] = {
    {"embeddings", "embeddings.token_embedding.weight", Words, Width},
    {"positions", "embeddings.position_embedding.weight", Places, Width},
    NORM("final.norm", "final_layer_norm"),
};
constexpr FamilyTensor kClipBlocks[] = {
    NORM("l#.norm", "encoder.layers.#.layer_norm1"),
    LINEAR("l#.query", "encoder.layers.#.self_attn.q_proj", Width, Queries),
    LINEAR("l#.key", "encoder.layers.#.self_attn.k_proj", Width, Keys),
    LINEAR("l#.value", "encoder.layers.#.self_attn.v_proj", Width, Keys),
    LINEAR("l#.output", "encoder.layers.#.self_attn.out_proj", Queries, Width),
    NORM("ffn.l#.norm", "encoder.layers.#.layer_norm2"),
    LINEAR("l#.up", "encoder.layers.#.mlp.fc1", Width, Inner),
    LINEAR("l#.down", "encoder.layers.#.mlp.fc2", Inner, Width),
};

/// The head for labels, if there is one.
constexpr FamilyTensor kVitLabels[] = {
    MAYBE_LINEAR("unembedding", "classifier", Width, Words),
};

/// DeiT's second token. If the teacher's head is stored too, each of the two tokens has a head.
constexpr FamilyTensor kDistillation[] = {
    {.step = "distillation_token", .tensor = "embeddings.distillation_token", .folded = true},
    MAYBE_LINEAR("unembedding", "cls_classifier", Width, Words),
    MAYBE_LINEAR("distillation", "distillation_classifier", Width, Words),
};

#undef LINEAR
#undef PLAIN_LINEAR
#undef MAYBE_LINEAR
#undef QUERY_KEY_VALUE
#undef NORM
#undef PLAIN_NORM
#undef MAYBE_NORM
#undef GAIN
#undef MAYBE_GAIN
#undef NARROW_NORM
#undef MASKED_WORDS
#undef ALSO_WORDS
#undef T5_ATTENTION
#undef T5_FEED_FORWARD
#undef MARIAN_ATTENTION

}  // namespace attn::family_tensors
