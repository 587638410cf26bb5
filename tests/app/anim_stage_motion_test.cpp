// The stage's motion: the same forwards and backwards, with numbers of the trace, and for each operation what must be
// visible.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/app/anim_stage_support.h"

namespace {

using namespace app;
using namespace staged;
using attn::Cell;
using attn::Document;
using attn::Op;
using attn::StepId;

void expect_same(const Point& a, const Point& b) {
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.y, b.y);
}

void expect_same(const Scene& a, const Scene& b) {
    ASSERT_EQ(a.matrices.size(), b.matrices.size());
    for (std::size_t i = 0; i < a.matrices.size(); ++i) {
        const MatrixSprite &x = a.matrices[i], &y = b.matrices[i];
        EXPECT_EQ(x.step, y.step);
        expect_same(x.grid.origin, y.grid.origin);
        EXPECT_EQ(x.grid.cell, y.grid.cell);
        EXPECT_EQ(x.alpha, y.alpha);
        EXPECT_EQ(x.reveal.cells, y.reveal.cells);
        EXPECT_EQ(x.reveal.rows, y.reveal.rows);
        EXPECT_EQ(x.scale, y.scale);
        EXPECT_EQ(x.ring, y.ring);
    }
    ASSERT_EQ(a.cells.size(), b.cells.size());
    for (std::size_t i = 0; i < a.cells.size(); ++i) {
        EXPECT_EQ(a.cells[i].cell, b.cells[i].cell);
        EXPECT_EQ(a.cells[i].rect, b.cells[i].rect);
        EXPECT_EQ(a.cells[i].alpha, b.cells[i].alpha);
    }
    ASSERT_EQ(a.labels.size(), b.labels.size());
    for (std::size_t i = 0; i < a.labels.size(); ++i) {
        EXPECT_EQ(a.labels[i].text, b.labels[i].text);
        expect_same(a.labels[i].at, b.labels[i].at);
        EXPECT_EQ(a.labels[i].alpha, b.labels[i].alpha);
    }
    ASSERT_EQ(a.quads.size(), b.quads.size());
    for (std::size_t i = 0; i < a.quads.size(); ++i) {
        EXPECT_EQ(a.quads[i].corners, b.quads[i].corners);
        EXPECT_EQ(a.quads[i].value, b.quads[i].value);
        EXPECT_EQ(a.quads[i].alpha, b.quads[i].alpha);
    }
    EXPECT_EQ(a.planes.size(), b.planes.size());
    EXPECT_EQ(a.bands.size(), b.bands.size());
    EXPECT_EQ(a.bars.size(), b.bars.size());
    EXPECT_EQ(a.ribbons.size(), b.ribbons.size());
}

TEST(StageLayout, TheDocumentsOfTheseTestsUseEveryOperation) {
    std::set<Op> seen;
    for (const Staged& staged : all_staged(3))
        for (const Stop& stop : staged.timeline().stops) seen.insert(staged.trace()[stop.step].op);
    EXPECT_EQ(static_cast<int>(seen.size()), attn::kOpCount);
}

TEST(StageLayout, IsPure) {
    for (const Staged& staged : all_staged(5)) {
        const auto& stops = staged.timeline().stops;
        constexpr int kMoments = 20;
        std::vector<Scene> forwards;
        for (const Stop& stop : stops)
            for (int i = 0; i <= kMoments; ++i) forwards.push_back(staged.at(stop, i / static_cast<double>(kMoments)));
        for (std::size_t s = stops.size(); s-- > 0;)
            for (int i = kMoments; i >= 0; --i) {
                SCOPED_TRACE(where(staged, stops[s], 5));
                expect_same(forwards[s * (kMoments + 1) + static_cast<std::size_t>(i)],
                            staged.at(stops[s], i / static_cast<double>(kMoments)));
            }
    }
}

TEST(StageLayout, MovingNumbersAreNumbersOfTheTrace) {
    for (const Staged& staged : all_staged(5))
        for (const Stop& stop : staged.timeline().stops)
            for (int i = 0; i <= 40; ++i) {
                const Scene scene = staged.at(stop, i / 40.0);
                for (const CellSprite& c : scene.cells) {
                    ASSERT_GE(c.cell.step, 0);
                    const attn::Matrix& value = staged.trace()[c.cell.step].value;
                    EXPECT_TRUE(c.cell.row < value.rows() && c.cell.col < value.cols());
                    EXPECT_FALSE(std::isnan(value(c.cell.row, c.cell.col)));
                    EXPECT_GE(c.alpha, 0);
                    EXPECT_LE(c.alpha, 1.0001f);
                }
            }
}

TEST(StageLayout, ShowsNothingForAnEmptyText) {
    Document empty = document_of(0);
    empty.text.clear();
    const Staged staged(empty);
    for (const Stop& stop : staged.timeline().stops) {
        const Scene scene = staged.at(stop, 1);
        EXPECT_TRUE(scene.matrices.empty());
        EXPECT_EQ(pick(scene, kArea.center()), std::nullopt);
    }
}

// What moves, operation by operation: a test for each way of moving.

/// Stops of these documents that an operation computes; at least one (asserted).
template <class Use>
void for_each(Op op, int n, Use use) {
    int found = 0;
    for (const Staged& staged : all_staged(n))
        for (const Stop& stop : staged.timeline().stops)
            if (staged.trace()[stop.step].op == op) {
                SCOPED_TRACE(where(staged, stop, n));
                use(staged, stop);
                ++found;
            }
    EXPECT_GT(found, 0);
}

/// How many cells of the result's matrix are shown.
int cells_there(const Scene& scene, StepId step) {
    int count = 0;
    for (const MatrixSprite& m : scene.matrices)
        if (m.step == step && m.alpha > 0)
            for (int r = 0; r < m.grid.rows; ++r)
                for (int c = 0; c < m.grid.cols; ++c) count += m.reveal.shows(r, c, m.grid.rows, m.grid.cols);
    return count;
}

TEST(StageMotion, AProductIsOneCellSlowlyThenItsRowThenAll) {
    for_each(Op::MatMul, 5, [](const Staged& staged, const Stop& stop) {
        const auto there = [&](double progress) { return cells_there(staged.at(stop, progress), stop.step); };
        const attn::Step& step = staged.trace()[stop.step];
        const bool pairs = step.rows.kind == attn::Axis::Kind::Pairs;
        const auto rows = pairs ? step.rows.span : static_cast<int>(step.value.rows()),
                   cols = static_cast<int>(step.value.cols());
        EXPECT_EQ(there(0), 0);
        EXPECT_EQ(there(0.4), 0);
        EXPECT_EQ(there(0.51), 1);
        EXPECT_EQ(there(0.74), cols);
        EXPECT_EQ(there(1), rows * cols);
        for (double t = 0; t < 1; t += 0.02) EXPECT_LE(there(t), there(t + 0.02));
    });
}

/// The clicked cell comes first, then its row.
TEST(StageMotion, AProductBeginsWithTheCellThatWasClicked) {
    for_each(Op::MatMul, 5, [](const Staged& staged, const Stop& stop) {
        const attn::Step& step = staged.trace()[stop.step];
        const Cell clicked{stop.step, static_cast<int>(step.value.rows()) - 1, static_cast<int>(step.value.cols()) - 1};
        const Scene scene = staged.at(stop, 0.51, clicked);
        EXPECT_EQ(cells_there(scene, stop.step), 1);
        const MatrixSprite* m = nullptr;
        for (const MatrixSprite& one : scene.matrices)
            if (one.step == stop.step) m = &one;
        ASSERT_TRUE(m);
        EXPECT_TRUE(
            m->reveal.shows(clicked.row - m->first_row, clicked.col - m->first_col, m->grid.rows, m->grid.cols));
        EXPECT_EQ(m->ring, clicked);
    });
}

TEST(StageMotion, ScalingNarrowsTheHistogram) {
    for_each(Op::Scale, 12, [](const Staged& staged, const Stop& stop) {
        // Bars on one axis, one for each bin that has values: the range that they span.
        const auto spread = [&](double progress) {
            float low = 1e9f, high = -1e9f;
            for (const BandSprite& bar : staged.at(stop, progress).bars)
                if (bar.hue == Hue::Score && bar.alpha > 0.5f && bar.rect.h > bar.rect.w) {
                    low = std::min(low, bar.rect.x);
                    high = std::max(high, bar.rect.right());
                }
            return high - low;
        };
        if (staged.trace()[stop.step].as<attn::ScaleParams>().factor < 0.9f) {
            EXPECT_LT(spread(1), spread(0));
        }
    });
}

TEST(StageMotion, MaskedCellsDropAndLeaveAHatch) {
    int fell = 0;
    for_each(Op::Mask, 5, [&](const Staged& staged, const Stop& stop) {
        const attn::Matrix& pattern = staged.trace()[staged.trace()[stop.step].inputs[1]].value;
        const auto masked = static_cast<int>((pattern.array() == 0).count());
        int hatched = 0, lowered = 0;
        const Scene before = staged.at(stop, 0), during = staged.at(stop, 0.4);
        ASSERT_EQ(before.cells.size(), during.cells.size());
        for (std::size_t i = 0; i < during.cells.size(); ++i) {
            hatched += during.cells[i].hatched;
            lowered += !during.cells[i].hatched && during.cells[i].rect.y > before.cells[i].rect.y + 1;
        }
        EXPECT_EQ(hatched, masked);
        fell += lowered;
    });
    EXPECT_GT(fell, 0);
}

TEST(StageMotion, ALocalWindowDimsWhatIsOutside) {
    for_each(Op::Gaussian, 5, [](const Staged& staged, const Stop& stop) {
        const auto dimmed = [&](double progress) {
            const Scene scene = staged.at(stop, progress);
            return std::count_if(scene.bars.begin(), scene.bars.end(),
                                 [](const BandSprite& b) { return b.hue == Hue::Back && b.alpha > 0.2f; });
        };
        EXPECT_GT(dimmed(0.45), 0);
        EXPECT_EQ(dimmed(1), 0);
    });
}

TEST(StageMotion, HeadsSplitAndJoinInTheirColours) {
    for (const Op op : {Op::Slice, Op::Concat})
        for_each(op, 5, [&](const Staged& staged, const Stop& stop) {
            const attn::Step& step = staged.trace()[stop.step];
            if (op == Op::Concat && staged.trace()[step.inputs[0]].tag.head == attn::kNoHead) return;
            std::set<int> heads;
            for (const BandSprite& b : staged.at(stop, 0.3).bars)
                if (b.head != kNoHeadColor) heads.insert(b.head);
            EXPECT_EQ(heads, (std::set<int>{0, 1}));
        });
}

TEST(StageMotion, ValuesMoveAsStripsAsThickAsTheirWeights) {
    int mixtures = 0;
    for_each(Op::MatMul, 5, [&](const Staged& staged, const Stop& stop) {
        const attn::Step& step = staged.trace()[stop.step];
        if (staged.cube() || staged.trace()[step.inputs[0]].tag.role != attn::Role::Weights) return;
        ++mixtures;
        const Scene scene = staged.at(stop, 0.42);  // all have arrived
        const attn::Matrix& weights = staged.trace()[step.inputs[0]].value;
        for (const CellSprite& c : scene.cells) {
            if (c.cell.step != step.inputs[1] || c.number) continue;
            const float thick = staged.columns() ? c.rect.w : c.rect.h;
            const MatrixSprite* result = shown(scene, stop.step);
            ASSERT_TRUE(result);
            EXPECT_NEAR(thick, weights(0, c.cell.row) * (result->grid.cell - result->grid.gap), 0.6f);
        }
    });
    EXPECT_GT(mixtures, 0);
}

}  // namespace
