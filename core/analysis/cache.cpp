#include "core/analysis/cache.h"

#include <algorithm>

#include "core/ops/measure.h"

namespace attn {
namespace {

/// Keys or values that a layer reads: the cache, or at the first time the cache's input. Heads are slices of these.
bool is_cached(const Step& step) {
    if (step.tag.head != kNoHead) return false;
    const Role role = step.tag.role;
    const bool first = step.tag.time == 0 && (role == Role::Keys || role == Role::Values);
    return first || role == Role::CachedKeys || role == Role::CachedValues;
}

}  // namespace

std::vector<CachedPass> cached_passes(const Trace& trace) {
    std::vector<CachedPass> passes;
    if (!find(trace, {Role::Choice, kNoHead, kNoLayer, 0})) return passes;
    for (const Step& step : trace.steps) {
        if (step.tag.time == kNoTime || step.tag.pass != 0) continue;
        while (static_cast<int>(passes.size()) <= step.tag.time) passes.push_back({static_cast<int>(passes.size())});
        CachedPass& pass = passes[static_cast<std::size_t>(step.tag.time)];
        if (!is_cached(step)) continue;
        pass.tokens = static_cast<int>(step.value.rows());
        pass.cache_bytes += static_cast<double>(step.value.size()) * sizeof(float);
    }
    for (StepId id = 0; id < trace.size(); ++id) {
        const Step& step = trace[id];
        if (step.tag.time == kNoTime || step.tag.pass != 0) continue;
        CachedPass& pass = passes[static_cast<std::size_t>(step.tag.time)];
        const double done = cost(trace, id).multiply_adds;
        const bool one_row = pass.time > 0 && step.value.rows() == 1 && step.rows.kind == Axis::Kind::Tokens;
        pass.multiply_adds += done;
        pass.without_cache += one_row && !has_trait(step.tag.role, kPrediction) ? done * pass.tokens : done;
    }
    return passes;
}

}  // namespace attn
