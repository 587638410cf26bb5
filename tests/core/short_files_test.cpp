// A file is about one thing, and short: whoever opens it reads all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "places.h"

namespace attn::test {
namespace {

constexpr std::ptrdiff_t kMostLines = 400;

TEST(ShortFiles, NoneIsLongerThanCanBeReadAtOnce) {
    int files = 0;
    for (const char* folder : {"app", "core", "tests"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(ATTN_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
            std::ifstream in(entry.path(), std::ios::binary);
            EXPECT_LE(std::count(std::istreambuf_iterator<char>(in), {}, '\n'), kMostLines) << entry.path();
            ++files;
        }
    EXPECT_GT(files, 500);
}

}  // namespace
}  // namespace attn::test
