#include "core/attention/inputs.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/base/seed_memo.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

/// Spread of an unknown token's features: gives the vector about the length of a known token's.
constexpr float kUnknownSpread = 0.45f;

void fill(Random& random, float spread, Eigen::Ref<Matrix> out) {
    for (Eigen::Index r = 0; r < out.rows(); ++r)
        for (Eigen::Index c = 0; c < out.cols(); ++c) out(r, c) = spread * random.normal();
}

/// Two decimals suffice for a made-up vector, and are easy to read aloud.
void round_to_hundredths(Eigen::Ref<Matrix> out) {
    out = out.unaryExpr([](float v) { return std::round(v * 100.0f) / 100.0f; });
}

FrozenMatrix seeded(std::uint64_t seed, std::string_view which, int rows, int cols, float spread) {
    static SeedMemo memo;
    return memo.get({seed, std::string(which), rows, cols, spread}, [&] {
        Random random(hash_bytes(which) ^ (seed * 0x9E3779B97F4A7C15ull));
        Matrix made(rows, cols);
        fill(random, spread, made);
        round_to_hundredths(made);
        return made;
    });
}

}  // namespace

Source source_of(MeaningOrigin origin) {
    switch (origin) {
        case MeaningOrigin::Chosen:
            return Source::Meaning;
        case MeaningOrigin::Derived:
            return Source::Derived;
        case MeaningOrigin::OfKind:
            return Source::OfKind;
    }
    return Source::Meaning;
}

Matrix meaning_vectors(const std::vector<std::string>& tokens, std::vector<Source>& sources) {
    Matrix x(static_cast<Eigen::Index>(tokens.size()), kMeaningWidth);
    sources.assign(tokens.size(), Source::Meaning);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        if (const auto known = find_meaning(tokens[i])) {
            for (int f = 0; f < kMeaningWidth; ++f) x(row, f) = known->values[static_cast<std::size_t>(f)];
            sources[i] = source_of(known->origin);
            continue;
        }
        sources[i] = Source::Seeded;
        Random random(hash_bytes(fold_case(tokens[i])));
        fill(random, kUnknownSpread, x.row(row));
        round_to_hundredths(x.row(row));
    }
    return x;
}

Matrix one_hot_vectors(const std::vector<std::string>& tokens, const std::vector<std::string>& names) {
    Matrix x = Matrix::Zero(static_cast<Eigen::Index>(tokens.size()), static_cast<Eigen::Index>(names.size()));
    for (std::size_t i = 0; i < tokens.size(); ++i)
        x(static_cast<Eigen::Index>(i), std::find(names.begin(), names.end(), tokens[i]) - names.begin()) = 1;
    return x;
}

Matrix random_vectors(const std::vector<std::string>& tokens, std::uint64_t seed, int width) {
    Matrix x(static_cast<Eigen::Index>(tokens.size()), width);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        Random random(hash_bytes(tokens[i]) ^ (seed * 0x9E3779B97F4A7C15ull));
        fill(random, 1.0f, x.row(static_cast<Eigen::Index>(i)));
    }
    round_to_hundredths(x);
    return x;
}

FrozenMatrix random_table(std::uint64_t seed, std::string_view which, int rows, int cols) {
    return seeded(seed, which, rows, cols, 1.0f / std::sqrt(static_cast<float>(std::max(cols, 1))));
}

FrozenMatrix random_weight(std::uint64_t seed, std::string_view which, int rows, int cols) {
    return seeded(seed, which, rows, cols, 1.0f / std::sqrt(static_cast<float>(std::max(rows, 1))));
}

Matrix identity_weight(int rows, int cols) { return Matrix::Identity(rows, cols); }

}  // namespace attn
