// .npz: reproducible bytes, agreement with NumPy in both directions, bad archives are refused (bad-input row 37).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>
#include <zip.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/io/files.h"
#include "core/io/npz.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const Matrix kSample = (Matrix(2, 2) << 1, 0.1F, -3, 1e-30F).finished();

std::string archive(const std::vector<NpzFile>& files, NpzPacking packing = NpzPacking::Stored) {
    auto bytes = npz_bytes(files, packing);
    EXPECT_TRUE(bytes.ok()) << (bytes.ok() ? "" : bytes.error().text());
    return bytes.ok() ? *bytes : std::string();
}

void expect_npz_refused(const std::string& bytes, std::string_view part, NpzLimits limits = {}) {
    const auto npz = read_npz(bytes, limits);
    ASSERT_FALSE(npz.ok()) << part;
    EXPECT_NE(npz.error().message.find(part), std::string::npos) << npz.error().text();
}

/// `bytes` with every `from` replaced by `to`, which has the same length: it patches both headers of a ZIP.
std::string patched(std::string bytes, std::string_view from, std::string_view to) {
    for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at + to.size()))
        bytes.replace(at, to.size(), to);
    return bytes;
}

TEST(Npz, RoundTripsAndIsReproducible) {
    const std::vector<NpzFile> files = {
        {"steps/weights.npy", npy_bytes(kSample)}, {"trace.json", "{}"}, {"权.npy", npy_bytes(kSample)}};
    for (const NpzPacking packing : {NpzPacking::Stored, NpzPacking::Deflated}) {
        const std::string bytes = archive(files, packing);
        EXPECT_EQ(bytes, archive(files, packing));
        const auto npz = read_npz(bytes);
        ASSERT_TRUE(npz.ok()) << npz.error().text();
        ASSERT_EQ(npz->arrays.size(), 2U);
        EXPECT_EQ(npz->arrays[0].name, "steps/weights");
        EXPECT_EQ(*matrix_from_npy(npz->arrays[0].array, "weights"), kSample);
        EXPECT_EQ(npz->arrays[1].name, "权");
        EXPECT_EQ(npz->ignored, std::vector<std::string>{"trace.json"});
    }
}

TEST(Npz, ItsBytesDoNotDependOnTheTimeZone) {
    const std::vector<NpzFile> files = {{"a.npy", npy_bytes(kSample)}};
    const char* const before = std::getenv("TZ");
    const std::string kept = before ? before : "";
    ::setenv("TZ", "Asia/Shanghai", 1);
    ::tzset();
    const std::string there = archive(files);
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    const std::string here = archive(files);
    before ? ::setenv("TZ", kept.c_str(), 1) : ::unsetenv("TZ");
    ::tzset();
    EXPECT_EQ(there, here);
    EXPECT_EQ(here.substr(10, 4), std::string("\0\0\x21\0", 4)) << "midnight, 1 January 1980";
}

RC_GTEST_PROP(NpzRoundTrip, EveryBitComesBack, (const std::vector<std::uint32_t>& bits, bool deflated)) {
    std::vector<float> values;
    for (const std::uint32_t b : bits) values.push_back(std::bit_cast<float>(b * 0x9E3779B9U));
    const std::vector<NpzFile> files = {{"x.npy", npy_bytes(std::vector<std::size_t>{values.size()}, values)}};
    const auto bytes = npz_bytes(files, deflated ? NpzPacking::Deflated : NpzPacking::Stored);
    RC_ASSERT(bytes.ok());
    const auto npz = read_npz(*bytes);
    RC_ASSERT(npz.ok());
    RC_ASSERT(npz->arrays.at(0).array.values.size() == values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        RC_ASSERT(std::bit_cast<std::uint32_t>(npz->arrays[0].array.values[i]) ==
                  std::bit_cast<std::uint32_t>(values[i]));
}

TEST(Npz, RefusesNamesOutsideTheFolder) {
    for (const char* const name : {"../evil.npy", "a/../../evil.npy", "/etc/evil.npy", "a\\b.npy", "..", ""})
        EXPECT_FALSE(npz_bytes(std::vector<NpzFile>{{name, "x"}}).ok()) << name;
    const std::string honest = archive({{"abcevil.npy", npy_bytes(kSample)}});
    expect_npz_refused(patched(honest, "abcevil", "../evil"), "leads out of it");
    expect_npz_refused(patched(honest, "abcevil", "/bcevil"), "leads out of it");
    EXPECT_TRUE(read_npz(archive({{"..a.npy", npy_bytes(kSample)}})).ok());
}

TEST(Npz, RefusesANameTwice) {
    EXPECT_FALSE(npz_bytes(std::vector<NpzFile>{{"a.npy", "x"}, {"a.npy", "y"}}).ok());
    const std::string honest = archive({{"aa.npy", npy_bytes(kSample)}, {"bb.npy", npy_bytes(kSample)}});
    EXPECT_FALSE(read_npz(patched(honest, "bb.npy", "aa.npy")).ok());
}

TEST(Npz, RefusesDamage) {
    const std::string honest = archive({{"a.npy", npy_bytes(kSample)}}, NpzPacking::Deflated);
    expect_npz_refused("", "is empty");
    expect_npz_refused("hello", "not an .npz archive");
    expect_npz_refused(npy_bytes(kSample), "single .npy array");
    for (std::size_t cut = 1; cut < honest.size(); ++cut)
        ASSERT_FALSE(read_npz(std::string_view(honest).substr(0, cut)).ok()) << cut;
    const std::string stored = archive({{"a.npy", npy_bytes(kSample)}});
    std::string flipped = stored;
    flipped[stored.find("\x93NUMPY") + 130] ^= 1;
    expect_npz_refused(flipped, "damaged");
    const auto inner = read_npz(archive({{"a.npy", "no array"}}));
    ASSERT_FALSE(inner.ok());
    EXPECT_EQ(inner.error().key, "a.npy");
}

TEST(Npz, RefusesBombs) {
    const std::string zeros = npy_bytes(Matrix::Zero(1024, 1024));
    const std::string bomb = archive({{"a.npy", zeros}, {"b.npy", zeros}}, NpzPacking::Deflated);
    EXPECT_LT(bomb.size(), 20'000U);
    EXPECT_TRUE(read_npz(bomb).ok());
    expect_npz_refused(bomb, "would take", {.max_unpacked = zeros.size() - 1});
    expect_npz_refused(bomb, "would take", {.max_unpacked = zeros.size() * 2 - 1});
    expect_npz_refused(bomb, "2 files; at most 1", {.max_files = 1});
    // A wrong declared size (in both headers) is detected while unpacking.
    std::string true_size(4, '\0'), false_size(4, '\0');
    for (std::size_t i = 0; i < 4; ++i) true_size[i] = static_cast<char>(zeros.size() >> (8 * i) & 0xFF);
    false_size[0] = 16;
    EXPECT_FALSE(read_npz(patched(bomb, true_size, false_size)).ok());
}

/// A folder that is removed when the test ends.
class TempFolder {
public:
    TempFolder() {
        std::string pattern = (fs::temp_directory_path() / "attn-npz-XXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
    }
    ~TempFolder() { fs::remove_all(path_); }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

int python(const fs::path& folder, const std::string& code) {
    std::ofstream(folder / "check.py") << code;
    return std::system(("cd '" + folder.string() + "' && /usr/bin/python3 check.py >/dev/null 2>&1").c_str());
}

TEST(Npz, AgreesWithNumpy) {
    const TempFolder folder;
    if (python(folder.path(), "import numpy\n") != 0) GTEST_SKIP() << "python3-numpy is not installed";
    ASSERT_TRUE(atomic_write(folder.path() / "ours.npz",
                             archive({{"权.npy", npy_bytes(kSample)}, {"trace.json", "{}"}}, NpzPacking::Deflated))
                    .ok());
    ASSERT_EQ(python(folder.path(), R"(
import numpy as np
z = np.load('ours.npz')
assert z.files == ['权', 'trace.json'], z.files
x = z['权']
assert x.dtype == np.float32 and x.shape == (2, 2) and x.flags.c_contiguous
assert (x == np.array([[1, 0.1], [-3, 1e-30]], dtype=np.float32)).all()
np.savez('theirs.npz', f=x, d=x.astype('>f8').T, i=np.arange(6).reshape(2, 3), b=np.array([True, False]), h=np.float16(1.5))
np.savez_compressed('packed.npz', z=np.zeros((100, 100), order='F'))
np.savez('objects.npz', o=np.array([{}], dtype=object))
)"),
              0);
    const auto theirs = read_npz(*read_file(folder.path() / "theirs.npz", 1 << 20));
    ASSERT_TRUE(theirs.ok()) << theirs.error().text();
    ASSERT_EQ(theirs->arrays.size(), 5U);
    EXPECT_EQ(*matrix_from_npy(theirs->arrays[0].array, "f"), kSample);
    EXPECT_EQ(*matrix_from_npy(theirs->arrays[1].array, "d"), Matrix(kSample.transpose()));
    EXPECT_EQ(theirs->arrays[2].array.values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(theirs->arrays[3].array.values, (std::vector<float>{1, 0}));
    EXPECT_EQ(theirs->arrays[4].array.values, std::vector<float>{1.5F});
    EXPECT_TRUE(read_npz(*read_file(folder.path() / "packed.npz", 1 << 20)).ok());
    expect_npz_refused(*read_file(folder.path() / "objects.npz", 1 << 20), "pickle");
}

}  // namespace
}  // namespace attn
