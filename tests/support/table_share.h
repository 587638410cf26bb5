#pragma once
// How much of what is looked at row by row a test looks at.

#include <algorithm>
#include <cstdlib>

namespace test_support {

/// 1, or what ATTN_TABLE_SHARE says: of the table's documents, and of the chapters' pages, a test takes one in so many. For
/// the sanitizers, where each costs many times as much and all of them have been looked at without.
inline int table_share() {
    const char* set = std::getenv("ATTN_TABLE_SHARE");
    return set ? std::max(1, std::atoi(set)) : 1;
}

}  // namespace test_support
