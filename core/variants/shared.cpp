#include "core/variants/shared.h"

#include <algorithm>

#include "core/parts/position.h"
#include "core/parts/scope.h"
#include "core/parts/score.h"

namespace attn::variant {

Estimate operator+(Estimate a, Estimate b) { return {a.multiply_adds + b.multiply_adds, a.bytes + b.bytes}; }

namespace {

/// Values of n×m that one head keeps with this configuration.
double squares_per_head(const AttentionConfig& c) {
    double squares = 2;  // scores, weights
    if (score_of(c) == "scaled_dot") squares += 1;
    if (c.position == "relative") squares += 2;
    if (c.position == "alibi") squares += 2;
    if (c.scope != "global") squares += 1;
    if (c.scope == "local_p") squares += 1;
    if (c.mask != "none") squares += 1;
    if (c.selection == "top_k" || c.selection == "hard") squares += 1;
    return squares;
}

/// Patterns and bells that all heads share.
double shared_squares(const AttentionConfig& c) {
    return (c.mask != "none" ? 1.0 : 0.0) + (c.scope != "global" ? 2.0 : 0.0);
}

bool scores_pairs(const AttentionConfig& c) {
    const auto id = score_of(c);
    return id == "additive" || id == "concat" || id == "gat";
}

}  // namespace

Estimate scene_estimate(double m, double d) {
    constexpr double kThings = 16;  // at the most
    return {m * kThings * d, kThings * (m + d) * sizeof(float)};
}

Estimate attend_estimate(double n, double m, double d, const AttentionConfig& c) {
    const double heads = c.heads, width = d / heads, distances = 2.0 * c.relative_clip + 1;
    const double squares = heads * squares_per_head(c) + shared_squares(c);
    // Queries, keys, values, cut, turned and scored; contexts soft, bare, relative, gated, switched off.
    double cells = squares * n * m + 10 * n * d + 9 * m * d + 8 * (n + m) * heads + 2 * d * (heads + 2) + 4 * n * d;
    double work = 3 * n * m * d + 3 * squares * n * m + 12 * (n + m) * d + n * d;
    if (c.position == "relative") {
        cells += heads * (3 * distances * width + 2 * n * distances) + n * d;
        work += 3 * n * distances * d + heads * n * m + n * d;
    }
    if (find_score(score_of(c)) && find_score(score_of(c))->weighted) {
        cells += heads * (3 * width * width + 2 * width + width * m);
        work += 2 * (n + m) * width * d + n * m * d;
    }
    if (scores_pairs(c)) {
        cells += n * m * (4 * d + 3 * heads);
        work += n * m * (2 * width * d + 4 * d + 3 * heads);
    }
    if (c.scope == "local_p") {
        cells += d * d + 2 * n * d + 4 * n + d;
        work += n * d * d + 4 * n * d + n * m;
    }
    if (c.selection == "hard") work += n * m * d;
    return {work, cells * sizeof(float)};
}

StepId project(Trace& t, StepId x, const Projection& p, ProjectionRoles roles) {
    const Axis units{Axis::Kind::Units};
    const StepId weight = input(t, p.weight, {roles.weight}, t[x].cols, units, {p.source});
    if (p.bias.size() == 0) return matmul(t, x, weight, {roles.result});
    const StepId product = matmul(t, x, weight, {roles.product});
    const StepId bias = input(t, p.bias, {roles.bias}, units, units, {p.bias_source});
    return add_row(t, product, bias, {roles.result});
}

StepId head_block(Trace& t, StepId whole, int head, int heads, Tag tag) {
    if (heads == 1) return whole;
    const int width = static_cast<int>(t[whole].value.cols()) / heads;
    return slice(t, whole, head * width, width, tag.of_head(head));
}

namespace {

HeadParts cut(Trace& t, const AttentionConfig& c, Tag tag, Heads whole) {
    const int shared = c.key_heads();
    std::vector<StepId> keys, values;
    for (int g = 0; g < shared; ++g) {
        // One key head for all is not cut: the step of the whole is it. What is cut keeps its name: keys, or the cache.
        keys.push_back(head_block(t, whole.keys, g, shared, tag.as(t[whole.keys].tag.role)));
        values.push_back(head_block(t, whole.values, g, shared, tag.as(t[whole.values].tag.role)));
    }
    HeadParts parts;
    for (int h = 0; h < c.heads; ++h) {
        const auto group = static_cast<std::size_t>(h * shared / c.heads);
        parts.keys.push_back(keys[group]);
        parts.values.push_back(values[group]);
    }
    return parts;
}

}  // namespace

StepId attend_heads(Trace& t, const Attend& a, Heads whole) {
    const AttentionConfig& c = a.config;
    if (c.heads == 1) return attend(t, a, whole.queries, whole.keys, whole.values, Role::HeadOutput);
    const HeadParts parts = cut(t, c, a.tag, whole);
    std::vector<StepId> outputs;
    for (int h = 0; h < c.heads; ++h) {
        Attend one = a;
        one.tag.head = h;
        const auto at = static_cast<std::size_t>(h);
        const StepId q = head_block(t, whole.queries, h, c.heads, a.tag.as(Role::Queries));
        outputs.push_back(attend(t, one, q, parts.keys[at], parts.values[at], Role::HeadOutput));
    }
    return concat(t, outputs, a.tag.as(Role::Joined));
}

HeadParts cut_heads(Trace& t, const Inputs& in, const AttentionConfig& config, StepId x) {
    const StepId queries = project(t, x, in.query, kQuery);
    const StepId keys = project(t, x, in.key, kKey);
    const StepId values = project(t, x, in.value, kValue);
    HeadParts parts = cut(t, config, {}, {queries, keys, values});
    for (int h = 0; h < config.heads; ++h)
        parts.queries.push_back(head_block(t, queries, h, config.heads, {Role::Queries}));
    return parts;
}

StepId join_heads(Trace& t, const Inputs& in, const std::vector<StepId>& outputs) {
    const StepId joined = outputs.size() == 1 ? outputs[0] : concat(t, outputs, {Role::Joined});
    return project(t, joined, in.output, kOutput);
}

}  // namespace attn::variant
