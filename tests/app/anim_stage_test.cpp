// The stage's layout: it is pure, every cell can be pointed at, and the cell that is selected is the one that is seen.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/timeline/reverse.h"
#include "tests/app/anim_stage_support.h"

namespace {

using namespace app;
using namespace staged;
using attn::Cell;
using attn::Document;
using attn::Op;
using attn::StepId;

void expect_same_point(const Point& a, const Point& b) {
    constexpr float kRounding = 0.01f;  // pixels
    EXPECT_NEAR(a.x, b.x, kRounding);
    EXPECT_NEAR(a.y, b.y, kRounding);
}

TEST(StageLayout, EveryCellIsShownAndPickedWhenTheMotionIsOver) {
    for (const int n : {1, 3, 12, 64}) {
        for (const Staged& staged : all_staged(n))
            for (const Stop& stop : staged.timeline().stops) {
                SCOPED_TRACE(where(staged, stop, n));
                const Scene scene = staged.at(stop, 1);
                const attn::Matrix& value = staged.trace()[stop.step].value;
                const MatrixSprite* m = shown(scene, stop.step);
                ASSERT_TRUE(m);
                // Of pairs only those of one query are shown, of everything else all.
                const attn::Axis& rows = staged.trace()[stop.step].rows;
                EXPECT_EQ(m->grid.rows, rows.kind == attn::Axis::Kind::Pairs ? rows.span : value.rows());
                EXPECT_EQ(m->grid.cols, value.cols());
                for (int r = 0; r < m->grid.rows; ++r)
                    for (int c = 0; c < m->grid.cols; ++c) {
                        EXPECT_TRUE(m->reveal.shows(r, c, m->grid.rows, m->grid.cols));
                        ASSERT_EQ(pick(scene, m->grid.at(r, c).center()), (Cell{stop.step, m->first_row + r, c}))
                            << r << " " << c;
                    }
            }
    }
}

TEST(StageLayout, TheBlockOfAPairIsThatOfTheSelectedQuery) {
    constexpr int kTokens = 5, kQuery = 3;
    const Staged rows(way_of(kWays[0], kTokens));
    int blocks = 0;
    for (const Staged& staged : {rows, rows.in_columns()})
        for (const Stop& stop : staged.timeline().stops) {
            const attn::Step& step = staged.trace()[stop.step];
            if (step.rows.kind != attn::Axis::Kind::Pairs) continue;
            ++blocks;
            SCOPED_TRACE(where(staged, stop, kTokens));
            const Cell focus{stop.step, kQuery * kTokens + 1, 0};
            const Scene scene = staged.at(stop, 1, focus);
            const MatrixSprite* m = shown(scene, stop.step);
            ASSERT_TRUE(m);
            EXPECT_EQ(m->first_row, kQuery * kTokens);
            EXPECT_EQ(m->ring, focus);
            EXPECT_TRUE(std::any_of(scene.labels.begin(), scene.labels.end(), [&](const LabelSprite& l) {
                return l.text.find(staged.trace().tokens[kQuery]) != std::string::npos && l.hue == Hue::Query;
            }));
        }
    EXPECT_EQ(blocks, 2 * 3);
}

/// If tokens are columns, the picture is transposed: the cell on line i from the top and in place j from the left is the
/// number in row j and column i, and pointing at it names that cell.
TEST(StageLayout, ColumnsTransposeEveryCell) {
    for (const Staged& staged : all_staged(5))
        for (const Stop& stop : staged.timeline().stops) {
            SCOPED_TRACE(where(staged, stop, 5));
            const Scene scene = staged.at(stop, 1);
            EXPECT_EQ(scene.convention == attn::Convention::Columns, staged.columns());
            for (const MatrixSprite& m : scene.matrices) {
                EXPECT_EQ(m.grid.transposed, staged.columns());
                const Rect area = m.grid.area();
                const auto lines = static_cast<int>(std::lround(area.h / m.grid.cell)),
                           uprights = static_cast<int>(std::lround(area.w / m.grid.cell));
                EXPECT_EQ(lines, staged.columns() ? m.grid.cols : m.grid.rows);
                EXPECT_EQ(uprights, staged.columns() ? m.grid.rows : m.grid.cols);
                for (int i = 0; i < lines; ++i)
                    for (int j = 0; j < uprights; ++j) {
                        const Point seen{area.x + m.grid.cell * (static_cast<float>(j) + 0.5f),
                                         area.y + m.grid.cell * (static_cast<float>(i) + 0.5f)};
                        const Spot spot = staged.columns() ? Spot{j, i} : Spot{i, j};
                        EXPECT_EQ(m.grid.nearest(seen), spot);
                        expect_same_point(m.grid.at(spot.row, spot.col).center(), seen);
                        EXPECT_TRUE(m.grid.row(spot.row).contains(seen) && m.grid.col(spot.col).contains(seen));
                        if (&m == shown(scene, stop.step)) {
                            EXPECT_EQ(pick(scene, seen), (Cell{m.step, m.first_row + spot.row, spot.col}));
                        }
                    }
            }
        }
}

/// C = A B is Cᵀ = Bᵀ Aᵀ: if tokens are columns, A is above C and B left of it, and tokens stay aligned.
TEST(StageLayout, FactorsChangePlacesWhereTokensAreColumns) {
    const Staged rows(document_of(5));
    for (const Staged& staged : {rows, rows.in_columns()})
        for (const Stop& stop : staged.timeline().stops) {
            const attn::Step& step = staged.trace()[stop.step];
            if (step.op != Op::MatMul) continue;
            SCOPED_TRACE(where(staged, stop, 5));
            const Scene scene = staged.at(stop, 1);
            const MatrixSprite *a = shown(scene, step.inputs[0]), *b = shown(scene, step.inputs[1]),
                               *c = shown(scene, stop.step);
            ASSERT_TRUE(a && b && c);
            const Grid &beside = (staged.columns() ? b : a)->grid, &above = (staged.columns() ? a : b)->grid;
            EXPECT_LE(beside.area().right(), c->grid.area().x);
            EXPECT_EQ(beside.area().y, c->grid.area().y);
            EXPECT_EQ(beside.area().h, c->grid.area().h);
            EXPECT_LE(above.area().bottom(), c->grid.area().y);
            EXPECT_EQ(above.area().x, c->grid.area().x);
            EXPECT_EQ(above.area().w, c->grid.area().w);
        }
}

/// In motion: the topmost matrix that can be selected at a cell's centre returns that cell.
TEST(StageLayout, TheSelectedCellIsTheVisibleOne) {
    for (const Staged& staged : all_staged(5))
        for (const Stop& stop : staged.timeline().stops)
            for (const double progress : {0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
                SCOPED_TRACE(where(staged, stop, 5) + " at " + std::to_string(progress));
                const Scene scene = staged.at(stop, progress);
                for (const MatrixSprite& m : scene.matrices)
                    for (int r = 0; r < m.grid.rows; ++r)
                        for (int c = 0; c < m.grid.cols; ++c) {
                            const auto cell = pick(scene, m.grid.at(r, c).center());
                            const bool there =
                                m.pickable && m.alpha > 0 && m.reveal.shows(r, c, m.grid.rows, m.grid.cols);
                            EXPECT_TRUE(cell || !there) << r << " " << c;
                            if (!cell) continue;
                            const attn::Matrix& value = staged.trace()[cell->step].value;
                            EXPECT_TRUE(cell->row < value.rows() && cell->col < value.cols());
                        }
            }
}

/// If scores are scaled, their histogram has the scores' colour; if a gradient is, it has the gradients' gold.
TEST(StageLayout, AGradientThatIsScaledKeepsItsGold) {
    const Staged staged(way_of({{"gradient", "output,2,1"}}, 4));
    int forward = 0, back = 0;
    for (const Stop& stop : staged.timeline().stops) {
        const attn::Step& step = staged.trace()[stop.step];
        if (step.op != Op::Scale) continue;
        const bool reverse = is_reverse(step.tag);
        ++(reverse ? back : forward);
        const Scene scene = staged.at(stop, 1);
        int coloured = 0;
        for (const auto& bar : scene.bars) {
            if (bar.hue == Hue::Faint) continue;
            EXPECT_EQ(bar.hue, reverse ? Hue::Gradient : Hue::Score) << attn::step_name(step.tag);
            ++coloured;
        }
        EXPECT_GT(coloured, 0);
    }
    EXPECT_EQ(forward, 1);
    EXPECT_GE(back, 1);
}

}  // namespace
