#include "core/model/checkpoint/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "core/document/document.h"
#include "core/model/checkpoint/reader.h"
#include "core/model/model.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr int kMostCheckpointWords = 1 << 20, kMostInner = 1 << 16;

struct FunctionName {
    std::string_view theirs, plain, gated;
};
constexpr FunctionName kTheirFunctions[] = {
    {"gelu", "gelu", "geglu"},
    {"gelu_new", "gelu_tanh", "geglu_tanh"},
    {"gelu_fast", "gelu_tanh", "geglu_tanh"},
    {"quick_gelu", "gelu_quick", ""},
    {"gelu_pytorch_tanh", "gelu_tanh", "geglu_tanh"},
    {"silu", "silu", "swiglu"},
    {"swish", "silu", "swiglu"},
    {"relu", "relu", ""},
    {"gated-gelu", "geglu_tanh", ""},
    {"gated-silu", "swiglu", ""},
};

/// Of all families, where theirs does not say otherwise.
constexpr OneWay kDemands[] = {
    {"add_cross_attention", "false"},   {"scale_attn_by_inverse_layer_idx", "false"}, {"scale_attn_weights", "true"},
    {"position_embedding_type", "absolute"}, {"use_sliding_window", "false"},         {"is_decoder", "false"},
    {"qk_layernorm", "false"},          {"use_bidirectional_attention", "false"},
    {"rope_interleaved", "false"},
    {"normalize_before", "false"},      {"normalize_embedding", "false"},             {"add_final_layer_norm", "false"},
    {"share_encoder_decoder_embeddings", "true"}, {"static_position_embeddings", "true"},
    {"_remove_final_layer_norm", "false"}, {"layer_norm_elementwise_affine", "true"},  {"rotary", "true"},
    {"full_attn_mod", "1"},             {"interpolate_factor", "1"},
};

}  // namespace

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

Result<CheckpointConfig> ConfigReader::read() {
    out_.begin_object();
    for (const auto part : {&ConfigReader::family, &ConfigReader::demands, &ConfigReader::sizes, &ConfigReader::block,
                            &ConfigReader::position, &ConfigReader::buckets, &ConfigReader::unplaced, &ConfigReader::windows,
                            &ConfigReader::caps, &ConfigReader::two_texts, &ConfigReader::ends_of_text, &ConfigReader::text_end})
        if (auto done = (this->*part)(); !done) return done.error();
    out_.end_object();
    const auto settings = parse_json(out_.take());
    if (!settings) return settings.error();
    for (const JsonMember& one : settings->members) config_.settings.emplace_back(one.key, one.value);
    config_.unread = keys_.unread();
    return std::move(config_);
}

Error ConfigReader::wrong(std::string_view key, std::string message) const {
    const JsonValue* value = root_.find(key);
    return {std::move(message), where_, visible(key), value ? value->line : root_.line};
}

bool ConfigReader::is_on(std::string_view key) {
    const JsonValue* value = member(key);
    return value && value->kind == JsonKind::Boolean && value->boolean;
}

Result<int> ConfigReader::whole(std::string_view key, int low, int high, int otherwise) {
    const JsonValue* value = member(key);
    if (!value && otherwise >= 0) return otherwise;
    if (!value) return wrong(key, "it is missing");
    if (!value->is_integer || value->integer < low || value->integer > high)
        return wrong(key, fmt::format("a whole number from {} to {} is expected, not {}", low, high, text_of(*value)));
    return static_cast<int>(value->integer);
}

Result<double> ConfigReader::number(const JsonValue& of, std::string_view key, double otherwise) {
    const JsonValue* value = keys_.find(of, key);
    if (!value) return otherwise;
    if (value->kind != JsonKind::Number || !(value->number > 0) || !std::isfinite(value->number32))
        return Error{fmt::format("a number above 0 is expected, not {}", text_of(*value)), where_, visible(key), value->line};
    return value->number;
}

Result<Done> ConfigReader::family() {
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
    const std::string_view closest = closest_family(type->string);
    return wrong("model_type", fmt::format("models of the family \"{}\" are not read; {} (all: {})", visible(type->string),
                                           closest.empty() ? std::string("none that is, is close to it") : "the closest that is, is " + std::string(closest), known));
}

Result<Done> ConfigReader::demands() {
    std::vector<OneWay> all = config_.family->only;
    for (const OneWay& usual : kDemands)
        if (std::none_of(all.begin(), all.end(), [&](const OneWay& own) { return own.key == usual.key; })) all.push_back(usual);
    for (const OneWay& demand : all)
        if (const JsonValue* value = member(demand.key); value && text_of(*value) != demand.only)
            return wrong(demand.key, fmt::format("{} is not computed here; {} is", text_of(*value), demand.only));
    return Done{};
}

Result<Done> ConfigReader::sizes() {
    const FamilyKeys& k = config_.family->keys;
    const auto width = whole(k.width, 1, kMaxWidth), layers = whole(k.layers, 1, kMaxLayers),
               heads = whole(k.heads, 1, kMaxHeads), words = count_of_words();
    for (const auto* one : {&width, &layers, &heads, &words})
        if (!*one) return one->error();
    const auto decoder_layers = k.decoder_layers.empty() ? layers : whole(k.decoder_layers, 1, kMaxLayers, *layers);
    if (!decoder_layers) return decoder_layers.error();
    const auto key_heads = whole(k.key_heads, 1, kMaxHeads, *heads), inner = k.inner_ratio.empty() ? whole(k.inner, 1, kMostInner, 4 * *width) : inner_by_ratio(*width),
               places = k.places.empty() ? Result<int>(0) : whole(k.places, config_.family->places_behind ? 1 : config_.family->first_place + 1, kMostPlaces);
    for (const auto* one : {&key_heads, &inner, &places})
        if (!*one) return one->error();
    if (*heads % *key_heads != 0)
        return wrong(k.key_heads, fmt::format("{} key heads do not divide {} heads into equal groups", *key_heads, *heads));
    const auto head = whole(k.head_width, 1, kMaxWidth, *width / *heads);
    if (!head) return head.error();
    if (!member(k.head_width) && *width % *heads != 0)
        return wrong(k.heads, fmt::format("{} heads do not divide the width {} into equal parts", *heads, *width));
    config_.sizes = {*layers == *decoder_layers ? 0 : *layers, *width, *decoder_layers, *heads, *key_heads, *head, *inner, *words, *places, 0, 0, *width};
    if (auto shared = shared_sizes(); !shared) return shared;
    if (config_.family->places_behind) config_.sizes.places += config_.family->first_place;
    if (auto cut = picture(); !cut) return cut;
    if (auto agrees = first_place(); !agrees) return agrees;
    for (const SameKeys& two : config_.family->same)
        if (member(two.key) && text_of(*member(two.key)) != text_of(*member(two.as)))
            return wrong(two.key, fmt::format("{} beside {} = {} is not computed here; both must be the same", text_of(*member(two.key)),
                                              two.as, text_of(*member(two.as))));
    say("variant", config_.family->form);
    if (!config_.family->score.empty()) say("score", config_.family->score);
    say("heads", *heads);
    if (*key_heads != *heads) say("kv_heads", *key_heads);
    if (*head * *heads != *width || config_.sizes.narrow != *width) say("head_width", *head);
    say("layers", config_.sizes.layers);
    if (config_.sizes.encoder_layers != 0) say("encoder_layers", *layers);
    say("ffn_width", *inner);
    const JsonValue* tied = member("tie_word_embeddings");
    config_.tied = tied && tied->kind == JsonKind::Boolean && !config_.family->pictures ? tied->boolean : config_.family->tied;
    return Done{};
}

/// Words' vectors of their own width, and layers that share tensors.
Result<Done> ConfigReader::shared_sizes() {
    const FamilyKeys& k = config_.family->keys;
    CheckpointSizes& s = config_.sizes;
    constexpr int kNarrow = 128;
    if (!k.narrow.empty()) {
        const auto narrow = whole(k.narrow, 1, kMaxWidth, kNarrow);
        if (!narrow) return narrow.error();
        s.narrow = *narrow;
    }
    if (k.groups.empty()) return Done{};
    const auto groups = whole(k.groups, 1, s.layers, 1), inside = whole(k.layers_of_group, 1, kMaxLayers / s.layers, 1);
    for (const auto* one : {&groups, &inside})
        if (!*one) return one->error();
    s.groups = *groups;
    s.layers_of_group = *inside;
    s.layers *= *inside;
    return Done{};
}
/// Positions of text begin after the padding's.
Result<Done> ConfigReader::first_place() {
    const int first = config_.family->waves_from_two ? 2 : config_.family->first_place;  // the place behind the padding's
    if (first == 0 || config_.family->places_behind) return Done{};
    const auto padding = whole("pad_token_id", first - 1, first - 1, first - 1);
    return padding ? Result<Done>(Done{}) : padding.error();
}

Result<int> ConfigReader::count_of_words() {
    if (!config_.family->pictures) return whole("vocab_size", 1, kMostCheckpointWords);
    if (auto read = labels(); !read) return read.error();
    return static_cast<int>(config_.labels.size());
}

Result<Done> ConfigReader::labels() {
    const JsonValue* named = member("id2label");
    if (named) keys_.read_whole(*named);
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

Result<Done> ConfigReader::picture() {
    if (!config_.family->pictures) return Done{};
    const Family& f = *config_.family;
    constexpr int kRegisters = 4, kMostRegisters = 64;
    const auto registers = f.registers_key.empty() ? Result<int>(0) : whole(f.registers_key, 0, kMostRegisters, kRegisters);
    if (!registers) return registers.error();
    const bool averaged = f.interpolated && member("interpolate_antialias") ? is_on("interpolate_antialias") : f.averaged;
    if (f.interpolated)
        if (const JsonValue* offset = member("interpolate_offset"); offset && offset->number != 0)
            return wrong("interpolate_offset", "positions are interpolated without an offset here: 0 is expected");
    config_.picture_kind = {f.picture_tokens, *registers, f.shortest_edge, f.interpolated, averaged};
    auto cut = read_picture_size(root_, config_.picture_kind, where_);
    if (!cut) return cut.error();
    for (const std::string_view key : {"image_size", "patch_size", "num_channels"})
        if (const JsonValue* value = member(key)) keys_.read_whole(*value);
    config_.picture = *cut;
    config_.sizes.places = cut->patches() + f.picture_tokens;
    config_.sizes.registers = *registers;
    config_.sizes.pixels = cut->numbers();
    return Done{};
}

Result<Done> ConfigReader::block() {
    const Family& f = *config_.family;
    const JsonValue* parallel = member(f.parallel_key);
    const JsonValue* first = member(f.norm_first_key);
    config_.ends_in_norm = !(first && !first->boolean) && f.block != "post_norm";
    say("block", parallel && !parallel->boolean ? "pre_norm" : first && !first->boolean ? "post_norm" : f.block);
    say("norm", f.norm);
    const auto epsilon = number(root_, f.keys.epsilon, f.epsilon);
    if (!epsilon) return epsilon.error();
    say("epsilon", *epsilon);
    if (f.bare_layers > 0) say("bare_layers", f.bare_layers);
    if (f.scaled_embeddings || (member(f.scale_key) ? is_on(f.scale_key) : f.scaled_by_default)) say("embedding_scale", std::sqrt(static_cast<double>(config_.sizes.width)));
    const JsonValue* named = member(f.keys.activation);
    const bool gated = is_gated();
    const std::string said = gated && !f.gated ? std::string(f.gated_activation) : named ? text_of(*named) : std::string(f.activation);
    config_.activation = said;
    std::string known;
    for (const FunctionName& one : kTheirFunctions) {
        const std::string_view ours = gated ? one.gated : one.plain;
        if (one.theirs == said && !ours.empty()) return say("activation", ours), Done{};
        known.append(known.empty() ? "" : ", ").append(one.theirs);
    }
    return wrong(f.keys.activation, fmt::format("the function \"{}\" is not computed here; {} are", said, known));
}

Result<Done> ConfigReader::two_texts() {
    const Family& f = *config_.family;
    const bool scaled = member("scale_decoder_outputs") ? is_on("scale_decoder_outputs") : config_.tied;
    if (f.scaled_output && scaled) say("output_scale", 1 / std::sqrt(static_cast<double>(config_.sizes.width)));
    if (f.form != "decoder") return Done{};
    const auto padding = whole("pad_token_id", 0, config_.sizes.words - 1, f.usual_padding);
    if (!padding) return padding.error();
    const int last = config_.sizes.words - 1;
    const auto start = f.usual_start == Family::kStartIsNamed ? whole("decoder_start_token_id", 0, last)
                                                              : whole("decoder_start_token_id", 0, last, f.usual_start == Family::kStartOfPadding ? *padding : f.usual_start);
    if (!start) return start.error();
    config_.start = *start;
    if (const JsonValue* forced = member("forced_bos_token_id"); forced && forced->is_integer && forced->integer >= 0 && forced->integer < config_.sizes.words)
        config_.forced = static_cast<int>(forced->integer);
    else if (const JsonValue* first = member("bos_token_id"); is_on("force_bos_token_to_be_generated") && first && first->is_integer && first->integer >= 0 && first->integer < config_.sizes.words)
        config_.forced = static_cast<int>(first->integer);  // as BART's first files say it
    return Done{};
}

/// One token, or a list (Llama 3).
Result<Done> ConfigReader::ends_of_text() {
    const JsonValue* end = member("eos_token_id");
    if (!end || config_.family->ends_text) return Done{};
    const std::span<const JsonValue> all = end->kind == JsonKind::Array ? std::span<const JsonValue>(end->items) : std::span(end, 1);
    for (const JsonValue& one : all)
        if (one.is_integer && one.integer >= 0 && one.integer < config_.sizes.words) config_.ends.push_back(static_cast<int>(one.integer));
    return Done{};
}

Result<int> ConfigReader::inner_by_ratio(int width) {
    constexpr double kUsual = 4;
    const FamilyKeys& k = config_.family->keys;
    const auto ratio = number(root_, k.inner_ratio, kUsual);
    if (!ratio) return ratio.error();
    double inner = std::floor(width * *ratio);
    if (is_gated()) inner = std::floor((std::floor(inner * 2 / 3) + 7) / 8) * 8;  // as Hugging Face's Dinov2SwiGLUFFN
    if (inner < 1 || inner > kMostInner) return wrong(k.inner_ratio, fmt::format("{:g} times the width {} is no width that is computed here", *ratio, width));
    return static_cast<int>(inner);
}

bool ConfigReader::is_gated() { return config_.family->gated || is_on(config_.family->gated_key); }

Result<Done> ConfigReader::text_end() {
    if (!config_.family->ends_text) return Done{};
    constexpr int kFirstModels = 2, kUsual = 49407;  // CLIP's first configurations say 2 and mean the highest number
    const auto end = whole("eos_token_id", 0, kMostCheckpointWords, kUsual);
    if (!end) return end.error();
    config_.text_end = *end == kFirstModels ? Model::kHighestToken : *end;
    return Done{};
}

Result<Done> ConfigReader::caps() {
    if (!config_.family->scaled_embeddings) return Done{};
    const auto scores = number(root_, "attn_logit_softcapping", 0), logits = number(root_, "final_logit_softcapping", 0),
               scalar = number(root_, "query_pre_attn_scalar", config_.sizes.head);
    for (const auto* one : {&scores, &logits, &scalar})
        if (!*one) return one->error();
    if (*scalar != config_.sizes.head) say("score_root", *scalar);
    if (*scores > 0) say("score_cap", *scores);
    if (*logits > 0) say("logit_cap", *logits);
    return Done{};
}

namespace {

/// The configuration of one of two models, as if it were alone: with its model_type, and with what it leaves out.
JsonValue alone(JsonValue own, const Family& family) {
    const auto put = [&](std::string_view key, JsonValue value) {
        value.line = own.line;
        for (JsonMember& one : own.members)
            if (one.key == key) return void(one.value = std::move(value));
        own.members.push_back({std::string(key), std::move(value), own.line});
    };
    JsonValue type;
    type.kind = JsonKind::String;
    type.string = family.type;
    put("model_type", std::move(type));
    for (const UsualNumber& usual : family.usual)
        if (const JsonValue* there = own.find(usual.key); !there || there->kind == JsonKind::Null) {
            JsonValue value;
            value.kind = JsonKind::Number;
            value.is_integer = true;
            value.integer = usual.number;
            value.number = usual.number;
            value.number32 = static_cast<float>(usual.number);
            put(usual.key, std::move(value));
        }
    return own;
}

}  // namespace

Result<CheckpointConfig> read_checkpoint_config(const JsonValue& root, const std::string& where, std::string_view tower) {
    const JsonValue* type = root.find("model_type");
    const std::string_view named = type && type->kind == JsonKind::String ? std::string_view(type->string) : std::string_view();
    const auto wrong = [&](std::string message, std::string key) {
        const JsonValue* value = root.find(key);
        return Error{std::move(message), where, std::move(key), value ? value->line : root.line};
    };
    ConfigKeys keys(root);
    std::string towers;
    for (const Family& family : families()) {
        if (family.type == named && !family.usual.empty() && tower.empty()) return ConfigReader(alone(root, family), where).read();
        if (named.empty() || family.both != named) continue;
        const std::string_view which = family.pictures ? "vision" : "text";
        towers.append(towers.empty() ? "" : ", ").append("#").append(which);
        if (tower.empty() ? !family.pictures : tower != which) continue;
        const std::string key = std::string(which) + "_config";
        const JsonValue* own = keys.find(key);
        if (own && own->kind != JsonKind::Object) return wrong(fmt::format("an object is expected, not {}", kind_name(own->kind)), key);
        JsonValue nothing;
        nothing.kind = JsonKind::Object;
        nothing.line = root.line;
        auto out = ConfigReader(alone(own ? *own : nothing, family), where).read();
        if (!out) return out.error();
        out->beside_another = true;
        for (const std::string_view read : {"vision_config", "text_config", "model_type"})
            if (const JsonValue* value = keys.find(read)) keys.read_whole(*value);
        const std::vector<std::string> others = keys.unread();
        out->unread.insert(out->unread.end(), others.begin(), others.end());
        return out;
    }
    if (!tower.empty())
        return wrong(towers.empty() ? fmt::format("there is one model in this folder; leave out \"#{}\" behind its name", visible(tower))
                                    : fmt::format("of this checkpoint there is no model \"#{}\" here; these are read: {}", visible(tower), towers), "model_type");
    return ConfigReader(root, where).read();
}

}  // namespace attn
