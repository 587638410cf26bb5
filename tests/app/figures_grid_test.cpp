// What is dropped first when the numbers of a single matrix do not fit.

#include <gtest/gtest.h>

#include "app/layout/figures_grid.h"

namespace {

using namespace app;

FiguresRoom room(int n, Size size) {
    return {.rows = n, .cols = n, .transposed = false, .area = {10, 20, size.w, size.h}, .largest_cell = 80, .gap = 2, .lit = {n - 1, 1},
            .whole = 58, .in_row = 44, .high = 31, .least = 5, .weight = [](int col) { return static_cast<float>(col); }};
}

TEST(FiguresGrid, IsCompleteIfThereIsRoom) {
    const auto grid = figures_grid(room(5, {600, 400}));
    ASSERT_TRUE(grid);
    EXPECT_FALSE(grid->row_fold.thins() || grid->col_fold.thins() || grid->col_fold.on());
    EXPECT_GE(grid->at(0, 0).w, 58);
    EXPECT_GE(grid->at(0, 0).h, 31);
}

TEST(FiguresGrid, ThinsWhatIsNotInFocusThenFoldsColumns) {
    for (const bool transposed : {false, true})
        for (const float w : {180.0f, 260.0f, 420.0f, 480.0f, 900.0f})
            for (const float h : {110.0f, 160.0f, 300.0f}) {
                FiguresRoom r = room(9, {w, h});
                r.transposed = transposed;
                const auto grid = figures_grid(r);
                if (!grid) continue;
                SCOPED_TRACE(std::to_string(w) + " x " + std::to_string(h) + (transposed ? ", columns" : ""));
                EXPECT_TRUE(grid->shows(8, 1)) << "what is in focus never goes";
                const Rect used = grid->area();
                EXPECT_LE(used.w, w + 0.5f);
                EXPECT_LE(used.h, h + 0.5f);
                for (int c = 0; c < 9; ++c) {
                    if (!grid->shows(8, c)) continue;
                    EXPECT_GE(grid->at(8, c).h, 30.9f) << c;
                    EXPECT_GE(grid->at(8, c).w, 43.9f) << c;
                }
                EXPECT_GE(grid->at(8, 1).w, 43.9f);
            }
    EXPECT_TRUE(figures_grid(room(9, {900, 110}))->row_fold.thins());
    EXPECT_FALSE(figures_grid(room(9, {900, 110}))->col_fold.on());
    EXPECT_TRUE(figures_grid(room(9, {260, 300}))->col_fold.on());
    FiguresRoom nothing_folds = room(9, {260, 300});
    nothing_folds.weight = {};
    EXPECT_FALSE(figures_grid(nothing_folds));
    EXPECT_FALSE(figures_grid(room(9, {900, 40}))) << "not even colours have room";
}

}  // namespace
