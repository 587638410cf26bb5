#pragma once
// The rows that a configuration has chosen, asked together.

#include "core/attention/form.h"

namespace attn {

/// One of them reads this field of the document: "window", "top_k", "mask_pattern" …
bool rows_read(const AttentionConfig& config, std::string_view field);

/// What they have against each other: position, mask, score, scope, selection, in this order. `id`: the row that says so.
struct RowRefusal {
    std::string_view id;
    Refusal refusal;
};
std::vector<RowRefusal> rows_refuse(const AttentionConfig& config, const Form& form);

}  // namespace attn
