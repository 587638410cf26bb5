#include "core/trace/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <vector>

namespace attn {
namespace {

constexpr std::string_view kCountFromIds[] = {"0", "1"};

/// '#' stands for a number: the layer, then the head; a single one is the head.
constexpr std::string_view kHeadPlaces[] = {"#.#",       "l#h#",      "l#.h#",       "layer#head#", "block#head#", "head#",
                                            "h#",        "第#层第#头", "第#层第#个头", "第#层头#",    "层#头#",      "第#头",
                                            "第#个头", "头#"};
/// Separators that are ignored between words and numbers.
constexpr std::string_view kBetween[] = {" ", ",", "·", "，", "　"};

std::string without_gaps(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto gap = std::ranges::find_if(kBetween, [text](std::string_view one) { return text.starts_with(one); });
        if (gap != std::end(kBetween)) {
            text.remove_prefix(gap->size());
            continue;
        }
        const char c = text.front();
        out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        text.remove_prefix(1);
    }
    return out;
}

/// The numbers at the pattern's '#'; nullopt: the text does not match.
std::optional<std::vector<int>> numbers_in(std::string_view text, std::string_view pattern) {
    std::vector<int> out;
    for (const char expected : pattern) {
        if (expected == '#') {
            int number = 0;
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (problem != std::errc() || number < 0) return std::nullopt;
            out.push_back(number);
            text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        } else {
            if (text.empty() || text.front() != expected) return std::nullopt;
            text.remove_prefix(1);
        }
    }
    return text.empty() ? std::optional(out) : std::nullopt;
}

}  // namespace

std::string_view count_from_id(CountFrom from) { return kCountFromIds[static_cast<std::size_t>(from)]; }

std::optional<CountFrom> find_count_from(std::string_view id) {
    for (const CountFrom from : {CountFrom::Zero, CountFrom::One})
        if (count_from_id(from) == id) return from;
    return std::nullopt;
}

std::string number_of(int index, CountFrom from) { return std::to_string(said_of(index, from)); }

std::string head_place_text(int layer, int head, CountFrom from) { return fmt::format("{}.{}", said_of(layer, from), said_of(head, from)); }

std::optional<HeadNumbers> read_head_place(std::string_view text, CountFrom from) {
    const std::string words = without_gaps(text);
    for (const std::string_view pattern : kHeadPlaces)
        if (const auto numbers = numbers_in(words, pattern)) {
            const bool has_layer = numbers->size() == 2;
            return HeadNumbers{has_layer ? std::optional(index_of(numbers->front(), from)) : std::nullopt, index_of(numbers->back(), from)};
        }
    return std::nullopt;
}

std::string said_name(const Tag& tag, CountFrom from) {
    if (from == CountFrom::One || (tag.layer == kNoLayer && tag.head == kNoHead)) return step_name(tag);
    Tag bare = tag.of_head(kNoHead);
    bare.layer = kNoLayer;
    const std::string head = tag.head == kNoHead ? "" : number_of(tag.head, from);
    if (tag.layer == kNoLayer) return fmt::format("{} head {}", step_name(bare), head);
    return fmt::format("{} {}{}{}", step_name(bare), said_of(tag.layer, from), head.empty() ? "" : ".", head);
}

std::string file_name_of(const Tag& tag, CountFrom from) {
    std::string out = said_name(tag, from);
    std::replace(out.begin(), out.end(), ' ', '-');
    return out;
}

/// The largest number that a tag can hold.
constexpr int kMostNumbered = std::numeric_limits<std::int16_t>::max();

std::optional<Tag> read_said_name(std::string_view text, CountFrom from) {
    const auto at_head = [](Tag tag, const HeadNumbers& at) -> std::optional<Tag> {
        if (at.head < 0 || at.head > kMostNumbered || at.layer.value_or(0) < 0 || at.layer.value_or(0) > kMostNumbered) return std::nullopt;
        tag = tag.of_head(at.head);
        if (at.layer) tag.layer = static_cast<std::int16_t>(*at.layer);
        return tag;
    };
    if (const auto head = read_head_place(text, from)) return at_head(Role::Weights, *head);
    const std::size_t space = text.find(' ');
    const auto tag = space == std::string_view::npos ? std::nullopt : parse_step_name(text.substr(0, space));
    if (!tag || tag->layer != kNoLayer || tag->head != kNoHead) return std::nullopt;
    const std::string_view place = text.substr(space + 1);
    if (const auto head = read_head_place(place, from)) return at_head(*tag, *head);
    const auto layer = numbers_in(place, "#");
    if (!layer || index_of(layer->front(), from) < 0 || index_of(layer->front(), from) > kMostNumbered) return std::nullopt;
    Tag out = *tag;
    out.layer = static_cast<std::int16_t>(index_of(layer->front(), from));
    return out;
}

}  // namespace attn
