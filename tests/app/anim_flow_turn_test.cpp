// The transition from one picture of the flow to the next: common parts always stay visible, and both ends equal the
// pictures.

#include "app/layout/flow/turn.h"

#include "app/layout/flow/model_map.h"
#include "tests/app/anim_flow_support.h"

namespace {

using namespace flowing;

/// The pictures before and after a transition, laid out, and a step that both show.
struct Turned {
    Scene before, after;
    FlowGraph from, to;
    StepId common = attn::kNoStep;
    Turned(const Flowing& flowing, int stop) : from(picture(flowing, stop)), to(picture(flowing, stop + 1)) {
        flowing.with(from, {}, kArea, [&](const FlowInput& in) { lay_out_flow(in, before); });
        flowing.with(to, {}, kArea, [&](const FlowInput& in) { lay_out_flow(in, after); });
        for (const FlowNode& node : from.nodes)
            for (const FlowNode& other : to.nodes)
                if (node.step == other.step && !matrix_in(before, node.step).empty() && !matrix_in(after, node.step).empty())
                    common = node.step;
    }
    static FlowGraph picture(const Flowing& flowing, int stop) {
        const int at = flow_place_of(flowing.places(), flowing.timeline(), stop);
        return shut_blocks(flowing.timeline(), flowing.graph(flowing.places()[static_cast<std::size_t>(at)]),
                           open_block(flowing.timeline(), stop));
    }
};

/// The last stops of the pictures of a walk.
std::vector<int> turns_of(const Flowing& flowing) {
    std::vector<int> turns;
    for (std::size_t i = 1; i < flowing.timeline().stops.size(); ++i)
        if (flow_turn(flowing.places(), flowing.timeline(), flowing.timeline().stops[i].start)) turns.push_back(static_cast<int>(i) - 1);
    return turns;
}

const std::vector<Fields> kForms{{{"variant", "decoder"}, {"heads", "2"}, {"layers", "3"}},
                                 {{"variant", "encoder"}, {"heads", "2"}, {"layers", "2"}},
                                 {{"variant", "bahdanau"}},
                                 {{"variant", "cross"}}};

TEST(FlowTurn, CommonPartsStayVisibleBetweenLayers) {
    int shared = 0;
    for (const Fields& form : kForms) {
        const Flowing flowing(document_of(form));
        for (const int stop : turns_of(flowing)) {
            const Turned still(flowing, stop);
            if (still.common == attn::kNoStep) continue;
            ++shared;
            for (const double passed : {0.0, 0.3, 0.5, 0.8, 1.0}) {
                Turned moved = still;
                carry_over(moved.before, moved.after, moved.from, moved.to, kArea, passed);
                const Rect was = matrix_in(moved.before, still.common), is = matrix_in(moved.after, still.common);
                EXPECT_NEAR(was.center().x, is.center().x, 0.5) << form.front().second << " " << stop << " at " << passed;
                EXPECT_NEAR(was.center().y, is.center().y, 0.5) << form.front().second << " " << stop << " at " << passed;
                EXPECT_NEAR(was.h, is.h, 0.5) << form.front().second << " " << stop << " at " << passed;
            }
        }
    }
    EXPECT_GT(shared, 3);
}

TEST(FlowTurn, StartsAndEndsWithTheTwoPictures) {
    const Flowing flowing(document_of(kForms[1]));
    const std::vector<int> turns = turns_of(flowing);
    ASSERT_FALSE(turns.empty());
    for (const int stop : turns) {
        const Turned still(flowing, stop);
        Turned first = still, last = still;
        carry_over(first.before, first.after, still.from, still.to, kArea, 0);
        carry_over(last.before, last.after, still.from, still.to, kArea, 1);
        for (std::size_t i = 0; i < still.before.matrices.size(); ++i) {
            const Rect is = first.before.matrices[i].grid.area(), was = still.before.matrices[i].grid.area();
            EXPECT_NEAR(is.x, was.x, 0.01);
            EXPECT_NEAR(is.y, was.y, 0.01);
        }
        for (std::size_t i = 0; i < still.after.matrices.size(); ++i) {
            const Rect is = last.after.matrices[i].grid.area(), was = still.after.matrices[i].grid.area();
            EXPECT_NEAR(is.x, was.x, 0.01);
            EXPECT_NEAR(is.y, was.y, 0.01);
        }
    }
}

TEST(FlowTurn, ItIsShortAndInsideItsStop) {
    const Flowing flowing(document_of(kForms[0]));
    for (const int stop : turns_of(flowing)) {
        const Stop& next = flowing.timeline().stops[static_cast<std::size_t>(stop) + 1];
        const auto begins = flow_turn(flowing.places(), flowing.timeline(), next.start);
        ASSERT_TRUE(begins);
        EXPECT_EQ(begins->stop, stop);
        EXPECT_EQ(begins->passed, 0);
        EXPECT_FALSE(flow_turn(flowing.places(), flowing.timeline(), next.start + next.motion)) << "at rest it is there";
    }
}

TEST(FlowTurn, ASinglePictureHasNoTransition) {
    const Flowing flowing(document_of({{"variant", "single"}}));
    EXPECT_TRUE(turns_of(flowing).empty());
    EXPECT_FALSE(flow_turn({}, Timeline{}, 0));
}

TEST(FlowTurn, SomethingIsVisibleAtEveryMoment) {
    for (int i = 0; i <= 20; ++i) EXPECT_GT(seen_before(i / 20.0) + seen_after(i / 20.0), 0.7f) << i;
    EXPECT_EQ(seen_before(0), 1);
    EXPECT_EQ(seen_after(1), 1);
}

}  // namespace
