// .npy: what we write reads back, what NumPy writes is understood, malformed files are refused (bad-input row 36).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/io/npy.h"

namespace attn {
namespace {

using namespace std::string_literals;

/// A version 1.0 file with this dictionary, unpadded, and data.
std::string npy(std::string_view dictionary, std::string_view data) {
    std::string file = "\x93NUMPY\x01\0"s;
    file += static_cast<char>(dictionary.size() & 0xFF);
    file += static_cast<char>(dictionary.size() >> 8);
    return file.append(dictionary).append(data);
}

std::string header(std::string_view dtype, std::string_view shape, bool fortran = false) {
    return "{'descr': '" + std::string(dtype) + "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + std::string(shape) + ", }\n";
}

template <class T>
std::string bytes_of(std::vector<T> values, bool swap = false) {
    std::string out;
    for (const T value : values) {
        std::string item(sizeof(T), '\0');
        std::memcpy(item.data(), &value, sizeof(T));
        if (swap) std::reverse(item.begin(), item.end());
        out += item;
    }
    return out;
}

NpyArray read(std::string_view file) {
    auto array = read_npy(file);
    EXPECT_TRUE(array.ok()) << (array.ok() ? "" : array.error().text());
    return array.ok() ? *array : NpyArray{};
}

void expect_npy_refused(std::string_view file, std::string_view part) {
    const auto array = read_npy(file);
    ASSERT_FALSE(array.ok()) << part;
    EXPECT_NE(array.error().message.find(part), std::string::npos) << array.error().text();
}

TEST(Npy, WritesWhatNumpyWrites) {
    const std::string file = npy_bytes((Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished());
    ASSERT_EQ(file.size(), 128U + 24U);
    EXPECT_EQ(file.substr(0, 10), "\x93NUMPY\x01\0\x76\0"s);
    EXPECT_EQ(file.substr(10, 59), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
    EXPECT_EQ(file[127], '\n');
    EXPECT_EQ(file.substr(128, 4), "\0\0\x80\x3F"s);
    EXPECT_NE(npy_bytes(std::vector<std::size_t>{2}, std::vector<float>{1, 2}).find("'shape': (2,), }"),
              std::string::npos);
    EXPECT_NE(npy_bytes(std::vector<std::size_t>{}, std::vector<float>{1}).find("'shape': (), }"), std::string::npos);
}

RC_GTEST_PROP(NpyRoundTrip, EveryBitComesBack, (const std::vector<std::uint32_t>& bits)) {
    std::vector<float> values;
    for (const std::uint32_t b : bits) values.push_back(std::bit_cast<float>(b * 0x9E3779B9U));
    const std::vector<std::size_t> shape = {1, values.size(), 1};
    const auto array = read_npy(npy_bytes(shape, values));
    RC_ASSERT(array.ok());
    RC_ASSERT(array->shape == shape);
    RC_ASSERT(array->rounded == 0U);
    for (std::size_t i = 0; i < values.size(); ++i)
        RC_ASSERT(std::bit_cast<std::uint32_t>(array->values[i]) == std::bit_cast<std::uint32_t>(values[i]));
}

TEST(Npy, ReadsEveryTypeInBothByteOrders) {
    const std::vector<float> want = {1, 0, 3};
    EXPECT_EQ(read(npy(header("<f4", "(3,)"), bytes_of<float>({1, 0, 3}))).values, want);
    EXPECT_EQ(read(npy(header(">f4", "(3,)"), bytes_of<float>({1, 0, 3}, true))).values, want);
    EXPECT_EQ(read(npy(header("<f8", "(3,)"), bytes_of<double>({1, 0, 3}))).values, want);
    EXPECT_EQ(read(npy(header(">f8", "(3,)"), bytes_of<double>({1, 0, 3}, true))).values, want);
    EXPECT_EQ(read(npy(header("<f2", "(3,)"), bytes_of<std::uint16_t>({0x3C00, 0, 0x4200}))).values, want);
    EXPECT_EQ(read(npy(header(">f2", "(3,)"), bytes_of<std::uint16_t>({0x3C00, 0, 0x4200}, true))).values, want);
    EXPECT_EQ(read(npy(header("|i1", "(3,)"), bytes_of<std::int8_t>({1, 0, 3}))).values, want);
    EXPECT_EQ(read(npy(header("|u1", "(3,)"), bytes_of<std::uint8_t>({1, 0, 3}))).values, want);
    EXPECT_EQ(read(npy(header("<i2", "(3,)"), bytes_of<std::int16_t>({1, 0, 3}))).values, want);
    EXPECT_EQ(read(npy(header(">u2", "(3,)"), bytes_of<std::uint16_t>({1, 0, 3}, true))).values, want);
    EXPECT_EQ(read(npy(header(">i4", "(3,)"), bytes_of<std::int32_t>({1, 0, 3}, true))).values, want);
    EXPECT_EQ(read(npy(header("<u4", "(3,)"), bytes_of<std::uint32_t>({1, 0, 3}))).values, want);
    EXPECT_EQ(read(npy(header("<i8", "(3,)"), bytes_of<std::int64_t>({1, 0, 3}))).values, want);
    EXPECT_EQ(read(npy(header(">u8", "(3,)"), bytes_of<std::uint64_t>({1, 0, 3}, true))).values, want);
    EXPECT_EQ(read(npy(header("|b1", "(3,)"), "\x01\0\x01"s)).values, (std::vector<float>{1, 0, 1}));
    EXPECT_EQ(read(npy(header("<i2", "(1,)"), bytes_of<std::int16_t>({-5}))).values, std::vector<float>{-5});
}

TEST(Npy, CountsWhatFloatCannotHold) {
    EXPECT_EQ(read(npy(header("<f8", "(4,)"), bytes_of<double>({0.1, 0.5, 1e300, NAN}))).rounded, 2U);
    EXPECT_TRUE(std::isinf(read(npy(header("<f8", "(1,)"), bytes_of<double>({-1e300}))).values[0]));
    EXPECT_EQ(read(npy(header("<f8", "(1,)"), bytes_of<double>({0x1.fffffefp127}))).values[0],
              std::numeric_limits<float>::max());
    EXPECT_EQ(read(npy(header("<i4", "(2,)"), bytes_of<std::int32_t>({16777216, 16777217}))).rounded, 1U);
    EXPECT_EQ(read(npy(header("<i8", "(2,)"), bytes_of<std::int64_t>({INT64_MAX, INT64_MIN}))).rounded, 1U);
    EXPECT_EQ(read(npy(header("<u8", "(2,)"), bytes_of<std::uint64_t>({UINT64_MAX, 1ULL << 63}))).rounded, 1U);
}

TEST(Npy, TurnsFortranOrderIntoRows) {
    const NpyArray flat = read(npy(header("<f4", "(2, 3)", true), bytes_of<float>({1, 4, 2, 5, 3, 6})));
    EXPECT_EQ(flat.values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
    const NpyArray cube = read(npy(header("|u1", "(2, 2, 2)", true), "\0\4\2\6\1\5\3\7"s));
    EXPECT_EQ(cube.values, (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Npy, ReadsPythonHeaders) {
    EXPECT_EQ(
        read(npy("{\"shape\": ( 2L , 1 ), 'fortran_order':False,'descr':'<f4'}   \n", bytes_of<float>({1, 2}))).shape,
        (std::vector<std::size_t>{2, 1}));
    const std::string dictionary = header("<f4", "(1,)");
    for (const char version : {'\2', '\3'}) {
        std::string file = "\x93NUMPY"s + version + '\0';
        file += static_cast<char>(dictionary.size());
        file += "\0\0\0"s + dictionary + bytes_of<float>({7});
        EXPECT_EQ(read(file).values, std::vector<float>{7});
    }
    EXPECT_EQ(read(npy(header("<f4", "()"), bytes_of<float>({7}))).values, std::vector<float>{7});
    EXPECT_TRUE(read(npy(header("<f4", "(0, 5)"), "")).values.empty());
}

TEST(Npy, RefusesBadFiles) {
    expect_npy_refused("", "is empty");
    expect_npy_refused("NUMPY", "does not begin with");
    expect_npy_refused("PK\x03\x04", "ZIP archive");
    expect_npy_refused("\x93NUMPY", "first 8 bytes");
    expect_npy_refused("\x93NUMPY\x04\0"s, "version 4.0");
    expect_npy_refused("\x93NUMPY\x01\x01"s, "version 1.1");
    expect_npy_refused("\x93NUMPY\x01\0v"s, "length of its header");
    expect_npy_refused("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF"s, "claims 4294967295 bytes; at most 10000");
    expect_npy_refused("\x93NUMPY\x01\0\x76\0{"s, "the file ends after 1");
    expect_npy_refused(npy("__import__('os').system('true')", ""), "not a dictionary");
    expect_npy_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (10**9,)}", ""), "not a tuple");
    expect_npy_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", ""), "not a tuple");
    expect_npy_refused(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", ""), "not a tuple");
    expect_npy_refused(npy("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", ""), "neither True nor False");
    expect_npy_refused(npy("{'descr': '<f4', 'shape': ()}", ""), "lacks \"fortran_order\"");
    expect_npy_refused(npy("{'descr': '<f4', 'descr': '<f4', 'shape': ()}", ""), "twice");
    expect_npy_refused(npy("{'descr': '<f4', 'x': 1}", ""), "must not have: \"x\"");
    expect_npy_refused(npy("{'descr': '<f4' 'shape': ()}", ""), "lacks a ','");
    expect_npy_refused(npy(header("<f4", "()") + "x", "1234"), "follows the header");
    expect_npy_refused(npy("{'descr': '<f4", ""), "not a type name");
}

TEST(Npy, RefusesNonNumericTypes) {
    expect_npy_refused(npy(header("|O", "(1,)"), "12345678"), "pickle, which can run code");
    expect_npy_refused(npy(header("<U5", "(1,)"), ""), "is text");
    expect_npy_refused(npy(header("<c8", "(1,)"), ""), "complex");
    expect_npy_refused(npy(header("<M8[ns]", "(1,)"), ""), "dates");
    expect_npy_refused(npy(header("|V4", "(1,)"), ""), "raw or structured");
    expect_npy_refused(npy(header("<f16", "(1,)"), ""), "not one that is read");
    expect_npy_refused(npy(header("<f3", "(1,)"), ""), "not one that is read");
    expect_npy_refused(npy(header("", "(1,)"), ""), "not one that is read");
    expect_npy_refused(npy(header("=f4", "(1,)"), ""), "byte order");
    expect_npy_refused(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", ""), "structured");
}

TEST(Npy, RefusesShapesThatTheDataCannotFill) {
    expect_npy_refused(npy(header("<f4", "(3,)"), bytes_of<float>({1, 2})),
                   "needs 12 bytes, but 8 follow: the file is cut short");
    expect_npy_refused(npy(header("<f4", "(1,)"), bytes_of<float>({1, 2})), "longer than it should be");
    expect_npy_refused(npy(header("<f8", "(2147483648, 2147483648, 2147483648)"), ""), "too large");
    expect_npy_refused(npy(header("<f4", "(99999999999,)"), ""), "too long to be real");
    expect_npy_refused(npy(header("<f4", "(99999999999999999999999999,)"), ""), "not a tuple");
    std::string ones = "(";
    for (int i = 0; i < 33; ++i) ones += "1, ";
    expect_npy_refused(npy(header("<f4", ones + ")"), ""), "33 axes");
}

TEST(Npy, GivesMatrices) {
    EXPECT_EQ(*matrix_from_npy({{2, 2}, {1, 2, 3, 4}, "<f4", 0}, "X"), (Matrix(2, 2) << 1, 2, 3, 4).finished());
    EXPECT_EQ(matrix_from_npy({{3}, {1, 2, 3}, "<f4", 0}, "b")->rows(), 1);
    EXPECT_EQ(matrix_from_npy({{}, {1}, "<f4", 0}, "b")->size(), 1);
    EXPECT_EQ(matrix_from_npy({{1, 1, 1}, {1}, "<f4", 0}, "X").error().key, "X");
    EXPECT_FALSE(matrix_from_npy({{0, 2147483647}, {}, "<f4", 0}, "X").ok());
}

}  // namespace
}  // namespace attn
