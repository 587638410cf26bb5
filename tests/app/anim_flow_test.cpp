// The flow: what a place shows and what runs between, for every variant; its layout pure and inside its area.

#include "app/anim/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/anim/roles.h"
#include "app/state/derived.h"
#include "core/document.h"
#include "core/document_fields.h"

namespace {

using namespace app;
using attn::Document;
using attn::Role;
using attn::StepId;

constexpr Rect kArea{20, 150, 1240, 560};

constexpr attn::Convention kConventions[] = {attn::Convention::Rows, attn::Convention::Columns};
struct Looked {
    Rect area;
    attn::Convention convention;
};
constexpr Looked kViews[] = {{kArea, attn::Convention::Rows},
                             {{10, 140, 980, 420}, attn::Convention::Rows},
                             {{0, 150, 1860, 800}, attn::Convention::Rows},
                             {kArea, attn::Convention::Columns},
                             {{0, 150, 1860, 800}, attn::Convention::Columns}};

float width_of(std::string_view text, Type) { return 7.5f * static_cast<float>(text.size()); }

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;
struct Way {
    std::string_view name;
    Fields fields;
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

const Way kWays[] = {
    {"raw", {{"variant", "raw"}}},
    {"one_head", {{"variant", "multi_head"}}},
    {"heads", {{"variant", "multi_head"}, {"heads", "4"}, {"mask", "causal"}}},
    {"grouped", {{"variant", "multi_head"}, {"heads", "4"}, {"kv_heads", "2"}}},
    {"additive", {{"variant", "multi_head"}, {"score", "additive"}}},
    {"relative", {{"variant", "multi_head"}, {"position", "relative"}}},
    {"rope", {{"variant", "multi_head"}, {"position", "rope"}}},
    {"local", {{"variant", "multi_head"}, {"scope", "local_p"}}},
    {"hard", {{"variant", "multi_head"}, {"selection", "hard"}, {"draws", "8"}}},
    {"gate", {{"variant", "multi_head"}, {"gate", "sigmoid"}, {"penalty", "1"}}},
    {"sliced", {{"variant", "sliced_input"}, {"heads", "2"}}},
    {"cross", {{"variant", "cross"}, {"source", "good morning my friend"}}},
    {"encoder", {{"variant", "encoder"}, {"layers", "2"}}},
    {"decoder", {{"variant", "decoder"}, {"layers", "2"}, {"source", "good morning"}}},
    {"generate", {{"variant", "generate"}}},
    {"bahdanau", {{"variant", "bahdanau"}, {"source", "good morning"}}},
    {"luong", {{"variant", "luong"}, {"source", "good morning"}}},
    {"online", {{"variant", "online"}, {"tile", "2"}}},
    {"linear", {{"variant", "linear"}}},
};

Document document_of(const Fields& fields, std::string text = "the tired cat sat down") {
    Document doc;
    doc.text = std::move(text);
    attn::choose_variant(doc, fields.front().second);
    if (fields.front().second != "raw") doc.weights = "random";
    for (std::size_t i = 1; i < fields.size(); ++i)
        EXPECT_TRUE(attn::set_field(doc, fields[i].first, fields[i].second)) << fields[i].first;
    return doc;
}

/// A computed document, its places and their pictures.
class Flowing {
public:
    explicit Flowing(const Document& document)
        : computed_(compute_all(*attn::run(document))), heads_(std::max(1, document.config.heads)) {
        labels_ = labels_of(trace(), Language::English);
        timeline_ = make_timeline(trace(), heads_ > 1 ? 0 : attn::kNoHead);
        places_ = flow_places(trace(), timeline_);
    }
    const attn::Trace& trace() const { return computed_->run.trace; }
    const Timeline& timeline() const { return timeline_; }
    const std::vector<FlowPlace>& places() const { return places_; }
    FlowGraph graph(const FlowPlace& place) const { return make_flow(trace(), timeline_, place); }

    template <class Use>
    void with(const FlowGraph& graph, std::optional<attn::Cell> focus, Rect area, Use use,
              attn::Convention convention = attn::Convention::Rows, double fan = 0) const {
        const StageInput stage{trace(), computed_->ranges, labels_, {},         focus,   area,
                               {},      Language::English, false,   convention, width_of};
        use(FlowInput{stage, graph, false, 0, heads_, fan});
    }
    Scene scene(const FlowGraph& graph, std::optional<attn::Cell> focus = {}, Rect area = kArea,
                attn::Convention convention = attn::Convention::Rows) const {
        Scene scene;
        with(
            graph, focus, area, [&](const FlowInput& in) { lay_out_flow(in, scene); }, convention);
        return scene;
    }

    Scene fanned(const FlowGraph& graph, double fan, attn::Convention convention = attn::Convention::Rows) const {
        Scene scene;
        with(
            graph, {}, kArea, [&](const FlowInput& in) { lay_out_flow(in, scene); }, convention, fan);
        return scene;
    }

private:
    std::shared_ptr<const Computed> computed_;
    int heads_;
    AxisLabels labels_;
    Timeline timeline_;
    std::vector<FlowPlace> places_;
};

class FlowTest : public ::testing::TestWithParam<Way> {
protected:
    Flowing flowing_{document_of(GetParam().fields)};
};

TEST_P(FlowTest, PlacesHoldEverySectionOnce) {
    int next = 0;
    for (const FlowPlace& place : flowing_.places()) {
        EXPECT_EQ(place.first, next);
        EXPECT_TRUE(place.has(place.main));
        next = place.last + 1;
    }
    EXPECT_EQ(next, static_cast<int>(flowing_.timeline().sections.size()));
}

TEST_P(FlowTest, WhatIsReadStandsLeftOfWhatReadsIt) {
    for (const FlowPlace& place : flowing_.places()) {
        const FlowGraph graph = flowing_.graph(place);
        ASSERT_FALSE(graph.nodes.empty());
        for (const FlowEdge& e : graph.edges)
            EXPECT_LT(graph.nodes[static_cast<std::size_t>(e.from)].column,
                      graph.nodes[static_cast<std::size_t>(e.to)].column);
        std::set<StepId> steps;
        for (const FlowNode& node : graph.nodes) EXPECT_TRUE(steps.insert(node.step).second);
    }
}

TEST_P(FlowTest, EveryMatrixHasItsPartInThePicture) {
    for (const FlowPlace& place : flowing_.places()) {
        const FlowGraph graph = flowing_.graph(place);
        for (int i = 0; i < static_cast<int>(graph.nodes.size()); ++i) {
            const bool tied = std::any_of(graph.edges.begin(), graph.edges.end(),
                                          [&](const FlowEdge& e) { return e.from == i || e.to == i; });
            EXPECT_TRUE(tied || graph.nodes.size() == 1)
                << attn::step_name(flowing_.trace()[graph.nodes[static_cast<std::size_t>(i)].step].tag);
        }
    }
}

TEST_P(FlowTest, MixturesAreByWeightsOfTheirValues) {
    for (const FlowPlace& place : flowing_.places()) {
        const FlowGraph graph = flowing_.graph(place);
        for (const FlowEdge& e : graph.edges) {
            if (e.kind != FlowKind::Mixed) continue;
            const attn::Step& product = flowing_.trace()[e.product];
            EXPECT_EQ(product.op, attn::Op::MatMul);
            EXPECT_EQ(flowing_.trace()[product.inputs[0]].value.cols(),
                      flowing_.trace()[product.inputs[1]].value.rows());
        }
    }
}

TEST_P(FlowTest, StandsInsideItsArea) {
    for (const auto& [area, convention] : kViews)
        for (const FlowPlace& place : flowing_.places()) {
            const Scene scene = flowing_.scene(flowing_.graph(place), {}, area, convention);
            ASSERT_FALSE(scene.matrices.empty());
            for (const MatrixSprite& m : scene.matrices) {
                const Rect r = m.grid.area();
                const std::string name = attn::step_name(flowing_.trace()[m.step].tag);
                EXPECT_GE(r.x, area.x - 1) << name;
                EXPECT_LE(r.right(), area.right() + 1) << name;
                EXPECT_GE(r.y, area.y - 1) << name;
                EXPECT_LE(r.bottom(), area.bottom() + 1) << name;
                EXPECT_GT(m.grid.pitch_x(), 0) << name;
            }
        }
}

TEST_P(FlowTest, MatricesDoNotCoverEachOther) {
    for (const FlowPlace& place : flowing_.places()) {
        for (const attn::Convention convention : kConventions) {
            const Scene scene = flowing_.scene(flowing_.graph(place), {}, kArea, convention);
            for (std::size_t a = 0; a < scene.matrices.size(); ++a)
                for (std::size_t z = a + 1; z < scene.matrices.size(); ++z)
                    EXPECT_FALSE(
                        scene.matrices[a].grid.area().inset(1).overlaps(scene.matrices[z].grid.area().inset(1)))
                        << attn::step_name(flowing_.trace()[scene.matrices[a].step].tag) << " and "
                        << attn::step_name(flowing_.trace()[scene.matrices[z].step].tag);
        }
    }
}

TEST_P(FlowTest, IsPureAndPicksWhatIsSeen) {
    for (const FlowPlace& place : flowing_.places()) {
        const FlowGraph graph = flowing_.graph(place);
        for (const attn::Convention convention : kConventions) {
            const Scene one = flowing_.scene(graph, {}, kArea, convention),
                        two = flowing_.scene(graph, {}, kArea, convention);
            ASSERT_EQ(one.matrices.size(), two.matrices.size());
            ASSERT_EQ(one.ribbons.size(), two.ribbons.size());
            for (std::size_t i = 0; i < one.ribbons.size(); ++i)
                EXPECT_EQ(one.ribbons[i].from_low, two.ribbons[i].from_low);
            for (const MatrixSprite& m : one.matrices) {
                const int row = m.grid.rows - 1, col = m.grid.cols - 1;
                const auto cell = pick(one, m.grid.at(row, col).center());
                ASSERT_TRUE(cell);
                EXPECT_EQ(cell->step, m.step);
                EXPECT_EQ(cell->row, m.first_row + row);
                EXPECT_EQ(cell->col, col);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Flow, FlowTest, ::testing::ValuesIn(kWays),
                         [](const auto& row) { return std::string(row.param.name); });

/// The bands of the values at the place where they merge, from the top.
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
        // Each value's ribbon has two parts, before and under the card; then the band that they make.
        float total = 0;
        for (std::size_t j = 0; j < 5; ++j) total += bands[2 * j];
        for (std::size_t j = 0; j < 5; ++j)
            EXPECT_NEAR(bands[2 * j] / total, share[static_cast<Eigen::Index>(j)], 1e-4f) << row << ", " << j;
    }
}

TEST(Flow, TheMessageIsTheWeightThatIsLookedAt) {
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
    // A query alone: of which token its row is mostly made.
    const StepId queries = attn::find_id(flowing.trace(), {Role::Queries});
    flowing.with(graph, attn::Cell{queries, 4, 0}, kArea, [&](const FlowInput& in) {
        const auto said = flow_message(in);
        ASSERT_TRUE(said);
        EXPECT_EQ(said->query, "down");
        EXPECT_EQ(said->weight, flowing.trace()[weights].value.row(4).maxCoeff());
    });
}

TEST(Flow, ShowsTheHeadsOfAWholeAndOnlyTheOneInFrontOnTheCard) {
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

TEST(Flow, FromCloserEveryCellIsStillPicked) {
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

TEST(Flow, NothingToShowIsNoPicture) {
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

/// From the stack, without a jump: a little later is a little further.
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

TEST(FlowFan, AsManyHeadsAsThereMayBeHaveRoom) {
    attn::Document doc = document_of({{"variant", "multi_head"}});
    doc.vectors = "random";
    doc.width = doc.config.heads = attn::kMaxHeads;
    const Flowing flowing(doc);
    const Scene scene = flowing.fanned(flowing.graph(flowing.places().front()), 1);
    for (int h = 0; h < attn::kMaxHeads; ++h) {
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
