#include "core/remake/store.h"

#include <algorithm>

#include "core/base/memory.h"

namespace attn {
namespace {

std::size_t bytes_of(const Matrix& value) { return static_cast<std::size_t>(value.size()) * sizeof(float); }

}  // namespace

/// More than one frame requests, so that no frame recomputes them. At most 64 MiB (kFewNumbers each), usually far less.
constexpr std::size_t kMostRows = 64;

thread_local Looked looked;

double usual_memory_budget() {
    constexpr double kShare = 0.5, kLeast = 2.0 * (1u << 30);
    return std::max(kShare * all_memory(), kLeast);
}

std::shared_ptr<const Matrix> RecomputedCache::find(const Recipe& of) {
    const std::lock_guard lock(mutex_);
    if (of.pinned) return of.pinned;
    const auto at = places_.find(of.number);
    if (at == places_.end()) return of.made.lock();
    list_.splice(list_.begin(), list_, at->second);
    return at->second->value;
}

void RecomputedCache::put(const Recipe& of, std::shared_ptr<const Matrix> value) {
    const std::lock_guard lock(mutex_);
    of.made = value;
    bytes_ += bytes_of(*value);
    list_.push_front({of.number, std::move(value)});
    places_[of.number] = list_.begin();
    fit();
}

void RecomputedCache::remember(const Recipe& of, const std::shared_ptr<const Matrix>& value) {
    const std::lock_guard lock(mutex_);
    of.made = value;
}

void RecomputedCache::pin(const Recipe& of, std::shared_ptr<const Matrix> value) {
    const std::lock_guard lock(mutex_);
    of.pinned = std::move(value);
}

std::shared_ptr<const Matrix> RecomputedCache::find_rows(const Recipe& of, Eigen::Index first, Eigen::Index count) {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find_if(rows_, [&](const Rows& one) { return one.number == of.number && one.first == first && one.value->rows() == count; });
    if (at == rows_.end()) return nullptr;
    rows_.splice(rows_.begin(), rows_, at);
    return at->value;
}

void RecomputedCache::put_rows(const Recipe& of, Eigen::Index first, std::shared_ptr<const Matrix> rows) {
    const std::lock_guard lock(mutex_);
    rows_.push_front({of.number, first, std::move(rows)});
    if (rows_.size() > kMostRows) rows_.pop_back();
}

void RecomputedCache::forget(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    std::erase_if(rows_, [number](const Rows& one) { return one.number == number; });
    const auto at = places_.find(number);
    if (at == places_.end()) return;
    bytes_ -= bytes_of(*at->second->value);
    list_.erase(at->second);
    places_.erase(at);
}

std::size_t RecomputedCache::bytes() {
    const std::lock_guard lock(mutex_);
    return bytes_;
}

double RecomputedCache::budget() {
    const std::lock_guard lock(mutex_);
    return budget_;
}

void RecomputedCache::set_budget(double bytes) {
    const std::lock_guard lock(mutex_);
    budget_ = bytes;
    fit();
}

void RecomputedCache::fit() {
    while (static_cast<double>(bytes_) > 0.25 * budget_ && list_.size() > 1) {
        bytes_ -= bytes_of(*list_.back().value);
        places_.erase(list_.back().number);
        list_.pop_back();
    }
}

RecomputedCache& recomputed_cache() {
    static RecomputedCache& one = *new RecomputedCache;
    return one;
}

}  // namespace attn
