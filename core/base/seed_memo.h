#pragma once
// Seeded matrices made once. They depend on nothing but their key, and making them costs as much as a whole encoder
// block, so that an edit of one number would wait for the weights that it left alone.

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "core/base/frozen_matrix.h"

namespace attn {

/// Remembers the results of a pure function of (seed, name, rows, columns, spread). Safe to use from several threads.
class SeedMemo {
public:
    /// Together, in bytes; beyond it all are forgotten, and a matrix of more than a quarter of it is never kept.
    static constexpr std::size_t kMost = std::size_t{16} << 20;

    struct Key {
        std::uint64_t seed = 0;
        std::string name;
        int rows = 0, cols = 0;
        float spread = 1;
        auto tie() const { return std::tie(seed, name, rows, cols, spread); }
        bool operator<(const Key& other) const { return tie() < other.tie(); }
    };

    /// What `make` returns for this key: called once for each key that is still remembered.
    FrozenMatrix get(const Key& key, const std::function<Matrix()>& make);
    std::size_t bytes() const;

private:
    mutable std::mutex mutex_;
    std::map<Key, FrozenMatrix> kept_;
    std::size_t bytes_ = 0;
};

}  // namespace attn
