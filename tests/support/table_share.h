#pragma once
// What share of a table a test covers.

#include <algorithm>
#include <cstdlib>

namespace test_support {

/// 1, or the value of ATTN_TABLE_SHARE: a test takes one in that many of the table's documents, or of the chapters'
/// pages. Meant for the sanitizers, under which each costs many times as much; all are covered without them.
inline int table_share() {
    const char* set = std::getenv("ATTN_TABLE_SHARE");
    return set ? std::max(1, std::atoi(set)) : 1;
}

}  // namespace test_support
