// `attenscope render --figure`: pictures for a page.

#include <gmock/gmock.h>

#include "app/gfx/offscreen.h"
#include "tests/app/cli_fixture.h"
#include "tests/support/png_file.h"

namespace {

using cli_test::Folder;
using cli_test::run;
using testing::HasSubstr;
using testing::Not;

class CliFigure : public testing::Test {
protected:
    void SetUp() override {
        const auto context = app::gfx::open_offscreen();
        if (!context) GTEST_SKIP() << context.error().text();
    }

    std::string figure(const std::string& model, const std::string& text, std::vector<std::string> more, const std::string& file) {
        std::vector<std::string> arguments = {"render", "--model", model, "--language", "en", "--force", "-o", folder_ / file};
        if (!text.empty()) arguments.insert(arguments.end(), {"--text", text});
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return cli_test::bytes_of(folder_ / file);
    }

    static constexpr const char* kBird = "the boy sees the bird and he likes it";
    const Folder folder_;
};

TEST_F(CliFigure, HasNoControlsAndTheRequestedWidth) {
    struct Case {
        const char *name, *model, *text;
    };
    for (const Case& one : {Case{"stage", "questions", kBird}, {"flow", "questions", kBird}, {"lines", "questions", kBird},
                            {"grid", "questions", kBird}, {"tower", "language", "the river runs"}, {"alignment", "alignment", ""}}) {
        SCOPED_TRACE(one.name);
        const std::string svg = figure(one.model, one.text, {"--figure", one.name, "--width", "8.5cm"}, "a.svg");
        EXPECT_THAT(svg, HasSubstr("width=\"85mm\""));
        EXPECT_THAT(svg, HasSubstr("viewBox=\"0 "));
        for (const char* words : {"Click", "click", "Point at", "Space", "Append"}) EXPECT_THAT(svg, Not(HasSubstr(words)));
        EXPECT_THAT(svg, Not(HasSubstr("#f6f7fa"))) << "the window's ground";
    }
}

TEST_F(CliFigure, TitleAndCaptionAreOptional) {
    const auto words = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--figure", "flow"});
        return figure("questions", kBird, more, "a.svg");
    };
    EXPECT_THAT(words({}), HasSubstr("of its attention"));
    EXPECT_THAT(words({"--title", "off"}), Not(HasSubstr("of its attention")));
    EXPECT_THAT(figure("questions", kBird, {"--figure", "lines"}, "a.svg"), HasSubstr("On sentences"));
    EXPECT_THAT(figure("questions", kBird, {"--figure", "lines", "--caption", "off"}, "a.svg"), Not(HasSubstr("On sentences")));
}

TEST_F(CliFigure, APageEmbedsItsFontsReproducibly) {
    const std::vector<std::string> how = {"--figure", "stage", "--step", "weights.h1", "--width", "85mm"};
    const std::string pdf = figure("questions", kBird, how, "a.pdf");
    if (pdf.empty()) GTEST_SKIP() << "built without librsvg";
    EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
    EXPECT_NE(pdf.find("/MediaBox [ 0 0 241 "), std::string::npos) << "85 mm are 241 points";
    EXPECT_NE(pdf.find("/FontFile"), std::string::npos);
    EXPECT_TRUE(pdf == figure("questions", kBird, how, "b.pdf"));
}

TEST_F(CliFigure, WithoutABackgroundTheRestIsTransparent) {
    const auto corner = [&](const char* ground) {
        const std::string bytes = figure("questions", kBird, {"--figure", "flow", "--width", "60mm", "--ground", ground}, "a.png");
        const auto png = app::decode_png({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        EXPECT_TRUE(png.has_value());
        const std::uint8_t* at = png->image.at(1, 1);
        EXPECT_NEAR(png->image.width, 709, 2) << "60 mm at 300 dots to the inch";
        return std::vector<int>(at, at + 4);
    };
    EXPECT_EQ(corner("white"), (std::vector<int>{255, 255, 255, 255}));
    EXPECT_EQ(corner("none")[3], 0);
}

TEST_F(CliFigure, MissingPartsAreReported) {
    const auto refused = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments = {"render", "--text", kBird, "--language", "en", "-o", folder_ / "none.svg"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_NE(outcome.status, 0);
        return outcome.err;
    };
    EXPECT_THAT(refused({"--figure", "alignment"}), HasSubstr("the document has no alignment to draw"));
    EXPECT_THAT(refused({"--figure", "tower"}), HasSubstr("the document has no tower to draw"));
    EXPECT_THAT(refused({"--figure", "flow", "--width", "85"}), HasSubstr("write a length with its unit"));
    EXPECT_THAT(refused({"--figure", "flow", "--width", "2mm"}), HasSubstr("60 to 900 mm"));
}

}  // namespace
