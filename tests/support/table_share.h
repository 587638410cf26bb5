#pragma once
// What share of a table a test covers.

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace test_support {

/// 1, or the value of ATTN_TABLE_SHARE: a test takes one in that many of the table's documents, or of the chapters'
/// pages. Meant for the sanitizers, under which each costs many times as much; all are covered without them.
inline int table_share() {
    const char* set = std::getenv("ATTN_TABLE_SHARE");
    return set ? std::max(1, std::atoi(set)) : 1;
}

/// Takes one in table_share() of a table's rows; `first` is different for each test, so that together they take more of them.
class TableShare {
public:
    explicit TableShare(std::size_t first) : at_(first) {}
    bool takes_next() { return at_++ % static_cast<std::size_t>(table_share()) == 0; }

private:
    std::size_t at_;
};

}  // namespace test_support
