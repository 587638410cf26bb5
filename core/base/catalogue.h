#pragma once
// The rows of one catalogue: scores, masks, positions, scopes, selections, forms. A row holds everything about its
// entry, so that no code outside the table compares ids.

#include <algorithm>
#include <cassert>
#include <span>
#include <string_view>
#include <vector>

namespace attn {

template <class Row>
class ScopedRow;

/// The program's own rows, which never change; a test may add one temporarily (ScopedRow).
template <class Row>
class Catalogue {
public:
    explicit Catalogue(std::span<const Row> own) {
        rows_.reserve(own.size() + kMore);
        rows_.assign(own.begin(), own.end());
    }
    Catalogue(const Catalogue&) = delete;
    Catalogue& operator=(const Catalogue&) = delete;

    std::span<const Row> rows() const { return rows_; }
    /// Null if there is none. The row's address stays valid while others are added.
    const Row* find(std::string_view id) const {
        const auto at = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.id == id; });
        return at == rows_.end() ? nullptr : &*at;
    }

private:
    friend class ScopedRow<Row>;
    static constexpr std::size_t kMore = 4;  // rows that can be added without moving the others
    std::vector<Row> rows_;
};

/// One more row at the end, for this object's lifetime, to test what a row provides without a separate file. No other
/// thread may compute meanwhile.
template <class Row>
class ScopedRow {
public:
    ScopedRow(Catalogue<Row>& table, const Row& row) : table_(table) {
        assert(table.rows_.size() < table.rows_.capacity() && !table.find(row.id));
        table.rows_.push_back(row);
    }
    ~ScopedRow() { table_.rows_.pop_back(); }
    ScopedRow(const ScopedRow&) = delete;
    ScopedRow& operator=(const ScopedRow&) = delete;

private:
    Catalogue<Row>& table_;
};

}  // namespace attn
