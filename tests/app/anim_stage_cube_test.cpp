// A product as a cube: the three faces are the three matrices, each of their cells can be pointed at, the products are where
// row and column cross, and of large ones the part around the cell is shown.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/app/anim_stage_support.h"

namespace {

using namespace app;
using namespace staged;
using attn::Cell;
using attn::Op;

/// Every product of these documents in space, with tokens as rows and as columns.
template <class Use>
void for_each_cube(int n, Use use) {
    for (const Staged& flat : {Staged(document_of(n)), Staged(document_of(n)).in_columns()}) {
        const Staged staged = flat.in_space();
        for (const Stop& stop : staged.timeline().stops)
            if (staged.trace()[stop.step].op == Op::MatMul) {
                SCOPED_TRACE(where(staged, stop, n));
                use(staged, stop);
            }
    }
}

Point middle_of(const QuadSprite& q) { return q.center(); }

TEST(StageCube, EveryCellOfBothFactorsCanBeSelected) {
    for_each_cube(5, [](const Staged& staged, const Stop& stop) {
        const attn::Step& step = staged.trace()[stop.step];
        const Scene scene = staged.at(stop, 1);
        int faces = 0;
        for (const QuadSprite& q : scene.quads) {
            if (q.cell.step == attn::kNoStep) continue;
            ++faces;
            EXPECT_EQ(pick(scene, middle_of(q)), q.cell);
            EXPECT_EQ(q.value, staged.trace()[q.cell.step].value(q.cell.row, q.cell.col));
        }
        EXPECT_EQ(faces, staged.trace()[step.inputs[0]].value.size() + staged.trace()[step.inputs[1]].value.size());
    });
}

TEST(StageCube, StaysInsideItsArea) {
    for (const int n : {1, 3, 5, 12, 64, 512})
        for_each_cube(n, [](const Staged& staged, const Stop& stop) {
            for (const double progress : {0.0, 0.2, 0.45, 0.6, 0.9, 1.0}) {
                const Scene scene = staged.at(stop, progress);
                for (const QuadSprite& q : scene.quads)
                    for (const Point& p : q.corners) {
                        EXPECT_GE(p.x, kArea.x - 1);
                        EXPECT_GE(p.y, kArea.y - 1);
                        EXPECT_LE(p.x, kArea.right() + 1);
                        EXPECT_LE(p.y, kArea.bottom() + 1);
                    }
            }
        });
}

/// At rest there are as many cubes as the inner dimension has numbers; each is a product, and they sum to the cell.
TEST(StageCube, TheProductsOfTheCellAddUpToIt) {
    for_each_cube(5, [](const Staged& staged, const Stop& stop) {
        const attn::Step& step = staged.trace()[stop.step];
        const Cell cell{stop.step, static_cast<int>(step.value.rows()) - 1, 1};
        const Scene scene = staged.at(stop, 1, cell);
        double sum = 0;
        int fronts = 0;
        for (const QuadSprite& q : scene.quads)
            if (q.cell.step == attn::kNoStep && q.shade == 0) {
                sum += static_cast<double>(q.value);
                ++fronts;
            }
        EXPECT_EQ(fronts, staged.trace()[step.inputs[0]].value.cols());
        EXPECT_NEAR(sum, step.value(cell.row, cell.col), 1e-5);
    });
}

/// The numbers that a cell is computed from are all written, and no product hides one.
TEST(StageCube, NumbersAtRestCanBeRead) {
    for (const int n : {3, 5})
        for_each_cube(n, [](const Staged& staged, const Stop& stop) {
            const attn::Step& step = staged.trace()[stop.step];
            const Cell cell{stop.step, 1, static_cast<int>(step.value.cols()) - 1};
            const Scene scene = staged.at(stop, 1, cell);
            int own = 0;
            for (const QuadSprite& q : scene.quads) {
                if (q.cell.step == attn::kNoStep || !q.number) continue;
                own += q.lit;
                for (const QuadSprite& cube : scene.quads)
                    EXPECT_FALSE(cube.cell.step == attn::kNoStep && cube.bounds().contains(q.center()));
            }
            EXPECT_EQ(own, 2 * staged.trace()[step.inputs[0]].value.cols());
        });
}

/// They move to the result's cell, and arrive at the end of the slow part.
TEST(StageCube, ProductsRunToTheirCell) {
    for_each_cube(3, [](const Staged& staged, const Stop& stop) {
        const Cell cell{stop.step, 1, 1};
        const MatrixSprite* result = nullptr;
        const Scene scene = staged.at(stop, 0.475, cell);
        for (const MatrixSprite& m : scene.matrices) result = &m;
        ASSERT_TRUE(result);
        const Point to = result->grid.at(1, 1).center();
        int there = 0;
        for (const QuadSprite& q : scene.quads)
            if (q.cell.step == attn::kNoStep && q.shade == 0) {
                ++there;
                EXPECT_LT(std::hypot(q.center().x - to.x, q.center().y - to.y), result->grid.cell);
            }
        EXPECT_GT(there, 0);
    });
}

constexpr int kMany = 64, kRow = 50;

TEST(StageCube, OfLargeOnesThePartAroundTheCellIsShownAndLabelled) {
    for_each_cube(kMany, [](const Staged& staged, const Stop& stop) {
        const Cell cell{stop.step, kRow, 1};
        const Scene scene = staged.at(stop, 1, cell);
        const MatrixSprite& m = scene.matrices.back();
        EXPECT_LT(m.grid.rows, kMany);
        EXPECT_LE(m.first_row, kRow);
        EXPECT_GT(m.first_row + m.grid.rows, kRow);
        EXPECT_EQ(pick(scene, m.grid.at(kRow - m.first_row, 1 - m.first_col).center()), cell);
        EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [](const LabelSprite& l) {
            return l.text.find(std::to_string(kMany)) != std::string::npos && l.text.find("–") != std::string::npos;
        }));
    });
}

}  // namespace
