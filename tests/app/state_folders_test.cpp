#include "app/state/folders.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <map>

namespace {

namespace fs = std::filesystem;
using app::find_folders;
using app::Folders;

Folders folders_with(const std::map<std::string, std::string>& variables) {
    return find_folders([&](const char* name) -> const char* {
        const auto at = variables.find(name);
        return at == variables.end() ? nullptr : at->second.c_str();
    });
}

TEST(Folders, TheUsualFoldersBelowHome) {
    const Folders paths = folders_with({{"HOME", "/home/u"}});
    EXPECT_EQ(paths.config, "/home/u/.config/attenscope");
    EXPECT_EQ(paths.state, "/home/u/.local/state/attenscope");
    EXPECT_EQ(paths.data, "/home/u/.local/share/attenscope");
    EXPECT_EQ(paths.cache, "/home/u/.cache/attenscope");
}

TEST(Folders, TheFoldersThatTheEnvironmentNames) {
    const Folders paths = folders_with({{"HOME", "/home/u"}, {"XDG_CONFIG_HOME", "/c"}, {"XDG_STATE_HOME", "/s/t"}});
    EXPECT_EQ(paths.config, "/c/attenscope");
    EXPECT_EQ(paths.state, "/s/t/attenscope");
    EXPECT_EQ(paths.cache, "/home/u/.cache/attenscope");
}

TEST(Folders, EmptyAndRelativeValuesAreIgnored) {
    for (const char* value : {"", "relative", "./here", "../there", "~/x"})
        EXPECT_EQ(folders_with({{"HOME", "/home/u"}, {"XDG_CONFIG_HOME", value}}), folders_with({{"HOME", "/home/u"}}))
            << value;
}

TEST(Folders, WithoutAHomeThereAreNone) {
    EXPECT_EQ(folders_with({}), Folders{});
    EXPECT_EQ(folders_with({{"HOME", ""}}), Folders{});
    EXPECT_EQ(folders_with({{"HOME", "relative"}}), Folders{});
    EXPECT_EQ(folders_with({{"XDG_STATE_HOME", "/s"}}), (Folders{{}, "/s/attenscope", {}, {}}));
}

class MakeFolder : public ::testing::Test {
protected:
    MakeFolder() {
        std::string pattern = (fs::temp_directory_path() / "paths-XXXXXX").native();
        root_ = ::mkdtemp(pattern.data());
    }
    ~MakeFolder() override { fs::remove_all(root_); }
    std::string failure(const fs::path& folder) {
        const auto made = app::make_folder(folder);
        return made ? "" : made.error().text();
    }
    fs::path root_;
};

TEST_F(MakeFolder, WithThoseAboveItForTheUserAlone) {
    EXPECT_EQ(failure(root_ / "a/b/c"), "");
    EXPECT_EQ(failure(root_ / "a/b/c"), "");  // again
    struct stat info {};
    ASSERT_EQ(::stat((root_ / "a/b").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(MakeFolder, ThroughALink) {
    fs::create_directory(root_ / "real");
    fs::create_symlink("real", root_ / "link");
    EXPECT_EQ(failure(root_ / "link/ours"), "");
    EXPECT_TRUE(fs::is_directory(root_ / "real/ours"));
}

TEST_F(MakeFolder, ReportsWhatIsInTheWay) {
    std::ofstream(root_ / "file") << "x";
    fs::create_symlink("loop", root_ / "loop");
    fs::create_symlink("nowhere", root_ / "dangling");
    EXPECT_NE(failure(root_ / "file").find("not a folder"), std::string::npos);
    EXPECT_NE(failure(root_ / "file/below").find("not a folder"), std::string::npos);
    EXPECT_NE(failure(root_ / "loop/below").find("symbolic links"), std::string::npos);
    EXPECT_NE(failure(root_ / "dangling/below"), "");
    EXPECT_NE(failure(root_ / std::string(300, 'n')), "");
    EXPECT_NE(failure("/proc/attenscope"), "");
    EXPECT_NE(failure({}).find("HOME"), std::string::npos);
}

}  // namespace
