// The map of a whole model: its tiles, their places, and the continuous camera movement into them.

#include "app/layout/flow/model_map.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "tests/app/anim_flow_support.h"

namespace {

using namespace flowing;

Document stack(int layers, int heads, std::string text = "the tired cat sat down") {
    const std::string many = std::to_string(heads), deep = std::to_string(layers);
    return document_of({{"variant", "encoder"}, {"vectors", "random"}, {"width", "24"}, {"heads", many}, {"layers", deep}},
                       std::move(text));
}

/// As cards, also where the places are floors of a tower (tower_test.cpp).
ModelMap map_of(const Flowing& f) {
    ModelMap map = make_model_map(f.trace(), f.timeline(), f.places());
    map.tower = false;
    return map;
}

Rect on_screen(const ModelMap& map, int tile, int place, const FlowCamera& look) {
    const Rect u = map.tile(tile, place);
    return camera_of(look, kArea)(Rect{kArea.x + u.x * kArea.w, kArea.y + u.y * kArea.h, u.w * kArea.w, u.h * kArea.h});
}

/// The map as it is shown, with the flow of the first place in it.
struct Seen {
    Scene map, flow;
};
Seen seen(const Flowing& f, const ModelMap& map, const FlowCamera& look) {
    Seen out;
    const FlowGraph graph = shut_blocks(f.timeline(), f.graph(f.places()[0]), FlowBlock::Attention);
    f.with(graph, {}, kArea, [&](const FlowInput& in) {
        lay_out_flow(in, out.flow);
        look_through(camera_of(look, kArea), out.flow);
        const std::vector<std::string> titles(f.places().size(), "block");
        lay_out_map({in.stage, map, 0, 0, look, titles, unfolded(look.zoom) > 0 ? &out.flow : nullptr}, out.map);
    });
    return out;
}

TEST(ModelMap, HasATilePerLayerWithTheWeightsOfItsHeads) {
    const Flowing f(stack(3, 4));
    const ModelMap map = map_of(f);
    ASSERT_EQ(map.tiles.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(map.tiles[i].weights.size(), 4u);
        for (std::size_t h = 0; h < 4; ++h) {
            const attn::Tag tag = f.trace()[map.tiles[i].weights[h]].tag;
            EXPECT_EQ(tag.role, Role::Weights);
            EXPECT_EQ(tag.layer, static_cast<int>(i));
            EXPECT_EQ(tag.head, static_cast<int>(h));
        }
        ASSERT_EQ(map.tiles[i].results.size(), 2u);
        EXPECT_EQ(map.tiles[i].results[0].block, FlowBlock::FeedForward);
        EXPECT_EQ(f.trace()[map.tiles[i].results[1].step].value.cols(), f.trace()[0].value.cols());
    }
    ASSERT_EQ(map.links.size(), 2u);
    EXPECT_EQ(map.links[1].from, 1);
    EXPECT_EQ(map.links[1].to, 2);
}

TEST(ModelMap, OfOneLayerIsItsFlow) {
    const Flowing f(document_of({{"variant", "multi_head"}, {"heads", "2"}}));
    const ModelMap map = map_of(f);
    EXPECT_FALSE(map.any());
    EXPECT_EQ(map.least_zoom(), 1);
    EXPECT_EQ(map.tiles[0].weights.size(), 2u);
    EXPECT_EQ(clamped({0.2f, 0.9f, 0.9f}, map, 0), FlowCamera{});
}

TEST(ModelMap, StacksAndTimesFormRows) {
    Document doc = document_of({{"variant", "decoder"}, {"heads", "2"}, {"layers", "2"}});
    doc.source = "the cat";
    const Flowing decoder(doc);
    const ModelMap map = map_of(decoder);
    ASSERT_EQ(map.rows, 2);
    int encoders = 0, crosses = 0;
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        const Section& s = decoder.timeline().sections[static_cast<std::size_t>(decoder.places()[i].main)];
        EXPECT_EQ(map.tiles[i].row, s.encoder ? 0 : 1);
        encoders += s.encoder;
        crosses += s.cross;
    }
    EXPECT_EQ(encoders, 2);
    // Each cross-attention reads the encoder's last block.
    EXPECT_EQ(std::count_if(map.links.begin(), map.links.end(), [&](const MapLink& l) { return l.from == 1 && l.to > 1; }),
              crosses);
    EXPECT_GT(crosses, 0);
}

/// Results that are gathered from all times at the end belong to no tile.
TEST(ModelMap, EachTimeHasItsOwnWeights) {
    const Flowing f(document_of({{"variant", "bahdanau"}}));
    const ModelMap map = map_of(f);
    ASSERT_GT(map.tiles.size(), 2u);
    for (std::size_t i = 0; i < map.tiles.size(); ++i) {
        ASSERT_EQ(map.tiles[i].weights.size(), 1u);
        const int time = f.timeline().sections[static_cast<std::size_t>(f.places()[i].main)].time;
        EXPECT_EQ(f.trace()[map.tiles[i].weights[0]].tag.time, time);
        for (const MapTile::Result& made : map.tiles[i].results) EXPECT_EQ(f.trace()[made.step].tag.time, time);
    }
}

TEST(ModelMap, TwelveLayersOfTwelveHeadsAreOnePicture) {
    const Flowing f(stack(12, 12));
    const ModelMap map = map_of(f);
    EXPECT_EQ(map.cols * map.rows, 12);
    const FlowCamera whole = whole_of(map, 0);
    const Scene scene = seen(f, map, whole).map;
    int thumbnails = 0;
    for (int i = 0; i < 12; ++i) {
        const Rect card = on_screen(map, i, 0, whole);
        EXPECT_TRUE(kArea.inset(-1).contains(card.top_left()));
        EXPECT_TRUE(kArea.inset(-1).contains({card.right(), card.bottom()}));
        std::vector<Rect> heads;
        for (const StepId id : map.tiles[static_cast<std::size_t>(i)].weights) {
            const Rect r = matrix_in(scene, id);
            EXPECT_GE(r.w, 20) << "a thumbnail can be told from its neighbours";
            EXPECT_TRUE(card.contains(r.center()) && r.x >= card.x && r.right() <= card.right() && r.bottom() <= card.bottom());
            for (const Rect& other : heads) EXPECT_FALSE(r.inset(0.5f).overlaps(other.inset(0.5f)));
            heads.push_back(r);
            ++thumbnails;
        }
    }
    EXPECT_EQ(thumbnails, 144);
}

TEST(ModelMap, TheCameraStaysInItsBounds) {
    const Flowing f(stack(4, 2));
    const ModelMap map = map_of(f);
    // From close by it is unchanged: never beside the place.
    EXPECT_EQ(clamped({2, -3, 9}, map, 1), (FlowCamera{2, 0.25f, 0.75f}));
    EXPECT_EQ(clamped({1, 0.9f, 0.1f}, map, 1), FlowCamera{});
    const FlowCamera far = clamped({0.001f, 7, 7}, map, 1), whole = whole_of(map, 1);
    EXPECT_FLOAT_EQ(far.zoom, whole.zoom);
    EXPECT_NEAR(far.x, whole.x, 1e-4);
    EXPECT_NEAR(far.y, whole.y, 1e-4);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(kArea.inset(-1).contains(on_screen(map, i, 1, whole).center()));
}

TEST(ModelMap, SeenAsAWholeNoTileIsOpen) {
    for (const int layers : {2, 3, 6, 12}) {
        const Flowing f(stack(layers, 1));
        const ModelMap map = map_of(f);
        EXPECT_EQ(unfolded(map.least_zoom()), 0) << layers;
        EXPECT_EQ(unfolded(1), 1);
    }
}

TEST(ModelMap, AnotherPlaceAsReferenceShowsTheSame) {
    const Flowing f(stack(4, 2));
    const ModelMap map = map_of(f);
    const FlowCamera look{0.6f, 0.2f, 0.9f}, moved = moved_to(map, look, 0, 3);
    for (int i = 0; i < 4; ++i) {
        const Rect a = on_screen(map, i, 0, look), z = on_screen(map, i, 3, moved);
        EXPECT_NEAR(a.x, z.x, 1e-2);
        EXPECT_NEAR(a.y, z.y, 1e-2);
    }
}

TEST(ModelMap, TheCameraMovesEvenly) {
    const FlowCamera from{0.25f, 1.6f, 1.2f}, to{};
    EXPECT_EQ(between(from, to, 0), from);
    EXPECT_EQ(between(from, to, 1).zoom, 1);
    EXPECT_NEAR(between(from, to, 1).x, 0.5f, 1e-5);
    float last = 0;
    for (int i = 0; i <= 40; ++i) {
        const FlowCamera c = between(from, to, i / 40.0);
        EXPECT_GE(c.zoom, last);
        EXPECT_GE(c.x, 0.5f - 1e-4f);
        last = c.zoom;
    }
}

/// From the whole into a place: no picture of a head's weights jumps, and at the end each is where the flow has it.
TEST(ModelMap, ZoomsInContinuously) {
    const Flowing f(stack(4, 4));
    const ModelMap map = map_of(f);
    const FlowCamera whole = whole_of(map, 0);
    constexpr int kFrames = 240;
    const StepId front = map.tiles[0].weights[0];
    std::map<StepId, Rect> before;
    for (int i = 0; i < kFrames; ++i) {
        const FlowCamera look = between(whole, {}, static_cast<double>(i) / kFrames);
        const Seen now = seen(f, map, look);
        for (const StepId id : map.tiles[0].weights) {
            const Rect r = matrix_in(now.map, id);
            ASSERT_FALSE(r.empty());
            if (const auto was = before.find(id); was != before.end()) {
                EXPECT_LT(std::abs(r.center().x - was->second.center().x), kArea.w * 0.03f) << i;
                EXPECT_LT(std::abs(r.w - was->second.w), kArea.w * 0.03f) << i;
            }
            before[id] = r;
        }
    }
    const Rect there = matrix_in(f.scene(shut_blocks(f.timeline(), f.graph(f.places()[0]), FlowBlock::Attention)), front);
    EXPECT_NEAR(before[front].center().x, there.center().x, 4);
    EXPECT_NEAR(before[front].w, there.w, 8);
}

TEST(ModelMap, FarTilesShowLessAndInvisibleOnesAreSkipped) {
    const Flowing f(stack(12, 12));
    const ModelMap map = map_of(f);
    const Scene whole = seen(f, map, whole_of(map, 0)).map;
    const Scene near = seen(f, map, {0.9f, 0.5f, 0.5f}).map;
    EXPECT_GT(whole.matrices.size(), near.matrices.size());
    EXPECT_EQ(whole.labels.size(), 12u) << "titles alone: heads are too small for their numbers";
}

/// 144 heads of 64 tokens: laying out the whole takes little time, however large the matrices are.
TEST(ModelMap, IsLaidOutQuicklyForManyHeadsAndTokens) {
    std::string text;
    for (int i = 0; i < 64; ++i) text += "w" + std::to_string(i) + " ";
    const Flowing f(stack(12, 12, text));
    const ModelMap map = map_of(f);
    const FlowCamera whole = whole_of(map, 0);
    seen(f, map, whole);
    const auto start = std::chrono::steady_clock::now();
    constexpr int kTimes = 10;
    f.with({}, {}, kArea, [&](const FlowInput& in) {
        Scene scene;
        const std::vector<std::string> titles(12, "block");
        for (int i = 0; i < kTimes; ++i) lay_out_map({in.stage, map, 0, 0, whole, titles}, scene);
    });
    const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
    EXPECT_LT(passed.count() / kTimes, 12) << "ms for one picture, on a busy machine";
}

}  // namespace
