#include "core/model/checkpoint/families.h"

#include <algorithm>
#include <array>

#include "core/model/checkpoint/family_tensors.h"

namespace attn {
namespace {

using namespace family_tensors;

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
            out.back().words_activation = "gelu";
        }
        Family electra = bert;
        electra.type = "electra";
        electra.name = "ELECTRA";
        electra.keys.narrow = "embedding_size";
        electra.prefixes = {"", "electra."};
        electra.tensors = {kBertInputs, kBertLayers, kElectraWords};
        electra.words_activation = "gelu";
        out.push_back(electra);
        out.push_back(bert);
        out.back().type = "albert";
        out.back().name = "ALBERT";
        out.back().keys.narrow = "embedding_size";
        out.back().keys.groups = "num_hidden_groups";
        out.back().keys.layers_of_group = "inner_group_num";
        out.back().prefixes = {"", "albert."};
        out.back().tensors = {kBertInputs, kAlbert};
        out.back().activation = "gelu_new";
        out.back().only = {{"net_structure_type", "0"}, {"gap_size", "0"}, {"num_memory_blocks", "0"}, {"down_scale_factor", "1"}};
        out.push_back(bert);
        out.back().type = "mpnet";
        out.back().name = "MPNet";
        out.back().prefixes = {"", "mpnet."};
        out.back().tensors = {kBertInputs, kMpnet, kRobertaWords};
        out.back().position = "relative_bias";
        out.back().first_place = 2;
        out.back().only = {{"relative_attention_num_buckets", "32"}};
        out.back().words_activation = "gelu";
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
        gemma.local_base_key = "rope_local_base_freq";
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
                       .local_base_key = "local_rope_theta",
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
                     .form = "decoder",
                     .score = "dot",
                     .scaled_output = true,
                     .left_out = {"EncDecAttention.relative_attention_bias.weight"}};
        out.push_back(t5);
        t5.type = "mt5";
        t5.tied = false;
        out.push_back(t5);
        Family marian = {.type = "marian",
                         .name = "Marian",
                         .keys = {.width = "d_model", .layers = "encoder_layers", .heads = "encoder_attention_heads",
                                .inner = "encoder_ffn_dim", .epsilon = "", .activation = "activation_function",
                                .decoder_layers = "decoder_layers"},
                         .prefixes = {"", "model."},
                         .tensors = {kMarian, kMarianWords, kOwnWords},
                         .causal = false,
                         .block = "post_norm",
                         .position = "sinusoidal_half",
                         .activation = "gelu",
                         .form = "decoder",
                         .scale_key = "scale_embedding",
                         .same = {{"decoder_attention_heads", "encoder_attention_heads"},
                                  {"decoder_ffn_dim", "encoder_ffn_dim"},
                                  {"decoder_vocab_size", "vocab_size"}},
                         .left_out = {"embed_positions.weight"}};
        out.push_back(marian);
        // BART's kin: the same blocks, with places that are learned or begin at 2, and norms behind or in front.
        Family bart = marian;
        bart.type = "bart";
        bart.name = "BART";
        bart.keys.places = "max_position_embeddings";
        bart.tensors = {kMarian, kBartInputs, kOwnWords};
        bart.position = "learned";
        bart.first_place = 2;
        bart.usual_start = 2;
        bart.usual_padding = 1;
        bart.places_behind = true;
        bart.left_out = {};
        bart.only = {{"normalize_embedding", "true"}, {"static_position_embeddings", "false"}, {"extra_pos_embeddings", "2"}};
        out.push_back(bart);
        bart.type = "mbart";
        bart.name = "mBART";
        bart.tensors.emplace_back(kEndNorms);
        bart.block = "pre_norm";
        bart.language_codes = true;
        bart.usual_start = Family::kStartIsNamed;  // a language's code
        bart.only.insert(bart.only.end(), {{"normalize_before", "true"}, {"add_final_layer_norm", "true"}});
        out.push_back(bart);
        Family m2m = marian;
        m2m.type = "m2m_100";
        m2m.name = "M2M-100, NLLB";
        m2m.tensors = {kMarian, kOwnWords, kEndNorms};
        m2m.block = "pre_norm";
        m2m.position = "learned";
        m2m.activation = "relu";
        m2m.waves_from_two = m2m.language_codes = m2m.scaled_by_default = true;
        m2m.usual_start = 2;
        m2m.usual_padding = 1;
        m2m.left_out = {"embed_positions.weight", "embed_positions.weights"};
        m2m.only = {{"normalize_before", "true"}, {"add_final_layer_norm", "true"}};
        out.push_back(m2m);
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
        out.push_back({.type = "phi3",
                       .name = "Phi-3, Phi-4-mini",
                       .keys = kLlamaKeys,
                       .prefixes = {"", "model."},
                       .tensors = {kPhi3, kLlamaNorms, kOwnWords},
                       .tied = false,
                       .norm = "rms_norm",
                       .position = "rope_half",
                       .gated = true,
                       .epsilon = 1e-5,
                       .rope_share_key = "partial_rotary_factor",
                       .longrope = true,
                       .windows = Windows::All});
        out.push_back({.type = "gpt_neo",
                       .name = "GPT-Neo",
                       .keys = {.layers = "num_layers", .heads = "num_heads", .epsilon = "layer_norm_epsilon",
                                .activation = "activation_function", .places = "max_position_embeddings"},
                       .prefixes = {"", "transformer."},
                       .tensors = {kGptNeo, kOwnWords},
                       .windows = Windows::ByList,
                       .activation = "gelu_new",
                       .score = "dot"});
        out.push_back({.type = "gptj",
                       .name = "GPT-J",
                       .keys = {.width = "n_embd", .layers = "n_layer", .heads = "n_head", .inner = "n_inner",
                                .epsilon = "layer_norm_epsilon", .activation = "activation_function"},
                       .prefixes = {"", "transformer."},
                       .tensors = {kGptJ, kOwnWords},
                       .tied = false,
                       .block = "parallel",
                       .position = "rope",
                       .rope_columns_key = "rotary_dim",
                       .rope_columns = 64,
                       .activation = "gelu_new"});
        out.push_back({.type = "opt",
                       .name = "OPT",
                       .keys = {.inner = "ffn_dim", .epsilon = "", .activation = "activation_function", .places = "max_position_embeddings"},
                       .prefixes = {"", "model.decoder.", "decoder."},
                       .tensors = {kOpt, kOwnWords},
                       .norm_first_key = "do_layer_norm_before",
                       .first_place = 2,
                       .places_behind = true,
                       .activation = "relu",
                       .same = {{"word_embed_proj_dim", "hidden_size"}}});
        Family vit = {.type = "vit",
                      .name = "ViT",
                      .prefixes = {"", "vit."},
                      .tensors = {kVit, kVitLabels},
                      .causal = false,
                      .tied = false,
                      .epsilon = 1e-12,
                      .activation = "gelu",
                      .pictures = true,
                      .left_out = {"embeddings.mask_token"}};
        out.push_back(vit);
        const Family plain_vit = vit;
        vit.type = "deit";
        vit.name = "DeiT";
        vit.prefixes = {"", "deit."};
        vit.tensors = {kVit, kDistillation, kVitLabels};
        vit.picture_tokens = 2;
        out.push_back(vit);
        // DINOv2: positions for any size of a picture, and a learned scale of what each sub-layer makes.
        Family dino = plain_vit;
        dino.type = "dinov2";
        dino.name = "DINOv2";
        dino.keys.inner_ratio = "mlp_ratio";
        dino.prefixes = {"", "dinov2."};
        dino.tensors = {kDinoInputs, kVitAttention, kDinoBlocks};
        dino.epsilon = 1e-6;
        dino.gated_key = "use_swiglu_ffn";
        dino.gated_activation = "silu";
        dino.interpolated = dino.shortest_edge = true;
        out.push_back(dino);
        dino.type = "dinov2_with_registers";
        dino.name = "DINOv2 with registers";
        dino.prefixes = {"", "dinov2_with_registers."};
        dino.tensors.emplace_back(kRegisters);
        dino.averaged = true;
        dino.registers_key = "num_register_tokens";
        out.push_back(dino);
        // The two models of CLIP, and SigLIP's for pictures: one kind of blocks.
        Family clip = plain_vit;
        clip.type = "clip_vision_model";
        clip.name = "CLIP";
        clip.prefixes = {"", "vision_model."};
        clip.tensors = {kClipPicture, kClassEmbedding, kClipBlocks};
        clip.epsilon = 1e-5;
        clip.activation = "quick_gelu";
        clip.shortest_edge = true;
        clip.both = "clip";
        clip.beside = "text_model.";
        clip.usual = {{"hidden_size", 768}, {"intermediate_size", 3072}, {"num_hidden_layers", 12}, {"num_attention_heads", 12}, {"image_size", 224}, {"patch_size", 32}};
        clip.left_out = {};
        out.push_back(clip);
        clip.type = "clip_text_model";
        clip.prefixes = {"", "text_model."};
        clip.tensors = {kClipText, kClipBlocks};
        clip.keys.places = "max_position_embeddings";
        clip.pictures = false;
        clip.causal = true;
        clip.ends_text = true;
        clip.beside = "vision_model.";
        clip.usual = {{"vocab_size", 49408}, {"hidden_size", 512}, {"intermediate_size", 2048}, {"num_hidden_layers", 12}, {"num_attention_heads", 8}, {"max_position_embeddings", 77}};
        out.push_back(clip);
        Family siglip = plain_vit;
        siglip.type = "siglip_vision_model";
        siglip.name = "SigLIP (pictures)";
        siglip.prefixes = {"", "vision_model."};
        siglip.tensors = {kClipPicture, kPatchBias, kClipBlocks};
        siglip.epsilon = 1e-6;
        siglip.activation = "gelu_pytorch_tanh";
        siglip.picture_tokens = 0;
        siglip.both = "siglip";
        siglip.beside = "text_model.";
        siglip.usual = {{"hidden_size", 768}, {"intermediate_size", 3072}, {"num_hidden_layers", 12}, {"num_attention_heads", 12}, {"image_size", 224}, {"patch_size", 16}};
        siglip.left_out = {};
        out.push_back(siglip);
        return out;
    }();
    return kFamilies;
}

/// Unsupported families, and the most similar supported one.
struct Likeness {
    std::string_view type, closest;
};
constexpr Likeness kNotHere[] = {
    {"umt5", "T5"},              {"longt5", "T5"},            {"pegasus", "Marian"},        {"blenderbot", "mBART"},
    {"nllb-moe", "M2M-100, NLLB"}, {"led", "BART"},      {"modernbert-decoder", "ModernBERT"},
    {"deberta", "BERT, MiniLM"},  {"deberta-v2", "BERT, MiniLM"},
    {"ernie", "BERT, MiniLM"},   {"mobilebert", "BERT, MiniLM"}, {"big_bird", "BERT, MiniLM"}, 
    {"longformer", "RoBERTa"},   {"data2vec-text", "RoBERTa"}, {"codegen", "GPT-J"},        {"gpt_neox_japanese", "Pythia"},
    {"cohere", "Llama, SmolLM2"}, {"granite", "Llama, SmolLM2"}, {"internlm2", "Llama, SmolLM2"}, {"starcoder2", "Llama, SmolLM2"},
    {"bloom", "GPT-2"},          {"phi3small", "Phi-3, Phi-4-mini"}, {"phi3_v", "Phi-3, Phi-4-mini"}, {"phimoe", "Phi-3, Phi-4-mini"},
    {"gpt_bigcode", "GPT-2"},    {"falcon", "Pythia"},        {"stablelm", "Llama, SmolLM2"}, {"xglm", "OPT"},
    {"mixtral", "Mistral"},      {"qwen2_moe", "Qwen 2.5"},   {"qwen3_moe", "Qwen 3"},      {"deepseek_v3", "Llama, SmolLM2"},
    {"beit", "ViT"},             {"swin", "ViT"},            {"dinov3_vit", "DINOv2 with registers"}, {"chinese_clip", "CLIP"},
    {"siglip_text_model", "CLIP"}, {"clipseg", "CLIP"},
    {"gemma3", "Gemma 3 (text)"}, {"gemma3n", "Gemma 3 (text)"}, {"olmo", "OLMo 2"},        {"olmo3", "OLMo 2"},
    {"olmoe", "OLMo 2"},
};

}  // namespace

std::span<const Family> families() { return rows(); }

const Family* find_family(std::string_view type) {
    const auto at = std::find_if(rows().begin(), rows().end(), [&](const Family& f) { return f.type == type; });
    return at == rows().end() ? nullptr : &*at;
}

std::string_view closest_family(std::string_view type) {
    for (const Likeness& other : kNotHere)
        if (other.type == type) return other.closest;
    const Family* closest = nullptr;
    for (const Family& one : rows())
        if (type.starts_with(one.type) && (!closest || one.type.size() > closest->type.size())) closest = &one;
    return closest ? closest->name : std::string_view();
}

namespace {

bool has_any(std::string_view tensor, std::span<const std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return tensor.find(part) != tensor.npos; });
}

}  // namespace

bool is_left_out(std::string_view tensor) {
    constexpr std::array<std::string_view, 6> kEnds = {".attn.bias",      ".attn.masked_bias",       ".attention.bias",
                                                       ".attention.masked_bias", "rotary_emb.inv_freq", "position_ids"};
    constexpr std::array<std::string_view, 2> kParts = {"pooler.", "seq_relationship"};
    return std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return tensor.ends_with(end); }) || has_any(tensor, kParts);
}

bool is_of_other_head(std::string_view tensor) {
    constexpr std::array<std::string_view, 13> kParts = {"visual_projection.", "text_projection.", "logit_scale", "logit_bias", "head.probe", "head.attention.", "head.layernorm.", "head.mlp.", "discriminator_predictions.", "classifier", "classification_head.", "qa_outputs.", "score.weight"};
    return has_any(tensor, kParts);
}

}  // namespace attn
