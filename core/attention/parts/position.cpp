#include "core/attention/parts/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/attention/form.h"
#include "core/attention/parts/parameter.h"
#include "core/attention/parts/patches.h"
#include "core/attention/parts/score.h"
#include "core/model/model.h"
#include "core/ops/ops.h"

namespace attn {
namespace {

/// Positions in two different texts cannot be compared.
Refusals refuse_two(const Form& form) {
    if (has(form.reads, Reads::Order)) return {};
    return {{"position",
             fmt::format("compares places of one sequence, but the form \"{}\" has two; take another position", form.id)}};
}

Refusals refuse_rotated(const AttentionConfig& c, const Form& form) {
    Refusals out = refuse_two(form);
    const Score* score = find_score(score_of(c));
    if (score && !score->inner_product)
        out.push_back({"position", fmt::format("rotates queries and keys, which only an inner product notices; the score is \"{}\"",
                                               score->id)});
    return out;
}

/// The slopes are defined only for a power of two of heads.
Refusals refuse_biased(const AttentionConfig& c, const Form& form) {
    Refusals out = refuse_two(form);
    if (!std::has_single_bit(static_cast<unsigned>(c.heads)))
        out.push_back({"position", fmt::format("needs 1, 2, 4, 8 or 16 heads, for its slopes; heads is {}", c.heads)});
    return out;
}

Refusals refuse_bucketed(const AttentionConfig&, const Form& form) { return refuse_two(form); }

/// q·(k + a) = q·k + q·a holds only if nothing else is done to q and k.
Refusals refuse_relative(const AttentionConfig& c, const Form& form) {
    Refusals out = refuse_two(form);
    const Score* score = find_score(score_of(c));
    if (!score || score->factor) return out;
    std::vector<std::string_view> plain;
    for (const Score& other : scores())
        if (other.factor) plain.push_back(other.id);
    out.push_back({"position", fmt::format("is defined for the scores {}; the score is \"{}\"", fmt::join(plain, " and "),
                                           score->id)});
    return out;
}

constexpr std::array<std::string_view, 12> kRotaryFields = {
    "rope_base",     "rope_share",     "rope_factor", "rope_original",   "rope_low",       "rope_high",
    "rope_pair_low", "rope_pair_high", "rope_length", "local_rope_base", "unplaced_every", "unplaced_first"};

constexpr std::array kPositions = {
    Position{.id = "none", .kind = PositionKind::None},
    Position{.id = "sinusoidal", .kind = PositionKind::Added, .source = "Vaswani et al. 2017", .encoding = sinusoidal},
    Position{.id = "sinusoidal_half",
             .kind = PositionKind::Added,
             .source = "Vaswani et al. 2017; Marian in Hugging Face",
             .encoding = sinusoidal_half},
    Position{.id = "learned", .kind = PositionKind::Added, .source = "Gehring et al. 2017"},
    Position{
        .id = "rope",
        .kind = PositionKind::Rotated,
        .source = "Su et al. 2021",
        .fields = kRotaryFields,
        .refuses = refuse_rotated,
    },
    Position{
        .id = "rope_half",
        .kind = PositionKind::Rotated,
        .source = "Su et al. 2021; Llama in Hugging Face",
        .half_pairs = true,
        .fields = kRotaryFields,
        .refuses = refuse_rotated,
    },
    Position{
        .id = "alibi",
        .kind = PositionKind::Biased,
        .source = "Press et al. 2022",
        .behind_scores = " - m_i |p - p'|",
        .symbol = "-m|i-j|",
        .fields = {"unplaced_every", "unplaced_first"},
        .refuses = refuse_biased,
    },
    Position{
        .id = "relative",
        .kind = PositionKind::Relative,
        .source = "Shaw et al. 2018",
        .in_scores = " + R",
        .fields = {"relative_clip", "unplaced_every", "unplaced_first"},
        .refuses = refuse_relative,
    },
    Position{
        .id = "relative_bias",
        .kind = PositionKind::Bucketed,
        .source = "Raffel et al. 2020",
        .behind_scores = " + B_i",
        .symbol = "+B_i",
        .fields = {"bias_buckets", "bias_distance", "unplaced_every", "unplaced_first"},
        .refuses = refuse_bucketed,
    },
};

/// A region's vector is Σ share · vector of the thing.
StepId embed_scene(Trace& t, const Inputs& in, Tag tag) {
    const Axis regions{Axis::Kind::SourceTokens}, things{Axis::Kind::Things}, features{Axis::Kind::Features};
    const StepId shares = input(t, in.region_shares, tag.as(Role::RegionShares), regions, things, {Source::Scene});
    const StepId vectors = input(t, in.thing_vectors, tag.as(Role::ThingVectors), things, features, in.thing_sources);
    return matmul(t, shares, vectors, tag);
}

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

Matrix sinusoidal_half(int n, int d) {
    const Matrix pairs = sinusoidal(n, d);
    const int sines = (d + 1) / 2;
    Matrix out(n, d);
    for (int f = 0; f < d; ++f) out.col(f) = pairs.col(f < sines ? 2 * f : 2 * (f - sines) + 1);
    return out;
}

int bias_bucket(int offset, bool both, int buckets, int farthest) {
    const int own = both ? buckets / 2 : buckets, base = both && offset > 0 ? own : 0;
    const int distance = std::min(both ? std::abs(offset) : std::max(-offset, 0), farthest), near = std::max(own / 2, 1);
    if (distance < near) return base + distance;
    if (farthest <= near || own <= near) return base + own - 1;
    constexpr double kRounding = 1e-9;  // keeps a logarithm that is a whole number whole
    const double share = std::log(static_cast<double>(distance) / near) / std::log(static_cast<double>(farthest) / near);
    return base + std::min(own - 1, near + static_cast<int>(share * (own - near) + kRounding));
}

Matrix distance_bias(int queries, int keys, int first, int head, int heads) {
    const double slope = std::pow(2.0, -8.0 * (head + 1) / heads);
    Matrix bias(queries, keys);
    for (int i = 0; i < queries; ++i)
        for (int j = 0; j < keys; ++j) bias(i, j) = static_cast<float>(-slope * std::abs(first + i - j)) + 0.0f;
    return bias;
}

Catalogue<Position>& position_catalogue() {
    static Catalogue<Position> table(kPositions);
    return table;
}

std::span<const Position> positions() { return position_catalogue().rows(); }
const Position* find_position(std::string_view id) { return position_catalogue().find(id); }

bool has_position(const Attend& a, PositionKind kind) {
    return a.positioned && a.position && a.position->kind == kind;
}

StepId embed_vectors(Trace& t, const Inputs& in, Part part) {
    const bool source = part != Part::Main;
    const Axis tokens{source ? Axis::Kind::SourceTokens : Axis::Kind::Tokens}, features{Axis::Kind::Features};
    const Tag tag{Role::Embeddings, kNoHead, kNoLayer, kNoTime, part};
    if (source && !in.things.empty()) return embed_scene(t, in, tag);
    if (!source && has_patches(in)) return embed_patches(t, in, tag);
    return input(t, source ? in.source_x : in.x, tag, tokens, features, source ? in.source_x_sources : in.x_sources);
}

StepId position_table(Trace& t, const Inputs& in, const AttentionConfig& config, int n, Axis rows, Tag tag) {
    const Position* rule = find_position(config.position);
    // A model may have numbers for distances and a table of places, too [Song et al. 2020].
    const bool beside = rule && rule->kind == PositionKind::Bucketed && in.model && in.model->has(step_name({Role::BucketValues})) && is_given(in, tag);
    if (!rule || (rule->kind != PositionKind::Added && !beside)) return kNoStep;
    const Axis features{Axis::Kind::Features};
    if (has_patches(in) && is_given(in, tag.as(Role::StoredPositions))) {
        const PictureInput& how = *in.picture_model->picture;
        const int stored = how.before - how.registers + how.stored_columns * how.stored_rows;
        const StepId table = parameter(t, in, tag.as(Role::StoredPositions), stored, in.d(), {}, features, Fill::Table);
        const StepId shares = input(t, n, stored, [how] { return position_shares(how); }, tag.as(Role::PositionShares), rows, {}, {Source::Formula});
        return matmul(t, shares, table, tag);
    }
    if (rule->encoding)
        return input(t, n, in.d(), [&] { return rule->encoding(n, in.d()); }, tag, rows, features, {Source::Formula});
    return parameter(t, in, tag, n, in.d(), rows, features, Fill::Table);
}

StepId position_row(Trace& t, const AttentionConfig& config, int width, int place, Tag tag) {
    const Position* rule = find_position(config.position);
    if (!rule || rule->kind != PositionKind::Added || !rule->encoding) return kNoStep;
    const auto row = [&] { return Matrix(rule->encoding(place + 1, width).bottomRows(1)); };
    return input(t, 1, width, row, tag, {Axis::Kind::Tokens, place}, {Axis::Kind::Features}, {Source::Formula});
}

StepId embed(Trace& t, const Inputs& in, const AttentionConfig& config, Part part) {
    const StepId x = embed_vectors(t, in, part);
    const Tag tag = t[x].tag;
    const auto n = static_cast<int>(t[x].value.rows());
    const StepId places = position_table(t, in, config, n, t[x].rows, tag.as(Role::Positions));
    return places == kNoStep ? x : add(t, x, places, tag.as(Role::Inputs));
}

namespace {

/// The roles if only some columns of the queries (or keys) are rotated: those columns, the same rotated and scaled, and
/// the rest.
struct PartRoles {
    Role rotary, rotated, lengthened, plain;
};

PartRoles part_roles(Role result) {
    if (result == Role::RotatedQueries) return {Role::RotaryQueries, Role::RotatedQueryPairs, Role::LengthenedQueries, Role::PlainQueries};
    return {Role::RotaryKeys, Role::RotatedKeyPairs, Role::LengthenedKeys, Role::PlainKeys};
}

}  // namespace

int rotary_columns(const AttentionConfig& config, int width) {
    return static_cast<int>(static_cast<float>(width) * config.rope_share + 0.001f);  // 0.3 · 10 is 3
}

StepId rotate_places(Trace& t, const Attend& a, StepId from, int first_position, Role result) {
    if (!has_position(a, PositionKind::Rotated)) return from;
    const AttentionConfig& c = a.config;
    const auto width = static_cast<int>(t[from].value.cols());
    const int rotary = rotary_columns(c, width);
    const PartRoles roles = part_roles(result);
    const RotarySlowing slowing{c.rope_factor, c.rope_low, c.rope_high, c.rope_pair_low, c.rope_pair_high, c.rope_original};
    const bool longer = c.rope_length != 1;
    const auto rotated = [&](StepId x, Role last) {
        const StepId made = rotate(t, x, first_position, a.position->half_pairs,
                                   a.tag.as(longer ? roles.rotated : last), c.rope_base, false, slowing);
        return longer ? scale(t, made, c.rope_length, a.tag.as(last)) : made;
    };
    if (rotary == width) return rotated(from, result);
    const StepId part = rotated(slice(t, from, 0, rotary, a.tag.as(roles.rotary)), longer ? roles.lengthened : roles.rotated);
    const StepId rest = slice(t, from, rotary, width - rotary, a.tag.as(roles.plain));
    return concat(t, {part, rest}, a.tag.as(result));
}

StepId add_relative_scores(Trace& t, const Attend& a, StepId queries, StepId scores) {
    if (!has_position(a, PositionKind::Relative)) return scores;
    const int clip = a.config.relative_clip, keys = static_cast<int>(t[scores].value.cols());
    const auto width = static_cast<int>(t[queries].value.cols());
    const StepId table = parameter(t, a.in, a.tag.as(Role::RelativeKeys), 2 * clip + 1, width,
                                   {Axis::Kind::Distances, -clip}, t[queries].cols, Fill::Table);
    const StepId above = transpose(t, table, a.tag.as(Role::RelativeKeysTransposed));
    const StepId products = matmul(t, queries, above, a.tag.as(Role::RelativeProducts));
    const StepId relative =
        spread(t, products, clip, a.first_query, keys, t[scores].cols, a.tag.as(Role::RelativeScores));
    return add(t, scores, relative, a.tag.as(Role::ScoreSum));
}

StepId add_distance_bias(Trace& t, const Attend& a, StepId scores) {
    if (!has_position(a, PositionKind::Biased)) return scores;
    const auto n = static_cast<int>(t[scores].value.rows()), m = static_cast<int>(t[scores].value.cols());
    const int head = std::max(a.tag.head, 0);
    const StepId bias = input(
        t, n, m, [&] { return distance_bias(n, m, a.first_query, head, a.config.heads); }, a.tag.as(Role::DistanceBias),
        t[scores].rows, t[scores].cols, {Source::Formula});
    return add(t, scores, bias, a.tag.as(Role::Biased));
}

namespace {

/// H×(2k+1): the bias of each head at each distance, the same in all layers of a part.
StepId distance_values(Trace& t, const Attend& a, int reach) {
    const Tag tag{Role::DistanceValues, kNoHead, kNoLayer, kNoTime, a.tag.part};
    if (const StepId there = find_recent(t, tag); there != kNoStep) return there;
    const AttentionConfig& c = a.config;
    const Axis distances{Axis::Kind::Distances, -reach};
    const StepId table = parameter(t, a.in, tag.as(Role::BucketValues), c.bias_buckets, c.heads, {}, {}, Fill::Table);
    const StepId above = transpose(t, table, tag.as(Role::BucketValuesTransposed));
    const auto one_hot = [&] {
        Matrix out = Matrix::Zero(c.bias_buckets, 2 * reach + 1);
        for (int p = 0; p <= 2 * reach; ++p) out(bias_bucket(p - reach, !a.causal, c.bias_buckets, reach), p) = 1;
        return out;
    };
    const StepId shares = input(t, c.bias_buckets, 2 * reach + 1, one_hot, tag.as(Role::BucketShares), {}, distances, {Source::Formula});
    return matmul(t, above, shares, tag);
}

}  // namespace

StepId add_bucket_bias(Trace& t, const Attend& a, StepId scores) {
    if (!has_position(a, PositionKind::Bucketed)) return scores;
    const Tag tag{Role::BucketBias, a.tag.head, kNoLayer, a.tag.time, a.tag.part};
    StepId bias = find_recent(t, tag);
    if (bias == kNoStep) {
        const int reach = a.config.bias_distance, heads = a.config.heads, head = std::max(a.tag.head, 0);
        const auto n = static_cast<int>(t[scores].value.rows()), m = static_cast<int>(t[scores].value.cols());
        const StepId values = distance_values(t, a, reach);
        const auto which = [&] {
            Matrix out = Matrix::Zero(n, heads);
            out.col(head).setOnes();
            return out;
        };
        const StepId own = input(t, n, heads, which, tag.as(Role::HeadShares), t[scores].rows, {}, {Source::Formula});
        const StepId rows = matmul(t, own, values, tag.as(Role::HeadDistanceValues));
        bias = spread(t, rows, reach, a.first_query, m, t[scores].cols, tag);
    }
    return add(t, scores, bias, a.tag.as(Role::BucketBiased));
}

}  // namespace attn
