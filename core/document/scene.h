#pragma once
// A small scene, generated from a seed and cut into regions: attention over an image as well as over words [Xu et al.
// 2015]. A region's vector is the sum over its things: Σ (share of its area) · (vector of the thing).

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

/// A coloured outline in a unit square; x to the right, y down.
struct ScenePart {
    enum class Shape : std::uint8_t { Box, Oval, Triangle } shape = Shape::Box;
    float x = 0, y = 0, w = 0, h = 0;      ///< as fractions of the whole scene
    std::array<std::uint8_t, 3> color{};  ///< red, green, blue
};

/// One thing: its word (in the table of meanings), and its drawing. Later things are in front.
struct SceneThing {
    std::string_view word;
    std::vector<ScenePart> parts;
};

struct Scene {
    std::vector<SceneThing> things;
};

/// The same scene for the same seed on every machine: sky and garden, and things in varying places.
Scene make_scene(std::uint64_t seed);

/// The thing visible at a point: an index of `things`, the one in front.
int thing_at(const Scene& scene, float x, float y);

/// kSceneRegions × things: the share of each region's area in which each thing is visible; rows sum to 1. Regions count
/// row by row from the top left. Sampled on a grid of 32 × 32 points per region.
Matrix scene_shares(const Scene& scene);

/// "A1" … "C4": row and column.
std::string region_name(int region);

}  // namespace attn
