#include "core/model/checkpoint_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

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
    {"gated-gelu", "geglu_tanh", ""},
    {"gated-silu", "swiglu", ""},
};

/// Switches of a configuration that change what is computed, and the one way that is computed here; null counts as that.
struct Demand {
    std::string_view key, only;
};
constexpr Demand kDemands[] = {
    {"add_cross_attention", "false"},   {"scale_attn_by_inverse_layer_idx", "false"}, {"scale_attn_weights", "true"},
    {"position_embedding_type", "absolute"}, {"use_sliding_window", "false"},         {"is_decoder", "false"},
    {"qk_layernorm", "false"},          {"use_bidirectional_attention", "false"},
    {"normalize_before", "false"},      {"normalize_embedding", "false"},             {"add_final_layer_norm", "false"},
    {"share_encoder_decoder_embeddings", "true"}, {"static_position_embeddings", "true"},
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
                                &ConfigReader::position, &ConfigReader::buckets, &ConfigReader::unplaced, &ConfigReader::slowing,
                                &ConfigReader::windows, &ConfigReader::caps, &ConfigReader::two_texts})
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
                   heads = whole(k.heads, 1, kMaxHeads), words = count_of_words();
        for (const auto* one : {&width, &layers, &heads, &words})
            if (!*one) return one->error();
        const auto decoder_layers = k.decoder_layers.empty() ? layers : whole(k.decoder_layers, 1, kMaxLayers, *layers);
        if (!decoder_layers) return decoder_layers.error();
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
        config_.sizes = {*layers == *decoder_layers ? 0 : *layers, *width, *decoder_layers, *heads, *key_heads, *head, *inner, *words, *places, 0, 0};
        if (auto cut = picture(); !cut) return cut;
        for (const SameKeys& two : config_.family->same)
            if (member(two.key) && text_of(*member(two.key)) != text_of(*member(two.as)))
                return wrong(two.key, fmt::format("{} beside {} = {} is not computed here; both must be the same", text_of(*member(two.key)),
                                                  two.as, text_of(*member(two.as))));
        say("variant", config_.family->variant);
        if (!config_.family->score.empty()) say("score", config_.family->score);
        say("heads", *heads);
        if (*key_heads != *heads) say("kv_heads", *key_heads);
        if (*head * *heads != *width) say("head_width", *head);
        say("layers", *decoder_layers);
        if (config_.sizes.encoder_layers != 0) say("encoder_layers", *layers);
        say("ffn_width", *inner);
        const JsonValue* tied = member("tie_word_embeddings");
        config_.tied = tied && tied->kind == JsonKind::Boolean && !config_.family->pictures ? tied->boolean : config_.family->tied;
        return Done{};
    }

    /// Words of a vocabulary; of a model of pictures, its labels.
    Result<int> count_of_words() {
        if (!config_.family->pictures) return whole("vocab_size", 1, kMostCheckpointWords);
        if (auto read = labels(); !read) return read.error();
        return static_cast<int>(config_.labels.size());
    }

    /// id2label, an object of numbers and names; without one they are numbered as Hugging Face does: LABEL_0, LABEL_1 …
    Result<Done> labels() {
        const JsonValue* named = member("id2label");
        if (named && named->kind != JsonKind::Object) return wrong("id2label", fmt::format("an object of numbers and names is expected, not {}", kind_name(named->kind)));
        const auto count = named ? Result<int>(static_cast<int>(std::min<std::size_t>(named->members.size(), kMostCheckpointWords + 1)))
                                 : whole("num_labels", 1, kMostCheckpointWords, 2);
        if (!count) return count.error();
        if (*count < 1 || *count > kMostCheckpointWords) return wrong("id2label", fmt::format("1 to {} labels are expected, not {}", kMostCheckpointWords, *count));
        config_.labels.resize(static_cast<std::size_t>(*count));
        for (int i = 0; !named && i < *count; ++i) config_.labels[static_cast<std::size_t>(i)] = fmt::format("LABEL_{}", i);
        for (std::size_t i = 0; named && i < named->members.size(); ++i) {
            const JsonMember& one = named->members[i];
            int id = -1;
            const auto end = one.key.data() + one.key.size();
            if (const auto read = std::from_chars(one.key.data(), end, id); read.ec != std::errc{} || read.ptr != end || id < 0 || id >= *count)
                return wrong("id2label", fmt::format("\"{}\" is no number of a label; they go from 0 to {}", visible(one.key), *count - 1));
            std::string& label = config_.labels[static_cast<std::size_t>(id)];
            if (one.value.kind != JsonKind::String || one.value.string.empty() || !label.empty())
                return wrong("id2label", fmt::format("label {} needs one name", id));
            label = one.value.string;
        }
        return Done{};
    }

    /// How many patches there are, and so how many places: the class token has the first.
    Result<Done> picture() {
        if (!config_.family->pictures) return Done{};
        auto cut = read_picture_size(root_, where_);
        if (!cut) return cut.error();
        config_.picture = *cut;
        config_.sizes.places = cut->patches() + 1;
        config_.sizes.pixels = cut->numbers();
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
        if (f.bare_layers > 0) say("bare_layers", f.bare_layers);
        const JsonValue* scaled = member(f.scale_key);
        if (f.scaled_embeddings || (scaled && scaled->kind == JsonKind::Boolean && scaled->boolean)) say("embedding_scale", std::sqrt(static_cast<double>(config_.sizes.width)));
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
        if (!turned()) return Done{};
        if (f.windows == Windows::Around) return two_bases();
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

    bool turned() const { return config_.family->position.starts_with("rope"); }

    /// Of global layers and of those with a window; newer files have an object for each.
    Result<Done> two_bases() {
        const JsonValue* nested = member("rope_parameters");
        const auto base = [&](std::string_view type, std::string_view key, double otherwise) {
            const JsonValue* own = nested ? nested->find(type) : nested;
            return own && own->kind == JsonKind::Object ? number(*own, "rope_theta", otherwise) : number(root_, key, otherwise);
        };
        const auto global = base("full_attention", "global_rope_theta", 160000), local = base("sliding_attention", "local_rope_theta", 10000);
        for (const auto* one : {&global, &local})
            if (!*one) return one->error();
        say("rope_base", *global);
        say("local_rope_base", *local);
        return Done{};
    }

    /// T5's numbers by distance.
    Result<Done> buckets() {
        if (config_.family->position != "relative_bias") return Done{};
        const auto count = whole("relative_attention_num_buckets", 4, 256, 32),
                   distance = whole("relative_attention_max_distance", 1, static_cast<int>(kMaxTokens), 128);
        for (const auto* one : {&count, &distance})
            if (!*one) return one->error();
        config_.sizes.buckets = *count;
        say("bias_buckets", *count);
        say("bias_distance", *distance);
        return Done{};
    }

    /// Which layers have no position: one in so many, which a list may write out (0: has none).
    Result<Done> unplaced() {
        if (!config_.family->unplaced_layers) return Done{};
        auto every = whole("no_rope_layer_interval", 1, kMaxLayers, 4);
        if (!every) return every.error();
        if (const JsonValue* list = member("no_rope_layers")) {
            const auto placed = [&](std::size_t layer) { return layer >= list->items.size() || text_of(list->items[layer]) != "0"; };
            const auto layers = static_cast<std::size_t>(config_.sizes.layers);
            std::size_t first = 0;
            while (first < layers && placed(first)) ++first;
            if (first == layers) return Done{};
            every = static_cast<int>(first) + 1;
            for (std::size_t layer = 0; layer < layers; ++layer)
                if (placed(layer) != ((layer + 1) % (first + 1) != 0))
                    return wrong("no_rope_layers", fmt::format("layers without position other than each {}th are not computed here", *every));
        }
        say("unplaced_every", *every);
        say("unplaced_first", *every - 1);
        return Done{};
    }

    Result<Done> slowing() {
        const JsonValue* said = member("rope_scaling");
        if (!said) said = member("rope_parameters");
        if (!said || !turned()) return Done{};
        if (said->kind != JsonKind::Object)
            return wrong("rope_scaling", fmt::format("an object is expected, not {}", kind_name(said->kind)));
        const JsonValue* type = said->find("rope_type");
        if (!type) type = said->find("type");
        const std::string name = type ? text_of(*type) : "default";
        if (name == "default") return Done{};
        if (name == "yarn") return yarn(*said);
        if (name != "linear" && name != "llama3")
            return wrong("rope_scaling", fmt::format("angles scaled by \"{}\" are not computed here; default, linear, llama3 and yarn are", name));
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

    /// The pair that turns so often over the places that a model was trained on [Peng et al. 2023, eq. 19].
    static double pair_of(double turns, double places, double width, double base) {
        return width * std::log(places / (turns * 2 * std::numbers::pi)) / (2 * std::log(base));
    }
    /// How much longer queries and keys become for texts so many times as long [Peng et al. 2023, 3.4].
    static double lengthened(double factor, double share) { return factor <= 1 ? 1 : 0.1 * share * std::log(factor) + 1; }

    Result<Done> yarn(const JsonValue& said) {
        const Family& f = *config_.family;
        const auto factor = number(said, "factor", 1), length = number(said, "attention_factor", 0), fast = number(said, "beta_fast", 32),
                   slow = number(said, "beta_slow", 1), trained = number(root_, "max_position_embeddings", 2048),
                   base = number(root_, f.rope_base_key, f.rope_base), share = number(root_, f.rope_share_key, f.rope_share);
        for (const auto* one : {&factor, &length, &fast, &slow, &trained, &base, &share})
            if (!*one) return one->error();
        const auto nested = number(said, "rope_theta", *base), places = number(said, "original_max_position_embeddings", *trained);
        const auto own = shares_of(said);
        for (const auto* one : {&nested, &places})
            if (!*one) return one->error();
        const double width = std::floor(config_.sizes.head * *share);
        double low = pair_of(*fast, *places, width, *nested), high = pair_of(*slow, *places, width, *nested);
        const JsonValue* truncate = said.find("truncate");
        if (!truncate || truncate->kind != JsonKind::Boolean || truncate->boolean) low = std::floor(low), high = std::ceil(high);
        low = std::max(low, 0.0), high = std::min(high, width - 1);
        if (!(high > 0) || low > high)
            return wrong("rope_scaling", "no pair of columns turns between beta_slow and beta_fast times over original_max_position_embeddings");
        say("rope_factor", *factor);
        say("rope_pair_low", low);
        say("rope_pair_high", high);
        const double usual = own.first > 0 && own.second > 0 ? lengthened(*factor, own.first) / lengthened(*factor, own.second)
                                                             : lengthened(*factor, 1);
        say("rope_length", *length > 0 ? *length : usual);
        return Done{};
    }
    /// mscale and mscale_all_dim; 0 where they are not there, or are 0.
    static std::pair<double, double> shares_of(const JsonValue& said) {
        const auto share = [&](std::string_view key) {
            const JsonValue* value = said.find(key);
            return value && value->kind == JsonKind::Number ? value->number : 0.0;
        };
        return {share("mscale"), share("mscale_all_dim")};
    }

    /// The tokens that a decoder begins and ends with; outputs are scaled where they meet the words' own vectors.
    Result<Done> two_texts() {
        const Family& f = *config_.family;
        if (f.scaled_output && config_.tied) say("output_scale", 1 / std::sqrt(static_cast<double>(config_.sizes.width)));
        if (f.variant != "decoder") return Done{};
        const auto padding = whole("pad_token_id", 0, config_.sizes.words - 1, 0);
        if (!padding) return padding.error();
        const auto start = whole("decoder_start_token_id", 0, config_.sizes.words - 1, *padding);
        if (!start) return start.error();
        config_.start = *start;
        const JsonValue* end = member("eos_token_id");
        if (end && end->is_integer && end->integer >= 0 && end->integer < config_.sizes.words) config_.end = static_cast<int>(end->integer);
        return Done{};
    }

    /// As many tokens on either side as half of local_attention; the first layer of so many sees all.
    Result<Done> windows_around() {
        const auto wide = whole("local_attention", 2, kMostPlaces, 128), every = whole("global_attn_every_n_layers", 1, kMaxLayers, 3);
        for (const auto* one : {&wide, &every})
            if (!*one) return one->error();
        say("mask", "global_window");
        say("window", std::min(*wide / 2, static_cast<int>(kMaxTokens)));
        say("global_tokens", 0);
        say("global_every", *every);
        return layer_types(*every, 0);
    }

    Result<Done> windows() {
        const Family& f = *config_.family;
        if (f.windows == Windows::Around) return windows_around();
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
        return layer_types(*every, *every - 1);
    }

    /// Newer files write out which layers have a window; they must agree.
    Result<Done> layer_types(int every, int first) {
        const JsonValue* types = member("layer_types");
        if (!types) return Done{};
        for (std::size_t layer = 0; layer < types->items.size(); ++layer) {
            const bool global = static_cast<int>(layer) % every == first;
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
