// The flow: what a place shows and how its parts are connected, for every form; its layout is pure and stays inside its area.

#include "core/document/take.h"
#include "core/model/attention_file/given_attention.h"
#include "tests/app/anim_flow_support.h"

namespace {

using namespace flowing;

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

struct Way {
    std::string_view name;
    Fields fields;
};
void PrintTo(const Way& way, std::ostream* out) { *out << way.name; }

const Way kFlowWays[] = {
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
    {"gated", {{"variant", "bahdanau"}, {"unit", "gru"}, {"source", "good morning"}}},
    {"luong", {{"variant", "luong"}, {"source", "good morning"}}},
    {"online", {{"variant", "online"}, {"tile", "2"}}},
    {"linear", {{"variant", "linear"}}},
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

/// The two gates, the candidate and the state; their summands are shown on the stage only.
TEST(Flow, OfGatedUnitsShowsGatesAndThePreviousWord) {
    const Flowing flowing(document_of({{"variant", "bahdanau"}, {"unit", "gru"}, {"source", "good morning"}}));
    const FlowPlace& place = flowing.places().back();
    const FlowGraph graph = flowing.graph(place);
    const int time = flowing.timeline().sections[static_cast<std::size_t>(place.main)].time;
    std::multiset<Role> roles;
    for (const FlowNode& node : graph.nodes) roles.insert(flowing.trace()[node.step].tag.role);
    for (const Role role : {Role::Update, Role::Reset, Role::KeptState, Role::Candidate}) EXPECT_EQ(roles.count(role), 1u);
    for (const Role role : {Role::UpdateProducts, Role::UpdateSum, Role::ResetInput, Role::StateChange}) EXPECT_EQ(roles.count(role), 0u);
    EXPECT_LE(graph.columns, 12);  // of the last word: the gathered states and the output as well
    int read = 0;
    for (const FlowEdge& e : graph.edges) {
        if (flowing.trace()[graph.nodes[static_cast<std::size_t>(e.from)].step].tag.role != Role::Embeddings) continue;
        EXPECT_EQ(e.first_row, time - 1);
        ++read;
    }
    EXPECT_EQ(read, 3);
}

/// Weights from a file have no inputs: their tokens' names are beside and above them, on the card.
TEST(Flow, OfGivenAttentionNamesItsTokensOnTheCard) {
    const auto given = attn::read_attention(R"({"tokens": ["the", "tired", "cat"],
        "attention": [[[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]]]})", "a.json");
    ASSERT_TRUE(given);
    Document doc;
    attn::take_attention(doc, *given);
    const Flowing flowing(doc);
    for (const Rect area : {kArea, Rect{10, 140, 620, 260}}) {
        const Scene scene = flowing.scene(flowing.graph(flowing.places().front()), {}, area);
        ASSERT_FALSE(scene.cards.empty());
        const Rect card = scene.cards.back().rect;
        EXPECT_LE(card.bottom(), area.bottom() + 0.5f);
        EXPECT_GE(card.y, area.y - 0.5f);
        int names = 0;
        for (const LabelSprite& label : scene.labels) {
            if (label.text != "the" && label.text != "tired" && label.text != "cat") continue;
            ++names;
            const float w = width_of(label.text, label.type) * (label.slanted ? 0.58f : 1);  // the cosine of its slope
            const float before = label.align == Align::Right ? w : label.align == Align::Center ? w / 2 : 0;
            EXPECT_GE(label.at.x - before, card.x) << label.text;
            EXPECT_LE(label.at.x - before + w, card.right()) << label.text;
        }
        EXPECT_EQ(names, 6);
    }
}

TEST_P(FlowTest, InputsAreLeftOfTheirReaders) {
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

TEST_P(FlowTest, StaysInsideItsArea) {
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

TEST_P(FlowTest, IsPureAndSelectsTheVisibleCell) {
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

INSTANTIATE_TEST_SUITE_P(Flow, FlowTest, ::testing::ValuesIn(kFlowWays),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
