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
        return out;
    }();
    return kFamilies;
}

/// Families that are not here, and what is most like them.
struct Likeness {
    std::string_view type, closest;
};
constexpr Likeness kNotHere[] = {
    {"t5", "BERT, MiniLM"},      {"mt5", "BERT, MiniLM"},     {"marian", "BERT, MiniLM"},   {"modernbert", "BERT, MiniLM"},
    {"albert", "BERT, MiniLM"},  {"electra", "BERT, MiniLM"}, {"deberta-v2", "RoBERTa"},    {"mpnet", "RoBERTa"},
    {"opt", "GPT-2"},            {"bloom", "GPT-2"},          {"gptj", "Pythia"},           {"gpt_neo", "GPT-2"},
    {"gpt_bigcode", "GPT-2"},    {"falcon", "Pythia"},        {"stablelm", "Llama, SmolLM2"}, {"phi3", "Llama, SmolLM2"},
    {"mixtral", "Mistral"},      {"smollm3", "Llama, SmolLM2"}, {"qwen2_moe", "Qwen 2.5"},  {"qwen3_moe", "Qwen 3"},
    {"gemma3", "Gemma 3 (text)"}, {"olmo", "OLMo 2"},         {"olmo3", "OLMo 2"},          {"vit", "BERT, MiniLM"},
    {"deepseek_v3", "Llama, SmolLM2"},
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
