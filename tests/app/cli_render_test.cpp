// `attenscope render`: pictures without a window.

#include <gmock/gmock.h>

#include "app/gfx/offscreen.h"
#include "core/document/fields.h"
#include "tests/app/cli_fixture.h"
#include "tests/app/gif_reader.h"
#include "tests/support/png_file.h"

namespace {

using cli_test::Folder;
using cli_test::run;

class CliRender : public testing::Test {
protected:
    void SetUp() override {
        const auto context = app::gfx::open_offscreen();
        if (!context) GTEST_SKIP() << context.error().text();
    }

    /// Small, so that the software renderer is quick.
    std::vector<std::string> render(std::initializer_list<std::string> more) const {
        std::vector<std::string> arguments = {"render",  "--text",  "早上好", "--set",      "variant=raw", "--size",
                                              "640x400", "--scale", "0.5",    "--language", "en", "--force"};
        arguments.insert(arguments.end(), more);
        return arguments;
    }

    static app::Png png_of(const std::string& path) {
        const std::string bytes = cli_test::bytes_of(path);
        auto png = app::decode_png({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        EXPECT_TRUE(png.has_value());
        return png ? *png : app::Png{};
    }

    const Folder folder_;
};

TEST_F(CliRender, SameBytesTwiceAndTheDocumentInside) {
    for (const char* name : {"a.png", "b.png"}) {
        const auto outcome = run(render({"-o", folder_ / name}));
        ASSERT_EQ(outcome.status, 0) << outcome.err;
    }
    EXPECT_EQ(cli_test::bytes_of(folder_ / "a.png"), cli_test::bytes_of(folder_ / "b.png"));
    const app::Png png = png_of(folder_ / "a.png");
    EXPECT_EQ(png.image.width, 320);
    EXPECT_EQ(png.image.height, 200);
    ASSERT_EQ(png.text.size(), 2u);
    EXPECT_EQ(png.text[0].first, "Software");
    const auto document = attn::document_from_json(png.text[1].second, "chunk");
    ASSERT_TRUE(document.ok()) << document.error().text();
    EXPECT_EQ(document->text, "早上好");
    EXPECT_EQ(document->config.form, "raw");
}

/// Naming a step of a head shows that head, in the layer that was named.
TEST_F(CliRender, AStepOfAHeadShowsThatHead) {
    const auto bytes = [&](const char* name, std::vector<std::string> more) {
        std::vector<std::string> arguments = render({"--set", "variant=encoder", "--set", "heads=2", "--set", "layers=2", "-o", folder_ / name});
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return cli_test::bytes_of(folder_ / name);
    };
    const std::string second = bytes("h2.png", {"--step", "l2.weights.h2"});
    EXPECT_EQ(second, bytes("also.png", {"--step", "l2.weights.h2", "--head", "2"}));
    EXPECT_NE(second, bytes("h1.png", {"--step", "l2.weights.h1"}));
}

/// Every page of the heads can be rendered; other names are refused.
TEST_F(CliRender, PagesOfTheHeadsDiffer) {
    std::vector<std::string> seen;
    for (const char* page : {"lines", "grid", "neuron", "plane"}) {
        const auto outcome = run(render({"--screen", "heads", "--page", page, "-o", folder_ / "heads.png"}));
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        const std::string bytes = cli_test::bytes_of(folder_ / "heads.png");
        EXPECT_EQ(std::find(seen.begin(), seen.end(), bytes), seen.end()) << page;
        seen.push_back(bytes);
    }
    EXPECT_NE(run(render({"--screen", "heads", "--page", "brains", "-o", folder_ / "heads.png"})).status, 0);
    // A page of another screen, of none, and one that this document lacks.
    const auto other = run(render({"--screen", "prediction", "--page", "grid", "-o", folder_ / "heads.png"}));
    EXPECT_EQ(other.status, 2);
    EXPECT_THAT(other.err, testing::HasSubstr("--page: the screen prediction has no page grid; it has words, lens, parts, stream, interventions"));
    EXPECT_THAT(run(render({"--page", "grid", "-o", folder_ / "heads.png"})).err, testing::HasSubstr("the screen stage has no pages; choose --screen heads"));
    const auto lacking = run(render({"--screen", "heads", "--page", "regions", "-o", folder_ / "heads.png"}));
    EXPECT_EQ(lacking.status, 3);
    EXPECT_THAT(lacking.err, testing::HasSubstr("the document has no page regions; it has lines, grid"));
}

TEST_F(CliRender, StepsTimesCellsAndLooksDiffer) {
    const std::vector<std::vector<std::string>> ways = {
        {"--step", "scores"},
        {"--step", "scores", "--progress", "0.3"},
        {"--step", "scores", "--row", "2", "--column", "好"},
        {"--time", "0.2"},
        {"--step", "scores", "--theme", "dark"},
        {"--step", "scores", "--theme", "projector"},
    };
    std::vector<app::gfx::Image> images;
    for (std::vector<std::string> way : ways) {
        way.insert(way.end(), {"-o", folder_ / "x.png"});
        std::vector<std::string> arguments = render({});
        arguments.insert(arguments.end(), way.begin(), way.end());
        const auto outcome = run(arguments);
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        images.push_back(png_of(folder_ / "x.png").image);
    }
    for (std::size_t a = 0; a < images.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(images[a] == images[b]) << a << ' ' << b;
}

TEST_F(CliRender, RendersAComparison) {
    const std::vector<std::string> base = {"render",  "--text", "the tired cat",  "--set",
                                           "heads=2", "--size", "640x400",        "--language",
                                           "en",      "--force", "-o", folder_ / "x.png"};
    std::vector<app::gfx::Image> images;
    for (const char* what : {"score=cosine", "mask=causal", "text=one two three", "head=2", "order=1,3"}) {
        std::vector<std::string> arguments = base;
        arguments.insert(arguments.end(), {"--compare", what});
        const auto outcome = run(arguments);
        ASSERT_EQ(outcome.status, 0) << what << ": " << outcome.err;
        images.push_back(png_of(folder_ / "x.png").image);
    }
    for (std::size_t a = 0; a < images.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(images[a] == images[b]) << a << ' ' << b;
    std::vector<std::string> named = base;
    named.insert(named.end(), {"--screen", "compare", "--compare", "score=cosine"});
    ASSERT_EQ(run(named).status, 0);
    EXPECT_TRUE(png_of(folder_ / "x.png").image == images.front());
    named[named.size() - 3] = "heads";
    EXPECT_THAT(run(named).err, testing::HasSubstr("--compare: it is drawn on the screen compare, not on heads"));
    const std::pair<const char*, const char*> refused[] = {
        {"size=2", "there are score"},   {"score=loud", "score can be"}, {"edits", "nothing to compare"},
        {"order=0,3", "numbers of two"}, {"text", "other text"},         {"kept=attenscope:1:x", ""},
        {"head=7", "head can be 1, 2"},
    };
    for (const auto& [what, why] : refused) {
        std::vector<std::string> arguments = base;
        arguments.insert(arguments.end(), {"--compare", what});
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.status, 3) << what;
        EXPECT_THAT(outcome.err, testing::HasSubstr(why)) << what;
    }
}

TEST_F(CliRender, AGalleryIsEveryViewInEveryLookThatIsLeft) {
    const auto outcome = run({"render", "--text", "good morning", "--scale", "0.5", "--theme", "dark", "--size",
                              "960x600", "--set", "heads=2", "--gallery", folder_ / "all"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const char* look : {"dark-en-480x300", "dark-zh-480x300"}) {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / ("all/" + std::string(look))))
            names.push_back(entry.path().stem().string());
        EXPECT_THAT(names,
                    testing::IsSupersetOf({"stage", "stage-cube", "flow", "flow-fan", "heads-lines", "compare-score",
                                           "experiments-scaling", "sheet-palette", "present", "columns"}));
        EXPECT_THAT(names, testing::Not(testing::Contains("compare-edits"))) << "nothing was typed over";
        EXPECT_GT(names.size(), 15u);
        for (const std::string& name : names) {
            const app::Png png = png_of(folder_ / ("all/" + std::string(look) + "/" + name + ".png"));
            EXPECT_EQ(png.image.width, 480) << name;
        }
    }
    EXPECT_EQ(run(render({"--gallery", folder_ / "all", "-o", folder_ / "x.png"})).status, 2);
    EXPECT_EQ(run(render({})).status, 2) << "a picture goes somewhere";
}

TEST_F(CliRender, AWalkIsOnePicturePerStop) {
    const auto outcome = run(render({"--walk", "-o", folder_ / "new/walk"}));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "new/walk"))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    EXPECT_THAT(names, testing::ElementsAre("01-embeddings.png", "02-keys_transposed.png", "03-scores.png",
                                            "04-weights.png", "05-output.png"));
}

/// If it is interrupted, here by a file that cannot be written, the folder is marked as incomplete.
TEST_F(CliRender, AnIncompleteFolderIsMarked) {
    std::filesystem::create_directories(std::filesystem::path(folder_ / "half") / "03-scores.png");
    EXPECT_EQ(run(render({"--walk", "-o", folder_ / "half"})).status, 1);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "half/02-keys_transposed.png"));
    EXPECT_THAT(cli_test::bytes_of(folder_ / "half/UNFINISHED"), testing::HasSubstr("was ended before all files"));
    std::filesystem::remove(folder_ / "half/03-scores.png");
    EXPECT_EQ(run(render({"--walk", "-o", folder_ / "half"})).status, 0);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "half/UNFINISHED"));
}

TEST_F(CliRender, AnAnimationHasTheWholeWalk) {
    const auto outcome = run({"render", "--text", "早", "--set", "variant=raw", "--size", "320x200", "--scale", "0.5",
                              "-o", folder_ / "w.gif"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const std::string bytes = cli_test::bytes_of(folder_ / "w.gif");
    const auto gif = read_gif({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    ASSERT_TRUE(gif.has_value());
    EXPECT_EQ(gif->loops, 0);
    EXPECT_GT(gif->frames.size(), 30u);
    int hundredths = 0;
    for (const GifFrame& frame : gif->frames) hundredths += frame.delay;
    EXPECT_GT(hundredths, 1000);
    // It ends with the picture of the last step.
    EXPECT_EQ(gif->frames.back().image.width, 160);
}

TEST_F(CliRender, BadPlacesAreBadInputAndWriteNothing) {
    EXPECT_EQ(run(render({"--step", "nonsense", "-o", folder_ / "x.png"})).status, 3);
    EXPECT_EQ(run(render({"--step", "scores", "--row", "9", "--column", "1", "-o", folder_ / "x.png"})).status, 3);
    EXPECT_EQ(run(render({"--head", "2", "-o", folder_ / "x.png"})).status, 3);
    EXPECT_EQ(run({"render", "--step", "query_weight", "-o", folder_ / "x.png"}).status, 3);
    EXPECT_EQ(run({"render", "--text", "", "--walk", "-o", folder_ / "w"}).status, 3);
    EXPECT_EQ(run({"render", "--text", "", "-o", folder_ / "x.gif"}).status, 3);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(CliRender, SizesBeyondReasonAreUsageErrors) {
    for (const char* size : {"0x100", "100", "axb", "100x", "-1x5", "99999x99999", "20000x10", "9e9x1", "1x1junk"})
        EXPECT_EQ(run({"render", "--size", size, "-o", folder_ / "x.png"}).status, 2) << size;
    const auto one = run({"render", "--text", "早", "--size", "1x1", "-o", folder_ / "one.png"});
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(png_of(folder_ / "one.png").image.width, 1);
}

TEST_F(CliRender, AnEmptyTextIsRendered) {
    EXPECT_EQ(run({"render", "--text", "", "--size", "640x400", "-o", folder_ / "x.png"}).status, 0);
    EXPECT_EQ(run({"render", "--text", "", "--row", "1", "--column", "1", "-o", folder_ / "y.png"}).status, 3);
}

TEST_F(CliRender, ColumnsAreAnotherPictureOfTheSameRun) {
    const auto drawn = [&](std::initializer_list<std::string> more) {
        std::vector<std::string> arguments = render({"--step", "scores", "-o", folder_ / "x.png"});
        arguments.insert(arguments.end(), more);
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return png_of(folder_ / "x.png");
    };
    const app::Png rows = drawn({"--convention", "rows"}), columns = drawn({"--convention", "columns"});
    EXPECT_TRUE(rows.image == drawn({}).image);
    EXPECT_FALSE(columns.image == rows.image);
    EXPECT_EQ(columns.text, rows.text);
    // Rows and columns are those that are seen; labels find them.
    const auto pinned = drawn({"--convention", "columns", "--row", "3", "--column", "1"});
    EXPECT_TRUE(pinned.image == drawn({"--convention", "columns", "--row", "好", "--column", "早"}).image);
    EXPECT_FALSE(pinned.image == columns.image);
    EXPECT_EQ(run(render({"--convention", "diagonals", "-o", folder_ / "y.png"})).status, 2);
}

/// Vectors of eight numbers: with tokens as columns there are eight rows, and one column per token.
TEST_F(CliRender, RowsAreCountedAsTheyAreSeen) {
    const auto status = [&](const char* convention, const char* row) {
        return run(render({"--step", "embeddings", "--convention", convention, "--row", row, "--column", "2", "-o",
                           folder_ / "x.png"}))
            .status;
    };
    EXPECT_EQ(status("columns", "8"), 0);
    EXPECT_EQ(status("rows", "8"), 3);
}

TEST_F(CliRender, AStoryboardIsReproducibleAndCoversTheWalk) {
    for (const char* name : {"a.png", "b.png"}) {
        const auto outcome = run(render({"--storyboard", folder_ / name, "--every", "8"}));
        ASSERT_EQ(outcome.status, 0) << outcome.err;
    }
    EXPECT_EQ(cli_test::bytes_of(folder_ / "a.png"), cli_test::bytes_of(folder_ / "b.png"));
    const app::Png few = png_of(folder_ / "a.png");
    ASSERT_EQ(run(render({"--storyboard", folder_ / "c.png", "--every", "8", "--pace", "deep", "--screen", "flow"})).status, 0);
    EXPECT_GE(png_of(folder_ / "c.png").image.width, few.image.width);
    EXPECT_NE(cli_test::bytes_of(folder_ / "a.png"), cli_test::bytes_of(folder_ / "c.png"));
    EXPECT_EQ(run(render({"--storyboard", folder_ / "d.png", "--every", "0.1"})).status, 3);
    EXPECT_EQ(run(render({"--storyboard", folder_ / "d.png", "-o", folder_ / "e.png"})).status, 2);
    EXPECT_EQ(run(render({"-o", folder_ / "e.png", "--every", "2"})).status, 2);
}

/// The time and two lines below each picture, in the theme's type.
TEST_F(CliRender, AStoryboardHasRoomForItsCaptions) {
    const auto below = [&](const char* theme) {
        const auto outcome = run(render({"--storyboard", folder_ / "room.png", "--force", "--every", "60", "--theme", theme}));
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        constexpr int kGap = 16, kHigh = 200;  // two pictures of 320 x 200 beside each other
        return png_of(folder_ / "room.png").image.height - 2 * kGap - kHigh;
    };
    EXPECT_GE(below("light"), 30);
    EXPECT_GE(below("projector"), 50);
}

}  // namespace
