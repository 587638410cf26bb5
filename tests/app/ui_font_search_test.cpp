// Finding fonts on systems without Debian's packages, and the message if there are none.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/ui/font_file.h"

namespace app {
namespace {

namespace fs = std::filesystem;

/// A folder of its own with links to the fonts of these slots, as the packages have them.
class FontSearchTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(::testing::TempDir()) /
                  ("fonts_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void link(FontSlot slot) {
        const fs::path from = find_fonts()[slot].path;
        ASSERT_FALSE(from.empty()) << font_package(slot);
        fs::create_symlink(from, folder_ / from.filename());
    }
    /// Only what fontconfig finds in the folder.
    FontFiles search() const { return find_fonts({.known_places = false, .fontconfig_folder = folder_.string()}); }
    std::string in_folder(FontSlot slot) const {
        return (folder_ / fs::path(find_fonts()[slot].path).filename()).string();
    }

    fs::path folder_;
};

TEST_F(FontSearchTest, FontconfigFindsFontsInOtherPlaces) {
    for (const FontSlot slot : {FontSlot::Latin, FontSlot::Chinese, FontSlot::MathItalic, FontSlot::Symbols}) link(slot);
    const FontFiles found = search();
    EXPECT_EQ(found[FontSlot::Latin].path, in_folder(FontSlot::Latin));
    EXPECT_EQ(found[FontSlot::MathItalic].path, in_folder(FontSlot::MathItalic));
    EXPECT_EQ(found[FontSlot::Chinese].path, in_folder(FontSlot::Chinese));
    EXPECT_EQ(found[FontSlot::Chinese].face, 2) << "the simplified characters of the collection";
    // The bold font is missing: the regular one replaces it.
    EXPECT_EQ(found[FontSlot::ChineseStrong].path, in_folder(FontSlot::Chinese));
    for (const FontFiles::Entry& entry : found.entries) EXPECT_TRUE(FontFile::open(entry.path, entry.face)) << entry.path;
}

TEST_F(FontSearchTest, FontsWithoutTheCharactersAreNotUsed) {
    link(FontSlot::Latin);
    const FontFiles found = search();
    EXPECT_FALSE(found[FontSlot::Latin].path.empty());
    EXPECT_TRUE(found[FontSlot::Chinese].path.empty());
}

TEST_F(FontSearchTest, UnreadableFontsAreSkipped) {
    std::ofstream(folder_ / "garbage.ttf") << std::string(5000, 'x');
    link(FontSlot::Symbols);
    // A truncated font: fontconfig may accept its names, the check does not.
    const std::string whole = find_fonts()[FontSlot::Latin].path;
    fs::copy_file(whole, folder_ / "Cut.otf");
    fs::resize_file(folder_ / "Cut.otf", fs::file_size(whole) / 2);
    const FontFiles found = search();
    EXPECT_EQ(found[FontSlot::Latin].path, in_folder(FontSlot::Symbols));
}

TEST_F(FontSearchTest, AnEmptySystemHasNone) {
    for (const FontFiles::Entry& entry : search().entries) EXPECT_TRUE(entry.path.empty()) << entry.path;
}

TEST_F(FontSearchTest, TheSettingsFolderTakesPrecedence) {
    link(FontSlot::Mono);
    const FontFiles found = find_fonts({.folder = folder_.string()});
    EXPECT_EQ(found[FontSlot::Mono].path, in_folder(FontSlot::Mono));
    EXPECT_EQ(found[FontSlot::Latin].path, find_fonts()[FontSlot::Latin].path);
}

/// Noto Sans CJK's regional forms share one file; the simplified ones are number 2.
TEST(FontPlaces, ChineseIsTheSimplifiedFaceOfTheCollection) {
    const FontFiles files = find_fonts();
    EXPECT_EQ(files[FontSlot::Chinese].face, 2);
    EXPECT_EQ(files[FontSlot::ChineseStrong].face, 2);
}

}  // namespace
}  // namespace app
