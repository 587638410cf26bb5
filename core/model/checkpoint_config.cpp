#include "core/model/checkpoint_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/document.h"
#include "core/io/json_writer.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr int kMostCheckpointWords = 300'000, kMostPlaces = 1 << 22, kMostInner = 1 << 16;

struct FunctionName {
    std::string_view theirs, plain, gated;
};
constexpr FunctionName kTheirFunctions[] = {
    {"gelu", "gelu", "geglu"},
    {"gelu_new", "gelu_tanh", "geglu_tanh"},
    {"gelu_fast", "gelu_tanh", "geglu_tanh"},
    {"gelu_pytorch_tanh", "gelu_tanh", "geglu_tanh"},
    {"silu", "silu", "swiglu"},
    {"swish", "silu", "swiglu"},
    {"relu", "relu", ""},
};

/// Switches of a configuration that change what is computed, and the one way that is computed here; null counts as that.
struct Demand {
    std::string_view key, only;
};
constexpr Demand kDemands[] = {
    {"add_cross_attention", "false"},   {"scale_attn_by_inverse_layer_idx", "false"}, {"scale_attn_weights", "true"},
    {"position_embedding_type", "absolute"}, {"use_sliding_window", "false"},         {"is_decoder", "false"},
    {"qk_layernorm", "false"},          {"use_bidirectional_attention", "false"},
};

std::string text_of(const JsonValue& value) {
    switch (value.kind) {
        case JsonKind::Boolean:
            return value.boolean ? "true" : "false";
        case JsonKind::String:
            return visible(value.string);
        case JsonKind::Number:
            return value.is_integer ? std::to_string(value.integer) : fmt::format("{:g}", value.number);
        default:
            return std::string(kind_name(value.kind));
    }
}

class ConfigReader {
public:
    ConfigReader(const JsonValue& root, const std::string& where) : root_(root), where_(where), out_(JsonLayout::Compact) {}

    Result<CheckpointConfig> read() {
        out_.begin_object();
        for (const auto part : {&ConfigReader::family, &ConfigReader::demands, &ConfigReader::sizes, &ConfigReader::block,
                                &ConfigReader::position, &ConfigReader::slowing, &ConfigReader::windows, &ConfigReader::caps})
            if (auto done = (this->*part)(); !done) return done.error();
        out_.end_object();
        const auto settings = parse_json(out_.take());
        if (!settings) return settings.error();
        for (const JsonMember& one : settings->members) config_.settings.emplace_back(one.key, one.value);
        return std::move(config_);
    }

private:
    Error wrong(std::string_view key, std::string message) const {
        const JsonValue* value = root_.find(key);
        return {std::move(message), where_, visible(key), value ? value->line : root_.line};
    }
    /// A member that is there and not null.
    const JsonValue* member(std::string_view key) const {
        const JsonValue* value = key.empty() ? nullptr : root_.find(key);
        return value && value->kind != JsonKind::Null ? value : nullptr;
    }
    Result<int> whole(std::string_view key, int low, int high, int otherwise = -1) {
        const JsonValue* value = member(key);
        if (!value && otherwise >= 0) return otherwise;
        if (!value) return wrong(key, "it is missing");
        if (!value->is_integer || value->integer < low || value->integer > high)
            return wrong(key, fmt::format("a whole number from {} to {} is expected, not {}", low, high, text_of(*value)));
        return static_cast<int>(value->integer);
    }
    Result<double> number(const JsonValue& of, std::string_view key, double otherwise) {
        const JsonValue* value = key.empty() ? nullptr : of.find(key);
        if (!value || value->kind == JsonKind::Null) return otherwise;
        if (value->kind != JsonKind::Number || !(value->number > 0) || !std::isfinite(value->number32))
            return Error{fmt::format("a number above 0 is expected, not {}", text_of(*value)), where_, visible(key), value->line};
        return value->number;
    }
    void say(std::string_view key, std::string_view value) { out_.key(key), out_.string(value); }
    void say(std::string_view key, int value) { out_.key(key), out_.integer(value); }
    void say(std::string_view key, double value) { out_.key(key), out_.number(static_cast<float>(value)); }

    Result<Done> family() {
        const JsonValue* type = member("model_type");
        if (!type) return wrong("model_type", "it is missing; it names the family of a model");
        if (type->kind != JsonKind::String)
            return wrong("model_type", fmt::format("a text is expected, not {}", kind_name(type->kind)));
        config_.family = find_family(type->string);
        if (config_.family) return Done{};
        std::string known;
        std::string_view last;
        for (const Family& one : families()) {
            if (one.name == last) continue;
            known.append(known.empty() ? "" : ", ").append(one.name);
            last = one.name;
        }
        return wrong("model_type", fmt::format("models of the family \"{}\" are not read; the closest that is, is {} (all: {})",
                                               visible(type->string), closest_family(type->string), known));
    }

    Result<Done> demands() {
        for (const Demand& demand : kDemands)
            if (const JsonValue* value = member(demand.key); value && text_of(*value) != demand.only)
                return wrong(demand.key, fmt::format("{} is not computed here; {} is", text_of(*value), demand.only));
        return Done{};
    }

    Result<Done> sizes() {
        const FamilyKeys& k = config_.family->keys;
        const auto width = whole(k.width, 1, kMaxWidth), layers = whole(k.layers, 1, kMaxLayers),
                   heads = whole(k.heads, 1, kMaxHeads), words = whole("vocab_size", 1, kMostCheckpointWords);
        for (const auto* one : {&width, &layers, &heads, &words})
            if (!*one) return one->error();
        const auto key_heads = whole(k.key_heads, 1, kMaxHeads, *heads), inner = whole(k.inner, 1, kMostInner, 4 * *width),
                   places = k.places.empty() ? Result<int>(0) : whole(k.places, config_.family->first_place + 1, kMostPlaces);
        for (const auto* one : {&key_heads, &inner, &places})
            if (!*one) return one->error();
        if (*heads % *key_heads != 0)
            return wrong(k.key_heads, fmt::format("{} key heads do not divide {} heads into equal groups", *key_heads, *heads));
        const auto head = whole(k.head_width, 1, kMaxWidth, *width / *heads);
        if (!head) return head.error();
        if (!member(k.head_width) && *width % *heads != 0)
            return wrong(k.heads, fmt::format("{} heads do not divide the width {} into equal parts", *heads, *width));
        config_.sizes = {*width, *layers, *heads, *key_heads, *head, *inner, *words, *places};
        say("variant", "encoder");
        say("heads", *heads);
        if (*key_heads != *heads) say("kv_heads", *key_heads);
        if (*head * *heads != *width) say("head_width", *head);
        say("layers", *layers);
        say("ffn_width", *inner);
        const JsonValue* tied = member("tie_word_embeddings");
        config_.tied = tied && tied->kind == JsonKind::Boolean ? tied->boolean : config_.family->tied;
        return Done{};
    }

    Result<Done> block() {
        const Family& f = *config_.family;
        const JsonValue* parallel = f.parallel_key.empty() ? nullptr : member(f.parallel_key);
        say("block", parallel && !parallel->boolean ? "pre_norm" : f.block);
        say("norm", f.norm);
        const auto epsilon = number(root_, f.keys.epsilon, f.epsilon);
        if (!epsilon) return epsilon.error();
        say("epsilon", *epsilon);
        if (f.scaled_embeddings) say("embedding_scale", std::sqrt(static_cast<double>(config_.sizes.width)));
        const JsonValue* named = member(f.keys.activation);
        const std::string said = named ? text_of(*named) : std::string(f.activation);
        std::string known;
        for (const FunctionName& one : kTheirFunctions) {
            const std::string_view ours = f.gated ? one.gated : one.plain;
            if (one.theirs == said && !ours.empty()) return say("activation", ours), Done{};
            known.append(known.empty() ? "" : ", ").append(one.theirs);
        }
        return wrong(f.keys.activation, fmt::format("the function \"{}\" is not computed here; {} are", said, known));
    }

    Result<Done> position() {
        const Family& f = *config_.family;
        say("position", f.position);
        if (f.position == "learned") return Done{};
        const JsonValue* nested = member("rope_parameters");
        const JsonValue& of = nested && nested->kind == JsonKind::Object && nested->find("rope_theta") ? *nested : root_;
        const auto base = number(of, &of == &root_ ? f.rope_base_key : "rope_theta", f.rope_base),
                   share = number(root_, f.rope_share_key, f.rope_share), local = number(root_, "rope_local_base_freq", 10000);
        for (const auto* one : {&base, &share, &local})
            if (!*one) return one->error();
        say("rope_base", *base);
        if (*share < 1) say("rope_share", *share);
        if (*share > 1) return wrong(f.rope_share_key, "a share of a head's columns is at most 1");
        if (f.windows == Windows::ByPattern) say("local_rope_base", *local);
        return Done{};
    }

    Result<Done> slowing() {
        const JsonValue* said = member("rope_scaling");
        if (!said) said = member("rope_parameters");
        if (!said || config_.family->position == "learned") return Done{};
        if (said->kind != JsonKind::Object)
            return wrong("rope_scaling", fmt::format("an object is expected, not {}", kind_name(said->kind)));
        const JsonValue* type = said->find("rope_type");
        if (!type) type = said->find("type");
        const std::string name = type ? text_of(*type) : "default";
        if (name == "default") return Done{};
        if (name != "linear" && name != "llama3")
            return wrong("rope_scaling", fmt::format("angles scaled by \"{}\" are not computed here; default, linear and llama3 are", name));
        const auto factor = number(*said, "factor", 1), low = number(*said, "low_freq_factor", 1),
                   high = number(*said, "high_freq_factor", 4), places = number(*said, "original_max_position_embeddings", 8192);
        for (const auto* one : {&factor, &low, &high, &places})
            if (!*one) return one->error();
        say("rope_factor", *factor);
        if (name == "linear") return Done{};
        if (*high <= *low) return wrong("rope_scaling", "high_freq_factor must be above low_freq_factor");
        if (*places > kMostPlaces) return wrong("rope_scaling", "original_max_position_embeddings is too large");
        say("rope_original", static_cast<int>(*places));
        say("rope_low", *low);
        say("rope_high", *high);
        return Done{};
    }

    Result<Done> windows() {
        const Family& f = *config_.family;
        const auto window = f.windows == Windows::None ? Result<int>(0) : whole("sliding_window", 1, kMostPlaces, 0);
        if (!window) return window.error();
        // Theirs counts the query itself; a window as long as the longest text hides nothing but what is to come.
        const bool none = *window == 0 || static_cast<std::size_t>(*window) > kMaxTokens;
        say("mask", !f.causal ? "none" : none ? "causal" : "sliding_window");
        if (none) return Done{};
        if (*window == 1) return wrong("sliding_window", "a window of one token looks at nothing else");
        say("window", *window - 1);
        if (f.windows == Windows::All) return Done{};
        const auto every = f.windows == Windows::Alternating ? Result<int>(2) : whole("sliding_window_pattern", 1, kMaxLayers, 6);
        if (!every) return every.error();
        say("global_every", *every);
        say("global_first", *every - 1);
        return layer_types(*every);
    }

    /// Newer files write out which layers have a window; they must agree.
    Result<Done> layer_types(int every) {
        const JsonValue* types = member("layer_types");
        if (!types) return Done{};
        for (std::size_t layer = 0; layer < types->items.size(); ++layer) {
            const bool global = (static_cast<int>(layer) + 1) % every == 0;
            if (text_of(types->items[layer]) != (global ? "full_attention" : "sliding_attention"))
                return wrong("layer_types", fmt::format("windows in layers other than all but each {}th are not computed here", every));
        }
        return Done{};
    }

    Result<Done> caps() {
        if (!config_.family->scaled_embeddings) return Done{};
        const auto scores = number(root_, "attn_logit_softcapping", 0), logits = number(root_, "final_logit_softcapping", 0),
                   scalar = number(root_, "query_pre_attn_scalar", config_.sizes.head);
        for (const auto* one : {&scores, &logits, &scalar})
            if (!*one) return one->error();
        if (*scalar != config_.sizes.head)
            return wrong("query_pre_attn_scalar", fmt::format("scores are divided by the root of a head's width here, {}, not of {:g}",
                                                              config_.sizes.head, *scalar));
        if (*scores > 0) say("score_cap", *scores);
        if (*logits > 0) say("logit_cap", *logits);
        return Done{};
    }

    const JsonValue& root_;
    const std::string& where_;
    JsonWriter out_;
    CheckpointConfig config_;
};

}  // namespace

Result<CheckpointConfig> read_checkpoint_config(const JsonValue& root, const std::string& where) {
    return ConfigReader(root, where).read();
}

}  // namespace attn
