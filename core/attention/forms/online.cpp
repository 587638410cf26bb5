#include <algorithm>
#include <cmath>

#include "core/attention/forms/shared.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/score.h"

namespace attn::form {
namespace {

/// One head: its queries against all keys, and the running maximum m, sum l and output O, none of them normalised.
struct Running {
    StepId maximum = kNoStep, sum = kNoStep, output = kNoStep;
};

int rows_of(const Trace& t, StepId step) { return static_cast<int>(t[step].value.rows()); }

/// −m|i − j|, or the head's number for the bucket of j − i, for the keys of one tile.
StepId tile_bias(Trace& t, const Attend& a, StepId scores, int first) {
    if (has_position(a, PositionKind::Bucketed)) {
        Attend tile = a;
        tile.first_query = -first;  // columns begin at the tile's first key
        return add_bucket_bias(t, tile, scores);
    }
    if (!has_position(a, PositionKind::Biased)) return scores;
    const auto n = rows_of(t, scores), count = static_cast<int>(t[scores].value.cols());
    const auto columns = [&] {
        const Matrix all = distance_bias(n, first + count, 0, std::max(a.tag.head, 0), a.config.heads);
        return Matrix(all.rightCols(count));
    };
    const StepId bias = input(t, n, count, columns, a.tag.as(Role::DistanceBias), t[scores].rows, t[scores].cols,
                              {Source::Formula});
    return add(t, scores, bias, a.tag.as(Role::Biased));
}

/// The tile's columns of the mask, shared by all heads.
StepId tile_mask(Trace& t, const Attend& a, StepId scores, StepId pattern, int first) {
    if (pattern == kNoStep) return scores;
    const Tag tag{Role::PatternTile, kNoHead, kNoLayer, a.tag.time};
    StepId part = find_recent(t, tag);
    if (part == kNoStep) part = slice(t, pattern, first, static_cast<int>(t[scores].value.cols()), tag);
    return mask(t, scores, part, a.tag.as(Role::Masked));
}

StepId tile_scores(Trace& t, const Attend& a, StepId queries, StepId keys, StepId pattern, int first) {
    const StepId above = transpose(t, keys, a.tag.as(Role::KeysTransposed));
    StepId scores = matmul(t, queries, above, a.tag.as(Role::Scores));
    const Score& rule = *a.score;
    if (!rule.divisor.empty())
        scores = scale(t, scores, rule.factor(static_cast<int>(t[keys].value.cols())), a.tag.as(Role::Scaled));
    return tile_mask(t, a, tile_bias(t, a, scores, first), pattern, first);
}

/// The previous value, scaled down because the maximum grew, plus what the tile adds; 0 if nothing was visible yet.
StepId carried(Trace& t, StepId before, StepId decay, StepId added, Tag decayed, Tag result) {
    return add(t, multiply(t, before, decay, decayed), added, result);
}

/// m' = max(m, rowmax S); l' = e^(m − m') l + Σ e^(S − m'); O' = e^(m − m') O + e^(S − m') V [Dao et al. 2022, alg. 1]
Running add_tile(Trace& t, const Attend& a, const Running& before, StepId scores, StepId values) {
    Running now;
    now.maximum = row_max(t, scores, before.maximum, a.tag.as(Role::RunningMax));
    const StepId shifted = exp_shift(t, scores, now.maximum, a.tag.as(Role::Shifted));
    now.sum = row_sum(t, shifted, a.tag.as(Role::TileSum));
    now.output = matmul(t, shifted, values, a.tag.as(Role::TileOutput));
    if (before.maximum == kNoStep) return now;
    const StepId decay = exp_shift(t, before.maximum, now.maximum, a.tag.as(Role::Decay));
    now.sum = carried(t, before.sum, decay, now.sum, a.tag.as(Role::DecayedSum), a.tag.as(Role::RunningSum));
    now.output =
        carried(t, before.output, decay, now.output, a.tag.as(Role::DecayedOutput), a.tag.as(Role::RunningOutput));
    return now;
}

StepId online_head(Trace& t, Attend a, StepId queries, StepId keys, StepId values, StepId pattern) {
    const StepId q = rotate_places(t, a, queries, 0, Role::RotatedQueries), k = rotate_places(t, a, keys, 0, Role::RotatedKeys);
    const Tag head = a.tag;
    Running running;
    const int n = rows_of(t, k), whole = n / a.config.tile;
    const auto read_tile = [&](int tile) {
        const int first = tile * a.config.tile, count = std::min(a.config.tile, n - first);
        a.tag.time = tile;
        const StepId key_tile = slice_rows(t, k, first, count, a.tag.as(Role::KeyTile));
        const StepId scores = tile_scores(t, a, q, key_tile, pattern, first);
        const StepId value_tile = slice_rows(t, values, first, count, a.tag.as(Role::ValueTile));
        running = add_tile(t, a, running, scores, value_tile);
        return running.output;
    };
    rounds(t, whole, read_tile);
    if (whole * a.config.tile < n) read_tile(whole);  // the last tile is smaller
    const StepId out = divide(t, running.output, running.sum, head.as(Role::HeadOutput));
    return a.config.is_off(std::max(head.head, 0)) ? scale(t, out, 0, head.as(Role::HeadSwitched)) : out;
}

void run_online(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const HeadParts parts = cut_heads(t, in, config, x);
    const Axis tokens{Axis::Kind::Tokens};
    const StepId pattern = mask_pattern(t, {in, config, {}}, {in.n(), in.n(), 0}, tokens, tokens);
    const std::vector<StepId> outputs = rounds_of_heads(t, in, config, [&](int h) {
        const Attend a{in, config, {Role::HeadOutput, config.heads == 1 ? kNoHead : h}, x};
        const auto at = static_cast<std::size_t>(h);
        return online_head(t, a, parts.queries[at], parts.keys[at], parts.values[at], pattern);
    });
    join_heads(t, in, outputs);
}

std::string online_formula(const AttentionConfig& config, Convention shown) {
    const bool columns = shown == Convention::Columns;
    const std::string sub = config.heads > 1 ? "_i" : "";
    const std::string share = "\\part{softmax}{\\frac{{\\o O" + sub + "}}{l" + sub + "}}";
    const std::string joined = config.heads > 1 ? "\\word{Concat}_i(" + share + ")" : share;
    const std::string step = columns ? "{\\v V_b} e^{{\\s S_b} - m}" : "e^{{\\s S_b} - m} {\\v V_b}";
    return std::string("{\\o Y} = \\part{output}{") + (columns ? "{\\o W^o}\\," + joined : joined + "\\,{\\o W_O}") +
           "}\\quad {\\o O} \\gets \\part{mix}{e^{m' - m} {\\o O} + " + step + "}";
}

std::string online_where(const AttentionConfig& config, Convention shown) {
    return "l \\gets e^{m' - m} l + \\sum e^{{\\s S_b} - m}\\quad m = \\max(m', {\\s S_b})\\quad " +
           multi_head_where(config, shown);
}

Refusals online_refuses(const AttentionConfig& config, const Form&) {
    const Score* score = find_score(score_of(config));
    if (!score || !score->factor)
        return {{"score", "computes products of queries and keys in tiles; take dot or scaled_dot"}};
    if (find_position(config.position)->kind == PositionKind::Relative)
        return {{"position", "has no weights that could be summed up by distance; take another position"}};
    return {};
}

}  // namespace

/// multi_head without ever holding the n×n matrix: a few keys at a time, with a running maximum, sum and output
/// [Milakov, Gimelshein 2018; Dao et al. 2022, alg. 1]. Time is the tile.
constexpr Form online = {
    .id = "online",
    .score = "scaled_dot",
    .formula = online_formula,
    .where = online_where,
    .source = "Dao et al. 2022",
    .reads = Reads::Heads | Reads::KeyHeads | Reads::Projections | Reads::Weights | Reads::Score | Reads::Mask | Reads::Position |
             Reads::Order | Reads::Tile,
    .run = run_online,
    .refuses = online_refuses,
};

}  // namespace attn::form
