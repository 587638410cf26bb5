#include "app/state/runner.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace app {
namespace {

/// More multiply-adds than this (about a millisecond) go to the thread.
constexpr double kWorkAtOnce = 2e6;

/// Smaller matrices are looked at cell by cell: their colours span all of them.
constexpr Eigen::Index kManyCells = 2048;
/// Enough to know where nearly all of them lie; so many are sorted, evenly chosen.
constexpr Eigen::Index kSampled = 1 << 15;
constexpr double kNearlyAll = 0.99;
/// Colours end before the largest number only where that makes the others twice as strong.
constexpr float kFarBeyond = 2;

/// Below which nearly all finite numbers of a large matrix lie, as distances from 0; 0: that is no different from all.
/// Zeros are left out: what is masked says nothing of what is seen.
float bulk_of(const attn::Matrix& value, float largest) {
    if (value.size() < kManyCells) return 0;
    const Eigen::Index every = std::max<Eigen::Index>(1, value.size() / kSampled) | 1;  // no column is favoured
    std::vector<float> seen;
    seen.reserve(static_cast<std::size_t>(value.size() / every + 1));
    for (Eigen::Index i = 0; i < value.size(); i += every)
        if (const float v = std::abs(value.data()[i]); std::isfinite(v) && v > 0) seen.push_back(v);
    if (seen.empty()) return 0;
    const auto at = seen.begin() + static_cast<std::ptrdiff_t>(kNearlyAll * static_cast<double>(seen.size() - 1));
    std::nth_element(seen.begin(), at, seen.end());
    return *at * kFarBeyond < largest ? *at : 0;
}

StepRange range_of(const attn::Matrix& value) {
    StepRange range;
    bool first = true;
    for (Eigen::Index i = 0; i < value.size(); ++i) {
        const float v = value.data()[i];
        if (!std::isfinite(v)) continue;
        range.low = first ? v : std::min(range.low, v);
        range.high = first ? v : std::max(range.high, v);
        first = false;
    }
    range.bulk = bulk_of(value, range.largest());
    return range;
}

/// What cannot be run is told at once.
bool can_wait_for(const attn::Document& doc) {
    return !attn::problems(doc).empty() || attn::work_of(doc) <= kWorkAtOnce;
}

Outcome outcome_of(const attn::Document& document, const std::stop_token& stop = {}) {
    auto run = attn::run(document, stop);
    if (!run) return {nullptr, run.error()};
    return {compute_all(std::move(*run), stop), std::nullopt};
}

}  // namespace

std::shared_ptr<const Computed> compute_all(attn::Run run, const std::stop_token& stop) {
    auto computed = std::make_shared<Computed>();
    computed->run = std::move(run);
    for (const attn::Step& step : computed->run.trace.steps) {
        if (stop.stop_requested()) return nullptr;
        computed->ranges.push_back(range_of(step.value));
    }
    return computed;
}

std::optional<Outcome> DocumentRunner::ask(const attn::Document& document) {
    if (can_wait_for(document)) {
        drop();
        return outcome_of(document);
    }
    newest_.ask([document](const std::stop_token& stop) { return outcome_of(document, stop); });
    return std::nullopt;
}

}  // namespace app
