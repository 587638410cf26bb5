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
/// For small matrices, without a bulk.
Spread spread_of(const attn::Matrix& weights);

std::vector<int> all_heads(const HeadsPlace& place);
/// Which maps of a place are needed: those of single heads as a whole, and those made from several.
struct Wanted {
    std::vector<int> heads = {};
    bool average = false, largest = false, strongest = false;
    bool from_afar = false;  ///< all reduced maps
    /// What is made of these heads' maps as they come by, whether they are kept or not.
    std::vector<int> visited = {};
    std::function<void(int head, const attn::Matrix& shown)> visit = {};
};
/// Makes what is needed and missing, one map after the other; for a long text it evicts whole maps that are not needed.
/// The first time it also computes spreads, roles and hidden weight. Reduced maps are reported as they are made, head
/// by head.
void look_through(const attn::Trace& trace, const HeadsChoice& choice, const Wanted& wanted, HeadsPlace& place, HeadsData& out,
                  const std::stop_token& stop, const SoFar& so_far = {});
/// Evicts all whole maps of this place, if the text is long.
void discard_maps(HeadsPlace& place, HeadsData& out);
/// A map as shown, existing or computed now.
SharedMatrix shown_map(const attn::Trace& trace, const HeadsChoice& choice, const HeadsPlace& place, const HeadsData& data, int map);
/// The pair in focus before anything is picked: the telling query (core/analysis/telling.h), or the first one if that
/// attends to a hidden key; with the key that it attends to most.
QueryKey first_pair(const attn::Trace& trace, const HeadsData& data);
/// The row of scores behind a row of weights; kNoStep if the weights were not made by a softmax of scores.
attn::Cell score_row(const attn::Trace& trace, attn::Cell weights);

}  // namespace app
