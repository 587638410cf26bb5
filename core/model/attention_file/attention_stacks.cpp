// Arranges arrays as stacks of heads: which axes are layers, heads, queries and keys, and which arrays are layers of
// one attention.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"

namespace attn {
namespace {

using StackShape = std::vector<std::size_t>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// "step_2_layer_12_head_0" gives 12, 0 and 2, and the stem "step_#_layer_#_head_#". A number after the word head or
/// step counts these; the last of the other numbers counts layers.
struct NumberedName {
    std::string stem;
    std::optional<std::int64_t> layer, head, step;
};
/// The letters before a number, ignoring one separator.
std::string word_before(std::string_view name, std::size_t at) {
    if (at > 0 && !std::isalnum(static_cast<unsigned char>(name[at - 1]))) --at;
    std::size_t begin = at;
    while (begin > 0 && std::isalpha(static_cast<unsigned char>(name[begin - 1]))) --begin;
    std::string out(name.substr(begin, at - begin));
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}
NumberedName numbered(std::string_view name) {
    NumberedName out;
    // From the end, so that earlier positions stay valid.
    out.stem = name;
    for (std::size_t end = name.size(); end > 0;) {
        if (!is_digit(name[end - 1])) {
            --end;
            continue;
        }
        std::size_t begin = end;
        while (begin > 0 && is_digit(name[begin - 1])) --begin;
        const std::string word = word_before(name, begin);
        std::optional<std::int64_t>& counts = word.ends_with("head") ? out.head : word.ends_with("step") ? out.step : out.layer;
        std::int64_t number = 0;
        if (!counts && std::from_chars(name.data() + begin, name.data() + end, number).ec == std::errc{}) {
            counts = number;
            out.stem.replace(begin, end - begin, "#");
        }
        end = begin;
    }
    return out;
}

Part part_named(std::string_view stem) {
    const auto has = [stem](std::string_view word) { return stem.find(word) != std::string_view::npos; };
    if (has("cross")) return Part::Cross;
    return has("encoder") && !has("decoder") ? Part::Encoder : Part::Main;
}

struct NumberedArray {
    NumberedName name;
    AttentionArray array;
};

/// [heads, queries, keys] of one layer, ignoring leading axes of length 1; nothing if the array has another shape.
std::optional<std::array<std::size_t, 3>> sides_of_layer(const AttentionArray& array) {
    StackShape s = array.shape;
    while (s.size() > 3 && s.front() == 1) s.erase(s.begin());
    while (s.size() < 3) s.insert(s.begin(), 1);
    if (s.size() != 3 || array.shape.size() < 2) return std::nullopt;
    return std::array{s[0], s[1], s[2]};
}

using Pieces = std::vector<NumberedArray*>;

Result<Done> check_counted(const Pieces& pieces, std::optional<std::int64_t> NumberedName::*counts, std::string_view what) {
    const std::int64_t first = *(pieces.front()->name.*counts);
    for (std::size_t i = 0; i < pieces.size(); ++i)
        if (const std::int64_t number = *(pieces[i]->name.*counts); first > 1 || number != first + static_cast<std::int64_t>(i))
            return attention_error(fmt::format("{} are numbered from 0 or 1 without a gap, and here is {} where {} would follow", what, number,
                                               (first > 1 ? 0 : first) + static_cast<std::int64_t>(i)),
                                   pieces[i]->array.name);
    return Done{};
}

/// Joins heads stored in separate arrays to one layer.
Result<AttentionArray> joined_heads(const Pieces& pieces) {
    if (auto done = check_counted(pieces, &NumberedName::head, "heads"); !done) return done.error();
    AttentionArray out{pieces.front()->array.name, {}, {}, 0};
    for (const NumberedArray* piece : pieces) {
        const auto sides = sides_of_layer(piece->array);
        if (!sides || (*sides)[0] != 1)
            return attention_error(fmt::format("{} is not one head: [queries, keys] is expected", shape_words(piece->array.shape)), piece->array.name);
        const StackShape shape = {pieces.size(), (*sides)[1], (*sides)[2]};
        if (!out.shape.empty() && out.shape != shape)
            return attention_error(fmt::format("its shape is {}, that of {} is {}: the heads of one layer have one shape", shape_words(piece->array.shape),
                                               in_quotes(pieces.front()->array.name), shape_words(pieces.front()->array.shape)),
                                   piece->array.name);
        out.shape = shape;
        out.values.insert(out.values.end(), piece->array.values.begin(), piece->array.values.end());
        out.tolerance = std::max(out.tolerance, piece->array.tolerance);
    }
    return out;
}

/// Joins the steps of generate(): a step's queries are the new tokens, its keys all tokens so far. The steps are
/// stacked as rows, with 0 for keys that did not exist yet.
Result<AttentionArray> joined_steps(const Pieces& pieces) {
    if (auto done = check_counted(pieces, &NumberedName::step, "steps"); !done) return done.error();
    std::vector<std::array<std::size_t, 3>> all;
    std::size_t queries = 0, keys = 0;
    for (const NumberedArray* piece : pieces) {
        const auto sides = sides_of_layer(piece->array);
        if (!sides || (*sides)[0] != (all.empty() ? *sides : all.front())[0])
            return attention_error(fmt::format("{} is no step of writing: [1, heads, queries, keys] is expected, with as many heads as in the steps before",
                                               shape_words(piece->array.shape)),
                                   piece->array.name);
        all.push_back(*sides);
        queries += (*sides)[1];
        keys = std::max(keys, (*sides)[2]);
    }
    const std::size_t heads = all.front()[0];
    if (heads > kMaxHeads || queries > kMaxTokens || keys > kMaxTokens || static_cast<double>(heads * queries * keys) * sizeof(float) > kMaxBytes)
        return attention_error(fmt::format("{} heads, {} queries and {} keys are more than are shown: {} heads, {} tokens, {:.1f} GB", heads, queries, keys,
                                           kMaxHeads, kMaxTokens, kMaxBytes / 1e9),
                               pieces.front()->array.name);
    AttentionArray out{pieces.front()->array.name, {heads, queries, keys}, std::vector<float>(heads * queries * keys, 0.0F), 0};
    std::size_t first = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const auto [h, q, k] = all[i];
        const std::vector<float>& from = pieces[i]->array.values;
        for (std::size_t head = 0; head < h; ++head)
            for (std::size_t row = 0; row < q; ++row)
                std::copy_n(from.begin() + static_cast<std::ptrdiff_t>((head * q + row) * k), k,
                            out.values.begin() + static_cast<std::ptrdiff_t>((head * queries + first + row) * keys));
        first += q;
        out.tolerance = std::max(out.tolerance, pieces[i]->array.tolerance);
    }
    return out;
}

/// Joins arrays that differ in only one of the counts.
template <class Join>
Result<Done> join_pieces(std::vector<NumberedArray>& arrays, std::optional<std::int64_t> NumberedName::*counts, Join join) {
    std::map<std::tuple<std::string, std::int64_t, std::int64_t>, Pieces> groups;
    std::vector<NumberedArray> out;
    for (NumberedArray& one : arrays) {
        if (!(one.name.*counts)) {
            out.push_back(std::move(one));
            continue;
        }
        // Heads are joined first, while arrays are still distinguished by their steps.
        const std::int64_t step = counts == &NumberedName::head ? one.name.step.value_or(-1) : -1;
        groups[{one.name.stem, one.name.layer.value_or(-1), step}].push_back(&one);
    }
    for (auto& [key, pieces] : groups) {
        std::stable_sort(pieces.begin(), pieces.end(), [&](const auto* a, const auto* b) { return a->name.*counts < b->name.*counts; });
        auto joined = join(pieces);
        if (!joined) return joined.error();
        NumberedName name = pieces.front()->name;
        name.*counts = std::nullopt;
        out.push_back({std::move(name), std::move(*joined)});
    }
    arrays = std::move(out);
    return Done{};
}

/// The arrays of one attention, ordered by layer.
struct StackArrays {
    Part part = Part::Main;
    std::vector<std::pair<std::int64_t, AttentionArray*>> layers;
};

/// The layers' numbers in the model, from 0. Numbers that begin with 0 or 1 are taken to start at the first layer;
/// numbers that begin higher count from 0, as in Python.
std::vector<int> layer_numbers(const StackArrays& stack, int count) {
    const std::int64_t first = stack.layers.front().first, from = first > 1 ? 0 : first;
    std::vector<int> out;
    for (int i = 0; i < count; ++i)
        out.push_back(static_cast<int>(stack.layers.size() == 1 ? first - from + i : stack.layers[static_cast<std::size_t>(i)].first - from));
    return out;
}

constexpr std::int64_t kMostLayerNumber = 9999;

Result<std::vector<StackArrays>> grouped(std::vector<NumberedArray>& arrays) {
    std::map<std::string, StackArrays> by_stem;
    for (NumberedArray& one : arrays) {
        StackArrays& stack = by_stem[one.name.stem];
        stack.part = part_named(one.name.stem);
        stack.layers.emplace_back(one.name.layer.value_or(0), &one.array);
    }
    std::vector<StackArrays> out;
    for (auto& [stem, stack] : by_stem) {
        std::sort(stack.layers.begin(), stack.layers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t i = 0; i < stack.layers.size(); ++i) {
            const auto& [number, array] = stack.layers[i];
            if (number > kMostLayerNumber)
                return attention_error(fmt::format("a layer is numbered {}; up to {} are named", number, kMostLayerNumber), array->name);
            if (i > 0 && number == stack.layers[i - 1].first) return attention_error(fmt::format("there are two arrays of layer {}", number), array->name);
        }
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

/// The number of layers and heads that an array holds; the last two axes are queries and keys.
struct Reading {
    std::size_t layers = 1, heads = 1;
};

Error batch_error(const AttentionArray& array, std::size_t texts) {
    return attention_error(fmt::format("{} holds a batch of {} texts; save one of them", shape_words(array.shape), texts), array.name);
}

/// `alone`: the array is the whole attention, not one of several layers.
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

/// How many lines along an axis sum to 1, and how many do not; lines of zeros count as neither.
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

/// Axes in another order are detected by weights that sum to 1 along another axis than the last.
Result<Done> check_order(const AttentionArray& array) {
    const std::size_t rank = array.shape.size();
    const Sums last = sums_along(array, rank - 1);
    if (last.others == 0 || last.ones >= last.others) return Done{};
    for (std::size_t axis = rank - 1; axis-- > 0;) {
        const Sums along = sums_along(array, axis);
        if (along.others > 0 || along.ones == 0 || array.shape[axis] < 2) continue;
        const std::string how = axis == rank - 2 ? "swap the last two if keys come before queries (numpy: swapaxes(-1, -2)), or move "
                                                   "the heads forward if they come last (numpy: moveaxis(-1, -3))"
                                                 : "move it to the end (numpy: moveaxis or transpose)";
        return attention_error(fmt::format("the axes of {} are in another order: the weights of a query, which sum to 1, lie along axis {} "
                                           "and must lie along the last, the keys; {}",
                                           shape_words(array.shape), axis, how),
                               array.name);
    }
    return Done{};
}

/// Moves the numbers into one matrix per head.
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
    out.numbers = layer_numbers(from, out.layers);
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
    std::vector<NumberedArray> all;
    for (AttentionArray& array : arrays) all.push_back({numbered(array.name), std::move(array)});
    if (auto done = join_pieces(all, &NumberedName::head, joined_heads); !done) return done.error();
    if (auto done = join_pieces(all, &NumberedName::step, joined_steps); !done) return done.error();
    auto groups = grouped(all);
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
