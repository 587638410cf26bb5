#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "tests/app/gfx_fixture.h"

namespace app::gfx {
namespace {

constexpr float kHeatInf = std::numeric_limits<float>::infinity();
constexpr float kHeatNan = std::numeric_limits<float>::quiet_NaN();

HeatmapStyle plain() { return {.gap = 0, .radius = 0}; }

HeatmapLook look(int rows, int cols, int width, int height, Range range = {0, 1}, HeatmapStyle style = plain()) {
    return {.lut = make_lut(grey_ramp()),
            .range = range,
            .view = {0, 0, static_cast<double>(cols), static_cast<double>(rows)},
            .width = width,
            .height = height,
            .style = style};
}

class HeatmapTest : public GfxTest {
protected:
    void SetUp() override {
        GfxTest::SetUp();
        if (context_) renderer_.emplace(heatmap_renderer());
    }
    void TearDown() override {
        renderer_.reset();
        GfxTest::TearDown();
    }
    Image draw(const std::vector<float>& data, int rows, int cols, const HeatmapLook& wanted, int max_tile = 0) {
        Heatmap map(max_tile);
        EXPECT_TRUE(map.upload(data.data(), rows, cols, 1));
        const auto done = map.render(*renderer_, wanted);
        EXPECT_TRUE(done) << done.error().text();
        return map.read();
    }
    std::optional<HeatmapRenderer> renderer_;
};

void expect_color(const Image& image, int x, int y, Rgb color, int tolerance = 1) {
    const std::uint8_t* p = image.at(x, y);
    EXPECT_NEAR(p[0], to_byte(color.r), tolerance) << "at " << x << ", " << y;
    EXPECT_NEAR(p[1], to_byte(color.g), tolerance) << "at " << x << ", " << y;
    EXPECT_NEAR(p[2], to_byte(color.b), tolerance) << "at " << x << ", " << y;
}

TEST_F(HeatmapTest, ColorsAgreeWithTheCpu) {
    constexpr int kCells = 2000;
    std::vector<float> data(kCells);
    for (int i = 0; i < kCells; ++i) data[static_cast<std::size_t>(i)] = std::sin(static_cast<float>(i)) * 3;
    const Range range{-2.5f, 2.5f};
    for (const Ramp& ramp :
         {sequential_ramp(kScoreHue), sequential_ramp(kScoreHue, Backdrop::Dark), signed_ramp(kScoreHue), grey_ramp()}) {
        HeatmapLook wanted = look(1, kCells, kCells, 1, range);
        wanted.lut = make_lut(ramp);
        const Image image = draw(data, 1, kCells, wanted);
        for (int i = 0; i < kCells; ++i)
            expect_color(image, i, 0, ramp_color(ramp, position(range, data[static_cast<std::size_t>(i)])));
    }
}

TEST_F(HeatmapTest, CellsHaveExactEdgesAndTheTopRowFirst) {
    const Image image = draw({0, 1, 0.25f, 0.5f}, 2, 2, look(2, 2, 20, 14));
    ASSERT_TRUE(image.valid());
    const Ramp ramp = grey_ramp();
    const float wanted[2][2] = {{0, 1}, {0.25f, 0.5f}};
    for (int y = 0; y < 14; ++y)
        for (int x = 0; x < 20; ++x) {
            expect_color(image, x, y, ramp_color(ramp, wanted[y / 7][x / 10]));
            EXPECT_EQ(image.at(x, y)[3], 255);
        }
}

TEST_F(HeatmapTest, ViewShowsItsPartAndNothingBeyond) {
    HeatmapLook wanted = look(4, 4, 40, 40);
    wanted.view = {2.5, 3, 4, 4};  // half of column 2, column 3, then nothing; row 3, then nothing
    std::vector<float> data(16, 0.0f);
    data[14] = 1;     // [3][2]
    data[15] = 0.5f;  // [3][3]
    const Image image = draw(data, 4, 4, wanted);
    expect_color(image, 4, 5, ramp_color(grey_ramp(), 1));
    expect_color(image, 5, 5, ramp_color(grey_ramp(), 0.5f));
    expect_color(image, 14, 9, ramp_color(grey_ramp(), 0.5f));
    EXPECT_EQ(image.at(15, 5)[3], 0);
    EXPECT_EQ(image.at(5, 10)[3], 0);
}

TEST_F(HeatmapTest, GapsAndRoundCornersAreTransparent) {
    HeatmapLook wanted = look(2, 2, 40, 40, {0, 1}, {.gap = 2, .radius = 4});
    const Image image = draw({1, 1, 1, 1}, 2, 2, wanted);
    EXPECT_EQ(image.at(10, 10)[3], 255);
    EXPECT_EQ(image.at(19, 10)[3], 0);  // gap: the last pixel of one cell and the first of the next
    EXPECT_EQ(image.at(20, 10)[3], 0);
    EXPECT_EQ(image.at(18, 10)[3], 255);
    EXPECT_EQ(image.at(21, 10)[3], 255);
    EXPECT_LT(image.at(1, 1)[3], 64);  // corner
    wanted.view = {0, 0, 8, 8};        // cells of 5 pixels: too small for either
    EXPECT_EQ(draw({1, 1, 1, 1}, 2, 2, wanted).at(4, 4)[3], 255);
}

TEST_F(HeatmapTest, MaskedIsHatchedAndStaysWhenTheViewMoves) {
    const HeatmapStyle style = plain();
    HeatmapLook wanted = look(1, 2, 56, 28);
    const Image image = draw({-kHeatInf, 1}, 1, 2, wanted);
    std::set<int> greys;
    for (int y = 0; y < 28; ++y)
        for (int x = 0; x < 28; ++x) greys.insert(image.at(x, y)[0]);
    EXPECT_TRUE(greys.contains(to_byte(style.masked_back.r)));
    EXPECT_NEAR(*greys.begin(), to_byte(style.masked_line.r), 4);
    EXPECT_EQ(image.at(3, 4)[0], image.at(2, 5)[0]);   // along the diagonal
    EXPECT_EQ(image.at(3, 4)[0], image.at(10, 4)[0]);  // one period on
    expect_color(image, 40, 10, ramp_color(grey_ramp(), 1));

    wanted.view.x = 0.25;  // the lines do not move with the cells
    const Image moved = draw({-kHeatInf, 1}, 1, 2, wanted);
    for (int x = 0; x < 20; ++x) EXPECT_EQ(moved.at(x, 3)[0], image.at(x, 3)[0]);
}

TEST_F(HeatmapTest, NonFiniteNumbersAreMagentaEvenAmongOthers) {
    const Image image = draw({kHeatNan, kHeatInf, 0.5f}, 1, 3, look(1, 3, 42, 14));
    for (int x = 0; x < 28; ++x) EXPECT_GT(image.at(x, 7)[0], image.at(x, 7)[1] + 20);
    expect_color(image, 35, 7, ramp_color(grey_ramp(), 0.5f));
    std::vector<float> data(64, 0.0f);
    data[27] = kHeatNan;
    const Image pooled = draw(data, 8, 8, look(8, 8, 1, 1));
    EXPECT_GT(pooled.at(0, 0)[0], pooled.at(0, 0)[1] + 20);
}

TEST_F(HeatmapTest, ManyCellsInAPixelMeanOrMaximum) {
    const std::vector<float> data = {0, 1, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f};
    HeatmapLook wanted = look(2, 4, 2, 1);
    Image image = draw(data, 2, 4, wanted);
    expect_color(image, 0, 0, ramp_color(grey_ramp(), 0.25f));
    expect_color(image, 1, 0, ramp_color(grey_ramp(), 0.5f));
    wanted.style.pooling = Pooling::Maximum;
    image = draw(data, 2, 4, wanted);
    expect_color(image, 0, 0, ramp_color(grey_ramp(), 1));
    expect_color(image, 1, 0, ramp_color(grey_ramp(), 0.5f));
}

TEST_F(HeatmapTest, EightByEightInAPixelIsExact) {
    std::vector<float> data(64);
    for (std::size_t i = 0; i < 64; ++i) data[i] = static_cast<float>(i);
    const Image mean = draw(data, 8, 8, look(8, 8, 1, 1, {0, 63}));
    expect_color(mean, 0, 0, ramp_color(grey_ramp(), 0.5f));
    HeatmapLook wanted = look(8, 8, 1, 1, {0, 63});
    wanted.style.pooling = Pooling::Maximum;
    expect_color(draw(data, 8, 8, wanted), 0, 0, ramp_color(grey_ramp(), 1));
}

TEST_F(HeatmapTest, MaskedCellsDoNotCountInTheMean) {
    const Image image = draw({-kHeatInf, 1, -kHeatInf, -kHeatInf}, 1, 4, look(1, 4, 2, 1));
    expect_color(image, 0, 0, ramp_color(grey_ramp(), 1));
    EXPECT_GT(image.at(1, 0)[0], 180);  // all masked: hatch
}

TEST_F(HeatmapTest, ExtremeNumbersStayFinite) {
    const Image image = draw({-3e38f, 0, 3e38f, 3e38f}, 1, 4, look(1, 4, 4, 1, {-3e38f, 3e38f}));
    expect_color(image, 0, 0, ramp_color(grey_ramp(), 0));
    expect_color(image, 1, 0, ramp_color(grey_ramp(), 0.5f));
    expect_color(image, 2, 0, ramp_color(grey_ramp(), 1));
    expect_color(draw({3e38f, 3e38f, 3e38f, 3e38f}, 1, 4, look(1, 4, 1, 1, {-3e38f, 3e38f})), 0, 0,
                 ramp_color(grey_ramp(), 1));
}

TEST_F(HeatmapTest, TilesLookLikeOneTexture) {
    constexpr int kRows = 37, kCols = 53;
    std::vector<float> data(kRows * kCols);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>((i * 7919) % 101) / 100;
    for (const auto& [width, height] : {std::pair{106, 74}, std::pair{20, 15}, std::pair{53, 37}}) {
        const HeatmapLook wanted = look(kRows, kCols, width, height);
        EXPECT_EQ(draw(data, kRows, kCols, wanted), draw(data, kRows, kCols, wanted, 16));
    }
}

TEST_F(HeatmapTest, WiderThanTheDriversLimit) {
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    const int cols = limit * 2 + 5;
    std::vector<float> data(static_cast<std::size_t>(cols), 0.0f);
    data.back() = 1;
    HeatmapLook wanted = look(1, cols, 10, 1);
    wanted.view = {static_cast<double>(cols) - 10, 0, 10, 1};
    const Image image = draw(data, 1, cols, wanted);
    expect_color(image, 9, 0, ramp_color(grey_ramp(), 1));
    expect_color(image, 8, 0, ramp_color(grey_ramp(), 0));
}

TEST_F(HeatmapTest, WorksOnlyWhenSomethingChanged) {
    Heatmap map;
    std::vector<float> data = {0, 1, 2, 3};
    HeatmapLook wanted = look(2, 2, 16, 16, {0, 3});
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(map.upload(data.data(), 2, 2, 7));
        ASSERT_TRUE(map.render(*renderer_, wanted));
    }
    EXPECT_EQ(map.uploads(), 1);
    EXPECT_EQ(map.renders(), 1);
    const unsigned texture = map.texture();
    wanted.range.hi = 5;
    ASSERT_TRUE(map.render(*renderer_, wanted));
    EXPECT_EQ(map.renders(), 2);
    ASSERT_TRUE(map.upload(data.data(), 2, 2, 8));
    ASSERT_TRUE(map.render(*renderer_, wanted));
    EXPECT_EQ(map.uploads(), 2);
    EXPECT_EQ(map.renders(), 3);
    EXPECT_EQ(map.texture(), texture);  // the same size: the same texture
}

TEST_F(HeatmapTest, SameBytesTwice) {
    std::vector<float> data(64 * 64);
    for (std::size_t i = 0; i < data.size(); ++i)
        data[i] = i % 97 == 0 ? -kHeatInf : std::sin(static_cast<float>(i) * 0.37f);
    HeatmapLook wanted = look(64, 64, 611, 487, {-1, 1}, {});
    wanted.lut = make_lut(signed_ramp(kScoreHue));
    const Image first = draw(data, 64, 64, wanted);
    renderer_.emplace(heatmap_renderer());
    EXPECT_EQ(first, draw(data, 64, 64, wanted));
}

TEST_F(HeatmapTest, HostileSizes) {
    Heatmap map;
    EXPECT_EQ(map.texture(), 0u);
    EXPECT_TRUE(map.read().empty());
    ASSERT_TRUE(map.render(*renderer_, look(0, 0, 8, 8)));  // before any numbers
    EXPECT_EQ(map.read().at(3, 3)[3], 0);
    ASSERT_TRUE(map.upload(nullptr, 0, 0, 1));
    ASSERT_TRUE(map.render(*renderer_, look(0, 0, 9, 9)));
    ASSERT_TRUE(map.upload(nullptr, 0, 5, 2));
    ASSERT_TRUE(map.upload(nullptr, -3, -1, 3));
    const float one = 1;
    ASSERT_TRUE(map.upload(&one, 1, 1, 4));
    ASSERT_TRUE(map.render(*renderer_, look(1, 1, 1, 1)));
    expect_color(map.read(), 0, 0, ramp_color(grey_ramp(), 1));
    ASSERT_TRUE(map.render(*renderer_, look(1, 1, 0, 0)));  // minimised: skipped
    EXPECT_EQ(map.read().width, 1);
    ASSERT_TRUE(map.render(*renderer_, look(1, 1, 16384, 1)));
    expect_color(map.read(), 16383, 0, ramp_color(grey_ramp(), 1));
    EXPECT_FALSE(map.render(*renderer_, look(1, 1, 1 << 20, 1)));
    HeatmapLook nowhere = look(1, 1, 8, 8);
    nowhere.view = {kHeatNan, -1e300, kHeatInf, 0};
    ASSERT_TRUE(map.render(*renderer_, nowhere));
    nowhere.view = {-1e300, 1e300, 1e-300, 1e300};
    ASSERT_TRUE(map.render(*renderer_, nowhere));
    EXPECT_FALSE(map.upload(&one, 2000000000, 2000000000, 5));  // refused before the numbers are read
}

}  // namespace
}  // namespace app::gfx
