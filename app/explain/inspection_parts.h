#pragma once
// How the score of a query with a key goes on to be a weight, and the chain of any number. Internal to the inspection.

#include <vector>

#include "app/explain/inspection.h"

namespace app {

/// Scores and what they become, the weights included: the same cell at several moments.
bool in_score_family(attn::Role role);
/// The same of the run itself: a gradient is none.
inline bool in_score_family(attn::Tag tag) { return tag.pass == 0 && in_score_family(tag.role); }
/// The scores that a step of the family goes back to; kNoStep for others.
attn::StepId score_root(const attn::Trace& trace, attn::StepId step);
/// The scores, then each step of the family that follows, as far as the weights that are used.
std::vector<attn::StepId> score_path(const attn::Trace& trace, attn::StepId root);
/// How it is said.
struct Manner {
    Language language;
    attn::Convention convention;
};
/// Fills in `chain`; `explanation` must be there.
void make_chain(const attn::Trace& trace, attn::Cell cell, Manner manner, Inspection& out);

}  // namespace app
