#include "app/content/assets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include "places.h"

namespace {

std::string file_text(const std::string& path) {
    std::ifstream in(std::string(ATTN_SOURCE_DIR) + "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Assets, BuiltInFilesAreTheFilesByteForByte) {
    const app::Assets assets;
    const auto paths = assets.list("");
    ASSERT_FALSE(paths.empty());
    EXPECT_TRUE(std::is_sorted(paths.begin(), paths.end()));
    for (const std::string& path : paths) {
        const auto text = assets.read(path);
        ASSERT_TRUE(text) << path;
        EXPECT_EQ(*text, file_text(path)) << path;
    }
}

TEST(Assets, DiskAndBuiltInAgree) {
    const app::Assets built_in, disk(ATTN_SOURCE_DIR);
    EXPECT_FALSE(built_in.on_disk());
    EXPECT_TRUE(disk.on_disk());
    const auto shaders = built_in.list("shaders/");
    EXPECT_EQ(shaders, disk.list("shaders/"));
    ASSERT_FALSE(shaders.empty());
    EXPECT_EQ(*built_in.read(shaders.front()), *disk.read(shaders.front()));
    EXPECT_EQ(disk.list("shaders/heat"), built_in.list("shaders/heat"));
}

TEST(Assets, MissingAndOutsideAreErrors) {
    const app::Assets built_in, disk(ATTN_SOURCE_DIR), nowhere("/nonexistent-folder");
    EXPECT_FALSE(built_in.read("shaders/none.frag"));
    EXPECT_FALSE(built_in.read(""));
    EXPECT_FALSE(disk.read("shaders"));
    EXPECT_FALSE(disk.read("../etc/passwd"));
    EXPECT_FALSE(disk.read("/etc/passwd"));
    EXPECT_TRUE(disk.list("../").empty());
    EXPECT_TRUE(nowhere.list("shaders/").empty());
    EXPECT_EQ(disk.read("shaders/none.frag").error().message, "there is no such file");
}

}  // namespace
