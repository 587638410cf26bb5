// Arrays of attention: where their numbers are, and the texts of a batch.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/base/limits.h"
#include "core/base/memory.h"
#include "core/model/attention_file/attention_parts.h"
#include "core/model/attention_file/numbered_name.h"

namespace attn {
namespace {

using Index = Eigen::Index;

std::size_t product(const std::vector<std::size_t>& sides, std::size_t first, std::size_t past) {
    std::size_t out = 1;
    for (std::size_t i = first; i < past; ++i) out *= sides[i];
    return out;
}

/// The axis that counts texts; nothing if it cannot be told from the other axes, or counts one.
struct Batch {
    std::size_t axis = 0, texts = 1;
};
std::optional<Batch> batch_of(const AttentionArray& array, bool alone) {
    const std::vector<std::size_t>& s = array.shape;
    if (s.size() == 4 && !alone && s[0] > 1) return Batch{0, s[0]};
    if (s.size() == 5 && alone && s[0] > 1 && s[1] > 1) return Batch{1, s[1]};
    return std::nullopt;
}

/// One text's part of an array.
AttentionArray text_of(const AttentionArray& array, Batch batch, std::size_t text) {
    AttentionArray out{array.name, array.shape, {}, array.tolerance, array.where, array.counts_from_0};
    out.shape.erase(out.shape.begin() + static_cast<std::ptrdiff_t>(batch.axis));
    const std::size_t inner = product(array.shape, batch.axis + 1, array.shape.size() - 2);
    for (std::size_t i = 0; i < array.maps.size(); ++i)
        if (i / inner % batch.texts == text) out.maps.push_back(array.maps[i]);
    return out;
}

Error texts_error(const AttentionArray& array, std::size_t texts) {
    return attention_error(fmt::format("the file holds {} texts, which are the first axis of each array, and this one is {}", texts,
                                       shape_words(array.shape)),
                           array.name);
}

/// The batch axis of every array; empty if the arrays have none. An array of four axes that is alone holds layers.
Result<std::vector<Batch>> batches_of(const AttentionParts& parts) {
    std::vector<Batch> out;
    if (parts.said_texts) {
        for (const AttentionArray& array : parts.arrays) {
            if (array.shape.size() < 3 || array.shape[0] != *parts.said_texts) return texts_error(array, *parts.said_texts);
            out.push_back({0, *parts.said_texts});
        }
        return out;
    }
    std::map<std::string, int> of_stem;
    for (const AttentionArray& array : parts.arrays) ++of_stem[numbers_of_name(array.name).stem];
    for (const AttentionArray& array : parts.arrays) {
        const auto batch = batch_of(array, of_stem[numbers_of_name(array.name).stem] == 1);
        if (!batch || (!out.empty() && out.front().texts != batch->texts)) return std::vector<Batch>{};
        out.push_back(*batch);
    }
    return out;
}

}  // namespace

Result<Done> NumberSource::read(std::uint64_t first, std::uint64_t count, float* out) const {
    if (file) return file->read_into(place, first, count, out);
    std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(first), count, out);
    return Done{};
}

Result<Matrix> MapPlace::read(Index first, Index count) const {
    const bool whole = parts.size() == 1 && parts.front().cols == cols;
    Matrix out(count, cols);
    ask_large_pages(out.data(), static_cast<std::size_t>(out.size()) * sizeof(float));
    if (!whole) out.setZero();
    Index top = 0;  // of the part, among the map's rows
    for (const MapPart& part : parts) {
        const Index begin = std::max(first, top), past = std::min(first + count, top + part.rows);
        const auto from = [&](Index row) { return part.first + static_cast<std::uint64_t>((row - top) * part.cols); };
        if (begin < past && part.cols == cols) {
            if (auto done = part.from->read(from(begin), static_cast<std::uint64_t>((past - begin) * cols), out.row(begin - first).data()); !done)
                return done.error();
        } else {
            for (Index row = begin; row < past; ++row)
                if (auto done = part.from->read(from(row), static_cast<std::uint64_t>(part.cols), out.row(row - first).data()); !done)
                    return done.error();
        }
        top += part.rows;
    }
    return out;
}

AttentionArray AttentionArray::of(std::string name, std::vector<std::size_t> shape, NumberSourcePtr from, double tolerance) {
    AttentionArray out{std::move(name), std::move(shape), {}, tolerance};
    const std::size_t rank = out.shape.size();
    // Of axes that are too long the error names the length; no map is needed for that.
    if (rank < 2 || std::any_of(out.shape.begin(), out.shape.end(), [](std::size_t side) { return side == 0 || side > kMaxTexts; })) return out;
    if (product(out.shape, 0, rank - 2) > kMostMaps) return out;
    const auto rows = static_cast<Index>(out.shape[rank - 2]), cols = static_cast<Index>(out.shape[rank - 1]);
    const auto size = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols);
    for (std::uint64_t at = 0; at < from->count(); at += size) out.maps.push_back({{{from, at, rows, cols}}, rows, cols});
    return out;
}

AttentionArray AttentionArray::of(std::string name, std::vector<std::size_t> shape, std::vector<float> values, double tolerance) {
    auto from = std::make_shared<NumberSource>();
    from->held = std::move(values);
    return of(std::move(name), std::move(shape), std::move(from), tolerance);
}

Result<Done> split_texts(AttentionParts& parts) {
    if (!parts.texts.empty()) return Done{};  // an index says which text each piece is of
    auto batches = batches_of(parts);
    if (!batches) return batches.error();
    const std::size_t texts = batches->empty() ? 1 : batches->front().texts;
    if (texts > kMaxTexts) return attention_error(fmt::format("it holds {} texts; up to {} are read", texts, kMaxTexts));
    if (parts.named.size() > texts)
        return attention_error(fmt::format("the tokens of {} texts are named, and the weights are of {}", parts.named.size(), texts), "tokens");
    parts.named.resize(texts);
    for (std::size_t text = 0; text < texts; ++text) {
        AttentionParts::Text& out = parts.texts.emplace_back();
        out.named = std::move(parts.named[text]);
        for (std::size_t i = 0; i < parts.arrays.size(); ++i)
            out.arrays.push_back(batches->empty() ? parts.arrays[i] : text_of(parts.arrays[i], (*batches)[i], text));
    }
    parts.arrays.clear();
    parts.named.clear();
    return Done{};
}

}  // namespace attn
