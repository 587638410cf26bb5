#pragma once
// How the heads screen is looked at.

#include <string>
#include <vector>

#include "core/trace/trace.h"

namespace app {

/// What the heads screen shows, and of what. The head is ViewState::head: the stage shows the same one.
struct HeadsChoice {
    std::string page;                               ///< of kHeadsPages; empty: the one that shows most
    std::string measure = "weight";                 ///< what a map holds: weight, norm or part (core/analysis/measures.h)
    std::string through = "rollout";                ///< through all layers: rollout, flow or average
    int layers = 0;                                 ///< through so many of them, from the first; 0: all
    attn::Tag at{attn::Role::Weights};              ///< which attention: its part and layer count
    std::string shown = "heads";                    ///< heads, average, largest or strongest
    std::vector<int> only;                          ///< heads that are drawn, from 0, in order; empty: all
    bool matrix = false;                            ///< lines: as heatmaps
    bool small_lines = false;                       ///< grid: as lines
    std::vector<int> queries, keys;                 ///< tokens picked, from 0, in order
    float keep = 1;                                 ///< of each row the largest weights that reach this share
    bool hide_first = false, hide_special = false;  ///< keys that are left out
    bool renormalise = false;                       ///< what is left of a row is divided by its sum
    std::string plane = "pair";                     ///< pair, all or map
    int first = -1, second = -1;                    ///< features of the plane, from 0; below 0: the best plane
    float after = 1;                                ///< map: 0 is before the weights, 1 after
    std::string role;                               ///< of the table (ranked.h): it is sorted by it, and the grid shows it; empty: none
    bool repeated = false;                          ///< roles are measured on random words, repeated, in place of the text
    bool only_here = false;                         ///< the table has the heads of one attention alone
    bool held = false;                              ///< an arrow is in the hand: the plane stays as it is
    bool operator==(const HeadsChoice&) const = default;
};

}  // namespace app
