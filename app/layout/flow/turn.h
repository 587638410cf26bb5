#pragma once
// The transition from one picture of the flow to the next while it plays: between blocks, and where a block opens and
// another closes. What both pictures share stays visible and guides the eye. A pure function of time.

#include <optional>
#include <vector>

#include "app/layout/flow/flow.h"

namespace app {

/// A transition between the pictures of two stops.
struct FlowTurn {
    int stop = 0;       ///< the last stop of the picture before
    double passed = 0;  ///< progress, 0 … 1
};
/// The transition at this time; nothing outside of one. It ends at the latest with its stop's motion.
std::optional<FlowTurn> flow_turn(const std::vector<FlowPlace>& places, const Timeline& timeline, double time);

/// Moves both scenes, laid out in one area, so that what they share coincides on its way from the old place to the new
/// one. If they share nothing, the new one slides in from the right.
void carry_over(Scene& before, Scene& after, const FlowGraph& from, const FlowGraph& to, Rect area, double passed);

/// The opacity of each picture.
float seen_before(double passed);
float seen_after(double passed);

}  // namespace app
