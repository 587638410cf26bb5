#pragma once
// The view state of the heads screen.

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace app {

/// What the heads screen shows. The head is ViewState::head, as on the stage.
struct HeadsChoice {
    std::string page;                               ///< one of kHeadsPages; empty: the most useful one
    std::string measure = "weight";                 ///< what a map holds: weight, norm or part (core/analysis/measures.h)
    std::string through = "rollout";                ///< through all layers: rollout, flow or average
    int layers = 0;                                 ///< how many of them, from the first on; 0: all
    attn::Tag at{attn::Role::Weights};              ///< which attention: only part and layer matter
    std::string shown = "heads";                    ///< heads, average, largest or strongest
    std::vector<int> only;                          ///< heads that are drawn, by index, in order; empty: all
    bool matrix = false;                            ///< lines: drawn as heatmaps
    bool small_lines = false;                       ///< grid: drawn as lines
    std::vector<int> queries, keys;                 ///< picked tokens, by index, in order
    float keep = 1;                                 ///< in each row, the largest weights that add up to this share
    bool hide_first = false, hide_special = false;  ///< which keys are hidden
    bool renormalise = false;                       ///< the remaining weights of a row are divided by their sum
    std::string plane = "pair";                     ///< pair, all or map
    int first = -1, second = -1;                    ///< features that span the plane, by index; −1: the best plane
    float after = 1;                                ///< map: 0 is before the weights are applied, 1 after
    std::string role;                               ///< of the table (ranked.h): sorts it and colours the grid
    bool repeated = false;                          ///< measure roles on repeated random words instead of the text
    bool only_here = false;                         ///< the table has only the heads of one attention
    std::string find;                               ///< heads that are looked for, by number or part of a name; empty: all
    float times = 0;                                ///< only heads whose share of the role is above this multiple of chance; 0: all
    std::string composes{"k"};                      ///< of the map of compositions: q, k or v
    bool held = false;                              ///< an arrow is being dragged: the plane is kept
    bool operator==(const HeadsChoice&) const = default;
};

}  // namespace app
