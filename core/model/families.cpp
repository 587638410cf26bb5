#include "core/model/families.h"

#include <algorithm>
#include <array>

namespace attn {
namespace {

using enum Side;
constexpr bool kTurned = true;
constexpr bool kMayLack = false;

/// A linear layer of PyTorch with its bias.
#define LINEAR(step, tensor, in, out) \
    FamilyTensor{step "_weight", tensor ".weight", in, out, kTurned}, FamilyTensor{step "_bias", tensor ".bias", One, out}
/// The same, of which the bias may be missing.
#define PLAIN_LINEAR(step, tensor, in, out)                        \
    FamilyTensor{step "_weight", tensor ".weight", in, out, kTurned}, \
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
    {"words.up_weight", "cls.predictions.transform.dense.weight", Width, Width, kTurned, Fused::No, kMayLack},
    {"words.up_bias", "cls.predictions.transform.dense.bias", One, Width, false, Fused::No, kMayLack},
    {"words.norm_gain", "cls.predictions.transform.LayerNorm.weight", One, Width, false, Fused::No, kMayLack},
    {"words.norm_bias", "cls.predictions.transform.LayerNorm.bias", One, Width, false, Fused::No, kMayLack},
    {"unembedding_bias", "cls.predictions.bias", One, Words, false, Fused::No, kMayLack},
};
constexpr FamilyTensor kRobertaWords[] = {
    {"words.up_weight", "lm_head.dense.weight", Width, Width, kTurned, Fused::No, kMayLack},
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
    {"words.up_weight", "vocab_transform.weight", Width, Width, kTurned, Fused::No, kMayLack},
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
    {"l#.query_weight", "layers.#.attention.query_key_value.weight", Width, Queries, kTurned, Fused::HeadQuery},
    {"l#.key_weight", "layers.#.attention.query_key_value.weight", Width, Keys, kTurned, Fused::HeadKey},
    {"l#.value_weight", "layers.#.attention.query_key_value.weight", Width, Keys, kTurned, Fused::HeadValue},
    {"l#.query_bias", "layers.#.attention.query_key_value.bias", One, Queries, false, Fused::HeadQuery},
    {"l#.key_bias", "layers.#.attention.query_key_value.bias", One, Keys, false, Fused::HeadKey},
    {"l#.value_bias", "layers.#.attention.query_key_value.bias", One, Keys, false, Fused::HeadValue},
    LINEAR("l#.output", "layers.#.attention.dense", Queries, Width),
    LINEAR("l#.up", "layers.#.mlp.dense_h_to_4h", Width, Inner),
    LINEAR("l#.down", "layers.#.mlp.dense_4h_to_h", Inner, Width),
    NORM("final.norm", "final_layer_norm"),
    {"unembedding_weight", "embed_out.weight", Width, Words, kTurned},
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
    {"unembedding_weight", "lm_head.weight", Width, Words, kTurned, Fused::No, kMayLack},
    {"unembedding_bias", "lm_head.bias", One, Words, false, Fused::No, kMayLack},
};

/// No biases, but where a switch of config.json asks for them; one tensor holds both halves of the gated layer.
constexpr FamilyTensor kModernBert[] = {
    {"embeddings", "embeddings.tok_embeddings.weight", Words, Width},
    {"norm_gain", "embeddings.norm.weight"},
    {"norm_bias", "embeddings.norm.bias", One, Width, false, Fused::No, kMayLack},
    {"l#.norm_gain", "layers.#.attn_norm.weight", One, Width, false, Fused::No, kMayLack},
    {"l#.norm_bias", "layers.#.attn_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"l#.query_weight", "layers.#.attn.Wqkv.weight", Width, Queries, kTurned, Fused::Query},
    {"l#.key_weight", "layers.#.attn.Wqkv.weight", Width, Keys, kTurned, Fused::Key},
    {"l#.value_weight", "layers.#.attn.Wqkv.weight", Width, Keys, kTurned, Fused::Value},
    {"l#.query_bias", "layers.#.attn.Wqkv.bias", One, Queries, false, Fused::Query, kMayLack},
    {"l#.key_bias", "layers.#.attn.Wqkv.bias", One, Keys, false, Fused::Key, kMayLack},
    {"l#.value_bias", "layers.#.attn.Wqkv.bias", One, Keys, false, Fused::Value, kMayLack},
    PLAIN_LINEAR("l#.output", "layers.#.attn.Wo", Queries, Width),
    {"ffn.l#.norm_gain", "layers.#.mlp_norm.weight"},
    {"ffn.l#.norm_bias", "layers.#.mlp_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"l#.up_weight", "layers.#.mlp.Wi.weight", Width, Inner, kTurned, Fused::Up},
    {"l#.side_weight", "layers.#.mlp.Wi.weight", Width, Inner, kTurned, Fused::Side},
    {"l#.up_bias", "layers.#.mlp.Wi.bias", One, Inner, false, Fused::Up, kMayLack},
    {"l#.side_bias", "layers.#.mlp.Wi.bias", One, Inner, false, Fused::Side, kMayLack},
    PLAIN_LINEAR("l#.down", "layers.#.mlp.Wo", Inner, Width),
    {"final.norm_gain", "final_norm.weight"},
    {"final.norm_bias", "final_norm.bias", One, Width, false, Fused::No, kMayLack},
    {"words.up_weight", "head.dense.weight", Width, Width, kTurned, Fused::No, kMayLack},
    {"words.up_bias", "head.dense.bias", One, Width, false, Fused::No, kMayLack},
    {"words.norm_gain", "head.norm.weight", One, Width, false, Fused::No, kMayLack},
    {"words.norm_bias", "head.norm.bias", One, Width, false, Fused::No, kMayLack},
    {"unembedding_weight", "decoder.weight", Width, Words, kTurned, Fused::No, kMayLack},
    {"unembedding_bias", "decoder.bias", One, Words, false, Fused::No, kMayLack},
};

/// Weights of T5's attention, of which each part of an encoder and decoder has one.
#define T5_ATTENTION(steps, tensors)                                                       \
    FamilyTensor{steps "query_weight", tensors ".q.weight", Width, Queries, kTurned},      \
        FamilyTensor{steps "key_weight", tensors ".k.weight", Width, Keys, kTurned},       \
        FamilyTensor{steps "value_weight", tensors ".v.weight", Width, Keys, kTurned},     \
        FamilyTensor{steps "output_weight", tensors ".o.weight", Queries, Width, kTurned}
/// wi alone, or (v1.1) wi_0 and what it is multiplied by.
#define T5_FEED_FORWARD(steps, tensors)                                                                          \
    FamilyTensor{steps "up_weight", tensors ".wi.weight", Width, Inner, kTurned, Fused::No, kMayLack},           \
        FamilyTensor{steps "up_weight", tensors ".wi_0.weight", Width, Inner, kTurned, Fused::No, kMayLack},     \
        FamilyTensor{steps "side_weight", tensors ".wi_1.weight", Width, Inner, kTurned, Fused::No, kMayLack},   \
        FamilyTensor{steps "down_weight", tensors ".wo.weight", Inner, Width, kTurned}
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
    {.step = "patch_weight", .tensor = "embeddings.patch_embeddings.projection.weight", .rows = Pixels, .turned = kTurned, .folded = true},
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
    {"unembedding_weight", "classifier.weight", Width, Words, kTurned, Fused::No, kMayLack},
    {"unembedding_bias", "classifier.bias", One, Words, false, Fused::No, kMayLack},
};

constexpr FamilyKeys kBertKeys = {.places = "max_position_embeddings"};
constexpr FamilyKeys kLlamaKeys = {.key_heads = "num_key_value_heads", .head_width = "head_dim", .epsilon = "rms_norm_eps"};
constexpr FamilyKeys kGemmaKeys = {.key_heads = "num_key_value_heads",
                                   .head_width = "head_dim",
                                   .epsilon = "rms_norm_eps",
                                   .activation = "hidden_activation"};

const std::vector<Family>& rows() {
    static const std::vector<Family> kFamilies = [] {
        const Family llama = {.type = "llama",
                              .name = "Llama, SmolLM2",
                              .keys = kLlamaKeys,
                              .prefixes = {"", "model."},
                              .tensors = {kLlamaLayers, kLlamaNorms, kOwnWords},
                              .tied = false,
                              .norm = "rms_norm",
                              .position = "rope_half",
                              .gated = true,
                              .epsilon = 1e-6};
        const Family bert = {.type = "bert",
                             .name = "BERT, MiniLM",
                             .keys = kBertKeys,
                             .prefixes = {"", "bert."},
                             .tensors = {kBertInputs, kBertLayers, kBertWords},
                             .causal = false,
                             .block = "post_norm",
                             .epsilon = 1e-12};
        std::vector<Family> out;
        out.push_back({.type = "gpt2",
                       .name = "GPT-2",
                       .keys = {.width = "n_embd", .layers = "n_layer", .heads = "n_head", .inner = "n_inner",
                                .epsilon = "layer_norm_epsilon", .activation = "activation_function", .places = "n_positions"},
                       .prefixes = {"", "transformer."},
                       .tensors = {kGpt2, kOwnWords},
                       .activation = "gelu_new"});
        out.push_back(bert);
        out.push_back(bert);
        out.back().type = "distilbert";
        out.back().name = "DistilBERT";
        out.back().keys = {.width = "dim", .layers = "n_layers", .heads = "n_heads", .inner = "hidden_dim", .epsilon = "",
                           .activation = "activation", .places = "max_position_embeddings"};
        out.back().prefixes = {"", "distilbert."};
        out.back().tensors = {kBertInputs, kDistilbertLayers};
        for (const std::string_view type : {"roberta", "xlm-roberta", "camembert"}) {
            out.push_back(bert);
            out.back().type = type;
            out.back().name = "RoBERTa";
            out.back().prefixes = {"", "roberta."};
            out.back().tensors = {kBertInputs, kBertLayers, kRobertaWords};
            out.back().first_place = 2;
        }
        out.push_back(llama);
        out.push_back(llama);
        out.back().type = "mistral";
        out.back().name = "Mistral";
        out.back().windows = Windows::All;
        out.push_back(llama);
        out.back().type = "qwen2";
        out.back().name = "Qwen 2.5";
        out.push_back(llama);
        out.back().type = "qwen3";
        out.back().name = "Qwen 3";
        out.back().tensors.emplace_back(kHeadGains);
        out.push_back(llama);
        out.back().type = "olmo2";
        out.back().name = "OLMo 2";
        out.back().tensors = {kLlamaLayers, kOlmoNorms, kOwnWords};
        out.back().block = "output_norm";
        Family gemma = llama;
        gemma.type = "gemma";
        gemma.name = "Gemma";
        gemma.keys = kGemmaKeys;
        gemma.tensors = {kLlamaLayers, kGemmaNorms, kOwnWords};
        gemma.tied = gemma.scaled_embeddings = true;
        gemma.activation = "gelu_pytorch_tanh";
        out.push_back(gemma);
        gemma.type = "gemma2";
        gemma.name = "Gemma 2";
        gemma.tensors = {kLlamaLayers, kGemma2Norms, kOwnWords};
        gemma.block = "both_norms";
        gemma.capped = true;
        gemma.windows = Windows::Alternating;
        out.push_back(gemma);
        gemma.type = "gemma3_text";
        gemma.name = "Gemma 3 (text)";
        gemma.prefixes = {"", "model.", "language_model.model."};
        gemma.tensors = {kLlamaLayers, kGemma2Norms, kGemma3HeadGains, kOwnWords};
        gemma.windows = Windows::ByPattern;
        gemma.rope_base = 1e6;
        out.push_back(gemma);
        Family smollm3 = llama;
        smollm3.type = "smollm3";
        smollm3.name = "SmolLM3";
        smollm3.tied = smollm3.unplaced_layers = true;
        smollm3.rope_base = 2e6;
        out.push_back(smollm3);
        out.push_back({.type = "modernbert",
                       .name = "ModernBERT",
                       .keys = {.epsilon = "norm_eps", .activation = "hidden_activation"},
                       .prefixes = {"", "model."},
                       .tensors = {kModernBert},
                       .causal = false,
                       .position = "rope_half",
                       .gated = true,
                       .rope_base = 160000,
                       .rope_base_key = "global_rope_theta",
                       .windows = Windows::Around,
                       .activation = "gelu",
                       .bare_layers = 1});
        Family t5 = {.type = "t5",
                     .name = "T5",
                     .keys = {.width = "d_model", .layers = "num_layers", .heads = "num_heads", .head_width = "d_kv",
                              .inner = "d_ff", .epsilon = "layer_norm_epsilon", .activation = "feed_forward_proj",
                              .decoder_layers = "num_decoder_layers"},
                     .tensors = {kT5, kOwnWords},
                     .causal = false,
                     .norm = "rms_norm",
                     .position = "relative_bias",
                     .epsilon = 1e-6,
                     .activation = "relu",
                     .variant = "decoder",
                     .score = "dot",
                     .scaled_output = true,
                     .left_out = {"encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
                                  "EncDecAttention.relative_attention_bias.weight"}};
        out.push_back(t5);
        t5.type = "mt5";
        t5.tied = false;
        out.push_back(t5);
        out.push_back({.type = "marian",
                       .name = "Marian",
                       .keys = {.width = "d_model", .layers = "encoder_layers", .heads = "encoder_attention_heads",
                                .inner = "encoder_ffn_dim", .epsilon = "", .activation = "activation_function",
                                .decoder_layers = "decoder_layers"},
                       .prefixes = {"", "model."},
                       .tensors = {kMarian, kOwnWords},
                       .causal = false,
                       .block = "post_norm",
                       .position = "sinusoidal_half",
                       .activation = "gelu",
                       .variant = "decoder",
                       .scale_key = "scale_embedding",
                       .same = {{"decoder_attention_heads", "encoder_attention_heads"},
                                {"decoder_ffn_dim", "encoder_ffn_dim"},
                                {"decoder_vocab_size", "vocab_size"}},
                       .left_out = {"embed_tokens.weight", "embed_positions.weight"}});
        out.push_back({.type = "gpt_neox",
                       .name = "Pythia",
                       .prefixes = {"", "gpt_neox."},
                       .tensors = {kNeox},
                       .tied = false,
                       .block = "parallel",
                       .position = "rope_half",
                       .parallel_key = "use_parallel_residual",
                       .rope_share_key = "rotary_pct",
                       .rope_base_key = "rotary_emb_base",
                       .rope_share = 0.25,
                       .activation = "gelu"});
        out.push_back({.type = "phi",
                       .name = "Phi-2",
                       .keys = {.key_heads = "num_key_value_heads"},
                       .prefixes = {"", "model."},
                       .tensors = {kPhi, kOwnWords},
                       .tied = false,
                       .block = "parallel",
                       .position = "rope_half",
                       .rope_share_key = "partial_rotary_factor",
                       .rope_share = 0.5,
                       .activation = "gelu_new"});
        out.push_back({.type = "vit",
                       .name = "ViT",
                       .prefixes = {"", "vit."},
                       .tensors = {kVit},
                       .causal = false,
                       .tied = false,
                       .epsilon = 1e-12,
                       .activation = "gelu",
                       .pictures = true,
                       .left_out = {"embeddings.mask_token"}});
        return out;
    }();
    return kFamilies;
}

/// Families that are not here, and what is most like them.
struct Likeness {
    std::string_view type, closest;
};
constexpr Likeness kNotHere[] = {
    {"umt5", "T5"},              {"longt5", "T5"},            {"bart", "Marian"},           {"mbart", "Marian"},
    {"m2m_100", "Marian"},       {"pegasus", "Marian"},      {"deit", "ViT"},             {"modernbert-decoder", "ModernBERT"},
    {"albert", "BERT, MiniLM"},  {"electra", "BERT, MiniLM"}, {"deberta-v2", "RoBERTa"},    {"mpnet", "RoBERTa"},
    {"opt", "GPT-2"},            {"bloom", "GPT-2"},          {"gptj", "Pythia"},           {"gpt_neo", "GPT-2"},
    {"gpt_bigcode", "GPT-2"},    {"falcon", "Pythia"},        {"stablelm", "Llama, SmolLM2"}, {"phi3", "Llama, SmolLM2"},
    {"mixtral", "Mistral"},      {"qwen2_moe", "Qwen 2.5"},   {"qwen3_moe", "Qwen 3"},      {"deepseek_v3", "Llama, SmolLM2"},
    {"beit", "ViT"},             {"dinov2", "ViT"},          {"clip", "ViT"},            {"swin", "ViT"},
    {"gemma3", "Gemma 3 (text)"}, {"olmo", "OLMo 2"},         {"olmo3", "OLMo 2"},
};

std::size_t shared_beginning(std::string_view a, std::string_view b) {
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

}  // namespace

std::span<const Family> families() { return rows(); }

const Family* find_family(std::string_view type) {
    const auto at = std::find_if(rows().begin(), rows().end(), [&](const Family& f) { return f.type == type; });
    return at == rows().end() ? nullptr : &*at;
}

std::string_view closest_family(std::string_view type) {
    for (const Likeness& other : kNotHere)
        if (other.type == type) return other.closest;
    const auto best = std::max_element(rows().begin(), rows().end(), [&](const Family& a, const Family& b) {
        return shared_beginning(a.type, type) < shared_beginning(b.type, type);
    });
    return best->name;
}

bool is_left_out(std::string_view tensor) {
    constexpr std::array<std::string_view, 9> kEnds = {
        ".attn.bias", ".attn.masked_bias", ".attention.bias", ".attention.masked_bias", "rotary_emb.inv_freq",
        "position_ids", "cls.predictions.decoder.weight", "cls.predictions.decoder.bias", "vocab_projector.weight"};
    constexpr std::array<std::string_view, 6> kParts = {"pooler.", "seq_relationship", "classifier", "lm_head.decoder.",
                                                        "qa_outputs", "score.weight"};
    return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return tensor.ends_with(end); }) ||
           std::any_of(kParts.begin(), kParts.end(), [&](std::string_view part) { return tensor.find(part) != tensor.npos; });
}

}  // namespace attn
