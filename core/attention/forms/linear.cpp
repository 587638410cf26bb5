#include <algorithm>

#include "core/attention/forms/shared.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"

namespace attn::form {
namespace {

/// Σ_j φ(k_j)ᵀ v_j and Σ_j φ(k_j), once for all queries [Katharopoulos et al. 2020, eq. 6]
StepId all_at_once(Trace& t, Tag tag, StepId q, StepId keys, StepId values) {
    const StepId sums = matmul(t, keys, values, tag.as(Role::KeyValueSum));
    const StepId total = row_sum(t, keys, tag.as(Role::KeySum));
    const StepId top = matmul(t, q, sums, tag.as(Role::Numerator));
    const StepId bottom = matmul(t, q, total, tag.as(Role::Denominator));
    return divide(t, top, bottom, tag.as(Role::HeadOutput));
}

/// The sums grow by one key and value per token, and each query reads the sums up to its own token [ibid., eq. 9–12].
/// `keys` is φ(K)ᵀ: one column per token.
StepId token_by_token(Trace& t, Tag tag, StepId q, StepId keys, StepId values) {
    const Tag head = tag;
    StepId sums = kNoStep, total = kNoStep;
    const auto read_token = [&](int i) {
        tag.time = i;
        const StepId key = slice(t, keys, i, 1, tag.as(Role::KeyRow));
        const StepId value = slice_rows(t, values, i, 1, tag.as(Role::ValueRow));
        const StepId step = matmul(t, key, value, tag.as(Role::KeyValueStep));
        sums = sums == kNoStep ? step : add(t, sums, step, tag.as(Role::KeyValueSum));
        total = total == kNoStep ? key : add(t, total, key, tag.as(Role::KeySum));
        const StepId query = slice_rows(t, q, i, 1, tag.as(Role::QueryRow));
        const StepId top = matmul(t, query, sums, tag.as(Role::Numerator));
        const StepId bottom = matmul(t, query, total, tag.as(Role::Denominator));
        return divide(t, top, bottom, tag.as(Role::HeadOutput));
    };
    const std::vector<StepId> outputs = rounds(t, static_cast<int>(t[q].value.rows()), read_token);
    return stack(t, outputs, head.as(Role::HeadOutput));
}

/// Below this, elu(x) + 1 is so small that products of two such numbers may underflow float32.
constexpr float kFaint = -16;

/// For all heads together, so that they have the same steps.
bool any_faint(const Trace& t, const HeadParts& parts) {
    const auto is_faint = [&t](StepId id) { return (t[id].value.array() < kFaint).any(); };
    return std::any_of(parts.queries.begin(), parts.queries.end(), is_faint) ||
           std::any_of(parts.keys.begin(), parts.keys.end(), is_faint);
}

/// An upper bound of the numbers in x W + b: the longest row of x times the longest column of W.
float bound(const Matrix& x, const Projection& p) {
    const float bias = p.bias.size() == 0 ? 0.0f : p.bias.cwiseAbs().maxCoeff();
    return x.rowwise().norm().maxCoeff() * p.weight.colwise().norm().maxCoeff() + bias;
}

/// Predicts any_faint() for a run with these inputs. The projections are computed only if the bound allows numbers
/// below kFaint.
bool will_be_faint(const Inputs& in, const AttentionConfig& config) {
    Trace t;
    t.edits = in.edits;
    const StepId x = embed(t, in, config);
    constexpr float kSure = 0.999f;  // margin for rounding
    const float largest = std::max(bound(t[x].value, in.query), bound(t[x].value, in.key));
    if (in.edits.empty() && largest < -kFaint * kSure) return false;
    return any_faint(t, cut_heads(t, in, config, x));
}

/// φ of very small numbers, as powers of e. Each feature of the keys is divided by its largest value, m_f, and the
/// queries are multiplied by it; each query is then divided by its own largest feature. Both factors are in the
/// numerator and the denominator, so the result is the same, and the largest of all summands is 1.
struct Exponents {
    StepId queries, keys_above;  ///< log φ: n×d, and d×m
};
Exponents exponents(Trace& t, Tag tag, StepId queries, StepId keys) {
    const StepId q = activate(t, queries, Activation::LogEluPlusOne, tag.as(Role::QueryExponents));
    const StepId k = activate(t, keys, Activation::LogEluPlusOne, tag.as(Role::KeyExponents));
    return {q, transpose(t, k, tag.as(Role::KeyExponentsTransposed))};
}
/// e^(log φ(q) + m − the row's largest) of some queries; `maxima` is d×1.
StepId lifted_queries(Trace& t, Tag tag, StepId queries, StepId maxima) {
    const StepId across = transpose(t, maxima, tag.as(Role::KeyMaximaTransposed));
    const StepId lifted = add_row(t, queries, across, tag.as(Role::LiftedExponents));
    const StepId largest = row_max(t, lifted, kNoStep, tag.as(Role::QueryMaximum));
    return exp_shift(t, lifted, largest, tag.as(Role::FeatureQueries));
}

StepId faint_at_once(Trace& t, Tag tag, Exponents e, StepId values) {
    const StepId maxima = row_max(t, e.keys_above, kNoStep, tag.as(Role::KeyMaxima));
    const StepId keys = exp_shift(t, e.keys_above, maxima, tag.as(Role::FeatureKeysTransposed));
    return all_at_once(t, tag, lifted_queries(t, tag, e.queries, maxima), keys, values);
}

/// The running maximum grows with the tokens, and the sums so far are scaled down with it, as in online softmax.
StepId faint_token_by_token(Trace& t, Tag tag, Exponents e, StepId values) {
    const Tag head = tag;
    StepId sums = kNoStep, total = kNoStep, maxima = kNoStep;
    const auto read_token = [&](int i) {
        tag.time = i;
        const StepId exponent = slice(t, e.keys_above, i, 1, tag.as(Role::KeyExponents));
        const StepId before = maxima;
        maxima = row_max(t, exponent, before, tag.as(Role::KeyMaxima));
        const StepId key = exp_shift(t, exponent, maxima, tag.as(Role::KeyRow));
        const StepId value = slice_rows(t, values, i, 1, tag.as(Role::ValueRow));
        const StepId step = matmul(t, key, value, tag.as(Role::KeyValueStep));
        if (before == kNoStep) {
            sums = step;
            total = key;
        } else {
            const StepId decay = exp_shift(t, before, maxima, tag.as(Role::Decay));
            sums = add(t, multiply(t, sums, decay, tag.as(Role::DecayedOutput)), step, tag.as(Role::KeyValueSum));
            total = add(t, multiply(t, total, decay, tag.as(Role::DecayedSum)), key, tag.as(Role::KeySum));
        }
        const StepId own = slice_rows(t, e.queries, i, 1, tag.as(Role::QueryExponents));
        const StepId query = lifted_queries(t, tag, own, maxima);
        const StepId top = matmul(t, query, sums, tag.as(Role::Numerator));
        const StepId bottom = matmul(t, query, total, tag.as(Role::Denominator));
        return divide(t, top, bottom, tag.as(Role::HeadOutput));
    };
    const std::vector<StepId> outputs = rounds(t, static_cast<int>(t[e.queries].value.rows()), read_token);
    return stack(t, outputs, head.as(Role::HeadOutput));
}

StepId plain_head(Trace& t, Tag tag, bool causal, StepId queries, StepId keys, StepId values) {
    const StepId q = activate(t, queries, Activation::EluPlusOne, tag.as(Role::FeatureQueries));
    const StepId k = activate(t, keys, Activation::EluPlusOne, tag.as(Role::FeatureKeys));
    const StepId above = transpose(t, k, tag.as(Role::FeatureKeysTransposed));
    return causal ? token_by_token(t, tag, q, above, values) : all_at_once(t, tag, q, above, values);
}

StepId faint_head(Trace& t, Tag tag, bool causal, StepId queries, StepId keys, StepId values) {
    const Exponents e = exponents(t, tag, queries, keys);
    return causal ? faint_token_by_token(t, tag, e, values) : faint_at_once(t, tag, e, values);
}

StepId linear_head(Trace& t, const AttentionConfig& config, Tag tag, bool faint, const HeadParts& parts) {
    const bool causal = find_mask(config.mask)->causal;
    const auto at = static_cast<std::size_t>(std::max(tag.head, 0));
    const StepId out = (faint ? faint_head : plain_head)(t, tag, causal, parts.queries[at], parts.keys[at], parts.values[at]);
    return config.is_off(std::max(tag.head, 0)) ? scale(t, out, 0, tag.as(Role::HeadSwitched)) : out;
}

void run_linear(Trace& t, const Inputs& in, const AttentionConfig& config) {
    const StepId x = embed(t, in, config);
    const HeadParts parts = cut_heads(t, in, config, x);
    const bool faint = !t.shapes ? any_faint(t, parts) : in.numbers && will_be_faint(in.numbers(), config);
    const std::vector<StepId> outputs = rounds_of_heads(t, in, config, [&](int h) {
        const Tag tag{Role::HeadOutput, config.heads == 1 ? kNoHead : h};
        return linear_head(t, config, tag, faint, parts);
    });
    join_heads(t, in, outputs);
}

std::string linear_formula(const AttentionConfig& config, Convention shown) {
    const bool columns = shown == Convention::Columns, causal = find_mask(config.mask)->causal;
    const std::string_view below = causal ? "j \\le i" : "j";
    const std::string pair = columns ? "{\\v v_j} \\phi({\\k k_j})^T" : "\\phi({\\k k_j})^T {\\v v_j}";
    const std::string sums = "\\sum_{" + std::string(below) + "} " + pair;
    const std::string top = columns ? "(" + sums + ") \\phi({\\q q_i})" : "\\phi({\\q q_i}) " + sums;
    const std::string bottom = "\\phi({\\q q_i}) \\cdot \\sum_{" + std::string(below) + "} \\phi({\\k k_j})";
    const std::string share = "\\part{mix}{\\frac{" + top + "}{" + bottom + "}}";
    const std::string joined = config.heads > 1 ? "\\word{Concat}_h(" + share + ")" : share;
    return "{\\o y_i} = \\part{output}{" + (columns ? "{\\o W^o}\\," + joined : joined + "\\,{\\o W_O}") + "}";
}

std::string linear_where(const AttentionConfig& config, Convention shown) {
    return "\\part{scores}{\\phi(x) = \\word{elu}(x) + 1}\\quad " + multi_head_where(config, shown);
}

Refusals linear_refuses(const AttentionConfig& config, const Form&) {
    const Mask& mask = *find_mask(config.mask);
    if (mask.pattern && !mask.causal)
        return {{"mask",
                 "sums keys up before it knows the query, so it can leave out only later tokens; take none or causal"}};
    const PositionKind kind = find_position(config.position)->kind;
    if (kind != PositionKind::None && kind != PositionKind::Added)
        return {{"position", "has no scores that a position could act on; take none, sinusoidal or learned"}};
    return {};
}

}  // namespace

/// φ(q_i) Σ_j φ(k_j)ᵀ v_j over φ(q_i)·Σ_j φ(k_j), φ(x) = elu(x) + 1: no softmax, and no n×n matrix. If causal, the sums
/// grow token by token, which makes it a recurrent network; time is the token. [Katharopoulos et al. 2020]
constexpr Form linear = {
    .id = "linear",
    .score = "",
    .formula = linear_formula,
    .where = linear_where,
    .source = "Katharopoulos et al. 2020",
    .reads = Reads::Heads | Reads::KeyHeads | Reads::Projections | Reads::Weights | Reads::Mask | Reads::Position | Reads::Order,
    .run = run_linear,
    .refuses = linear_refuses,
    .scores = {"\\phi({\\q Q})\\,\\phi({\\k K})"},
};

}  // namespace attn::form
