#pragma once
// The map of a whole model: each place of it (a block of a stack, a time of a decoder) as a tile, in it the weights of
// its heads and what it hands on, as thumbnails of their own numbers. Seen from close by, a tile is that place's flow.
// Pure: what stands where follows from the trace, the camera and the size alone.

#include <span>
#include <string>
#include <vector>

#include "app/screens/flow/flow.h"

namespace app {

/// How closely the flow is looked at: so many times as large as the place that fills it, this point of that place
/// (shares of its sides) in the middle. Below 1 its neighbours come into sight.
struct FlowCamera {
    float zoom = 1, x = 0.5f, y = 0.5f;
    bool operator==(const FlowCamera&) const = default;
};
inline constexpr float kMaxFlowZoom = 12.0f, kLeastFlowZoom = 1.0f / 256;
/// From here on a tile begins to become its flow (two tiles side by side are seen from farther), and from there on it is
/// nothing else.
inline constexpr float kUnfolding = 0.55f, kUnfolded = 0.92f;

/// At which a tower is seen whole: it is no larger picture than a place, and one comes down from it into a floor.
inline constexpr float kTowerZoom = 0.4f;

/// A place; tiles are in the order of flow_places().
struct MapTile {
    /// What a block of it makes.
    struct Result {
        attn::StepId step = attn::kNoStep;
        FlowBlock block = FlowBlock::None;
    };
    int row = 0, col = 0;
    std::vector<attn::StepId> weights;  ///< of each head; of what mixes nothing: empty
    std::vector<Result> results;        ///< of the feed-forward part, and what the place hands on
};

/// What a place makes goes on to another.
struct MapLink {
    int from = 0, to = 0;
};

struct ModelMap {
    std::vector<MapTile> tiles;
    std::vector<MapLink> links;
    int rows = 0, cols = 0;
    /// The places are the floors of a tower (app/screens/flow/tower.h): all have one room, and one comes down into it.
    bool tower = false;

    /// There is more than one place.
    bool any() const { return tiles.size() > 1; }
    /// A tile and all of them, in sides of a tile, where tile `from` is {0, 0, 1, 1}.
    Rect tile(int place, int from) const;
    Rect whole(int from) const;
    /// At which all of it is seen; 1: there is one place.
    float least_zoom() const;
    /// The tile at a point, in the same measure; −1: none (a tower has no tiles: what is under the pointer its picture says).
    int at(Point point, int from) const;
};
/// Blocks stand in rows, one after the other; the encoder's above the decoder's; times below each other where each has
/// several blocks.
ModelMap make_model_map(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places);

/// All of the map.
FlowCamera whole_of(const ModelMap& map, int place);
/// What is seen through a camera of place `from`, said of place `to`.
FlowCamera moved_to(const ModelMap& map, FlowCamera camera, int from, int to);
/// Inside the bounds: never farther than the whole, and never beside it.
FlowCamera clamped(FlowCamera camera, const ModelMap& map, int place);
/// Between two cameras of one place, 0 … 1: every moment seems as long as every other.
FlowCamera between(const FlowCamera& from, const FlowCamera& to, double t);
/// As scenes are looked through; `area` is the place's.
Camera camera_of(const FlowCamera& camera, Rect area);
/// How far the tile that is looked at is its flow, 0 … 1.
double unfolded(float zoom);

struct MapInput {
    const StageInput& stage;  ///< its area is the place's at a zoom of 1
    const ModelMap& map;
    int place = 0;  ///< that the playhead is in
    int head = 0;
    FlowCamera camera;
    std::span<const std::string> titles;  ///< of the tiles
    const Scene* flow = nullptr;          ///< of the place, as it is seen now: where its tile's thumbnails go
    int made = -1;                        ///< while it plays: tiles after this one wait; −1: all are there
};
/// Only what is seen is laid out, and the more of it the larger it is.
void lay_out_map(const MapInput& in, Scene& scene);

/// The matrix of a step in a scene, as a whole; empty where it does not stand.
Rect matrix_in(const Scene& scene, attn::StepId step);

}  // namespace app
