// safetensors files: writing and reading back, and what is refused beyond the files of tests/data/hostile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/io/safetensors.h"
#include "core/model/stored_weights.h"
#include "core/remake/remake.h"
#include "tests/core/support.h"
#include "tests/core/widths.h"

namespace attn::test {
namespace {

/// A file with this header and this many bytes of data.
std::string tensor_file(std::string_view header, std::size_t data) {
    std::string out(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
    out += header;
    return out + std::string(data, '\0');
}

std::string refused_header(std::string_view bytes) {
    const auto header = read_tensor_header(bytes, bytes.size());
    return header ? "it was read" : header.error().text();
}

std::string refused_header(std::string_view header, std::size_t data) { return refused_header(tensor_file(header, data)); }

using testing::HasSubstr;

TEST(TensorFile, RoundTrips) {
    const std::vector<NamedTensor> tensors = {{"l1.query_weight", seeded_matrix(1, 3, 5)}, {"数", seeded_matrix(2, 1, 4)}};
    const std::string bytes = tensor_file_bytes(tensors, {{"made by", "a test"}});
    EXPECT_EQ(bytes, tensor_file_bytes(tensors, {{"made by", "a test"}}));
    const auto file = TensorFile::in_memory(bytes, "memory");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->header().data_begin % 8, 0u);
    EXPECT_EQ(file->header().metadata.at("made by"), "a test");
    for (const NamedTensor& tensor : tensors) EXPECT_TRUE(same_bits(*file->matrix(tensor.name), tensor.value));
    EXPECT_THAT(file->matrix("none").error().text(), HasSubstr("no such tensor"));
}

/// A header length may look like the first bytes of a pickle (80 02), gzip (1f 8b) or zip (50 4b).
TEST(TensorFile, IsNotMistakenForAnotherFormat) {
    for (const std::size_t length : {640, 0x0480, 0x8b1f, 0x4b50}) {
        std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
        header.resize(length, ' ');
        EXPECT_EQ(refused_header(header, 4), "it was read") << length;
    }
    EXPECT_THAT(refused_header(std::string("\x80\x02}q\x00.........", 14)), HasSubstr("Python pickle"));
}

TEST(TensorFile, HalfPrecisionRoundsToNearest) {
    Matrix m(1, 5);
    m << 1.0f, 0.1f, 65504.0f, -2.5f, 1.0f + 1.0f / 2048;  // the last is a tie in float16: rounds to even
    const std::string bytes = tensor_file_bytes({{{"m", m}}}, {}, TensorNumbers::F16);
    const auto file = TensorFile::in_memory(bytes, "memory");
    ASSERT_TRUE(file);
    const Matrix read = *file->matrix("m");
    EXPECT_EQ(read(0, 0), 1.0f);
    EXPECT_EQ(read(0, 1), 0.0999755859375f);
    EXPECT_EQ(read(0, 2), 65504.0f);
    EXPECT_EQ(read(0, 3), -2.5f);
    EXPECT_EQ(read(0, 4), 1.0f);
}

TEST(TensorFile, OtherTypesAreConvertedOrRefusedByName) {
    std::string bytes = tensor_file(R"({"b":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]},"d":{"dtype":"F64","shape":[],"data_offsets":[4,12]},"i":{"dtype":"I64","shape":[1],"data_offsets":[12,20]}})", 20);
    bytes[bytes.size() - 19] = '\x40';  // 2.0 as BF16 is 0x4000
    const auto file = TensorFile::in_memory(bytes, "memory");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ((*file->matrix("b"))(0, 0), 2.0f);
    EXPECT_EQ((*file->matrix("d"))(0, 0), 0.0f);
    EXPECT_THAT(file->matrix("i").error().text(), HasSubstr("its type is I64"));
}

TEST(TensorFile, Row1_ShorterThanEightBytes) {
    for (std::size_t size = 0; size < 8; ++size) EXPECT_THAT(refused_header(std::string(size, 'x')), HasSubstr("shorter than 8 bytes"));
}

TEST(TensorFile, Row4_Depth) {
    std::string deep = R"({"a":)" + std::string(100'000, '[');
    EXPECT_NE(refused_header(deep, 0), "it was read");
}

TEST(TensorFile, Row8_ShrinkingFiles) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / ("attenscope-shrink-" + std::to_string(::getpid()));
    const std::string bytes = tensor_file_bytes({{{"m", seeded_matrix(1, 64, 64)}}}, {});
    std::ofstream(path, std::ios::binary) << bytes;
    const auto file = TensorFile::open(path.string());
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_TRUE(file->matrix("m"));
    std::filesystem::resize_file(path, bytes.size() / 2);
    EXPECT_THAT(file->matrix("m").error().text(), HasSubstr("shorter while it was read"));
    std::filesystem::remove(path);
    EXPECT_THAT(TensorFile::open("/").error().text(), HasSubstr("no ordinary file"));
    EXPECT_FALSE(TensorFile::open("/nothing/here"));
}

TEST(TensorFile, Row13_EmptyTensorsAreLegal) {
    const std::string bytes = tensor_file(R"({"a":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]},"b":{"dtype":"F32","shape":[],"data_offsets":[0,4]}})", 4);
    const auto file = TensorFile::in_memory(bytes, "memory");
    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->matrix("a")->size(), 0);
    EXPECT_EQ(file->matrix("b")->size(), 1);
}

TEST(TensorFile, Row14_ManyTinyTensorsNeedLittleMemory) {
    std::string header = "{";
    constexpr int kTensors = 20'000;
    for (int i = 0; i < kTensors; ++i)
        header += (i ? "," : "") + std::string("\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[1],"data_offsets":[)" +
                  std::to_string(i) + "," + std::to_string(i + 1) + "]}";
    const std::string bytes = tensor_file(header + "}", kTensors);
    const auto read = read_tensor_header(bytes, bytes.size());
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->tensors.size(), static_cast<std::size_t>(kTensors));
}

TEST(TensorFile, Row17_NumbersThatAreNotFiniteAreCounted) {
    Matrix m = Matrix::Ones(2, 3);
    m(0, 2) = std::numeric_limits<float>::quiet_NaN();
    m(1, 1) = std::numeric_limits<float>::infinity();
    const std::string bytes = tensor_file_bytes({{{"m", m}}}, {});
    const auto file = TensorFile::in_memory(bytes, "memory");
    const auto numbers = file->read(*file->header().find("m"));
    ASSERT_TRUE(numbers);
    EXPECT_EQ(numbers->not_finite, 2u);
    EXPECT_EQ(numbers->first_bad, 2u);
}

/// A tensor in a file in memory, and steps that read parts of it.
std::shared_ptr<const StoredWeights> stored(const Matrix& tensor, std::map<std::string, StoredMatrix, std::less<>> steps) {
    const auto bytes = std::make_shared<const std::string>(tensor_file_bytes(std::vector<NamedTensor>{{"all", tensor}}, {}));
    auto file = TensorFile::in_memory(*bytes, "memory");
    EXPECT_TRUE(file);
    std::vector<TensorFile> files;
    files.push_back(std::move(*file));
    auto made = StoredWeights::make(std::move(files), std::move(steps), bytes);
    EXPECT_TRUE(made) << (made ? "" : made.error().text());
    return made ? *made : nullptr;
}

/// Queries, keys and values next to each other in one tensor: in three blocks, or transposed with one block per head.
TEST(StoredWeights, PartsOfOneTensorAreReadTogether) {
    constexpr int kRows = 70, kCols = 40;
    const Matrix tensor = seeded_matrix(3, kRows, 3 * kCols);
    const auto part = [](int first) { return StoredMatrix{.tensor = "all", .first = first, .block = kCols, .period = 3 * kCols, .rows = kRows, .cols = kCols}; };
    const auto fused = stored(tensor, {{"query", part(0)}, {"key", part(kCols)}, {"value", part(2 * kCols)}});
    const auto query = fused->matrix("query");
    EXPECT_EQ(*query, tensor.leftCols(kCols));
    const auto key = fused->matrix("key"), again = fused->matrix("key");
    EXPECT_EQ(*key, tensor.middleCols(kCols, kCols));
    EXPECT_EQ(key->held(), again->held());
    EXPECT_EQ(*fused->matrix("value"), tensor.rightCols(kCols));
    EXPECT_EQ(*fused->matrix("value"), tensor.rightCols(kCols)) << "and anew, when nobody has held it";

    constexpr int kHead = 5, kHeads = 4;
    const Matrix turned = seeded_matrix(4, 3 * kHead * kHeads, kRows);
    const auto of_head = [](int which) {
        return StoredMatrix{.tensor = "all", .transposed = true, .first = which * kHead, .block = kHead, .period = 3 * kHead, .rows = kRows, .cols = kHead * kHeads};
    };
    const auto heads = stored(turned, {{"query", of_head(0)}, {"key", of_head(1)}, {"value", of_head(2)}});
    for (const auto& [name, which] : {std::pair("value", 2), {"query", 0}, {"key", 1}})
        for (int head = 0; head < kHeads; ++head)
            EXPECT_EQ(heads->matrix(name)->middleCols(head * kHead, kHead),
                      turned.middleRows(3 * kHead * head + which * kHead, kHead).transpose()) << name << head;
}

/// NaN is an error of the matrix that contains it, and of no other of its tensor.
TEST(StoredWeights, NanIsReportedForItsMatrixOnly) {
    Matrix tensor = seeded_matrix(5, 6, 8);
    tensor(4, 5) = std::numeric_limits<float>::quiet_NaN();
    const auto part = [](int first) { return StoredMatrix{.tensor = "all", .first = first, .block = 4, .period = 8, .rows = 6, .cols = 4}; };
    const auto weights = stored(tensor, {{"left", part(0)}, {"right", part(4)}});
    EXPECT_EQ(*weights->matrix("left"), tensor.leftCols(4));
    try {
        weights->matrix("right");
        FAIL() << "it was read";
    } catch (const ModelUnreadable& problem) {
        EXPECT_THAT(problem.error.text(), HasSubstr("row 5, column 2"));
    }
}

/// Rows of a text's words, read from any thread; a word without a row keeps what was there.
TEST(StoredWeights, RowsAreReadSeparately) {
    constexpr int kWords = 50, kWidth = 6;
    const Matrix tensor = seeded_matrix(7, kWords, kWidth);
    const auto weights = stored(tensor, {{"table", StoredMatrix{.tensor = "all", .rows = kWords, .cols = kWidth}}});
    std::vector<int> rows;
    for (int i = 0; i < 70; ++i) rows.push_back(i % 9 == 4 ? -1 : i * 17 % kWords);
    Matrix expected = Matrix::Constant(70, kWidth, 5);
    for (int i = 0; i < 70; ++i)
        if (rows[static_cast<std::size_t>(i)] >= 0) expected.row(i) = tensor.row(rows[static_cast<std::size_t>(i)]);
    const auto read = [&] {
        Matrix out = Matrix::Constant(70, kWidth, 5);
        weights->rows("table", rows, out);
        return out;
    };
    for (const int count : {1, 2, 3}) {
        const Forced forced(vectors::chosen(), count);
        EXPECT_EQ(read(), expected);
    }
    const auto whole = weights->matrix("table");
    EXPECT_EQ(read(), expected) << "and of what is held";
}

/// The unembedding is large, and read only when it is used.
TEST(StoredWeights, ALargeTableIsReadWhenUsed) {
    constexpr int kWidth = 32, kWords = static_cast<int>(kEvictFrom) / kWidth;
    Matrix tensor = seeded_matrix(6, kWords, kWidth);
    tensor(7, 3) = std::numeric_limits<float>::infinity();
    const StoredMatrix whole{.tensor = "all", .rows = kWords, .cols = kWidth};
    const auto weights = stored(tensor, {{"table", whole}});
    {
        const PinScope pins;
        const StepValue one = weights->value("table"), two = weights->value("table");
        EXPECT_EQ(one.rows(), kWords);
        EXPECT_FALSE(one.at_hand());
        EXPECT_EQ(one.identity(), two.identity());
        EXPECT_EQ(one.row(5), tensor.row(5));
        EXPECT_EQ(one(7, 3), tensor(7, 3)) << "what is no number stays: it is too late for an error";
        EXPECT_TRUE(two.at_hand());
    }
    EXPECT_THROW(weights->matrix("table"), ModelUnreadable);
    const auto small = stored(tensor.topRows(4), {{"table", StoredMatrix{.tensor = "all", .rows = 4, .cols = kWidth}}});
    EXPECT_EQ(small->value("table").recipe(), nullptr);
}

}  // namespace
}  // namespace attn::test
