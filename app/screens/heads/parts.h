#pragma once
// The pages of the heads screen, one function each. Internal to this folder.

#include "app/screens/heads/heads.h"

namespace app {

void make_neuron(const attn::Trace& trace, const LookedAt& cells, HeadsData& out);
void make_plane(const attn::Trace& trace, const HeadsChoice& choice, const LookedAt& cells, HeadsData& out);
void make_alignment(const attn::Trace& trace, const AxisLabels& labels, HeadsData& out);
/// The strongest weight of the row that is being written; kNoStep: none is.
attn::Cell strongest_written(const Derived& derived, const HeadsData& data);
void make_through(const attn::Trace& trace, const HeadsChoice& choice, HeadsData& out, const std::stop_token& stop);
/// Of small matrices without a bulk.
Spread spread_of(const attn::Matrix& weights);

std::vector<int> all_heads(const HeadsPlace& place);
/// What is asked of the heads of a place: whose maps whole, and what several make together.
struct Wanted {
    std::vector<int> heads = {};
    bool average = false, largest = false, strongest = false;
    bool from_afar = false;  ///< all of it as it looks from afar
};
/// Makes what is wanted and not there yet, one map after the other; of a long text it lets go of whole maps that are not
/// wanted. The first time spreads, roles and hidden weight are told, too.
/// What is seen from afar is told of as it is made, head by head.
void look_through(const attn::Trace& trace, const HeadsChoice& choice, const Wanted& wanted, HeadsPlace& place, HeadsData& out,
                  const std::stop_token& stop, const SoFar& so_far = {});
/// Of a long text no whole map of this place is kept.
void let_go(HeadsPlace& place, HeadsData& out);
/// A map as it is shown, where it is or made now.
SharedMatrix shown_map(const attn::Trace& trace, const HeadsChoice& choice, const HeadsPlace& place, const HeadsData& data, int map);
/// What is looked at before anything is picked: the telling query (core/analysis/telling.h), or the first where that looks
/// at a key that is left out; with the key that it looks at most.
QueryKey first_pair(const attn::Trace& trace, const HeadsData& data);
/// The scores behind a row of weights, and that row there; kNoStep: they are not what a softmax was taken of.
attn::Cell score_row(const attn::Trace& trace, attn::Cell weights);

}  // namespace app
