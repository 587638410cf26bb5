// The flow during playback: values that move, matrices that are computed; folded long texts; blocks as boxes.

#include <map>

#include "tests/app/anim_flow_support.h"

namespace {

using namespace flowing;

Flowing opening() { return Flowing(document_of({{"variant", "multi_head"}, {"mask", "causal"}})); }

std::vector<const CellSprite*> beads_of(const Scene& scene, const attn::Trace& trace, Role role) {
    std::vector<const CellSprite*> out;
    for (const CellSprite& cell : scene.cells)
        if (trace[cell.cell.step].tag.role == role) out.push_back(&cell);
    return out;
}

const MatrixSprite* matrix_of(const Scene& scene, const attn::Trace& trace, Role role) {
    for (const MatrixSprite& m : scene.matrices)
        if (trace[m.step].tag.role == role) return &m;
    return nullptr;
}

TEST(FlowTravel, QueriesAndKeysTravelToTheScores) {
    const Flowing flowing = opening();
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const int stop = flowing.stop_at(Role::Scores);
    const Scene early = flowing.moving(graph, stop, 0.15), later = flowing.moving(graph, stop, 0.3);
    for (const Role role : {Role::Queries, Role::Keys}) {
        std::map<int, float> x;
        for (const CellSprite* bead : beads_of(early, flowing.trace(), role)) x[bead->cell.col] = bead->rect.center().x;
        int seen = 0;
        for (const CellSprite* bead : beads_of(later, flowing.trace(), role))
            if (const auto at = x.find(bead->cell.col); at != x.end()) {
                EXPECT_GE(bead->rect.center().x, at->second) << "a value never goes back";
                ++seen;
            }
        EXPECT_GT(seen, 0);
    }
}

TEST(FlowTravel, NothingMovesAtTheEndsOfAMotion) {
    const Flowing flowing = opening();
    const FlowGraph graph = flowing.graph(flowing.places().front());
    for (const FlowNode& node : graph.nodes) {
        if (node.stop < 0) continue;
        const Scene done = flowing.moving(graph, node.stop, 1);
        for (const CellSprite& cell : done.cells)
            EXPECT_EQ(hue_of(flowing.trace()[cell.cell.step].tag.role), Hue::Input) << "only the sweep goes on";
    }
}

TEST(FlowTravel, EveryOperationHasMovingValues) {
    const Flowing flowing = opening();
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const std::pair<Role, Role> ways[] = {{Role::Queries, Role::Embeddings}, {Role::Scaled, Role::Scores},
                                          {Role::Weights, Role::Masked},     {Role::HeadOutput, Role::Values},
                                          {Role::HeadOutput, Role::Weights}, {Role::Output, Role::HeadOutput}};
    for (const auto& [made, read] : ways) {
        const Scene scene = flowing.moving(graph, flowing.stop_at(made), 0.25);
        EXPECT_FALSE(beads_of(scene, flowing.trace(), read).empty()) << attn::role_id(made);
        EXPECT_FALSE(scene.matrices.empty());
    }
}

TEST(FlowTravel, ShowsNothingThatIsNotComputedYet) {
    const Flowing flowing = opening();
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const int stop = flowing.stop_at(Role::Scores);
    const Scene before = flowing.moving(graph, stop, 0.3), half = flowing.moving(graph, stop, 0.6);
    EXPECT_EQ(matrix_of(before, flowing.trace(), Role::Weights), nullptr);
    EXPECT_NE(matrix_of(before, flowing.trace(), Role::Keys), nullptr);
    const MatrixSprite* scores = matrix_of(half, flowing.trace(), Role::Scores);
    ASSERT_NE(scores, nullptr);
    const Reveal& reveal = scores->reveal;
    EXPECT_TRUE(reveal.shows(reveal.first_row, reveal.first_col, 5, 5));
    EXPECT_FALSE(reveal.shows((reveal.first_row + 1) % 5, 0, 5, 5)) << "one row first";
}

TEST(FlowTravel, ProjectionsAreOneSweep) {
    const Flowing flowing = opening();
    const FlowGraph graph = flowing.graph(flowing.places().front());
    const int queries = flowing.stop_at(Role::Queries), values = flowing.stop_at(Role::Values);
    ASSERT_EQ(section_of(flowing.timeline(), queries), section_of(flowing.timeline(), values));
    double before = 0;
    const double from = flowing.timeline().stops[static_cast<std::size_t>(queries)].start,
                 to = flowing.timeline().stops[static_cast<std::size_t>(values)].end();
    int together = 0;
    for (int i = 0; i < 40; ++i) {
        const double time = from + (to - from) * i / 40;
        const auto sweep = flow_sweep(flowing.timeline(), time);
        ASSERT_TRUE(sweep);
        EXPECT_GE(sweep->share, before) << "without a pause or a jump back";
        EXPECT_LT(sweep->share - before, 0.2);
        before = sweep->share;
        const Pose pose = pose_at(flowing.timeline(), time);
        const Scene scene = flowing.moving(graph, pose.stop, pose.progress);
        together += matrix_of(scene, flowing.trace(), Role::Queries) && matrix_of(scene, flowing.trace(), Role::Values);
    }
    EXPECT_GT(together, 20) << "the three are made side by side";
    EXPECT_FALSE(flow_sweep(flowing.timeline(), to + 0.01));
}

// Long texts.

std::string words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "w" + std::to_string(i * 7919 % 97) + " ";
    return text;
}

TEST(FlowFold, SlotsHoldEveryTokenOnceAndAllOfTheAttention) {
    std::vector<float> weights(300);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = i % 50 == 7 ? 0.1f : 0.4f / 294;
    const auto slots = flow_slots(weights, {200, -1});
    int next = 0, single = 0;
    double sum = 0;
    for (const FlowSlot& slot : slots) {
        EXPECT_EQ(slot.first, next);
        next = slot.last + 1;
        sum += slot.share;
        if (!slot.is_band()) ++single;
    }
    EXPECT_EQ(next, 300);
    EXPECT_NEAR(sum, 1, 1e-6);
    EXPECT_EQ(single, kFlowStrongest + 1);
    for (std::size_t i = 7; i < weights.size(); i += 50)
        EXPECT_TRUE(std::any_of(slots.begin(), slots.end(), [&](const FlowSlot& slot) {
            return !slot.is_band() && slot.first == static_cast<int>(i);
        })) << i;
}

TEST(FlowFold, AFullyMaskedRowIsOneBand) {
    const std::vector<float> none(40, 0.0f);
    const auto slots = flow_slots(none, {-1});
    ASSERT_EQ(slots.size(), 1u);
    EXPECT_EQ(slots[0].share, 0);
    EXPECT_EQ(flow_slots(none, {3}).size(), 3u);
}

TEST(FlowFold, ALongTextShowsThePinnedQuerysStrongestTokens) {
    for (const int count : {64, 300}) {
        const Flowing flowing(document_of({{"variant", "multi_head"}, {"mask", "causal"}}, words(count)));
        const FlowGraph graph = flowing.graph(flowing.places().front());
        const int query = count / 2;
        const Scene scene =
            flowing.moving(graph, static_cast<int>(flowing.timeline().stops.size()) - 1, 1, kArea, query);
        EXPECT_LT(scene.matrices.size(), 200u);
        const StepId weights = attn::find_id(flowing.trace(), {Role::Weights});
        double shown = 0;
        for (const MatrixSprite& m : scene.matrices) {
            if (m.step != weights) continue;
            EXPECT_EQ(m.first_row, query);
            EXPECT_EQ(m.grid.rows * m.grid.cols, 1);
            const double weight = flowing.trace()[weights].value(m.first_row, m.first_col);
            shown += weight;
            EXPECT_EQ(pick(scene, m.grid.area().center()), (attn::Cell{weights, query, m.first_col}));
        }
        EXPECT_GT(shown, 0);
        EXPECT_LE(shown, 1.0001);
        // The bands' numbers and the shown weights sum to all of the attention.
        const attn::Matrix row = flowing.trace()[weights].value.row(query);
        double all = 0;
        int bands = 0;
        for (const FlowSlot& slot : flow_slots({row.data(), static_cast<std::size_t>(count)}, {query})) {
            all += slot.share;
            bands += slot.is_band();
        }
        EXPECT_NEAR(all, 1, 1e-6);
        EXPECT_GT(bands, 0);
        const auto labelled = [&](std::string_view text) {
            return std::any_of(scene.labels.begin(), scene.labels.end(),
                               [&](const LabelSprite& l) { return l.text.find(text) != std::string::npos; });
        };
        EXPECT_TRUE(labelled(std::to_string(query + 1) + " "));
        EXPECT_TRUE(labelled("more"));
        for (const MatrixSprite& m : scene.matrices) {
            EXPECT_GE(m.grid.area().y, kArea.y - 1);
            EXPECT_LE(m.grid.area().bottom(), kArea.bottom() + 1);
        }
    }
}

// Blocks.

TEST(FlowBlocks, ALongChainHasNamedBoxes) {
    const Flowing flowing(document_of({{"variant", "encoder"}, {"layers", "1"}}));
    const FlowGraph whole = flowing.graph(flowing.places().front());
    const auto blocks = [](const FlowGraph& graph) {
        std::vector<FlowBlock> out;
        for (const FlowNode& node : graph.nodes)
            if (node.shut != FlowBlock::None) out.push_back(node.shut);
        return out;
    };
    const FlowGraph attends = shut_blocks(flowing.timeline(), whole, FlowBlock::Attention);
    EXPECT_EQ(blocks(attends), (std::vector{FlowBlock::AddNorm, FlowBlock::FeedForward, FlowBlock::AddNorm}));
    EXPECT_LT(attends.columns, whole.columns);
    const FlowGraph feeds = shut_blocks(flowing.timeline(), whole, FlowBlock::FeedForward);
    EXPECT_EQ(blocks(feeds), (std::vector{FlowBlock::Attention, FlowBlock::AddNorm, FlowBlock::AddNorm}));
    for (const FlowGraph* graph : {&attends, &feeds})
        for (const FlowEdge& e : graph->edges)
            EXPECT_LT(graph->nodes[static_cast<std::size_t>(e.from)].column,
                      graph->nodes[static_cast<std::size_t>(e.to)].column);
    for (const FlowNode& node : whole.nodes) {
        if (flowing.trace()[node.step].tag.role != Role::Activated) continue;
        EXPECT_EQ(open_block(flowing.timeline(), node.stop), FlowBlock::FeedForward);
    }
    EXPECT_EQ(open_block(flowing.timeline(), 0), FlowBlock::Attention);
}

TEST(FlowBlocks, AShortChainStaysAsItIs) {
    const Flowing flowing = opening();
    const FlowGraph whole = flowing.graph(flowing.places().front());
    const FlowGraph same = shut_blocks(flowing.timeline(), whole, FlowBlock::Attention);
    EXPECT_EQ(same.nodes.size(), whole.nodes.size());
}

// Colours.

TEST(ColorRange, OfManyNumbersFollowsNearlyAllOfThem) {
    const Flowing flowing(document_of({{"variant", "multi_head"}}, words(64)));
    const StepId weights = attn::find_id(flowing.trace(), {Role::Weights});
    std::vector<StepRange> ranges;
    for (std::size_t i = 0; i < flowing.ranges().size(); ++i) ranges.push_back(flowing.ranges()[i]);
    ranges[static_cast<std::size_t>(weights)] = {0, 0.35f, 0.02f};
    const ColorScale own = color_scale(flowing.trace(), ranges, weights, false);
    EXPECT_FLOAT_EQ(own.high, 0.02f);
    EXPECT_TRUE(own.beyond) << "the legend says that some are larger";
    const ColorScale shared = color_scale(flowing.trace(), ranges, weights, true);
    EXPECT_FLOAT_EQ(shared.high, 1);
    EXPECT_FALSE(shared.beyond);
}

TEST(ColorRange, OfALongTextIsThatOfItsBulk) {
    // Word 0 attends only to itself: one weight of 1 in a map whose others are far smaller.
    const Flowing flowing(document_of({{"variant", "multi_head"}, {"mask", "causal"}}, words(300)));
    const StepId weights = attn::find_id(flowing.trace(), {Role::Weights});
    const StepRange& range = flowing.ranges()[static_cast<std::size_t>(weights)];
    EXPECT_FLOAT_EQ(range.high, 1);
    EXPECT_GT(range.bulk, 0);
    EXPECT_LT(range.bulk, 0.5f);
    std::vector<float> seen;
    const attn::Matrix& value = flowing.trace()[weights].value;
    for (Eigen::Index i = 0; i < value.size(); ++i)
        if (value.data()[i] > 0) seen.push_back(value.data()[i]);
    const auto below = std::count_if(seen.begin(), seen.end(), [&](float v) { return v <= range.bulk; });
    EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(seen.size()), 0.99, 0.01);
    const Flowing few = opening();
    for (std::size_t i = 0; i < few.ranges().size(); ++i) EXPECT_EQ(few.ranges()[i].bulk, 0) << "every cell of a small map is seen";
}

}  // namespace
