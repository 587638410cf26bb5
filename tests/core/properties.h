#pragma once
// What must be true of any run, whatever its form, score, mask and position. Each function returns "" or what is wrong.

#include <string>

#include "core/document/document.h"

namespace attn::test {

std::string inputs_come_earlier(const Trace& trace);
std::string names_are_unique_and_read_back(const Trace& trace);
std::string every_row_and_column_has_a_label(const Trace& trace);
/// Every cell of every step has the value that its explanation's terms give.
std::string every_cell_is_explained(const Trace& trace);
/// compute() reproduces every step bit for bit, except the typed-over cells, which hold what was typed.
std::string every_step_computes_again(const Trace& trace);
/// Rows sum to 1 ± 1e-6, or are all 0 and noted so; masked cells are exactly 0. For runs without edits and overflow.
std::string rows_are_shares(const Trace& trace);
/// The run over shapes predicts exactly how many bytes the steps hold and how many multiply-adds they take.
std::string cost_is_exact(const Run& run, const Document& document);

/// All of the above that hold for a run with typed-over numbers; rows_are_shares() only where there are none.
std::string anything_wrong(const Document& document, const Run& run);

}  // namespace attn::test
