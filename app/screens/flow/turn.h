#pragma once
// From one picture of the flow to the next while it plays: from block to block, and where a block opens and another
// shuts. What both pictures have stays in sight and carries the eye over. Time is an argument, as everywhere.

#include <optional>
#include <vector>

#include "app/screens/flow/flow.h"

namespace app {

/// A picture that has just given way to the one of the next stop.
struct FlowTurn {
    int stop = 0;       ///< the last one of the picture before
    double passed = 0;  ///< 0 … 1, of the turn
};
/// What a time lies in; nothing where no picture gives way. A turn ends with its stop's motion at the latest.
std::optional<FlowTurn> flow_turn(const std::vector<FlowPlace>& places, const Timeline& timeline, double time);

/// Moves both scenes, laid out in one area, so that what they have in common stands in one place on its way from where
/// it was to where it will be. With nothing in common the one follows the other from the right.
void carry_over(Scene& before, Scene& after, const FlowGraph& from, const FlowGraph& to, Rect area, double passed);

/// How much of each is seen.
float seen_before(double passed);
float seen_after(double passed);

}  // namespace app
