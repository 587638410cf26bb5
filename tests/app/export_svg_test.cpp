// SVG: well-formed, text as text, and almost the same picture in another renderer.

#include "app/export/svg.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>

#include "app/content/xml_text.h"
#include "app/export/svg_text.h"
#include "tests/app/cli_fixture.h"
#include "tests/support/png_file.h"

namespace app {
namespace {

using testing::HasSubstr;

TEST(SvgText, NumbersAreShortAndPlain) {
    EXPECT_EQ(svg::number(12), "12");
    EXPECT_EQ(svg::number(0.5f), "0.5");
    EXPECT_EQ(svg::number(-3.256f), "-3.26");
    EXPECT_EQ(svg::number(-0.001f), "0");
    EXPECT_EQ(svg::number(std::nanf("")), "0");
}

TEST(SvgText, CharactersInvalidInXmlAreReplaced) {
    EXPECT_EQ(xml_escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
    EXPECT_EQ(xml_escaped(std::string("a\0b", 3)), "a\uFFFDb");
    EXPECT_EQ(xml_escaped("\x1b[31m"), "\uFFFD[31m");
    EXPECT_EQ(xml_escaped("\xff\xfe"), "\uFFFD\uFFFD");
    EXPECT_EQ(xml_escaped("早😀"), "早😀");
}

TEST(SvgText, Base64) {
    const auto of = [](std::string_view text) {
        return svg::base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    };
    EXPECT_EQ(of(""), "");
    EXPECT_EQ(of("f"), "Zg==");
    EXPECT_EQ(of("fo"), "Zm8=");
    EXPECT_EQ(of("foobar"), "Zm9vYmFy");
}

DrawnItem item(DrawnItem::Kind kind) {
    DrawnItem out;
    out.kind = kind;
    out.color = out.color2 = 0xff0000ff;
    out.clip = {0, 0, 100, 100};
    out.rect = {10, 10, 20, 20};
    out.points = {{0, 0}, {10, 0}, {10, 10}, {0, 10}};
    return out;
}

std::string written(const Drawing& drawing) {
    const auto svg = drawing_svg(drawing, {{100, 100}, "a & b", "{\"text\": \"<x>\"}"});
    EXPECT_TRUE(svg);
    return svg ? *svg : std::string();
}

TEST(Svg, LayersOverlapAndClipsCut) {
    Drawing drawing;
    drawing.items.push_back(item(DrawnItem::Kind::Fill));
    drawing.items.back().layer = 1;
    drawing.items.back().color = 0xff111111;
    drawing.items.push_back(item(DrawnItem::Kind::Fill));
    drawing.items.push_back(item(DrawnItem::Kind::Fill));
    drawing.items.back().clip = {0, 0, 15, 100};
    drawing.items.push_back(item(DrawnItem::Kind::Fill));
    drawing.items.back().clip = {50, 50, 10, 10};  // nothing of it is seen
    for (DrawnItem& one : drawing.items) one.points.clear();
    const std::string svg = written(drawing);
    EXPECT_GT(svg.find("#111111"), svg.rfind("#ff0000"));
    EXPECT_THAT(svg, HasSubstr("clip-path=\"url(#c0)\""));
    std::size_t count = 0;
    for (std::size_t at = svg.find("#ff0000"); at != std::string::npos; at = svg.find("#ff0000", at + 1)) ++count;
    EXPECT_EQ(count, 2u);
    EXPECT_THAT(svg, HasSubstr("<title>a &amp; b</title>"));
    EXPECT_THAT(svg, HasSubstr("&quot;&lt;x&gt;&quot;"));
}

TEST(Svg, EveryKindOfItemIsWritten) {
    for (int kind = 0; kind <= static_cast<int>(DrawnItem::Kind::Image); ++kind) {
        Drawing drawing;
        drawing.items.push_back(item(static_cast<DrawnItem::Kind>(kind)));
        DrawnItem& it = drawing.items.back();
        it.width = 2;
        it.radius = 3;
        it.text = "x";
        it.em = 12;
        it.at = {20, 20};
        it.length = 8;
        it.pieces = {{0, 20, false}};
        it.pixels_wide = it.pixels_high = 1;
        it.rgba = {1, 2, 3, 255};
        const std::string svg = written(drawing);
        const std::string empty = written({});
        EXPECT_GT(svg.size(), empty.size() + 20) << kind;
    }
}

/// Root mean square of the difference of all channels, 0 … 255.
double distance(const gfx::Image& a, const gfx::Image& b) {
    if (a.width != b.width || a.height != b.height) return 1e9;
    double sum = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i) sum += std::pow(double(a.rgba[i]) - double(b.rgba[i]), 2);
    return std::sqrt(sum / static_cast<double>(a.rgba.size()));
}

gfx::Image image_of(const std::string& path) {
    const std::string bytes = cli_test::bytes_of(path);
    const auto png = decode_png({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    EXPECT_TRUE(png) << path;
    return png ? png->image : gfx::Image{};
}

struct SvgRow {
    const char* name;
    std::vector<std::string> arguments;
};

class EverySvg : public testing::TestWithParam<SvgRow> {};

TEST_P(EverySvg, IsWellFormedAndLooksTheSame) {
    cli_test::Folder folder;
    std::vector<std::string> arguments = {"render"};
    arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
    for (const char* ending : {"svg", "png"}) {
        std::vector<std::string> one = arguments;
        one.insert(one.end(), {"-o", folder / (std::string("a.") + ending)});
        const auto outcome = cli_test::run(one);
        if (outcome.status == 4) GTEST_SKIP() << outcome.err;
        ASSERT_EQ(outcome.status, 0) << outcome.err;
    }
    const std::string svg = folder / "a.svg";
    constexpr const char* kParse =
        "python3 -c \"import sys, xml.dom.minidom as m; d = m.parse(sys.argv[1]); "
        "sys.exit(len(d.getElementsByTagName('text')) < 20)\" ";
    if (std::system("python3 -c ''") == 0) {
        EXPECT_EQ(std::system((kParse + svg).c_str()), 0);
    }
    if (std::system("rsvg-convert --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no rsvg-convert";
    ASSERT_EQ(std::system(("rsvg-convert " + svg + " -o " + (folder / "b.png")).c_str()), 0);
    // Edges of letters and blurred shadows differ slightly; a missing or misplaced element differs by far more.
    EXPECT_LT(distance(image_of(folder / "a.png"), image_of(folder / "b.png")), 9.0);
}

INSTANTIATE_TEST_SUITE_P(
    Views, EverySvg,
    testing::Values(SvgRow{"weights", {"--text", "the tired cat sat down", "--step", "weights", "--language", "en"}},
                    SvgRow{"dark_chinese",
                        {"--text", "早上好 朋友", "--theme", "dark", "--language", "zh", "--step", "scores"}},
                    SvgRow{"masked", {"--text", "a b c", "--set", "mask=causal", "--step", "masked", "--language", "en"}},
                    SvgRow{"moving", {"--text", "a b c", "--step", "scores", "--progress", "0.4", "--language", "en"}},
                    SvgRow{"large",
                        {"--text", "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n",
                         "--step", "weights", "--language", "en"}},
                    SvgRow{"sheet", {"--text", "a b", "--sheet", "keys", "--language", "en"}},
                    SvgRow{"experiments", {"--text", "the cat", "--screen", "experiments", "--language", "en"}},
                    SvgRow{"compare", {"--text", "the cat", "--screen", "compare", "--language", "zh"}},
                    SvgRow{"stage_alone", {"--text", "the cat", "--panels", "off", "--language", "en"}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(CliRenderScale, ALargerScaleIsDrawnAgainAndPanelsFold) {
    cli_test::Folder folder;
    const auto render = [&](const std::string& name, std::initializer_list<std::string> more) {
        std::vector<std::string> arguments = {"render", "--text", "the cat", "--size", "900x700", "-o", folder / name};
        arguments.insert(arguments.end(), more);
        return cli_test::run(arguments);
    };
    const auto first = render("1.png", {});
    if (first.status == 4) GTEST_SKIP() << first.err;
    ASSERT_EQ(render("4.png", {"--scale", "4"}).status, 0);
    const gfx::Image one = image_of(folder / "1.png"), four = image_of(folder / "4.png");
    ASSERT_EQ(four.width, one.width * 4);
    // Drawn at that size, not enlarged: if pixels were only repeated, all sixteen of a block would have one colour.
    int mixed = 0;
    for (int y = 0; y < one.height; y += 3)
        for (int x = 0; x < one.width; x += 3)
            mixed += !std::equal(four.at(4 * x, 4 * y), four.at(4 * x, 4 * y) + 4, four.at(4 * x + 3, 4 * y + 3));
    EXPECT_GT(mixed, 500);
    ASSERT_EQ(render("off.png", {"--panels", "off"}).status, 0);
    EXPECT_NE(image_of(folder / "off.png"), one);
    EXPECT_EQ(render("x.png", {"--scale", "4", "--size", "9000x9000"}).status, 2);
    EXPECT_EQ(render("x.png", {"--panels", "maybe"}).status, 2);
}

}  // namespace
}  // namespace app
