#include "core/document/scene.h"

#include <algorithm>

#include "core/base/random.h"

namespace attn {
namespace {

using Color = std::array<std::uint8_t, 3>;

constexpr Color kSky = {191, 219, 254}, kGrass = {187, 222, 160}, kSun = {250, 190, 60}, kLeaves = {74, 140, 84},
                kTrunk = {132, 94, 62}, kWall = {240, 224, 200}, kRoof = {190, 92, 78}, kDoor = {120, 84, 66},
                kFur = {96, 92, 100}, kSkin = {238, 190, 158}, kDress = {206, 82, 128}, kHair = {84, 56, 40},
                kBall = {226, 74, 70}, kFeather = {60, 88, 148}, kBeak = {240, 160, 50};
/// Sample points along each side of a region.
constexpr int kPoints = 32;
constexpr float kHorizon = 0.56f;

bool holds(const ScenePart& part, float x, float y) {
    const float u = (x - part.x) / part.w, v = (y - part.y) / part.h;
    if (u < 0 || u > 1 || v < 0 || v > 1) return false;
    switch (part.shape) {
        case ScenePart::Shape::Box:
            return true;
        case ScenePart::Shape::Oval:
            return (u - 0.5f) * (u - 0.5f) + (v - 0.5f) * (v - 0.5f) <= 0.25f;
        case ScenePart::Shape::Triangle:
            return u >= 0.5f - v / 2 && u <= 0.5f + v / 2;
    }
    return false;
}

// Each thing is placed with the middle of its base at (x, y); `s` is its size.
SceneThing sun(float x, float y, float s) { return {"sun", {{ScenePart::Shape::Oval, x - s / 2, y - s, s, s * 1.3f, kSun}}}; }

SceneThing tree(float x, float y, float s) {
    return {"tree",
            {{ScenePart::Shape::Box, x - s * 0.07f, y - s * 0.4f, s * 0.14f, s * 0.4f, kTrunk},
             {ScenePart::Shape::Oval, x - s * 0.34f, y - s * 1.1f, s * 0.68f, s * 0.8f, kLeaves}}};
}

SceneThing house(float x, float y, float s) {
    return {"house",
            {{ScenePart::Shape::Box, x - s * 0.36f, y - s * 0.6f, s * 0.72f, s * 0.6f, kWall},
             {ScenePart::Shape::Triangle, x - s * 0.46f, y - s * 1.05f, s * 0.92f, s * 0.47f, kRoof},
             {ScenePart::Shape::Box, x - s * 0.09f, y - s * 0.34f, s * 0.18f, s * 0.34f, kDoor}}};
}

SceneThing cat(float x, float y, float s) {
    return {"cat",
            {{ScenePart::Shape::Oval, x - s * 0.34f, y - s * 0.5f, s * 0.68f, s * 0.5f, kFur},
             {ScenePart::Shape::Oval, x + s * 0.1f, y - s * 0.8f, s * 0.36f, s * 0.44f, kFur},
             {ScenePart::Shape::Triangle, x + s * 0.12f, y - s * 0.96f, s * 0.13f, s * 0.26f, kFur},
             {ScenePart::Shape::Triangle, x + s * 0.3f, y - s * 0.96f, s * 0.13f, s * 0.26f, kFur}}};
}

SceneThing girl(float x, float y, float s) {
    return {"girl",
            {{ScenePart::Shape::Triangle, x - s * 0.26f, y - s * 0.72f, s * 0.52f, s * 0.62f, kDress},
             {ScenePart::Shape::Box, x - s * 0.1f, y - s * 0.12f, s * 0.07f, s * 0.12f, kSkin},
             {ScenePart::Shape::Box, x + s * 0.03f, y - s * 0.12f, s * 0.07f, s * 0.12f, kSkin},
             {ScenePart::Shape::Oval, x - s * 0.15f, y - s * 1.02f, s * 0.3f, s * 0.36f, kHair},
             {ScenePart::Shape::Oval, x - s * 0.11f, y - s * 0.93f, s * 0.22f, s * 0.27f, kSkin}}};
}

SceneThing ball(float x, float y, float s) {
    return {"ball", {{ScenePart::Shape::Oval, x - s * 0.2f, y - s * 0.52f, s * 0.4f, s * 0.52f, kBall}}};
}

SceneThing bird(float x, float y, float s) {
    return {"bird",
            {{ScenePart::Shape::Oval, x - s * 0.26f, y - s * 0.34f, s * 0.44f, s * 0.28f, kFeather},
             {ScenePart::Shape::Triangle, x - s * 0.16f, y - s * 0.56f, s * 0.22f, s * 0.36f, kFeather},
             {ScenePart::Shape::Oval, x + s * 0.1f, y - s * 0.44f, s * 0.18f, s * 0.24f, kFeather},
             {ScenePart::Shape::Box, x + s * 0.25f, y - s * 0.34f, s * 0.1f, s * 0.05f, kBeak}}};
}

/// The middle of a column of regions, with a small random offset.
float place(int column, Random& random) {
    const auto off = static_cast<float>(random.uniform() - 0.5) * 0.05f;
    return (static_cast<float>(column) + 0.5f) / kSceneCols + off;
}

std::array<int, kSceneCols> shuffled(Random& random) {
    std::array<int, kSceneCols> columns{};
    for (int i = 0; i < kSceneCols; ++i) columns[static_cast<std::size_t>(i)] = i;
    for (std::size_t i = columns.size(); i > 1; --i) std::swap(columns[i - 1], columns[random.next() % i]);
    return columns;
}

}  // namespace

Scene make_scene(std::uint64_t seed) {
    Random random(seed * 0x9E3779B97F4A7C15ull + 1);
    const auto far = shuffled(random), near = shuffled(random), above = shuffled(random);
    Scene scene;
    scene.things.push_back({"sky", {{ScenePart::Shape::Box, 0, 0, 1, kHorizon, kSky}}});
    scene.things.push_back({"garden", {{ScenePart::Shape::Box, 0, kHorizon, 1, 1 - kHorizon, kGrass}}});
    scene.things.push_back(sun(place(above[0], random), 0.26f, 0.17f));
    scene.things.push_back(house(place(far[0], random), 0.66f, 0.3f));
    scene.things.push_back(tree(place(far[1], random), 0.68f, 0.42f));
    scene.things.push_back(bird(place(above[1], random), 0.27f, 0.24f));
    scene.things.push_back(girl(place(near[0], random), 0.97f, 0.4f));
    scene.things.push_back(cat(place(near[1], random), 0.96f, 0.26f));
    scene.things.push_back(ball(place(near[2], random), 0.93f, 0.24f));
    return scene;
}

int thing_at(const Scene& scene, float x, float y) {
    for (std::size_t i = scene.things.size(); i-- > 0;)
        for (const ScenePart& part : scene.things[i].parts)
            if (holds(part, x, y)) return static_cast<int>(i);
    return 0;
}

Matrix scene_shares(const Scene& scene) {
    Matrix shares = Matrix::Zero(kSceneRegions, static_cast<Eigen::Index>(scene.things.size()));
    for (int region = 0; region < kSceneRegions; ++region)
        for (int i = 0; i < kPoints * kPoints; ++i) {
            const float u = (static_cast<float>(i % kPoints) + 0.5f) / kPoints, v = (static_cast<float>(i / kPoints) + 0.5f) / kPoints;
            const float x = (static_cast<float>(region % kSceneCols) + u) / kSceneCols,
                        y = (static_cast<float>(region / kSceneCols) + v) / kSceneRows;
            shares(region, thing_at(scene, x, y)) += 1.0f;
        }
    return shares / static_cast<float>(kPoints * kPoints);
}

std::string region_name(int region) {
    return std::string(1, static_cast<char>('A' + region / kSceneCols)) + std::to_string(region % kSceneCols + 1);
}

}  // namespace attn
