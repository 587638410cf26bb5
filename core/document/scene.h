#pragma once
// A small scene, drawn by rule from a seed and cut into regions: attention over an image as well as over words
// [Xu et al. 2015]. A region's vector is what stands in it: Σ (share of its area) · (vector of the thing).

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace attn {

inline constexpr int kSceneRows = 3;
inline constexpr int kSceneCols = 4;
inline constexpr int kSceneRegions = kSceneRows * kSceneCols;

/// A coloured outline in a square of 0…1 on either side; x to the right, y down.
struct ScenePart {
    enum class Shape : std::uint8_t { Box, Oval, Triangle } shape = Shape::Box;
    float x = 0, y = 0, w = 0, h = 0;      ///< of the whole scene
    std::array<std::uint8_t, 3> color{};  ///< red, green, blue
};

/// One thing: its word (the table of meanings has it), and what it is drawn of. Later things stand in front.
struct SceneThing {
    std::string_view word;
    std::vector<ScenePart> parts;
};

struct Scene {
    std::vector<SceneThing> things;
};

/// The same scene for the same seed, on every machine: sky and garden, and things that stand in different places.
Scene make_scene(std::uint64_t seed);

/// What is seen at a point: an index of `things`, the one in front.
int thing_at(const Scene& scene, float x, float y);

/// kSceneRegions × things: the share of each region's area that each thing is seen in; rows sum to 1. Regions count
/// row by row from the top left. Measured on a grid of 32 × 32 points a region.
Matrix scene_shares(const Scene& scene);

/// "A1" … "C4": row and column.
std::string region_name(int region);

}  // namespace attn
