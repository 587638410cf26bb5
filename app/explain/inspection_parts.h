#pragma once
// How the score of a query with a key becomes a weight, and the chain of any number. Internal to the inspection.

#include <vector>

#include "app/explain/inspection.h"

namespace app {

/// Scores and what they become in the forward run, up to the weights; gradients never belong to the family.
inline bool in_score_family(attn::Tag tag) { return tag.pass == 0 && attn::has_trait(tag.role, attn::kScoreStage); }
/// The scores from which a step of the family is made; kNoStep for other steps.
attn::StepId score_root(const attn::Trace& trace, attn::StepId step);
/// The scores, then each following step of the family, up to the weights that are used.
std::vector<attn::StepId> score_path(const attn::Trace& trace, attn::StepId root);
/// How the texts are written.
struct Manner {
    Language language;
    attn::Convention convention;
};
/// Fills in `chain`; `explanation` must be set.
void make_chain(const attn::Trace& trace, attn::Cell cell, Manner manner, Inspection& out);

}  // namespace app
