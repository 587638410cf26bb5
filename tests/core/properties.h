#pragma once
// What must be true of any run, whatever its form, score, mask and position. Each returns "" or what is wrong.

#include <string>

#include "core/document/document.h"

namespace attn::test {

std::string inputs_come_earlier(const Trace& trace);
std::string names_are_unique_and_read_back(const Trace& trace);
std::string every_row_and_column_has_a_label(const Trace& trace);
/// Every cell of every step is what the terms of its explanation give.
std::string every_cell_is_explained(const Trace& trace);
/// compute() gives every step again, bit for bit, save the cells typed over, which hold what was typed.
std::string every_step_computes_again(const Trace& trace);
/// 1 ± 1e-6 or all 0 with the note; masked cells exactly 0. For runs without edits and without overflow.
std::string rows_are_shares(const Trace& trace);
/// The run over shapes tells to the byte what the steps hold, and to the multiply-add what they took.
std::string cost_is_exact(const Run& run, const Document& document);

/// All of the above that hold for a run with typed-over numbers; `rows_are_shares` only where there are none.
std::string anything_wrong(const Document& document, const Run& run);

}  // namespace attn::test
