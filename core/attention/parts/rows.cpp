#include "core/attention/parts/rows.h"

#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"

namespace attn {
namespace {

template <class Row>
bool reads_field(const Row* row, std::string_view field) {
    return row && std::find(row->fields.begin(), row->fields.end(), field) != row->fields.end();
}

template <class Row>
void add_refusals(const Row& row, const AttentionConfig& config, const Form& form, std::vector<RowRefusal>& out) {
    if (!row.refuses) return;
    for (Refusal& refusal : row.refuses(config, form)) out.push_back({row.id, std::move(refusal)});
}

}  // namespace

bool rows_read(const AttentionConfig& c, std::string_view field) {
    return reads_field(find_score(score_of(c)), field) || reads_field(find_mask(c.mask), field) ||
           reads_field(find_position(c.position), field) || reads_field(find_scope(c.scope), field) ||
           reads_field(find_selection(c.selection), field) || reads_field(word_choices().find(c.choose), field);
}

std::vector<RowRefusal> rows_refuse(const AttentionConfig& c, const Form& form) {
    std::vector<RowRefusal> out;
    add_refusals(*find_position(c.position), c, form, out);
    add_refusals(*find_mask(c.mask), c, form, out);
    if (const Score* score = find_score(score_of(c))) add_refusals(*score, c, form, out);
    add_refusals(*find_scope(c.scope), c, form, out);
    add_refusals(*find_selection(c.selection), c, form, out);
    return out;
}

}  // namespace attn
