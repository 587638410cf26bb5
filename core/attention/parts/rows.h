#pragma once
// Queries over all table rows that a configuration has chosen.

#include "core/attention/form.h"

namespace attn {

/// Whether one of them reads this field of the document: "window", "top_k", "mask_pattern" …
bool rows_read(const AttentionConfig& config, std::string_view field);

/// The objections of position, mask, score, scope and selection, in this order. `id`: the row that objects.
struct RowRefusal {
    std::string_view id;
    Refusal refusal;
};
std::vector<RowRefusal> rows_refuse(const AttentionConfig& config, const Form& form);

}  // namespace attn
