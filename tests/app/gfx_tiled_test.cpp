// Large matrices in tiles: the same picture as from one texture, within the budget.

#include <cmath>
#include <limits>
#include <vector>

#include "app/draw/pyramid.h"
#include "app/gfx/tiled_heatmap.h"
#include "tests/app/gfx_fixture.h"

namespace app::gfx {
namespace {
using attn::Matrix;

constexpr float kTiledInf = std::numeric_limits<float>::infinity();

struct Levels {
    Matrix value;
    app::Pyramid pyramid;
    std::vector<LevelData> data;

    explicit Levels(Matrix m, app::Pooling pooling = app::Pooling::Mean)
        : value(std::move(m)), pyramid(*app::build_pyramid(value)) {
        const auto add = [this](const Matrix& level) {
            data.push_back({level.data(), static_cast<int>(level.rows()), static_cast<int>(level.cols())});
        };
        add(value);
        for (const app::PyramidLevel& level : pyramid.levels) add(level.of(pooling));
    }
    TiledSource source(std::uint64_t picture = 1) const { return {picture, data}; }
};

Matrix waves(int rows, int cols) {
    return Matrix::NullaryExpr(rows, cols, [](Eigen::Index r, Eigen::Index c) {
        return c > r + 500 ? -kTiledInf : std::sin(static_cast<float>(r) * 0.7f) * std::cos(static_cast<float>(c) * 0.3f);
    });
}

HeatmapLook look(ViewRect view, int width, int height) {
    HeatmapLook out;
    out.lut = make_lut(grey_ramp());
    out.range = {-1, 1};
    out.view = view;
    out.width = width;
    out.height = height;
    out.style.gap = 0;
    out.style.radius = 0;
    return out;
}

class TiledTest : public GfxTest {
protected:
    void SetUp() override {
        GfxTest::SetUp();
        if (context_) renderer_.emplace(heatmap_renderer());
    }
    void TearDown() override {
        renderer_.reset();
        GfxTest::TearDown();
    }
    /// Frames until all tiles are complete.
    Image settled(TilePool& pool, const TiledSource& source, const HeatmapLook& wanted, int most = 60) {
        TiledHeatmap map;
        for (int i = 0; i < most && !map.complete(); ++i) {
            pool.begin_frame();
            const auto done = map.render(*renderer_, pool, source, wanted);
            EXPECT_TRUE(done) << done.error().text();
        }
        EXPECT_TRUE(map.complete());
        return map.read();
    }
    Image whole(const Matrix& m, const HeatmapLook& wanted) {
        Heatmap map;
        EXPECT_TRUE(map.upload(m.data(), static_cast<int>(m.rows()), static_cast<int>(m.cols()), 1));
        EXPECT_TRUE(map.render(*renderer_, wanted));
        return map.read();
    }
    std::optional<HeatmapRenderer> renderer_;
};

TEST_F(TiledTest, CellsLookLikeThoseOfOneTexture) {
    if (!context_) return;
    const Levels levels(waves(700, 900));
    for (const ViewRect& view : {ViewRect{0, 0, 120, 90}, {250, 200, 60, 60}, {840.5, 640.25, 70, 70}}) {
        TilePool pool;
        const HeatmapLook wanted = look(view, 240, 180);
        EXPECT_EQ(settled(pool, levels.source(), wanted).rgba, whole(levels.value, wanted).rgba);
    }
}

TEST_F(TiledTest, ZoomedOutALevelIsDrawn) {
    if (!context_) return;
    for (const auto pooling : {app::Pooling::Mean, app::Pooling::Largest}) {
        const Levels levels(waves(2048, 2048), pooling);
        TilePool pool;
        HeatmapLook wanted = look({0, 0, 2048, 2048}, 512, 512);
        wanted.style.pooling = pooling == app::Pooling::Mean ? Pooling::Mean : Pooling::Maximum;
        EXPECT_EQ(TiledHeatmap::level_for(wanted, static_cast<int>(levels.data.size())), 2);
        const Image image = settled(pool, levels.source(), wanted);
        const Matrix& level = levels.pyramid.levels[1].of(pooling);
        const Image wanted_image = whole(level, [&] {
            HeatmapLook l = wanted;
            l.view = {0, 0, 512, 512};
            return l;
        }());
        EXPECT_EQ(image.rgba, wanted_image.rgba);
    }
}

TEST_F(TiledTest, ACoarserLevelIsShownUntilAllTilesAreReady) {
    if (!context_) return;
    const Levels levels(Matrix::Constant(4096, 4096, 1.0f));
    TilePool pool;
    TiledHeatmap map;
    pool.begin_frame();
    // 64 tiles and the smallest level: more than a frame sends.
    const HeatmapLook wanted = look({0, 0, 2048, 2048}, 2048, 2048);
    ASSERT_TRUE(map.render(*renderer_, pool, levels.source(), wanted));
    EXPECT_FALSE(map.complete());
    EXPECT_TRUE(pool.waiting());
    EXPECT_EQ(pool.uploads(), TilePool::kUploadsAFrame);
    const Image first = map.read();
    for (const int at : {10, 1000, 2040}) {
        EXPECT_EQ(first.at(at, at)[0], first.at(5, 5)[0]);
        EXPECT_EQ(first.at(at, at)[3], 255);
    }
    for (int i = 0; i < 10 && !map.complete(); ++i) {
        pool.begin_frame();
        ASSERT_TRUE(map.render(*renderer_, pool, levels.source(), wanted));
    }
    EXPECT_TRUE(map.complete());
    EXPECT_FALSE(pool.waiting());
    EXPECT_EQ(map.read().rgba, first.rgba);
}

TEST_F(TiledTest, TheBudgetHoldsAndTheLeastRecentlyUsedAreDropped) {
    if (!context_) return;
    const Levels levels(waves(2048, 2048));
    constexpr int kLayers = 8;
    TilePool pool(kLayers);
    for (int step = 0; step < 6; ++step) {
        const HeatmapLook wanted = look({step * 300.0, step * 300.0, 200, 200}, 200, 200);
        EXPECT_EQ(settled(pool, levels.source(), wanted).rgba, whole(levels.value, wanted).rgba);
        EXPECT_LE(pool.held(), static_cast<std::size_t>(kLayers));
        EXPECT_LE(pool.bytes(), kLayers * TilePool::kTileBytes);
    }
    // A repeated request is not sent again.
    const int before = pool.uploads();
    settled(pool, levels.source(), look({1500, 1500, 200, 200}, 200, 200));
    EXPECT_EQ(pool.uploads(), before);
}

TEST_F(TiledTest, APoolGrowsForAFrameThatNeedsMore) {
    if (!context_) return;
    const Levels levels(waves(2600, 2600));
    TilePool pool;
    const HeatmapLook wanted = look({0, 0, 2500, 2500}, 2500, 2500);  // 100 tiles
    const Image image = settled(pool, levels.source(), wanted);
    EXPECT_GT(pool.layers(), TilePool::kLayersAtFirst);
    EXPECT_EQ(image.rgba, whole(levels.value, wanted).rgba);
}

TEST_F(TiledTest, TheSamePictureIsNotBuiltAgain) {
    if (!context_) return;
    const Levels levels(waves(600, 600));
    TilePool pool;
    TiledHeatmap map;
    const HeatmapLook wanted = look({0, 0, 100, 100}, 100, 100);
    for (int i = 0; i < 5; ++i) {
        pool.begin_frame();
        ASSERT_TRUE(map.render(*renderer_, pool, levels.source(), wanted));
    }
    EXPECT_EQ(map.renders(), 1);
    // Different numbers under another name.
    const Levels other(waves(600, 600).reverse());
    pool.begin_frame();
    ASSERT_TRUE(map.render(*renderer_, pool, other.source(2), wanted));
    EXPECT_EQ(map.renders(), 2);
    EXPECT_EQ(map.read().rgba, whole(other.value, wanted).rgba);
}

}  // namespace
}  // namespace app::gfx
