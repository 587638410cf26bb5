#pragma once
// A cache of seeded matrices. They depend only on their key, and making them costs as much as a whole encoder block, so
// without it an edit of one number would wait for the weights that it did not change.

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "core/base/frozen_matrix.h"

namespace attn {

/// Caches the results of a pure function of (seed, name, rows, columns, spread). Thread-safe.
class SeedMemo {
public:
    /// The limit in bytes; beyond it the cache is cleared, and a matrix larger than a quarter of it is never cached.
    static constexpr std::size_t kMost = std::size_t{16} << 20;

    struct Key {
        std::uint64_t seed = 0;
        std::string name;
        int rows = 0, cols = 0;
        float spread = 1;
        auto tie() const { return std::tie(seed, name, rows, cols, spread); }
        bool operator<(const Key& other) const { return tie() < other.tie(); }
    };

    /// The cached matrix for this key, or the result of `make`, which is then cached.
    FrozenMatrix get(const Key& key, const std::function<Matrix()>& make);
    std::size_t bytes() const;

private:
    mutable std::mutex mutex_;
    std::map<Key, FrozenMatrix> values_;
    std::size_t bytes_ = 0;
};

}  // namespace attn
