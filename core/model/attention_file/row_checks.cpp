#include "core/model/attention_file/row_checks.h"

#include <algorithm>

namespace attn {

void RowChecks::count(RowFault fault, const AttentionStack& stack, const Place& at, double value) {
    auto known = std::find_if(faults_.begin(), faults_.end(), [fault](const Counted& one) { return one.rows.fault == fault; });
    if (known == faults_.end()) known = faults_.insert(known, {at, {fault, 0, stack.part, 0, 0, 0, 0}});
    const std::int64_t before = known->rows.count++;
    // Maps are read in any order; the first row is the first in the file.
    if (before > 0 && known->first < at) return;
    const auto [number, map, row] = at;
    known->first = at;
    known->rows.part = stack.part;
    known->rows.layer = stack.numbers[static_cast<std::size_t>(map / stack.heads)];
    known->rows.head = map % stack.heads;
    known->rows.row = row;
    known->rows.value = value;
}

void RowChecks::take(const AttentionStack& stack, int number, int place, const Matrix& map) {
    std::vector<RowCheck> rows;
    for (Eigen::Index r = 0; r < map.rows(); ++r) rows.push_back(check_row(map.row(r).data(), static_cast<std::size_t>(map.cols()), tolerance_));
    const std::lock_guard lock(mutex_);
    if (!maps_.insert({number, place}).second) return;
    rows_ += map.rows();
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const Place at{number, place, static_cast<int>(r)};
        if (rows[r].sum) count(RowFault::Sum, stack, at, rows[r].total);
        if (rows[r].negative) count(RowFault::Negative, stack, at, static_cast<double>(rows[r].worst));
        if (rows[r].not_finite) count(RowFault::NotFinite, stack, at, static_cast<double>(rows[r].worst));
    }
}

CheckedRows RowChecks::seen() const {
    const std::lock_guard lock(mutex_);
    CheckedRows out{rows_, static_cast<std::int64_t>(maps_.size()), all_maps_, {}};
    for (const Counted& one : faults_) out.faults.push_back(one.rows);
    return out;
}

}  // namespace attn
