#include "core/model/model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "core/model/stored_weights.h"
#include "core/text/inflection.h"
#include "core/text/meaning.h"
#include "core/text/unicode.h"
#include "core/tokenizers/tokenizer_model.h"

namespace attn {
namespace {

constexpr std::string_view kUnknownWord = "[UNK]";
constexpr std::size_t kLongestWord = 256;  // bytes: avoids case-folding a megabyte

}  // namespace

Matrix wave_positions(int n, int width, const PositionWaves& waves) {
    assert(waves.first_column + 2 * static_cast<int>(waves.wavelengths.size()) <= width);
    constexpr double kRounding = 1e-12;  // the rounding error of π in double
    const auto number = [](double v) { return std::fabs(v) < kRounding ? 0.0f : static_cast<float>(v); };
    Matrix out = Matrix::Zero(n, width);
    for (int p = 0; p < n; ++p)
        for (std::size_t i = 0; i < waves.wavelengths.size(); ++i) {
            const auto length = static_cast<double>(waves.wavelengths[i]);
            const double angle = 2 * std::numbers::pi * std::fmod(p + waves.first_place, length) / length;
            const auto at = static_cast<Eigen::Index>(i), count = static_cast<Eigen::Index>(waves.wavelengths.size());
            const Eigen::Index sine = waves.first_column + (waves.halves ? at : 2 * at);
            out(p, sine) = number(std::sin(angle));
            out(p, sine + (waves.halves ? count : 1)) = number(std::cos(angle));
        }
    return out;
}

std::int64_t Model::numbers() const {
    std::int64_t sum = embeddings.size();
    for (const auto& [key, tensor] : weights) sum += tensor.size();
    return stored ? stored->numbers() : sum;
}

bool Model::has(std::string_view tensor) const { return shape_of(tensor).has_value(); }

std::optional<FrozenMatrix> Model::shape_of(std::string_view tensor) const {
    if (stored) return stored->shape_of(tensor);
    const auto at = weights.find(tensor);
    if (at == weights.end()) return std::nullopt;
    return FrozenMatrix::of_shape(at->second.rows(), at->second.cols());
}

std::optional<FrozenMatrix> Model::matrix(std::string_view tensor) const {
    if (stored) return stored->matrix(tensor);
    const auto at = weights.find(tensor);
    return at == weights.end() ? std::nullopt : std::optional(at->second);
}

Matrix Model::first_rows(std::string_view tensor, int count) const {
    return stored ? stored->first_rows(tensor, count) : Matrix(weights.find(tensor)->second.topRows(count));
}

FrozenMatrix Model::word_vectors() const { return stored ? *stored->matrix(kEmbeddingsTensor) : embeddings; }

StepValue Model::word_values() const { return stored ? stored->value(kEmbeddingsTensor) : StepValue(embeddings); }

std::optional<StepValue> Model::value_of(std::string_view tensor) const {
    if (stored && stored->shape_of(tensor)) return stored->value(tensor);
    return matrix(tensor);
}

std::optional<int> Model::row_of(std::string_view token) const {
    if (token.empty() || token.size() > kLongestWord) return std::nullopt;
    if (tokenizer) {
        const std::optional<int> id = tokenizer->id_of(token);
        return id && *id < embeddings.rows() ? id : std::nullopt;
    }
    const auto look = [this](const std::string& word) -> std::optional<int> {
        const auto at = rows.find(word);
        return at == rows.end() ? std::nullopt : std::optional(at->second);
    };
    if (const auto row = look(std::string(token))) return row;
    const std::string folded = with_plain_apostrophes(fold_case(token));
    if (const auto row = look(folded)) return row;
    for (const std::string& base : base_forms(folded))
        if (const auto row = look(base)) return row;
    return std::nullopt;
}

Matrix Model::vectors(const std::vector<std::string>& tokens, std::vector<Source>& sources) const {
    std::vector<int> ids;
    ids.reserve(tokens.size());
    for (const std::string& token : tokens) ids.push_back(row_of(token).value_or(-1));
    Matrix out = vectors_of(ids, sources);
    if (!other_words) return out;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        // A word of the vocabulary takes precedence over the base form of an inflected word: "news" is not "new".
        const bool own = rows.contains(tokens[i]) || rows.contains(with_plain_apostrophes(fold_case(tokens[i])));
        const auto found = find_meaning(tokens[i]);
        auto row = out.row(static_cast<Eigen::Index>(i));
        if (own) {
            // Learned columns may follow the meaning's.
            const bool learned = width() > kMeaningWidth && !row.tail(width() - kMeaningWidth).isZero(0);
            sources[i] = learned || !found ? Source::Model : source_of(found->origin);
            continue;
        }
        if (!found) continue;
        row.setZero();
        for (int f = 0; f < std::min(kMeaningWidth, width()); ++f) row(f) = found->values[static_cast<std::size_t>(f)];
        sources[i] = source_of(found->origin);
    }
    return out;
}

const SureAt* sure_at(std::span<const SureAt> rows, double weight) {
    constexpr int kFewest = 20;  // with fewer answers the share is unreliable
    const SureAt* out = nullptr;
    for (const SureAt& row : rows)
        if (row.weight <= weight) out = &row;
    return out && out->count >= kFewest ? out : nullptr;
}

namespace {

/// The row used for unknown tokens.
std::optional<int> unknown_row(const Model& model) {
    if (!model.tokenizer) {
        const auto at = model.rows.find(std::string(kUnknownWord));
        return at == model.rows.end() ? std::nullopt : std::optional(at->second);
    }
    for (const auto& id : {model.tokenizer->special_id("unk"), model.tokenizer->id_of(kUnknownWord), model.tokenizer->id_of("<unk>")})
        if (id && *id < model.embeddings.rows()) return id;
    return std::nullopt;
}

}  // namespace

Matrix Model::vectors_of(std::span<const int> ids, std::vector<Source>& sources) const {
    Matrix out = Matrix::Zero(static_cast<Eigen::Index>(ids.size()), width());
    sources.assign(ids.size(), Source::Model);
    const int unknown = unknown_row(*this).value_or(-1);
    std::vector<int> read(ids.begin(), ids.end());
    for (std::size_t i = 0; i < read.size(); ++i)
        if (read[i] < 0 || read[i] >= embeddings.rows()) {
            sources[i] = Source::Unknown;
            read[i] = unknown;
        }
    if (stored) return stored->rows(kEmbeddingsTensor, read, out), out;
    for (std::size_t i = 0; i < read.size(); ++i)
        if (read[i] >= 0) out.row(static_cast<Eigen::Index>(i)) = embeddings.row(read[i]);
    return out;
}

}  // namespace attn
