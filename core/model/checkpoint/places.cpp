// Reads positions and windows from config.json: rotary angles and their scaling, buckets of distances, windows by
// layer.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/document/document.h"
#include "core/model/checkpoint/reader.h"
#include "core/text/unicode.h"

namespace attn {

namespace {

constexpr std::string_view kSeesAll = "full_attention", kHasWindow = "sliding_attention";

}  // namespace

Result<Done> ConfigReader::position() {
    say("position", config_.family->position);
    return is_rotary() ? angles() : Result<Done>(Done{});
}

const JsonValue* ConfigReader::nested_angles(std::string_view layers) {
    const JsonValue* all = member(angles_key());
    if (!all) return nullptr;
    if (const JsonValue* own = keys_.find(*all, layers); own && own->kind == JsonKind::Object) return own;
    const bool by_layers = all->find(kSeesAll) || all->find(kHasWindow);
    return layers == kSeesAll && !by_layers ? all : nullptr;
}

Result<double> ConfigReader::angle_number(const JsonValue* nested, std::string_view key, std::span<const std::string_view> at_root, double otherwise) {
    constexpr double kMissing = 0;  // all of these numbers are positive
    auto out = nested ? number(*nested, key, kMissing) : Result<double>(kMissing);
    for (const std::string_view name : at_root) {
        if (!out) return out;
        if (*out == kMissing)
            out = number(root_, name, kMissing);
        else if (const JsonValue* same = root_.find(name); same && same->number == *out)
            member(name);
    }
    return out && *out == kMissing ? Result<double>(otherwise) : out;
}

std::string ConfigReader::scaling_of(const JsonValue* said) {
    if (!said) return "default";
    const JsonValue *type = keys_.find(*said, "rope_type"), *older = keys_.find(*said, "type");
    return type ? text_of(*type) : older ? text_of(*older) : "default";
}

Result<double> ConfigReader::share_of_columns() {
    const Family& f = *config_.family;
    const int head = config_.sizes.head;
    if (const JsonValue* said = root_.find(f.rope_columns_key); said && said->kind == JsonKind::Null)
        return wrong(f.rope_columns_key, "null would turn a head by angles as of the model's whole width, which is not computed here; a number is");
    const auto columns = whole(f.rope_columns_key, 2, head, f.rope_columns);
    if (!columns) return columns.error();
    if (*columns > head || *columns % 2 != 0)
        return wrong(f.rope_columns_key, fmt::format("{} columns of a head turn, which must be even and at most its {}", *columns, head));
    return static_cast<double>(*columns) / head;
}

Result<Done> ConfigReader::angles() {
    const Family& f = *config_.family;
    if (const JsonValue* all = member(angles_key()); all && all->kind != JsonKind::Object)
        return wrong(angles_key(), fmt::format("an object is expected, not {}", kind_name(all->kind)));
    const JsonValue *nested = nested_angles(kSeesAll), *local = nested_angles(kHasWindow);
    const std::array bases = {f.rope_base_key, std::string_view("rope_theta")};
    const std::array shares = {f.rope_share_key, std::string_view("partial_rotary_factor")};
    const auto base = angle_number(nested, "rope_theta", bases, f.rope_base);
    const auto share = f.rope_columns_key.empty() ? angle_number(nested, "partial_rotary_factor", shares, f.rope_share) : share_of_columns();
    for (const auto* one : {&base, &share})
        if (!*one) return one->error();
    if (f.longrope) member("original_max_position_embeddings");  // read by longrope; otherwise it has no effect
    say("rope_base", *base);
    if (*share < 1) say("rope_share", *share);
    if (*share > 1) return wrong(f.rope_share_key, "a share of a head's columns is at most 1");
    if (f.local_base_key.empty()) return slowing(nested, *base, *share);
    const auto local_base = angle_number(local, "rope_theta", {&f.local_base_key, 1}, f.local_base),
               local_share = angle_number(local, "partial_rotary_factor", {}, *share);
    for (const auto* one : {&local_base, &local_share})
        if (!*one) return one->error();
    if (scaling_of(local) != "default" || *local_share != *share)
        return wrong(angles_key(), "layers with a window have angles of the type default here, and as large a share of a head as the others");
    say("local_rope_base", *local_base);
    return slowing(nested, *base, *share);
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

Result<Done> ConfigReader::slowing(const JsonValue* said, double base, double share) {
    const std::string name = scaling_of(said);
    if (name == "default") return Done{};
    const bool older = config_.family->longrope && (name == "su" || name == "yarn");
    if (config_.family->longrope && (older || name == "longrope")) return longrope(*said);
    if (name == "yarn") return yarn(*said, base, share);
    if (name != "linear" && name != "llama3")
        return wrong(angles_key(), fmt::format("angles scaled by \"{}\" are not computed here; default, linear, llama3 and yarn are", name));
    const auto factor = number(*said, "factor", 1);
    if (!factor) return factor.error();
    say("rope_factor", *factor);
    if (name == "linear") return Done{};
    const auto low = number(*said, "low_freq_factor", 1), high = number(*said, "high_freq_factor", 4),
               places = number(*said, "original_max_position_embeddings", 8192);
    for (const auto* one : {&low, &high, &places})
        if (!*one) return one->error();
    if (*high <= *low) return wrong(angles_key(), "high_freq_factor must be above low_freq_factor");
    if (*places > kMostPlaces) return wrong(angles_key(), "original_max_position_embeddings is too large");
    say("rope_original", static_cast<int>(*places));
    say("rope_low", *low);
    say("rope_high", *high);
    return Done{};
}

Result<Done> ConfigReader::longrope(const JsonValue& said) {
    const auto trained = number(root_, "max_position_embeddings", 4096), at_root = number(root_, "original_max_position_embeddings", 4096),
               length = number(said, "attention_factor", 0), factor = number(said, "factor", 1);
    for (const auto* one : {&trained, &at_root, &length, &factor})
        if (!*one) return one->error();
    const auto original = number(said, "original_max_position_embeddings", *at_root);
    if (!original) return original.error();
    if (!(*original > 0)) return wrong(angles_key(), "original_max_position_embeddings is no number of places");
    const double places = *original, longer = *trained / *original;
    if (places < static_cast<double>(kMaxTokens))
        return wrong(angles_key(), fmt::format("texts longer than {:g} tokens have other angles (long_factor), which are not computed here; with "
                                               "original_max_position_embeddings of {} or more there are none", places, kMaxTokens));
    const JsonValue *near = keys_.find(said, "short_factor"), *far = keys_.find(said, "long_factor");
    if (far) keys_.read_whole(*far);  // for texts longer than the program shows
    if (!near || near->kind != JsonKind::Array || near->items.empty()) return wrong(angles_key(), "a list short_factor is missing");
    const JsonValue& first = near->items.front();
    const bool even = std::all_of(near->items.begin(), near->items.end(), [&](const JsonValue& one) {
        return one.kind == JsonKind::Number && one.number == first.number && one.number > 0;
    });
    if (!even) return wrong(angles_key(), "short_factor that differs from pair to pair of columns is not computed here; one number for all (Phi-4-mini's 1.0) is");
    if (first.number != 1) say("rope_factor", first.number);
    const double usual = longer <= 1 ? 1 : std::sqrt(1 + std::log(longer) / std::log(places));
    say("rope_length", *length > 0 ? *length : usual);
    return Done{};
}

double ConfigReader::pair_of(double rotations, double places, double width, double base) {
    return width * std::log(places / (rotations * 2 * std::numbers::pi)) / (2 * std::log(base));
}

Result<Done> ConfigReader::yarn(const JsonValue& said, double base, double share) {
    const auto factor = number(said, "factor", 1), length = number(said, "attention_factor", 0), fast = number(said, "beta_fast", 32),
               slow = number(said, "beta_slow", 1), trained = number(root_, "max_position_embeddings", 2048);
    for (const auto* one : {&factor, &length, &fast, &slow, &trained})
        if (!*one) return one->error();
    const auto places = number(said, "original_max_position_embeddings", *trained);
    if (!places) return places.error();
    const auto own = shares_of(said);
    const double width = std::floor(config_.sizes.head * share);
    double low = pair_of(*fast, *places, width, base), high = pair_of(*slow, *places, width, base);
    const JsonValue* truncate = keys_.find(said, "truncate");
    if (!truncate || truncate->kind != JsonKind::Boolean || truncate->boolean) low = std::floor(low), high = std::ceil(high);
    low = std::max(low, 0.0), high = std::min(high, width - 1);
    if (!(high > 0) || low > high)
        return wrong(angles_key(), "no pair of columns turns between beta_slow and beta_fast times over original_max_position_embeddings");
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
        const JsonValue* value = keys_.find(said, key);
        return value && value->kind == JsonKind::Number ? value->number : 0.0;
    };
    return {share("mscale"), share("mscale_all_dim")};
}

Result<Done> ConfigReader::windows_around() {
    const auto wide = whole("local_attention", 2, kMostPlaces, 128), every = whole("global_attn_every_n_layers", 1, kMaxLayers, every_of_types(1, 3));
    for (const auto* one : {&wide, &every})
        if (!*one) return one->error();
    say("mask", "global_window");
    say("window", std::min(*wide / 2, static_cast<int>(kMaxTokens)));
    say("global_tokens", 0);
    say("global_every", *every);
    return layer_types(*every, 0);
}

Result<Done> ConfigReader::windows_by_list() {
    std::vector<std::string> kinds;
    const auto layers = static_cast<std::size_t>(config_.sizes.layers);
    const JsonValue *types = member("attention_types"), *list = member("attention_layers");
    const auto wrong_types = [&] { return wrong("attention_types", "a list of [kinds of layers, how often] is expected: [[[\"global\", \"local\"], 6]]"); };
    if (types) {
        keys_.read_whole(*types);
        for (const JsonValue& group : types->items) {
            if (group.items.size() != 2 || !group.items[1].is_integer || group.items[1].integer < 0 || group.items[1].integer > kMaxLayers) return wrong_types();
            for (std::int64_t i = 0; i < group.items[1].integer; ++i)
                for (const JsonValue& kind : group.items[0].items) kinds.push_back(text_of(kind));
            if (kinds.size() > layers) break;
        }
    } else if (list) {
        for (const JsonValue& kind : list->items) kinds.push_back(text_of(kind));
    } else {
        for (std::size_t layer = 0; layer < layers; ++layer) kinds.emplace_back(layer % 2 == 0 ? "global" : "local");
    }
    if (kinds.size() != layers) return wrong(types ? "attention_types" : "attention_layers", fmt::format("it says of {} layers what they are, but there are {}", kinds.size(), layers));
    for (std::size_t layer = 0; layer < layers; ++layer) {
        if (kinds[layer] != "global" && kinds[layer] != "local")
            return wrong(types ? "attention_types" : "attention_layers", fmt::format("layer {} is \"{}\"; global and local are computed here", layer + 1, kinds[layer]));
        if (types && list && (list->items.size() != layers || text_of(list->items[layer]) != kinds[layer]))
            return wrong("attention_layers", "it says of the layers otherwise than attention_types");
    }
    const auto window = whole("window_size", 1, kMostPlaces, 256);
    if (!window) return window.error();
    const std::size_t first = static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), "global") - kinds.begin());
    const bool none = std::find(kinds.begin(), kinds.end(), "local") == kinds.end() || static_cast<std::size_t>(*window) > kMaxTokens;
    say("mask", none ? "causal" : "sliding_window");
    if (none) return Done{};
    if (*window == 1) return wrong("window_size", "a window of one token looks at nothing else");
    say("window", *window - 1);
    if (first == layers) return Done{};
    const std::size_t next = static_cast<std::size_t>(std::find(kinds.begin() + static_cast<std::ptrdiff_t>(first) + 1, kinds.end(), "global") - kinds.begin()),
                      every = next == layers ? layers : next - first;
    for (std::size_t layer = 0; layer < layers; ++layer)
        if ((kinds[layer] == "global") != (layer % every == first))
            return wrong(types ? "attention_types" : "attention_layers", fmt::format("layers that see everything, other than one in {}, are not computed here", every));
    say("global_every", static_cast<int>(every));
    say("global_first", static_cast<int>(first));
    return Done{};
}

Result<Done> ConfigReader::windows() {
    const Family& f = *config_.family;
    if (f.windows == Windows::ByList) return windows_by_list();
    if (f.windows == Windows::Around) return windows_around();
    const auto window = f.windows == Windows::None ? Result<int>(0) : whole("sliding_window", 1, kMostPlaces, 0);
    if (!window) return window.error();
    // config.json's window includes the query itself; a window as long as the longest text hides only later tokens.
    const bool none = *window == 0 || static_cast<std::size_t>(*window) > kMaxTokens;
    say("mask", !f.causal ? "none" : none ? "causal" : "sliding_window");
    // If no layer has a window, all kinds of layers are the same.
    if (none) return f.windows == Windows::None ? layer_types(1, 0) : (member("layer_types"), Result<Done>(Done{}));
    if (*window == 1) return wrong("sliding_window", "a window of one token looks at nothing else");
    say("window", *window - 1);
    if (f.windows == Windows::All) return layer_types(0, 0);
    const int listed = every_of_types(0, 6);
    const auto every = f.windows == Windows::Alternating ? Result<int>(2) : whole("sliding_window_pattern", 1, kMaxLayers, listed);
    if (!every) return every.error();
    say("global_every", *every);
    say("global_first", *every - 1);
    return layer_types(*every, *every - 1);
}

int ConfigReader::every_of_types(int from, int otherwise) {
    const JsonValue* types = member("layer_types");
    for (std::size_t layer = static_cast<std::size_t>(from); types && layer < std::min<std::size_t>(types->items.size(), kMaxLayers); ++layer)
        if (text_of(types->items[layer]) == kSeesAll) return static_cast<int>(layer) + 1 - from;
    return otherwise;
}

Result<Done> ConfigReader::layer_types(int every, int first) {
    const JsonValue* types = member("layer_types");
    if (!types) return Done{};
    for (std::size_t layer = 0; layer < types->items.size(); ++layer) {
        const bool global = every > 0 && static_cast<int>(layer) % every == first;
        const std::string_view right = global ? kSeesAll : kHasWindow;
        if (const std::string said = text_of(types->items[layer]); said != right)
            return wrong("layer_types", fmt::format("layer {} is computed here as one of {}, not of {}", layer + 1, right, said));
    }
    return Done{};
}

}  // namespace attn
