#pragma once
// The map of a whole model: each place of it (a block of a stack, a time step of a decoder) is a tile with thumbnails
// of its heads' weights and of its results. Zoomed in, a tile becomes that place's flow. Pure: the layout depends on
// the trace, the camera and the size alone.

#include <span>
#include <string>
#include <vector>

#include "app/layout/flow/flow.h"

namespace app {

/// The zoom of the flow, relative to the place filling it, and the point of that place in the middle (as fractions of
/// its sides). Below 1 its neighbours become visible.
struct FlowCamera {
    float zoom = 1, x = 0.5f, y = 0.5f;
    bool operator==(const FlowCamera&) const = default;
};
inline constexpr float kMaxFlowZoom = 12.0f, kLeastFlowZoom = 1.0f / 256;
/// From the first of these on, a tile begins to turn into its flow (a map with two tiles is shown whole at a smaller
/// zoom); from the second on, it is only the flow.
inline constexpr float kUnfolding = 0.55f, kUnfolded = 0.92f;

/// The zoom that shows a whole tower: the tower is drawn as large as a place, and zooming in descends into a floor.
inline constexpr float kTowerZoom = 0.4f;

/// One place; tiles are in the order of flow_places().
struct MapTile {
    /// The result of one of its blocks.
    struct Result {
        attn::StepId step = attn::kNoStep;
        FlowBlock block = FlowBlock::None;
    };
    int row = 0, col = 0;
    std::vector<attn::StepId> weights;  ///< of each head; empty if it mixes nothing
    std::vector<Result> results;        ///< of the feed-forward part, and the result of the place
};

/// The result of one place is read by another.
struct MapLink {
    int from = 0, to = 0;
};

struct ModelMap {
    std::vector<MapTile> tiles;
    std::vector<MapLink> links;
    int rows = 0, cols = 0;
    /// The places are the floors of a tower (app/layout/flow/tower.h): all occupy the same area, and zooming in
    /// descends into one of them.
    bool tower = false;

    /// Whether there is more than one place.
    bool any() const { return tiles.size() > 1; }
    /// A tile, and all of them, in units where tile `from` is {0, 0, 1, 1}.
    Rect tile(int place, int from) const;
    Rect whole(int from) const;
    /// The zoom at which everything is visible; 1 if there is only one place.
    float least_zoom() const;
    /// The tile at a point, in the same units; −1: none (a tower has no tiles: its picture finds what is under the
    /// pointer).
    int at(Point point, int from) const;
};
/// Blocks form rows, one after the other; the encoder's are above the decoder's, and time steps below each other if
/// each has several blocks.
ModelMap make_model_map(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places);

/// The camera that shows all of the map.
FlowCamera whole_of(const ModelMap& map, int place);
/// The same view, expressed relative to place `to` instead of `from`.
FlowCamera moved_to(const ModelMap& map, FlowCamera camera, int from, int to);
/// Clamped: never farther out than the whole map, and never past its edge.
FlowCamera clamped(FlowCamera camera, const ModelMap& map, int place);
/// Interpolates between two cameras of one place, 0 … 1, at a perceptually constant speed.
FlowCamera between(const FlowCamera& from, const FlowCamera& to, double t);
/// The same as a camera for scenes; `area` is the place's.
Camera camera_of(const FlowCamera& camera, Rect area);
/// How far the tile in view has turned into its flow, 0 … 1.
double unfolded(float zoom);

struct MapInput {
    const StageInput& stage;  ///< its area is the place's at a zoom of 1
    const ModelMap& map;
    int place = 0;  ///< the one at the playhead
    int head = 0;
    FlowCamera camera;
    std::span<const std::string> titles;  ///< of the tiles
    const Scene* flow = nullptr;          ///< of the place, as drawn now: tells where its tile's thumbnails move to
    int made = -1;                        ///< while it plays: tiles after this one wait; −1: all are there
};
/// Lays out only what is visible, with more detail the larger it is.
void lay_out_map(const MapInput& in, Scene& scene);

/// The rectangle of a step's whole matrix in a scene; empty if it is not in it.
Rect matrix_in(const Scene& scene, attn::StepId step);

}  // namespace app
