#include "core/parts/position.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/ops.h"

namespace attn {
namespace {

constexpr std::array<Position, 2> kPositions = {{
    {"none", nullptr},
    {"sinusoidal", sinusoidal},
}};

}  // namespace

Matrix sinusoidal(int n, int d) {
    Matrix encoding(n, d);
    for (int f = 0; f < d; ++f) {
        const double period = std::pow(10000.0, static_cast<double>(f - f % 2) / d);
        for (int p = 0; p < n; ++p)
            encoding(p, f) = static_cast<float>(f % 2 == 0 ? std::sin(p / period) : std::cos(p / period));
    }
    return encoding;
}

std::span<const Position> positions() { return kPositions; }

const Position* find_position(std::string_view id) {
    const auto at = std::find_if(kPositions.begin(), kPositions.end(), [&](const Position& p) { return p.id == id; });
    return at == kPositions.end() ? nullptr : &*at;
}

StepId embed(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const Axis tokens{Axis::Kind::Tokens, 0}, features{Axis::Kind::Features, 0};
    const StepId x = input(t, in.x, {Role::Embeddings}, tokens, features, in.x_sources);
    const Position* rule = find_position(config.position);
    if (!rule || !rule->encoding) return x;
    const StepId p = input(t, rule->encoding(in.n(), in.d()), {Role::Positions}, tokens, features, {Source::Formula});
    return add(t, x, p, {Role::Inputs});
}

}  // namespace attn
