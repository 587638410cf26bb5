// What config.json says of places and of how far attention reaches: rotary angles and what slows them, buckets of distances,
// windows by layer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/document/document.h"
#include "core/model/checkpoint/reader.h"
#include "core/text/unicode.h"

namespace attn {

Result<Done> ConfigReader::position() {
    const Family& f = *config_.family;
    say("position", f.position);
    if (!is_rotary()) return Done{};
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

Result<Done> ConfigReader::two_bases() {
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

Result<Done> ConfigReader::buckets() {
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

Result<Done> ConfigReader::unplaced() {
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

Result<Done> ConfigReader::slowing() {
    const JsonValue* said = member("rope_scaling");
    if (!said) said = member("rope_parameters");
    if (!said || !is_rotary()) return Done{};
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

double ConfigReader::pair_of(double rotations, double places, double width, double base) {
    return width * std::log(places / (rotations * 2 * std::numbers::pi)) / (2 * std::log(base));
}

Result<Done> ConfigReader::yarn(const JsonValue& said) {
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

std::pair<double, double> ConfigReader::shares_of(const JsonValue& said) {
    const auto share = [&](std::string_view key) {
        const JsonValue* value = said.find(key);
        return value && value->kind == JsonKind::Number ? value->number : 0.0;
    };
    return {share("mscale"), share("mscale_all_dim")};
}

Result<Done> ConfigReader::windows_around() {
    const auto wide = whole("local_attention", 2, kMostPlaces, 128), every = whole("global_attn_every_n_layers", 1, kMaxLayers, 3);
    for (const auto* one : {&wide, &every})
        if (!*one) return one->error();
    say("mask", "global_window");
    say("window", std::min(*wide / 2, static_cast<int>(kMaxTokens)));
    say("global_tokens", 0);
    say("global_every", *every);
    return layer_types(*every, 0);
}

Result<Done> ConfigReader::windows() {
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

Result<Done> ConfigReader::layer_types(int every, int first) {
    const JsonValue* types = member("layer_types");
    if (!types) return Done{};
    for (std::size_t layer = 0; layer < types->items.size(); ++layer) {
        const bool global = static_cast<int>(layer) % every == first;
        if (text_of(types->items[layer]) != (global ? "full_attention" : "sliding_attention"))
            return wrong("layer_types", fmt::format("windows in layers other than all but each {}th are not computed here", every));
    }
    return Done{};
}

}  // namespace attn
