#pragma once
// The pages of the heads screen, one function each. Internal to heads*.cpp.

#include "app/state/heads.h"

namespace app {

void make_neuron(const attn::Trace& trace, const LookedAt& cells, HeadsData& out);
void make_plane(const attn::Trace& trace, const HeadsChoice& choice, const LookedAt& cells, HeadsData& out);
void make_through(const attn::Trace& trace, const HeadsChoice& choice, HeadsData& out, const std::stop_token& stop);
/// Of small matrices without a bulk.
Spread spread_of(const attn::Matrix& weights);
/// What is looked at before anything is picked: the telling query (core/analysis/telling.h), or the first where that looks
/// at a key that is left out; with the key that it looks at most.
QueryKey first_pair(const attn::Trace& trace, const HeadsData& data);
/// The scores behind a row of weights, and that row there; kNoStep: they are not what a softmax was taken of.
attn::Cell score_row(const attn::Trace& trace, attn::Cell weights);

}  // namespace app
