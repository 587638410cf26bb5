#pragma once
// The page of compositions: how much of what one head writes a later one reads, by the weights alone.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/circuits.h"

namespace app {

/// A pair of heads, by indices into Compositions::heads.
struct ComposedPair {
    int reader = 0, writer = 0;
    float score = 0;
};

struct CompositionData {
    std::shared_ptr<const attn::Compositions> all;  ///< null: not computed, or there are none
    bool none = false;                              ///< heads do not compose here: another form, or a single layer
    attn::Composes by = attn::Composes::Key;
    std::vector<int> readers, writers;              ///< rows and columns of `map`, by index into `all`
    std::shared_ptr<const attn::Matrix> map;        ///< readers × writers; −∞, as what is masked, where the writer is in no earlier layer
    std::vector<ComposedPair> largest;              ///< by falling score
    unsigned serial = 0;                            ///< of this map
    unsigned of = 0;                                ///< which computation it shows
};

/// By which matrix the reader reads, from HeadsChoice::composes.
attn::Composes composes_by(std::string_view id);
/// Null: heads do not compose in this run, or a stop was requested.
std::shared_ptr<const attn::Compositions> make_compositions(const attn::Run& run, const std::stop_token& stop);
/// The map of one of the three, without the rows and columns that have no pair.
void lay_out_compositions(attn::Composes by, CompositionData& out);

}  // namespace app
