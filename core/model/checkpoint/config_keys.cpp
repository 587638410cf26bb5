#include "core/model/checkpoint/config_keys.h"

#include <algorithm>

#include "core/text/unicode.h"

namespace attn {
namespace {

/// Keys that do not affect the forward pass of one text. Some are read for one family and mean nothing in another,
/// where they count as unread; so they are listed here.
constexpr std::string_view kChangeNothing[] = {
    // who made the file, and with which program
    "architectures", "auto_map", "description", "dtype", "finetuning_task", "language", "measured", "model_name", "name",
    "pretrained_from", "tokenizer_class", "torch_dtype", "training", "transformers.js_config", "transformers_version",
    "unsloth_fixed", "unsloth_version", "use_bfloat16", "xla_device", "is_llama_config", "model_max_length",
    // how the weights were initialised, stored and are run
    "gradient_checkpointing", "initializer_cutoff_factor", "initializer_factor", "initializer_range", "init_std",
    "tf_legacy_loss", "torchscript", "tie_weights_", "pretraining_tp", "reference_compile", "deterministic_flash_attn",
    "reorder_and_upcast_attn", "chunk_size_feed_forward", "use_cache", "cache_implementation", "output_past",
    "output_attentions", "output_hidden_states", "return_dict", "sparse_prediction", "sparse_pred_ignore_index",
    "repad_logits_with_grad", "router_aux_loss_coef", "encoder_layerdrop", "decoder_layerdrop", "save_step",
    "layerscale_value", "use_mask_token", "tie_encoder_decoder",
    // heads for other tasks, and what a backbone of another model hands on
    "projection_dim", "projection_size", "logit_scale_init_value", "vision_use_head", "apply_layernorm", "reshape_hidden_states", "out_features",
    "out_indices", "stage_names",
    "id2label", "label2id", "num_labels", "problem_type", "task_specific_params", "directionality", "summary_activation",
    "summary_proj_to_labels", "summary_type", "summary_use_proj", "classifier_activation", "classifier_bias",
    "classifier_pooling", "pooler_act", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers",
    "pooler_output_size", "pooler_size_per_head", "pooler_type", "encoder_stride",
    // settings of generation; the tokens that a text begins and ends with
    "bad_words_ids", "begin_suppress_tokens", "diversity_penalty", "do_sample", "early_stopping", "encoder_no_repeat_ngram_size",
    "exponential_decay_length_penalty", "length_penalty", "max_length", "max_new_tokens", "min_length", "no_repeat_ngram_size",
    "num_beam_groups", "num_beams", "num_return_sequences", "output_scores", "prefix", "remove_invalid_values",
    "repetition_penalty", "return_dict_in_generate", "suppress_tokens", "temperature", "top_k", "top_p", "typical_p",
    "assistant_early_exit", "max_time", "min_new_tokens", "min_p", "num_assistant_tokens", "num_assistant_tokens_schedule", "penalty_alpha", "renormalize_logits",
    "_from_model_config", "trust_remote_code",
    // visible from the tensors themselves
    "attention_bias", "mlp_bias", "norm_bias", "qkv_bias", "decoder_bias", "enable_bias", "lm_head_bias", "add_bias_logits", "fused_qkv", "sinusoidal_pos_embds",
    "type_vocab_size",
    // repeated by another key, or implied by the family
    "hidden_act", "dense_act_fn", "is_gated_act", "is_encoder_decoder", "layer_norm_eps", "num_hidden_layers", "n_ctx",
    "n_positions", "max_position_embeddings", "extra_pos_embeddings", "sliding_window", "sliding_window_size", "max_window_layers",
    "cross_attention_hidden_size",
};
/// And every key that contains one of these.
constexpr std::string_view kChangeNothingParts[] = {"drop", "_token_id", "token_index"};

bool changes_nothing(std::string_view key) {
    return key.starts_with('_') || std::find(std::begin(kChangeNothing), std::end(kChangeNothing), key) != std::end(kChangeNothing) ||
           std::any_of(std::begin(kChangeNothingParts), std::end(kChangeNothingParts), [&](std::string_view part) { return key.find(part) != key.npos; });
}

bool says_nothing(const JsonValue& value) {
    return value.kind == JsonKind::Null || (value.kind == JsonKind::Array && value.items.empty()) ||
           (value.kind == JsonKind::Object && value.members.empty());
}

}  // namespace

const JsonValue* ConfigKeys::find(const JsonValue& of, std::string_view key) {
    const JsonValue* value = key.empty() ? nullptr : of.find(key);
    if (!value || value->kind == JsonKind::Null) return nullptr;
    read_.insert(value);
    return value;
}

std::vector<std::string> ConfigKeys::unread() const {
    std::vector<std::string> out;
    gather(root_, "", out);
    return out;
}

void ConfigKeys::gather(const JsonValue& of, const std::string& path, std::vector<std::string>& out) const {
    for (const JsonMember& one : of.members) {
        const std::string name = path + visible(one.key);
        if (read_.contains(&one.value)) {
            if (one.value.kind == JsonKind::Object && !whole_.contains(&one.value)) gather(one.value, name + ".", out);
        } else if (!says_nothing(one.value) && !changes_nothing(one.key)) {
            out.push_back(name);
        }
    }
}

}  // namespace attn
