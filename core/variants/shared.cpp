#include "core/variants/shared.h"

#include <algorithm>


namespace attn::variant {

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
    const std::vector<StepId> outputs = rounds_of_heads(t, a.in, c, [&](int h) {
        Attend one = a;
        one.tag.head = h;
        const auto at = static_cast<std::size_t>(h);
        const StepId q = head_block(t, whole.queries, h, c.heads, a.tag.as(Role::Queries));
        return attend(t, one, q, parts.keys[at], parts.values[at], Role::HeadOutput);
    });
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
