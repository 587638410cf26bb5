#pragma once
// The cache of recomputed values, and the values that a thread has pinned. Internal to remake.

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/remake/remake.h"

namespace attn {

/// A least-recently-used cache of recomputed values. Thread-safe.
class RecomputedCache {
public:
    std::shared_ptr<const Matrix> find(const Recipe& of);
    void put(const Recipe& of, std::shared_ptr<const Matrix> value);
    /// Finds it again as long as somebody else holds it.
    void remember(const Recipe& of, const std::shared_ptr<const Matrix>& value);
    /// Keeps the value for as long as its step.
    void pin(const Recipe& of, std::shared_ptr<const Matrix> value);
    /// A few rows of a value that is not cached whole, as frames request the same ones again and again; null: not
    /// cached.
    std::shared_ptr<const Matrix> find_rows(const Recipe& of, Eigen::Index first, Eigen::Index count);
    void put_rows(const Recipe& of, Eigen::Index first, std::shared_ptr<const Matrix> rows);
    void forget(std::uint64_t number);
    std::size_t bytes();
    double budget();
    void set_budget(double bytes);

private:
    struct Entry {
        std::uint64_t number;
        std::shared_ptr<const Matrix> value;
    };
    struct Rows {
        std::uint64_t number;
        Eigen::Index first;
        std::shared_ptr<const Matrix> value;
    };
    /// Evicts down to the budget; the newest entry stays, however large it is.
    void fit();

    std::mutex mutex_;
    std::list<Entry> list_;
    std::unordered_map<std::uint64_t, std::list<Entry>::iterator> places_;
    std::list<Rows> rows_;
    std::size_t bytes_ = 0;
    double budget_ = usual_memory_budget();
};
/// At most this many numbers count as a few rows.
inline constexpr Eigen::Index kFewNumbers = Eigen::Index{1} << 18;
/// Outlives every recipe.
RecomputedCache& recomputed_cache();

/// What this thread has pinned (PinScope), and a small direct-mapped cache of the last lookups.
struct Looked {
    struct Pin {
        std::shared_ptr<const Matrix> value;
        int depth;
    };
    int depth = 0;
    std::unordered_map<std::uint64_t, Pin> pins;
    std::array<std::pair<std::uint64_t, const Matrix*>, 8> last{};
};
extern thread_local Looked looked;

}  // namespace attn
