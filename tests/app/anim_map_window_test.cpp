// The viewport of a large matrix: zooming, panning, and names beside the rows that they name.

#include "app/draw/map_window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using namespace app;

constexpr Rect kArea{100, 60, 640, 420};

MapRoom room(int rows, int cols, bool transposed = false) { return {rows, cols, transposed, kArea, 54}; }

TEST(MapWindow, TheWholeFitsAndIsSquare) {
    const MapWindow w = map_window({}, room(4096, 4096));
    EXPECT_TRUE(w.whole());
    EXPECT_NEAR(w.seen.w, w.seen.h, 0.5);
    EXPECT_NEAR(w.seen.h, kArea.h, 0.5);
    EXPECT_EQ(w.lines().first, 0);
    EXPECT_EQ(w.lines().end, 4096);
    EXPECT_EQ(w.uprights().count(), 4096);
}

TEST(MapWindow, ALongNarrowMatrixFillsItsRoom) {
    const MapWindow w = map_window({}, room(4096, 8));
    EXPECT_NEAR(w.seen.h, kArea.h, 0.5);
    EXPECT_GT(w.grid.pitch_x(), 40);
    EXPECT_EQ(w.uprights().count(), 8);
}

TEST(MapWindow, ASmallMatrixCannotBeZoomed) {
    EXPECT_EQ(map_window({}, room(5, 5)).most_zoom, 1);
    EXPECT_EQ(map_window({900, 0.1f, 0.1f}, room(5, 5)).look.zoom, 1);
}

TEST(MapWindow, TheClosestHasCellsOfFullSize) {
    for (const int n : {64, 300, 1024, 4096, 16384}) {
        const MapWindow w = map_window({kMaxMapZoom, 0.5f, 0.5f}, room(n, n));
        EXPECT_NEAR(w.grid.cell, 54, 0.01) << n;
        EXPECT_LE(w.lines().count(), 10) << n;
    }
}

/// Wheel, drag and jump reach their target from any start, and never show anything outside the matrix.
TEST(MapWindow, DraggingMovesTheCellUnderThePointer) {
    for (const bool transposed : {false, true})
        for (const float zoom : {1.0f, 1.7f, 12.0f, 300.0f})
            for (const float row : {0.0f, 0.3f, 0.5f, 1.0f}) {
                const MapRoom r = room(4096, 3000, transposed);
                const MapWindow w = map_window(clamped({zoom, row, 0.6f}), r);
                const Point at{kArea.center().x + 40, kArea.center().y - 33};
                ASSERT_TRUE(w.seen.contains(at));
                const Spot under = w.grid.nearest(at);
                const MapWindow closer = map_window(zoomed(w, at, 1.25f), r);
                const Spot still = closer.grid.nearest(at);
                // At an edge of the matrix the target may not be reached; elsewhere the difference is less than a cell or a
                // pixel.
                const auto slack = [&](MapWindow::Span seen, int count, float pitch) {
                    const bool held = seen.first == 0 || seen.end == count;
                    return held ? count : static_cast<int>(std::ceil(1 / pitch)) + 1;
                };
                const int down = slack(closer.lines(), closer.grid.lines(), closer.grid.cell),
                          across = slack(closer.uprights(), closer.grid.uprights(), closer.grid.pitch_x());
                EXPECT_NEAR(under.row, still.row, transposed ? across : down);
                EXPECT_NEAR(under.col, still.col, transposed ? down : across);
                for (const MapWindow& one : {w, closer, map_window(panned(w, {5000, -90000}), r)}) {
                    EXPECT_GE(one.seen.x, one.grid.origin.x - 1);
                    EXPECT_LE(one.seen.right(), one.grid.area().right() + 1);
                    EXPECT_GE(one.seen.y, one.grid.origin.y - 1);
                    EXPECT_LE(one.seen.bottom(), one.grid.area().bottom() + 1);
                }
            }
}

TEST(MapWindow, ADragMovesByAsManyPixels) {
    const MapRoom r = room(4096, 4096);
    const MapWindow w = map_window({100, 0.4f, 0.5f}, r);
    const MapWindow moved = map_window(panned(w, {30, -20}), r);
    EXPECT_NEAR(moved.grid.origin.x - w.grid.origin.x, 30, 1);
    EXPECT_NEAR(moved.grid.origin.y - w.grid.origin.y, -20, 1);
}

TEST(MapWindow, AJumpShowsTheCellInTheMiddle) {
    const MapLook look = looking_at({}, {1204, 77}, 4096, 4096, 24);
    const MapWindow w = map_window(look, room(4096, 4096));
    EXPECT_NEAR(w.grid.at(1204, 77).center().y, w.seen.center().y, w.grid.cell);
    EXPECT_TRUE(w.seen.contains(w.grid.at(1204, 77).center()));
    EXPECT_NEAR(w.lines().count(), 24, 3);
    // If the view is closer already, it stays as close.
    EXPECT_EQ(looking_at({500, 0.5f, 0.5f}, {0, 0}, 4096, 4096, 24).zoom, 500);
}

TEST(MapWindow, ViewsAreClamped) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(clamped({nan, 0.5f, 0.5f}), MapLook{});
    EXPECT_EQ(clamped({0.2f, 7, -3}), MapLook{});
    const MapLook corner = clamped({4, -1, 2});
    EXPECT_FLOAT_EQ(corner.row, 0.125f);
    EXPECT_FLOAT_EQ(corner.col, 0.875f);
    EXPECT_EQ(clamped({1e30f, 0.5f, 0.5f}).zoom, kMaxMapZoom);
}

/// Each drawn name is at the centre of the row that it names, names never touch, and no name is missing if there is room for
/// it at twice the step.
TEST(ThinnedNames, AreAtTheirRowsAndKeepTheirDistance) {
    for (const int n : {1, 3, 64, 1000, 4096})
        for (const float zoom : {1.0f, 3.3f, 40.0f, 4000.0f})
            for (const int keep : {-1, 0, 7, n - 1}) {
                const MapWindow w = map_window({zoom, 0.37f, 0.5f}, room(n, n));
                constexpr float kHigh = 16;
                const auto names = thinned_names(w.lines(), w.grid.cell, kHigh, keep);
                EXPECT_FALSE(n > 4 && names.empty());
                std::vector<float> at;
                for (const int i : names) {
                    const Rect line = w.grid.line(i);
                    EXPECT_EQ(w.grid.nearest({w.seen.center().x, line.center().y}).row, i);
                    EXPECT_GE(i, w.lines().first);
                    EXPECT_LT(i, w.lines().end);
                    at.push_back(line.center().y);
                }
                std::sort(at.begin(), at.end());
                for (std::size_t i = 1; i < at.size(); ++i) EXPECT_GE(at[i] - at[i - 1], kHigh - 0.01f) << n << zoom;
                const bool kept = keep >= w.lines().first && keep < w.lines().end;
                EXPECT_EQ(std::find(names.begin(), names.end(), keep) != names.end(), kept);
            }
}

TEST(ThinnedNames, ARowKeepsItsNameWhileTheMatrixMoves) {
    const MapWindow a = map_window({20, 0.40f, 0.5f}, room(4096, 4096)),
                    b = map_window({20, 0.41f, 0.5f}, room(4096, 4096));
    const auto one = thinned_names(a.lines(), a.grid.cell, 16), two = thinned_names(b.lines(), b.grid.cell, 16);
    for (const int i : one)
        if (i >= b.lines().first && i < b.lines().end) {
            EXPECT_NE(std::find(two.begin(), two.end(), i), two.end()) << i;
        }
    for (const int i : one) EXPECT_EQ((i + 1) % 10, 0) << i;
}

}  // namespace
