// Arrays as stacks of heads: which axes are layers, heads, queries and keys, and which arrays are one attention's layers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"

namespace attn {
namespace {

using StackShape = std::vector<std::size_t>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "layer_12_attn": "layer_#_attn" and 12. The last number of a name counts layers.
struct NumberedName {
    std::string stem;
    std::optional<std::int64_t> number;
};
NumberedName numbered(std::string_view name) {
    std::size_t end = name.size();
    while (end > 0 && !is_digit(name[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    std::int64_t number = 0;
    if (begin == end || std::from_chars(name.data() + begin, name.data() + end, number).ec != std::errc{})
        return {std::string(name), std::nullopt};
    return {std::string(name.substr(0, begin)) + '#' + std::string(name.substr(end)), number};
}

Part part_named(std::string_view stem) {
    const auto has = [stem](std::string_view word) { return stem.find(word) != std::string_view::npos; };
    if (has("cross")) return Part::Cross;
    return has("encoder") && !has("decoder") ? Part::Encoder : Part::Main;
}

/// The arrays of one attention, in the order of its layers.
struct StackArrays {
    Part part = Part::Main;
    std::string stem;
    std::vector<std::pair<std::int64_t, AttentionArray*>> layers;
};

Result<std::vector<StackArrays>> grouped(std::vector<AttentionArray>& arrays) {
    std::map<std::string, StackArrays> by_stem;
    for (AttentionArray& array : arrays) {
        const NumberedName name = numbered(array.name);
        StackArrays& stack = by_stem[name.stem];
        stack.stem = name.stem;
        stack.part = part_named(name.stem);
        stack.layers.emplace_back(name.number.value_or(0), &array);
    }
    std::vector<StackArrays> out;
    for (auto& [stem, stack] : by_stem) {
        std::sort(stack.layers.begin(), stack.layers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        const std::int64_t first = stack.layers.front().first;
        for (std::size_t i = 0; stack.layers.size() > 1 && i < stack.layers.size(); ++i)
            if (first > 1 || stack.layers[i].first != first + static_cast<std::int64_t>(i))
                return attention_error(fmt::format("layers are numbered from 0 or 1 without a gap, and here is {} where {} would follow",
                                                   stack.layers[i].first, (first > 1 ? 0 : first) + static_cast<std::int64_t>(i)),
                                       stack.layers[i].second->name);
        out.push_back(std::move(stack));
    }
    const auto order = [](Part part) { return part == Part::Encoder ? 0 : part == Part::Main ? 1 : 2; };
    std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return order(a.part) < order(b.part); });
    for (std::size_t i = 1; i < out.size(); ++i)
        if (out[i].part == out[i - 1].part)
            return attention_error(fmt::format("it holds several attentions, {} and {}; keep one, or call the layers of one "
                                               "attention_0, attention_1 …, of an encoder encoder_attention_0 …, and from a "
                                               "decoder into it cross_attention_0 …",
                                               in_quotes(out[i - 1].layers.front().second->name),
                                               in_quotes(out[i].layers.front().second->name)));
    return out;
}

/// Which axes of an array are what: `layers` and `heads` of them, and the last two.
struct Reading {
    std::size_t layers = 1, heads = 1;
};

Error batch_error(const AttentionArray& array, std::size_t texts) {
    return attention_error(fmt::format("{} holds a batch of {} texts; save one of them", shape_words(array.shape), texts), array.name);
}

/// `alone`: the array is all of its attention, not one layer of several.
Result<Reading> reading_of(const AttentionArray& array, bool alone) {
    const StackShape& s = array.shape;
    switch (s.size()) {
        case 2:
            return Reading{1, 1};
        case 3:
            return Reading{1, s[0]};
        case 4:
            if (alone) return Reading{s[0], s[1]};
            if (s[0] != 1) return batch_error(array, s[0]);
            return Reading{1, s[1]};
        case 5:
            if (alone && s[1] == 1) return Reading{s[0], s[2]};
            if (alone && s[0] == 1) return Reading{s[1], s[2]};
            if (alone) return batch_error(array, s[1]);
            break;
        default:
            break;
    }
    return attention_error(fmt::format("{} is no attention: [layers, heads, queries, keys] is expected, or [heads, queries, keys] or "
                                       "[1, heads, queries, keys] for each layer",
                                       shape_words(s)),
                           array.name);
}

Result<Done> check_sides(const AttentionArray& array, const Reading& read) {
    const std::size_t rank = array.shape.size();
    const auto refuse = [&](std::string_view what, std::size_t has, std::size_t most) {
        return attention_error(fmt::format("{} has {} {}; {} to {} are shown", shape_words(array.shape), has, what, 1, most), array.name);
    };
    if (read.layers < 1 || read.layers > kMaxLayers) return refuse("layers", read.layers, kMaxLayers);
    if (read.heads < 1 || read.heads > kMaxHeads) return refuse("heads", read.heads, kMaxHeads);
    for (const std::size_t axis : {rank - 2, rank - 1})
        if (array.shape[axis] < 1 || array.shape[axis] > kMaxTokens)
            return refuse(axis == rank - 1 ? "keys" : "queries", array.shape[axis], kMaxTokens);
    return Done{};
}

/// How many of the lines along an axis sum to 1, and how many do not; a line of zeros is neither.
struct Sums {
    std::size_t ones = 0, others = 0;
};
Sums sums_along(const AttentionArray& array, std::size_t axis) {
    const StackShape& s = array.shape;
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < s.size(); ++i) inner *= s[i];
    const std::size_t length = s[axis], block = inner * length;
    Sums out;
    for (std::size_t start = 0; start < array.values.size(); start += block)
        for (std::size_t i = 0; i < inner; ++i) {
            double sum = 0, size = 0;
            for (std::size_t k = 0; k < length; ++k) {
                const auto value = static_cast<double>(array.values[start + i + k * inner]);
                sum += value;
                size += std::abs(value);
            }
            if (size == 0) continue;
            ++(std::abs(sum - 1) <= array.tolerance ? out.ones : out.others);
        }
    return out;
}

/// Axes in another order show: then the weights sum to 1 along another one than the last.
Result<Done> check_order(const AttentionArray& array) {
    const std::size_t rank = array.shape.size();
    const Sums last = sums_along(array, rank - 1);
    if (last.others == 0 || last.ones >= last.others) return Done{};
    for (std::size_t axis = rank - 1; axis-- > 0;) {
        const Sums along = sums_along(array, axis);
        if (along.others > 0 || along.ones == 0 || array.shape[axis] < 2) continue;
        const std::string how = axis == rank - 2 ? "swap the last two if keys stand before queries (numpy: swapaxes(-1, -2)), or move "
                                                   "the heads forward if they come last (numpy: moveaxis(-1, -3))"
                                                 : "move it to the end (numpy: moveaxis or transpose)";
        return attention_error(fmt::format("the axes of {} are in another order: the weights of a query, which sum to 1, lie along axis {} "
                                           "and must lie along the last, the keys; {}",
                                           shape_words(array.shape), axis, how),
                               array.name);
    }
    return Done{};
}

/// Takes the numbers, a matrix for each head.
void take_maps(AttentionArray& array, std::vector<FrozenMatrix>& into) {
    const std::size_t rank = array.shape.size();
    const auto rows = static_cast<Eigen::Index>(array.shape[rank - 2]), cols = static_cast<Eigen::Index>(array.shape[rank - 1]);
    const auto size = static_cast<std::size_t>(rows * cols);
    for (std::size_t at = 0; at < array.values.size(); at += size)
        into.emplace_back(Matrix(Eigen::Map<const Matrix>(array.values.data() + at, rows, cols)));
    array.values = {};
}

Result<AttentionStack> stack_of(StackArrays& from) {
    const bool alone = from.layers.size() == 1;
    const AttentionArray& first = *from.layers.front().second;
    AttentionStack out;
    out.part = from.part;
    if (from.layers.size() > kMaxLayers)
        return attention_error(fmt::format("it has {} layers; 1 to {} are shown", from.layers.size(), kMaxLayers), first.name);
    for (auto& [number, array] : from.layers) {
        const auto read = reading_of(*array, alone);
        if (!read) return read.error();
        if (auto done = check_sides(*array, *read); !done) return done.error();
        if (array->shape != first.shape)
            return attention_error(fmt::format("its shape is {}, that of {} is {}: the layers of one attention have one shape",
                                               shape_words(array->shape), in_quotes(first.name), shape_words(first.shape)),
                                   array->name);
        if (auto done = check_order(*array); !done) return done.error();
        out.layers += static_cast<int>(read->layers);
        out.heads = static_cast<int>(read->heads);
    }
    for (auto& [number, array] : from.layers) take_maps(*array, out.maps);
    return out;
}

}  // namespace

Result<std::vector<AttentionStack>> stacks_of(std::vector<AttentionArray>& arrays) {
    if (arrays.empty()) return attention_error("there is no array of weights in it");
    double bytes = 0;
    for (const AttentionArray& array : arrays) bytes += static_cast<double>(array.values.size()) * sizeof(float);
    if (bytes > kMaxBytes)
        return attention_error(fmt::format("the weights take {:.1f} GB, more than the {:.1f} GB allowed; save fewer layers or tokens",
                                           bytes / 1e9, kMaxBytes / 1e9));
    auto groups = grouped(arrays);
    if (!groups) return groups.error();
    std::vector<AttentionStack> out;
    for (StackArrays& group : *groups) {
        auto stack = stack_of(group);
        if (!stack) return stack.error();
        if (!out.empty() && stack->heads != out.front().heads)
            return attention_error(fmt::format("it has {} heads, that of {} has {}; save them as files of their own", stack->heads,
                                               in_quotes(groups->front().layers.front().second->name), out.front().heads),
                                   group.layers.front().second->name);
        out.push_back(std::move(*stack));
    }
    return out;
}

}  // namespace attn
