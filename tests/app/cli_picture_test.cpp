// A vision model on the command line: --picture, the message without one, labels, heads.

#include <gmock/gmock.h>

#include "core/io/json.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::run;
using testing::HasSubstr;

const std::string kVitFolder = ATTN_SOURCE_DIR "/tests/data/checkpoints/vit";

cli_test::Outcome of_picture(const std::string& command, std::vector<std::string> more = {}, const std::string& picture = kVitFolder + "/picture.png") {
    more.insert(more.begin(), {command, "--model", kVitFolder, "--picture", picture});
    return run(more);
}

TEST(CliPicture, IsNamedOrRequested) {
    for (const char* command : {"trace", "render", "heads", "next"}) {
        std::vector<std::string> arguments = {command, "--model", kVitFolder};
        if (arguments[0] == "render") arguments.insert(arguments.end(), {"-o", "never.png"});
        const auto none = run(arguments);
        EXPECT_EQ(none.status, 3) << command;
        EXPECT_THAT(none.err, HasSubstr("this model looks at a picture, and none is named; add --picture FILE.png")) << command;
    }
    const auto missing = of_picture("trace", {}, kVitFolder + "/none.png");
    EXPECT_EQ(missing.status, 3);
    EXPECT_THAT(missing.err, HasSubstr("none.png"));
    const auto other = of_picture("trace", {}, kVitFolder + "/config.json");
    EXPECT_THAT(other.err, HasSubstr("config.json: this is no picture that is read here"));
    const auto photo = of_picture("trace", {}, ATTN_SOURCE_DIR "/tests/data/pictures/cmyk.jpg");
    EXPECT_EQ(photo.status, 0) << photo.err;
    const auto text = run({"trace", "--picture", kVitFolder + "/picture.png"});
    EXPECT_EQ(text.status, 3);
    EXPECT_THAT(text.err, HasSubstr("models of pictures"));
}

TEST(CliPicture, IsTracedStepByStep) {
    const auto json = of_picture("trace", {"--step", "patches", "--format", "csv"});
    EXPECT_EQ(json.status, 0) << json.err;
    const auto whole = of_picture("trace");
    ASSERT_EQ(whole.status, 0) << whole.err;
    EXPECT_THAT(whole.out, HasSubstr("\"pixels\""));
    EXPECT_THAT(whole.out, HasSubstr("\"2,3\""));
    const auto explained = of_picture("explain", {"--step", "patches", "--row", "1", "--column", "1"});
    EXPECT_EQ(explained.status, 0) << explained.err;
    EXPECT_THAT(of_picture("heads").out, HasSubstr("1"));
}

TEST(CliPicture, PrintsItsLabels) {
    const auto json = of_picture("next", {"--json", "--lens"});
    ASSERT_EQ(json.status, 0) << json.err;
    const auto parsed = attn::parse_json(json.out);
    ASSERT_TRUE(parsed);
    const auto& words = parsed->find("expected")->items.at(0).find("words")->items;
    ASSERT_EQ(words.size(), 3U);
    double sum = 0;
    for (const auto& word : words) sum += word.find("probability")->number;
    EXPECT_NEAR(sum, 1, 1e-5);
    EXPECT_EQ(of_picture("next", {"--sample", "2"}).status, 3);
}

}  // namespace
