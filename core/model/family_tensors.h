#pragma once
// The tensors of each family by the names that its checkpoints have. Internal to families.cpp.

#include "core/model/families.h"

namespace attn::family_tensors {

using enum Side;
constexpr bool kTransposed = true;
constexpr bool kMayLack = false;

/// A linear layer of PyTorch with its bias.
#define LINEAR(step, tensor, in, out) \
    FamilyTensor{step "_weight", tensor ".weight", in, out, kTransposed}, FamilyTensor{step "_bias", tensor ".bias", One, out}
/// The same, of which the bias may be missing.
#define PLAIN_LINEAR(step, tensor, in, out)                        \
    FamilyTensor{step "_weight", tensor ".weight", in, out, kTransposed}, \
        FamilyTensor{step "_bias", tensor ".bias", One, out, false, Fused::No, kMayLack}
#define NORM(step, tensor) FamilyTensor{step "_gain", tensor ".weight"}, FamilyTensor{step "_bias", tensor ".bias"}
#define GAIN(step, tensor, cols, plus) FamilyTensor{step "_gain", tensor ".weight", One, cols, false, Fused::No, true, false, plus}
#define MAYBE_GAIN(step, tensor, cols, plus) \
    FamilyTensor{step "_gain", tensor ".weight", One, cols, false, Fused::No, kMayLack, false, plus}

constexpr FamilyTensor kGpt2[] = {
    {"embeddings", "wte.weight", Words, Width},
    {"positions", "wpe.weight", Places, Width},
    NORM("l#.norm", "h.#.ln_1"),
    {"l#.query_weight", "h.#.attn.c_attn.weight", Width, Queries, false, Fused::Query},
    {"l#.key_weight", "h.#.attn.c_attn.weight", Width, Keys, false, Fused::Key},
    {"l#.value_weight", "h.#.attn.c_attn.weight", Width, Keys, false, Fused::Value},
    {"l#.query_bias", "h.#.attn.c_attn.bias", One, Queries, false, Fused::Query},
    {"l#.key_bias", "h.#.attn.c_attn.bias", One, Keys, false, Fused::Key},
    {"l#.value_bias", "h.#.attn.c_attn.bias", One, Keys, false, Fused::Value},
    {"l#.output_weight", "h.#.attn.c_proj.weight", Queries, Width},
    {"l#.output_bias", "h.#.attn.c_proj.bias", One, Width},
    NORM("ffn.l#.norm", "h.#.ln_2"),
    {"l#.up_weight", "h.#.mlp.c_fc.weight", Width, Inner},
    {"l#.up_bias", "h.#.mlp.c_fc.bias", One, Inner},
    {"l#.down_weight", "h.#.mlp.c_proj.weight", Inner, Width},
    {"l#.down_bias", "h.#.mlp.c_proj.bias", One, Width},
    NORM("final.norm", "ln_f"),
};

/// What BERT and its kin have before the first block.
constexpr FamilyTensor kBertInputs[] = {
    {"embeddings", "embeddings.word_embeddings.weight", Words, Width},
    {"positions", "embeddings.position_embeddings.weight", Places, Width},
    {"token_type", "embeddings.token_type_embeddings.weight", One, Width, false, Fused::No, kMayLack, true},
    NORM("norm", "embeddings.LayerNorm"),
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
    {"words.up_weight", "cls.predictions.transform.dense.weight", Width, Width, kTransposed, Fused::No, kMayLack},
    {"words.up_bias", "cls.predictions.transform.dense.bias", One, Width, false, Fused::No, kMayLack},
    {"words.norm_gain", "cls.predictions.transform.LayerNorm.weight", One, Width, false, Fused::No, kMayLack},
    {"words.norm_bias", "cls.predictions.transform.LayerNorm.bias", One, Width, false, Fused::No, kMayLack},
    {"unembedding_bias", "cls.predictions.bias", One, Words, false, Fused::No, kMayLack},
};
constexpr FamilyTensor kRobertaWords[] = {
    {"words.up_weight", "lm_head.dense.weight", Width, Width, kTransposed, Fused::No, kMayLack},
    {"words.up_bias", "lm_head.dense.bias", One, Width, false, Fused::No, kMayLack},
    {"words.norm_gain", "lm_head.layer_norm.weight", One, Width, false, Fused::No, kMayLack},
    {"words.norm_bias", "lm_head.layer_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"unembedding_bias", "lm_head.bias", One, Words, false, Fused::No, kMayLack},
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
    {"words.up_weight", "vocab_transform.weight", Width, Width, kTransposed, Fused::No, kMayLack},
    {"words.up_bias", "vocab_transform.bias", One, Width, false, Fused::No, kMayLack},
    {"words.norm_gain", "vocab_layer_norm.weight", One, Width, false, Fused::No, kMayLack},
    {"words.norm_bias", "vocab_layer_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"unembedding_bias", "vocab_projector.bias", One, Words, false, Fused::No, kMayLack},
};

/// The projections and the gated layer that Llama's kin share.
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
    {"l#.query_weight", "layers.#.attention.query_key_value.weight", Width, Queries, kTransposed, Fused::HeadQuery},
    {"l#.key_weight", "layers.#.attention.query_key_value.weight", Width, Keys, kTransposed, Fused::HeadKey},
    {"l#.value_weight", "layers.#.attention.query_key_value.weight", Width, Keys, kTransposed, Fused::HeadValue},
    {"l#.query_bias", "layers.#.attention.query_key_value.bias", One, Queries, false, Fused::HeadQuery},
    {"l#.key_bias", "layers.#.attention.query_key_value.bias", One, Keys, false, Fused::HeadKey},
    {"l#.value_bias", "layers.#.attention.query_key_value.bias", One, Keys, false, Fused::HeadValue},
    LINEAR("l#.output", "layers.#.attention.dense", Queries, Width),
    LINEAR("l#.up", "layers.#.mlp.dense_h_to_4h", Width, Inner),
    LINEAR("l#.down", "layers.#.mlp.dense_4h_to_h", Inner, Width),
    NORM("final.norm", "final_layer_norm"),
    {"unembedding_weight", "embed_out.weight", Width, Words, kTransposed},
};
/// One norm serves attention and feed-forward layer.
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
/// An output matrix of its own, which a tied checkpoint may hold a second time.
constexpr FamilyTensor kOwnWords[] = {
    {"unembedding_weight", "lm_head.weight", Width, Words, kTransposed, Fused::No, kMayLack},
    {"unembedding_bias", "lm_head.bias", One, Words, false, Fused::No, kMayLack},
};

/// No biases, but where a switch of config.json asks for them; one tensor holds both halves of the gated layer.
constexpr FamilyTensor kModernBert[] = {
    {"embeddings", "embeddings.tok_embeddings.weight", Words, Width},
    {"norm_gain", "embeddings.norm.weight"},
    {"norm_bias", "embeddings.norm.bias", One, Width, false, Fused::No, kMayLack},
    {"l#.norm_gain", "layers.#.attn_norm.weight", One, Width, false, Fused::No, kMayLack},
    {"l#.norm_bias", "layers.#.attn_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"l#.query_weight", "layers.#.attn.Wqkv.weight", Width, Queries, kTransposed, Fused::Query},
    {"l#.key_weight", "layers.#.attn.Wqkv.weight", Width, Keys, kTransposed, Fused::Key},
    {"l#.value_weight", "layers.#.attn.Wqkv.weight", Width, Keys, kTransposed, Fused::Value},
    {"l#.query_bias", "layers.#.attn.Wqkv.bias", One, Queries, false, Fused::Query, kMayLack},
    {"l#.key_bias", "layers.#.attn.Wqkv.bias", One, Keys, false, Fused::Key, kMayLack},
    {"l#.value_bias", "layers.#.attn.Wqkv.bias", One, Keys, false, Fused::Value, kMayLack},
    PLAIN_LINEAR("l#.output", "layers.#.attn.Wo", Queries, Width),
    {"ffn.l#.norm_gain", "layers.#.mlp_norm.weight"},
    {"ffn.l#.norm_bias", "layers.#.mlp_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"l#.up_weight", "layers.#.mlp.Wi.weight", Width, Inner, kTransposed, Fused::Up},
    {"l#.side_weight", "layers.#.mlp.Wi.weight", Width, Inner, kTransposed, Fused::Side},
    {"l#.up_bias", "layers.#.mlp.Wi.bias", One, Inner, false, Fused::Up, kMayLack},
    {"l#.side_bias", "layers.#.mlp.Wi.bias", One, Inner, false, Fused::Side, kMayLack},
    PLAIN_LINEAR("l#.down", "layers.#.mlp.Wo", Inner, Width),
    {"final.norm_gain", "final_norm.weight"},
    {"final.norm_bias", "final_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"words.up_weight", "head.dense.weight", Width, Width, kTransposed, Fused::No, kMayLack},
    {"words.up_bias", "head.dense.bias", One, Width, false, Fused::No, kMayLack},
    {"words.norm_gain", "head.norm.weight", One, Width, false, Fused::No, kMayLack},
    {"words.norm_bias", "head.norm.bias", One, Width, false, Fused::No, kMayLack},
    {"unembedding_weight", "decoder.weight", Width, Words, kTransposed, Fused::No, kMayLack},
    {"unembedding_bias", "decoder.bias", One, Words, false, Fused::No, kMayLack},
};

/// Weights of T5's attention, of which each part of an encoder and decoder has one.
#define T5_ATTENTION(steps, tensors)                                                       \
    FamilyTensor{steps "query_weight", tensors ".q.weight", Width, Queries, kTransposed},      \
        FamilyTensor{steps "key_weight", tensors ".k.weight", Width, Keys, kTransposed},       \
        FamilyTensor{steps "value_weight", tensors ".v.weight", Width, Keys, kTransposed},     \
        FamilyTensor{steps "output_weight", tensors ".o.weight", Queries, Width, kTransposed}
/// wi alone, or (v1.1) wi_0 and what it is multiplied by.
#define T5_FEED_FORWARD(steps, tensors)                                                                          \
    FamilyTensor{steps "up_weight", tensors ".wi.weight", Width, Inner, kTransposed, Fused::No, kMayLack},           \
        FamilyTensor{steps "up_weight", tensors ".wi_0.weight", Width, Inner, kTransposed, Fused::No, kMayLack},     \
        FamilyTensor{steps "side_weight", tensors ".wi_1.weight", Width, Inner, kTransposed, Fused::No, kMayLack},   \
        FamilyTensor{steps "down_weight", tensors ".wo.weight", Inner, Width, kTransposed}
constexpr FamilyTensor kT5[] = {
    {"embeddings", "shared.weight", Words, Width},
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

/// Marian's attention and its norm, which stands behind.
#define MARIAN_ATTENTION(steps, tensors)                              \
    LINEAR(steps "query", tensors ".q_proj", Width, Queries),         \
        LINEAR(steps "key", tensors ".k_proj", Width, Keys),          \
        LINEAR(steps "value", tensors ".v_proj", Width, Keys),        \
        LINEAR(steps "output", tensors ".out_proj", Queries, Width),  \
        NORM(steps "norm", tensors "_layer_norm")
constexpr FamilyTensor kMarian[] = {
    {"embeddings", "shared.weight", Words, Width},
    MARIAN_ATTENTION("encoder.l#.", "encoder.layers.#.self_attn"),
    LINEAR("encoder.l#.up", "encoder.layers.#.fc1", Width, Inner),
    LINEAR("encoder.l#.down", "encoder.layers.#.fc2", Inner, Width),
    NORM("encoder_ffn.l#.norm", "encoder.layers.#.final_layer_norm"),
    MARIAN_ATTENTION("l#.", "decoder.layers.#.self_attn"),
    MARIAN_ATTENTION("cross.l#.", "decoder.layers.#.encoder_attn"),
    LINEAR("l#.up", "decoder.layers.#.fc1", Width, Inner),
    LINEAR("l#.down", "decoder.layers.#.fc2", Inner, Width),
    NORM("ffn.l#.norm", "decoder.layers.#.final_layer_norm"),
    {"unembedding_bias", "final_logits_bias", One, Words},
};

/// Patches, the class token, and blocks with their norms in front; a head that says labels, where there is one.
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
    {"unembedding_weight", "classifier.weight", Width, Words, kTransposed, Fused::No, kMayLack},
    {"unembedding_bias", "classifier.bias", One, Words, false, Fused::No, kMayLack},
};

#undef LINEAR
#undef PLAIN_LINEAR
#undef NORM
#undef GAIN
#undef MAYBE_GAIN

}  // namespace attn::family_tensors
