// Arranges arrays as stacks of heads: which axes are layers, heads, queries and keys, and which arrays are layers of
// one attention.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "core/base/limits.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/attention_parts.h"
#include "core/model/attention_file/numbered_name.h"

namespace attn {
namespace {

using StackShape = std::vector<std::size_t>;

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
    AttentionArray out{pieces.front()->array.name, {}, {}, 0, pieces.front()->array.where};
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
        out.maps.insert(out.maps.end(), piece->array.maps.begin(), piece->array.maps.end());
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
    if (heads > kMaxHeads || queries > kMaxTokens || keys > kMaxTokens)
        return attention_error(fmt::format("{} heads, {} queries and {} keys are more than are shown: {} heads, {} tokens", heads, queries, keys,
                                           kMaxHeads, kMaxTokens),
                               pieces.front()->array.name);
    AttentionArray out{pieces.front()->array.name, {heads, queries, keys}, std::vector<MapPlace>(heads), 0, {}};
    for (std::size_t head = 0; head < heads; ++head) {
        MapPlace& map = out.maps[head];
        map.rows = static_cast<Eigen::Index>(queries), map.cols = static_cast<Eigen::Index>(keys);
        for (const NumberedArray* piece : pieces) {
            if (piece->array.maps.size() != heads) return attention_error("it has an empty axis", piece->array.name);
            const auto& parts = piece->array.maps[head].parts;
            map.parts.insert(map.parts.end(), parts.begin(), parts.end());
        }
    }
    for (const NumberedArray* piece : pieces) out.tolerance = std::max(out.tolerance, piece->array.tolerance);
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
/// numbers that begin higher count from 0, as in Python, and so do those of an index.
std::vector<int> layer_numbers(const StackArrays& stack, int count) {
    const std::int64_t first = stack.layers.front().first, from = first > 1 || stack.layers.front().second->counts_from_0 ? 0 : first;
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
    return attention_error(fmt::format("{} would be a batch of {} texts, and other arrays of the file are not; save them alike",
                                       shape_words(array.shape), texts),
                           array.name);
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
    if (read.layers < 1 || read.layers > kMaxFileLayers) return refuse("layers", read.layers, kMaxFileLayers);
    if (read.heads < 1 || read.heads > kMaxHeads) return refuse("heads", read.heads, kMaxHeads);
    for (const std::size_t axis : {rank - 2, rank - 1})
        if (array.shape[axis] < 1 || array.shape[axis] > kMaxTokens)
            return refuse(axis == rank - 1 ? "keys" : "queries", array.shape[axis], kMaxTokens);
    return Done{};
}

/// How many lines along an axis sum to 1, and how many do not; lines of zeros count as neither.
struct Sums {
    std::size_t ones = 0, others = 0;

    void add(double sum, double size, double tolerance) {
        if (size != 0) ++(std::abs(sum - 1) <= tolerance ? ones : others);
    }
};

/// Some of `count` things, spread evenly with the first and the last; all of them if there are not more than `most`.
std::vector<Eigen::Index> spread(Eigen::Index count, Eigen::Index most) {
    std::vector<Eigen::Index> out;
    const Eigen::Index taken = std::min(count, most);
    for (Eigen::Index i = 0; i < taken; ++i) out.push_back(taken == count ? i : i * (count - 1) / (taken - 1));
    return out;
}

/// The sums along an axis, of all numbers or of a sample of maps and rows.
class AxisSums {
public:
    AxisSums(const AttentionArray& array, bool all) : array_(array), maps_(all ? count() : kSomeMaps), rows_(all ? side(1) : kSomeRows) {}

    Result<Sums> along(std::size_t axis) const {
        const std::size_t rank = array_.shape.size();
        return axis + 1 == rank ? along_keys() : axis + 2 == rank ? along_queries() : along_maps(axis);
    }

private:
    static constexpr Eigen::Index kSomeMaps = 3, kSomeRows = 16;

    Eigen::Index count() const { return static_cast<Eigen::Index>(array_.maps.size()); }
    Eigen::Index side(std::size_t behind) const { return static_cast<Eigen::Index>(array_.shape[array_.shape.size() - 1 - behind]); }
    const MapPlace& map(Eigen::Index i) const { return array_.maps[static_cast<std::size_t>(i)]; }

    Result<Sums> along_keys() const {
        Sums out;
        for (const Eigen::Index i : spread(count(), maps_)) {
            const bool all = rows_ == side(1);
            for (const Eigen::Index row : all ? std::vector<Eigen::Index>{0} : spread(side(1), rows_)) {
                const auto rows = map(i).read(row, all ? side(1) : 1);
                if (!rows) return rows.error();
                for (Eigen::Index r = 0; r < rows->rows(); ++r)
                    out.add(rows->row(r).cast<double>().sum(), rows->row(r).cast<double>().cwiseAbs().sum(), array_.tolerance);
            }
        }
        return out;
    }

    Result<Sums> along_queries() const {
        Sums out;
        for (const Eigen::Index i : spread(count(), maps_)) {
            const auto whole = map(i).read();
            if (!whole) return whole.error();
            const Eigen::RowVectorXd sums = whole->cast<double>().colwise().sum(), sizes = whole->cast<double>().cwiseAbs().colwise().sum();
            for (Eigen::Index c = 0; c < sums.size(); ++c) out.add(sums(c), sizes(c), array_.tolerance);
        }
        return out;
    }

    /// Along heads or layers: across maps.
    Result<Sums> along_maps(std::size_t axis) const {
        Eigen::Index inner = 1;
        for (std::size_t i = axis + 1; i + 2 < array_.shape.size(); ++i) inner *= static_cast<Eigen::Index>(array_.shape[i]);
        const auto length = static_cast<Eigen::Index>(array_.shape[axis]);
        Sums out;
        for (const Eigen::Index line : spread(count() / length, maps_))
            for (const Eigen::Index row : spread(side(1), rows_)) {
                Eigen::RowVectorXd sums = Eigen::RowVectorXd::Zero(side(0)), sizes = sums;
                for (Eigen::Index k = 0; k < length; ++k) {
                    const auto numbers = map((line / inner * length + k) * inner + line % inner).read(row, 1);
                    if (!numbers) return numbers.error();
                    sums += numbers->row(0).cast<double>();
                    sizes += numbers->row(0).cast<double>().cwiseAbs();
                }
                for (Eigen::Index c = 0; c < sums.size(); ++c) out.add(sums(c), sizes(c), array_.tolerance);
            }
        return out;
    }

    const AttentionArray& array_;
    Eigen::Index maps_, rows_;
};

/// Axes in another order are detected by weights that sum to 1 along another axis than the last.
Result<Done> check_order(const AttentionArray& array, bool held) {
    const std::size_t rank = array.shape.size();
    const AxisSums sums(array, held);
    const auto last = sums.along(rank - 1);
    if (!last) return last.error();
    if (last->others == 0 || last->ones >= last->others) return Done{};
    for (std::size_t axis = rank - 1; axis-- > 0;) {
        const auto along = sums.along(axis);
        if (!along) return along.error();
        if (along->others > 0 || along->ones == 0 || array.shape[axis] < 2) continue;
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

Result<PlacedStack> stack_of(const StackArrays& from, bool held) {
    const bool alone = from.layers.size() == 1;
    const AttentionArray& first = *from.layers.front().second;
    PlacedStack placed;
    AttentionStack& out = placed.stack;
    out.part = from.part;
    if (from.layers.size() > kMaxFileLayers)
        return attention_error(fmt::format("it has {} layers; 1 to {} are shown", from.layers.size(), kMaxFileLayers), first.name);
    for (const auto& [number, array] : from.layers) {
        const auto read = reading_of(*array, alone);
        if (!read) return read.error();
        if (auto done = check_sides(*array, *read); !done) return done.error();
        if (array->shape != first.shape)
            return attention_error(fmt::format("its shape is {}, that of {} is {}: the layers of one attention have one shape",
                                               shape_words(array->shape), in_quotes(first.name), shape_words(first.shape)),
                                   array->name);
        if (array->maps.size() != read->layers * read->heads)
            return attention_error(fmt::format("{} are more maps than are read", shape_words(array->shape)), array->name);
        if (auto done = check_order(*array, held); !done) return done.error();
        out.layers += static_cast<int>(read->layers);
        out.heads = static_cast<int>(read->heads);
    }
    for (const auto& [number, array] : from.layers) placed.maps.insert(placed.maps.end(), array->maps.begin(), array->maps.end());
    out.rows = static_cast<int>(placed.maps.front().rows);
    out.cols = static_cast<int>(placed.maps.front().cols);
    out.numbers = layer_numbers(from, out.layers);
    return placed;
}

}  // namespace

Result<std::vector<PlacedStack>> stacks_of(const std::vector<AttentionArray>& arrays, bool held) {
    if (arrays.empty()) return attention_error("there is no array of weights in it");
    std::vector<NumberedArray> all;
    for (const AttentionArray& array : arrays) all.push_back({numbers_of_name(array.name), array});
    if (auto done = join_pieces(all, &NumberedName::head, joined_heads); !done) return done.error();
    if (auto done = join_pieces(all, &NumberedName::step, joined_steps); !done) return done.error();
    auto groups = grouped(all);
    if (!groups) return groups.error();
    std::vector<PlacedStack> out;
    double bytes = 0;
    for (const StackArrays& group : *groups) {
        auto placed = stack_of(group, held);
        if (!placed) return placed.error();
        if (!out.empty() && placed->stack.heads != out.front().stack.heads)
            return attention_error(fmt::format("it has {} heads, that of {} has {}; save them as files of their own", placed->stack.heads,
                                               in_quotes(groups->front().layers.front().second->name), out.front().stack.heads),
                                   group.layers.front().second->name);
        for (const MapPlace& map : placed->maps) bytes += static_cast<double>(map.rows) * static_cast<double>(map.cols) * sizeof(float);
        out.push_back(std::move(*placed));
    }
    if (held && bytes > kMaxBytes)
        return attention_error(fmt::format("the weights take {:.1f} GB, more than the {:.1f} GB allowed; save them as safetensors, whose "
                                           "numbers stay in the file, or fewer layers or tokens",
                                           bytes / 1e9, kMaxBytes / 1e9));
    return out;
}

}  // namespace attn
