#pragma once
// Counts the rows of a file of attention that are not weights, map by map as they are read. Internal to attention_file.

#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "core/model/attention_file/given_attention.h"

namespace attn {

/// Thread-safe.
class RowChecks {
public:
    RowChecks(double tolerance, std::int64_t all_maps) : tolerance_(tolerance), all_maps_(all_maps) {}

    /// `number`: the stack's; `place`: the map's in it. A map that was read before is not counted again.
    void take(const AttentionStack& stack, int number, int place, const Matrix& map);
    CheckedRows seen() const;

private:
    using Place = std::tuple<int, int, int>;  // stack, map, row
    struct Counted {
        Place first;
        FaultyRows rows;
    };
    void count(RowFault fault, const AttentionStack& stack, const Place& at, double value);

    const double tolerance_;
    const std::int64_t all_maps_;
    mutable std::mutex mutex_;
    std::set<std::pair<int, int>> maps_;
    std::int64_t rows_ = 0;
    std::vector<Counted> faults_;
};

}  // namespace attn
