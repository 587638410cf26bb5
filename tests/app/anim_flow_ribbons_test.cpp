// The flow's ribbons, its words, its convention and its fan of heads.

#include "tests/app/anim_flow_support.h"

namespace {

using namespace flowing;

/// The bands of the values where they merge, from the top.
std::vector<float> merged(const Scene& scene) {
    std::vector<float> out;
    for (const RibbonSprite& r : scene.ribbons)
        if (r.behind && r.hue == Hue::Value && r.from_at < r.to_at) out.push_back(r.to_high - r.to_low);
    return out;
}

TEST(Flow, AValuesRibbonIsAsThickAsItsWeight) {
    const Flowing flowing(document_of({{"variant", "multi_head"}}));
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const StepId weights = attn::find_id(flowing.trace(), {Role::Weights});
    for (const int row : {0, 3}) {
        const auto bands = merged(flowing.scene(graph, attn::Cell{weights, row, 1}));
        ASSERT_GE(bands.size(), 5u);
        const auto share = flowing.trace()[weights].value.row(row);
        // Each value's ribbon has two parts, before and under the card; then comes the band that they form.
        float total = 0;
        for (std::size_t j = 0; j < 5; ++j) total += bands[2 * j];
        for (std::size_t j = 0; j < 5; ++j)
            EXPECT_NEAR(bands[2 * j] / total, share[static_cast<Eigen::Index>(j)], 1e-4f) << row << ", " << j;
    }
}

/// In a long text the weights between the strongest ones are merged: a few ribbons show all weights.
TEST(Flow, ALongTextsValuesAreMerged) {
    std::string text;
    for (int i = 0; i < 700; ++i) text += i % 3 ? "cat " : "dog ";
    const Flowing flowing(document_of({{"variant", "multi_head"}}, text));
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const StepId weights = attn::find_id(flowing.trace(), {Role::Weights});
    const Scene scene = flowing.scene(graph, attn::Cell{weights, 699, 1});
    EXPECT_LT(scene.ribbons.size(), 500u);
    EXPECT_LT(scene.paths.size(), 500u);
    // Every slot's ribbon has two parts; then comes the band that they form.
    const auto bands = merged(scene);
    ASSERT_GE(bands.size(), 3u);
    EXPECT_LE(bands.size(), 2u * (2 * (kFlowStrongest + 2) + 1) + 1);
    float together = 0;
    for (std::size_t i = 0; i + 1 < bands.size(); i += 2) together += bands[i];
    EXPECT_GT(together, 17);
    EXPECT_LT(together, 46.5f);
}

TEST(Flow, TheMessageIsTheSelectedWeight) {
    const Flowing flowing(document_of({{"variant", "multi_head"}}));
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const StepId weights = attn::find_id(flowing.trace(), {Role::Weights});
    flowing.with(graph, attn::Cell{weights, 2, 1}, kArea, [&](const FlowInput& in) {
        const auto said = flow_message(in);
        ASSERT_TRUE(said);
        EXPECT_EQ(said->query, "cat");
        EXPECT_EQ(said->key, "tired");
        EXPECT_EQ(said->weight, flowing.trace()[weights].value(2, 1));
    });
    // For a query alone: the token that contributes most to its row.
    const StepId queries = attn::find_id(flowing.trace(), {Role::Queries});
    flowing.with(graph, attn::Cell{queries, 4, 0}, kArea, [&](const FlowInput& in) {
        const auto said = flow_message(in);
        ASSERT_TRUE(said);
        EXPECT_EQ(said->query, "down");
        EXPECT_EQ(said->weight, flowing.trace()[weights].value.row(4).maxCoeff());
    });
}

/// The sentence is the same for every tile that is shown: it gives the final weight, not an exponential of one tile.
TEST(Flow, TheMessageOfTilesIsThatOfTheWhole) {
    const Flowing whole(document_of({{"variant", "multi_head"}}));
    const Flowing tiles(document_of({{"variant", "online"}, {"tile", "2"}}));
    const StepId weights = attn::find_id(whole.trace(), {Role::Weights});
    const StepId queries = attn::find_id(tiles.trace(), {Role::Queries});
    int said_of = 0;
    for (const auto& place : tiles.places()) {
        const FlowGraph graph = tiles.graph(place);
        tiles.with(graph, attn::Cell{queries, 2, 0}, kArea, [&](const FlowInput& in) {
            const auto said = flow_message(in);
            if (!said) return;
            ++said_of;
            Eigen::Index key = 0;
            const float most = whole.trace()[weights].value.row(2).maxCoeff(&key);
            EXPECT_NEAR(said->weight, most, 1e-6f);
            EXPECT_EQ(said->query, "cat");
            EXPECT_EQ(said->key, whole.trace().tokens[static_cast<std::size_t>(key)]);
        });
    }
    EXPECT_GT(said_of, 0);
}

TEST(Flow, ShowsAllHeadsButOnlyOneOnTheCard) {
    const Flowing flowing(document_of({{"variant", "multi_head"}, {"heads", "2"}}));
    const FlowGraph graph = flowing.graph(flowing.places().front());
    int squares = 0;
    for (const FlowNode& node : graph.nodes) {
        const attn::Tag tag = flowing.trace()[node.step].tag;
        if (tag.role == Role::Weights) {
            EXPECT_EQ(tag.head, 0);
            ++squares;
        }
        EXPECT_TRUE(tag.role != Role::Queries || tag.head == attn::kNoHead) << "the whole, its head in a frame";
    }
    EXPECT_EQ(squares, 1);
    const Scene scene = flowing.scene(graph);
    const auto frames =
        std::count_if(scene.bars.begin(), scene.bars.end(), [](const BandSprite& b) { return b.dashed; });
    EXPECT_EQ(frames, 4) << "in Q, K, V and the heads joined";
}

TEST(Flow, ZoomedInEveryCellCanBeSelected) {
    const Flowing flowing(document_of({{"variant", "multi_head"}}));
    Scene scene = flowing.scene(flowing.graph(flowing.places().front()));
    const Scene before = scene;
    const Camera camera{3.5f, {-700, -420}};
    look_through(camera, scene);
    ASSERT_EQ(scene.matrices.size(), before.matrices.size());
    for (const MatrixSprite& m : before.matrices) {
        const Point at = camera(m.grid.at(0, 1).center());
        const auto cell = pick(scene, at);
        ASSERT_TRUE(cell);
        EXPECT_EQ(cell->step, m.step);
        EXPECT_EQ(cell->row, m.first_row);
        EXPECT_EQ(cell->col, 1);
    }
    for (std::size_t i = 0; i < scene.ribbons.size(); ++i)
        EXPECT_NEAR(scene.ribbons[i].to_high - scene.ribbons[i].to_low,
                    3.5f * (before.ribbons[i].to_high - before.ribbons[i].to_low), 1e-2f);
}

TEST(Flow, WithTokensAsColumnsItIsTheSamePictureTurned) {
    const Flowing flowing(document_of({{"variant", "multi_head"}}));
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const Scene rows = flowing.scene(graph), columns = flowing.scene(graph, {}, kArea, attn::Convention::Columns);
    ASSERT_EQ(rows.matrices.size(), columns.matrices.size());
    ASSERT_EQ(rows.ribbons.size(), columns.ribbons.size());
    for (std::size_t i = 0; i < rows.matrices.size(); ++i) {
        EXPECT_EQ(rows.matrices[i].step, columns.matrices[i].step);
        EXPECT_TRUE(columns.matrices[i].grid.transposed);
        EXPECT_EQ(rows.matrices[i].grid.lines(), columns.matrices[i].grid.uprights());
    }
    for (std::size_t i = 0; i < rows.ribbons.size(); ++i) EXPECT_NE(rows.ribbons[i].down, columns.ribbons[i].down);
}

TEST(Flow, AnEmptyDocumentHasNoPicture) {
    const Flowing flowing(document_of({{"variant", "raw"}}));
    const FlowGraph graph;
    EXPECT_TRUE(flowing.scene(graph).matrices.empty());
}

// Heads side by side.

const Rect* card_of(const Scene& scene, int head) {
    for (const CardSprite& card : scene.cards)
        if (card.head == head) return &card.rect;
    return nullptr;
}

TEST(FlowFan, EveryHeadHasItsCardItsWeightsAndItsRibbons) {
    for (const int heads : {2, 4, 8}) {
        const Flowing flowing(document_of({{"variant", "multi_head"}, {"heads", std::to_string(heads)}}));
        const FlowGraph graph = flowing.graph(flowing.places().front());
        ASSERT_EQ(static_cast<int>(graph.weights.size()), heads);
        for (const attn::Convention convention : {attn::Convention::Rows, attn::Convention::Columns}) {
            const Scene scene = flowing.fanned(graph, 1, convention);
            for (int h = 0; h < heads; ++h) {
                const Rect* card = card_of(scene, h);
                ASSERT_TRUE(card) << h;
                EXPECT_GE(card->x, kArea.x - 1);
                EXPECT_GE(card->y, kArea.y - 1);
                EXPECT_LE(card->right(), kArea.right() + 1);
                EXPECT_LE(card->bottom(), kArea.bottom() + 1);
                for (int other = 0; other < h; ++other) EXPECT_FALSE(card->overlaps(*card_of(scene, other)));
                const auto weights =
                    std::find_if(scene.matrices.begin(), scene.matrices.end(), [&](const MatrixSprite& m) {
                        return m.step == graph.weights[static_cast<std::size_t>(h)] && m.alpha > 0.9f;
                    });
                ASSERT_NE(weights, scene.matrices.end());
                const Rect body = weights->grid.area();
                EXPECT_TRUE(card->contains(body.top_left()) && card->contains({body.right() - 1, body.bottom() - 1}));
                EXPECT_EQ(pick(scene, weights->grid.at(1, 2).center()),
                          (attn::Cell{graph.weights[static_cast<std::size_t>(h)], 1, 2}));
                EXPECT_GT(std::count_if(scene.ribbons.begin(), scene.ribbons.end(),
                                        [&](const RibbonSprite& r) { return r.head == h; }),
                          2);
            }
        }
    }
}

/// Starting from the stack without a jump: a little later the cards are a little further.
TEST(FlowFan, MovesWithoutAJumpFromTheStack) {
    const Flowing flowing(document_of({{"variant", "multi_head"}, {"heads", "4"}}));
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const Scene stacked = flowing.fanned(graph, 0);
    Scene before = flowing.fanned(graph, 1e-6);
    EXPECT_NEAR(card_of(before, 0)->x, stacked.cards.back().rect.x, 0.5);
    EXPECT_NEAR(card_of(before, 0)->w, stacked.cards.back().rect.w, 0.5);
    constexpr int kSteps = 100;
    for (int i = 1; i <= kSteps; ++i) {
        const Scene now = flowing.fanned(graph, static_cast<double>(i) / kSteps);
        for (int h = 0; h < 4; ++h) {
            EXPECT_LT(std::abs(card_of(now, h)->x - card_of(before, h)->x), 30);
            EXPECT_LT(std::abs(card_of(now, h)->y - card_of(before, h)->y), 30);
        }
        before = now;
    }
}

/// As many as a choice of heads offers.
TEST(FlowFan, AllOfferedHeadsHaveRoom) {
    constexpr int kOffered = 16;
    attn::Document doc = document_of({{"variant", "multi_head"}});
    doc.vectors = "random";
    doc.width = doc.config.heads = kOffered;
    const Flowing flowing(doc);
    const Scene scene = flowing.fanned(flowing.graph(flowing.places().front()), 1);
    for (int h = 0; h < kOffered; ++h) {
        ASSERT_TRUE(card_of(scene, h));
        EXPECT_GT(card_of(scene, h)->w, 30);
        for (int other = 0; other < h; ++other) EXPECT_FALSE(card_of(scene, h)->overlaps(*card_of(scene, other)));
    }
}

TEST(FlowFan, OneHeadHasNothingToFanOut) {
    const Flowing flowing(document_of({{"variant", "multi_head"}}));
    const FlowGraph graph = flowing.graph(flowing.places().front());
    EXPECT_TRUE(graph.weights.empty());
    EXPECT_EQ(flowing.fanned(graph, 1).cards.size(), flowing.fanned(graph, 0).cards.size());
}

}  // namespace
