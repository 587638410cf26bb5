#include "core/attention/forms/shared.h"

#include <algorithm>


namespace attn::form {

int head_width(const AttentionConfig& config, int d) { return config.head_width > 0 ? config.head_width : d / config.heads; }

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

/// RMS norm of queries or keys if its gain is given: over all columns [OLMo 2], or of each head by itself [Dehghani et
/// al. 2023; Qwen3]. All heads share the gain, so it has the layer's tag.
StepId gained(Trace& t, const Inputs& in, const AttentionConfig& c, StepId x, Tag tag, Role gain, Role result) {
    if (in.parameters.empty() && !in.model) return x;  // nothing is given: skip building a name to look up
    const Tag shared = tag.of_head(kNoHead).as(gain);
    if (given_columns(in, shared) != t[x].value.cols()) return x;
    const StepId g = parameter(t, in, shared, 1, static_cast<int>(t[x].value.cols()), {}, {}, Fill::Ones);
    return rms_norm(t, x, g, tag.as(result), c.epsilon);
}

StepId gained_keys(Trace& t, const Inputs& in, const AttentionConfig& c, StepId x, Tag tag) {
    return gained(t, in, c, x, tag, Role::KeyGain, Role::NormedKeys);
}

HeadParts cut(Trace& t, const Inputs& in, const AttentionConfig& c, Tag tag, Heads whole) {
    const int shared = c.key_heads();
    std::vector<StepId> keys, values;
    keys.reserve(static_cast<std::size_t>(shared));
    values.reserve(static_cast<std::size_t>(shared));
    for (int g = 0; g < shared; ++g) {
        // A single key head is not cut: it is the step of the whole. A cut head keeps the role of the whole: keys, or
        // the cache.
        const StepId key = head_block(t, whole.keys, g, shared, tag.as(t[whole.keys].tag.role));
        keys.push_back(shared == 1 ? key : gained_keys(t, in, c, key, tag.of_head(g)));
        values.push_back(head_block(t, whole.values, g, shared, tag.as(t[whole.values].tag.role)));
    }
    HeadParts parts;
    parts.keys.reserve(static_cast<std::size_t>(c.heads));
    parts.values.reserve(static_cast<std::size_t>(c.heads));
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
    whole.queries = gained(t, a.in, c, whole.queries, a.tag, Role::QueryGain, Role::NormedQueries);
    whole.keys = gained_keys(t, a.in, c, whole.keys, a.tag);
    if (c.heads == 1) return attend(t, a, whole.queries, whole.keys, whole.values, Role::HeadOutput);
    begin_heads(t, c.heads, work_of_heads(a.in));
    const HeadParts parts = cut(t, a.in, c, a.tag, whole);
    const std::vector<StepId> outputs = rounds_of_heads(t, a.in, c, [&](int h) {
        Attend one = a;
        one.tag.head = h;
        const auto at = static_cast<std::size_t>(h);
        const StepId cut_out = head_block(t, whole.queries, h, c.heads, a.tag.as(Role::Queries));
        const StepId q = gained(t, a.in, c, cut_out, one.tag, Role::QueryGain, Role::NormedQueries);
        return attend(t, one, q, parts.keys[at], parts.values[at], Role::HeadOutput);
    });
    return concat(t, outputs, a.tag.as(Role::Joined));
}

HeadParts cut_heads(Trace& t, const Inputs& in, const AttentionConfig& config, StepId x) {
    const StepId queries = project(t, x, in.query, kQuery);
    const StepId keys = project(t, x, in.key, kKey);
    const StepId values = project(t, x, in.value, kValue);
    HeadParts parts = cut(t, in, config, {}, {queries, keys, values});
    for (int h = 0; h < config.heads; ++h)
        parts.queries.push_back(head_block(t, queries, h, config.heads, {Role::Queries}));
    return parts;
}

StepId join_heads(Trace& t, const Inputs& in, const std::vector<StepId>& outputs) {
    const StepId joined = outputs.size() == 1 ? outputs[0] : concat(t, outputs, {Role::Joined});
    return project(t, joined, in.output, kOutput);
}

}  // namespace attn::form
