// Attention maps of other programs: every format, shape and axis order that is read, the reports about rows that are
// not weights, what is refused, and the document that names a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "core/analysis/heads.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/document/take.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/model/attention_file/given_attention.h"
#include "core/ops/explain.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using Shape = std::vector<std::size_t>;
using testing::AllOf;
using testing::HasSubstr;

/// Rows that sum to 1 with different numbers: 1 to n divided by their sum, rotated by the row's index.
std::vector<float> weights_for(const Shape& shape) {
    const std::size_t cols = shape.back(), count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    std::vector<float> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i / cols, col = i % cols;
        const std::size_t own = (col + row) % cols + 1;
        const double extra = 0.01 * static_cast<double>(row), sum = static_cast<double>(cols * (cols + 1)) / 2 + extra * static_cast<double>(cols);
        out[i] = static_cast<float>((static_cast<double>(own) + extra) / sum);
    }
    return out;
}

std::string npy(const Shape& shape) { return npy_bytes(shape, weights_for(shape)); }

/// A .npy file of a type or order that npy_bytes() does not write.
std::string npy_of(const std::string& descr, bool fortran, const Shape& shape, const std::string& data) {
    std::string sides;
    for (const std::size_t side : shape) sides += std::to_string(side) + ", ";
    std::string head = "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" + sides + "), }";
    head.resize(117, ' ');
    head += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(head.size());
    out += '\0';
    return out + head + data;
}

std::string npz(const std::vector<NpzFile>& files) { return *npz_bytes(files); }

GivenAttentionPtr read(std::string_view bytes, std::string_view name = "a.npz", const TokenNames& beside = {}) {
    auto read = read_attention(bytes, name, beside);
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().text());
    return read.ok() ? *read : nullptr;
}
std::string refusal(std::string_view bytes, std::string_view name = "a.npz", const TokenNames& beside = {}) {
    const auto read = read_attention(bytes, name, beside);
    return read.ok() ? "it was read" : read.error().text();
}

void expect_same(const GivenAttention& a, int layers, int heads, int rows, int cols) {
    ASSERT_EQ(a.stacks.size(), 1U);
    const AttentionStack& stack = a.stacks.front();
    EXPECT_EQ(stack.layers, layers);
    EXPECT_EQ(stack.heads, heads);
    ASSERT_EQ(stack.maps.size(), static_cast<std::size_t>(layers * heads));
    const auto u = [](int i) { return static_cast<std::size_t>(i); };
    const std::vector<float> all = weights_for({u(layers), u(heads), u(rows), u(cols)});
    for (int l = 0; l < layers; ++l)
        for (int h = 0; h < heads; ++h)
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < cols; ++c)
                    ASSERT_EQ(stack.map(l, h)(r, c), all[u(((l * heads + h) * rows + r) * cols + c)]) << l << h << r << c;
    EXPECT_TRUE(a.checked().faults.empty()) << testing::PrintToString(fault_sentences(a));
}

TEST(GivenAttentionFile, AxesAreLayersHeadsQueriesKeys) {
    expect_same(*read(npy({2, 3, 4, 4})), 2, 3, 4, 4);
    expect_same(*read(npy({3, 4, 4})), 1, 3, 4, 4);
    expect_same(*read(npy({4, 4})), 1, 1, 4, 4);
    expect_same(*read(npy({1, 3, 4, 4})), 1, 3, 4, 4);
    expect_same(*read(npy({2, 1, 3, 4, 4})), 2, 3, 4, 4);
    expect_same(*read(npy({1, 2, 3, 4, 4})), 2, 3, 4, 4);
    expect_same(*read(npy({2, 3, 4, 6})), 2, 3, 4, 6);
}

TEST(GivenAttentionFile, EntriesForLayersAreReadInNumericOrder) {
    const Shape layer = {1, 2, 3, 3};
    const std::vector<float> all = weights_for({12, 2, 3, 3});
    for (const std::string name : {"arr_#", "attention.#.probs", "layer#", "decoder_attentions_#"})
        for (const int first : {0, 1}) {
            std::vector<NpzFile> files;
            for (int l = 11; l >= 0; --l) {
                std::string own = name;
                own.replace(own.find('#'), 1, std::to_string(l + first));
                files.push_back({own + ".npy", npy_bytes(layer, std::span(all).subspan(static_cast<std::size_t>(l) * 18, 18))});
            }
            expect_same(*read(npz(files)), 12, 2, 3, 3);
        }
}

TEST(GivenAttentionFile, EveryFormatGivesTheSame) {
    const Shape shape = {2, 2, 2, 3};
    const std::vector<float> all = weights_for(shape);
    std::string big, half, fortran;
    for (const float value : all) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (int byte = 3; byte >= 0; --byte) big += static_cast<char>(bits >> (8 * byte));
        const auto short_bits = std::bit_cast<std::uint16_t>(Eigen::half(value));
        half += static_cast<char>(short_bits);
        half += static_cast<char>(short_bits >> 8);
    }
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t q = 0; q < 2; ++q)
            for (std::size_t h = 0; h < 2; ++h)
                for (std::size_t l = 0; l < 2; ++l) {
                    const auto bits = std::bit_cast<std::uint32_t>(all[((l * 2 + h) * 2 + q) * 3 + k]);
                    for (int byte = 0; byte < 4; ++byte) fortran += static_cast<char>(bits >> (8 * byte));
                }
    expect_same(*read(npy_bytes(shape, all), "a.npy"), 2, 2, 2, 3);
    expect_same(*read(npy_of(">f4", false, shape, big), "a.npy"), 2, 2, 2, 3);
    expect_same(*read(npy_of("<f4", true, shape, fortran), "a.npy"), 2, 2, 2, 3);
    std::string text = "[[[[";
    std::string data;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) text += i % 12 == 0 ? "]]],[[[" : i % 6 == 0 ? "]],[[" : i % 3 == 0 ? "],[" : ",";
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(all[i]));
        text += digits;
    }
    text += "]]]]";
    expect_same(*read(text, "a.json"), 2, 2, 2, 3);
    expect_same(*read("{\"attention\": " + text + "}", "a.json"), 2, 2, 2, 3);
    data.assign(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float));
    std::string header = R"({"attention":{"dtype":"F32","shape":[2,2,2,3],"data_offsets":[0,96]},"__metadata__":{"tokens":"[\"a\",\"b\"]","source_tokens":"[\"x\",\"y\",\"z\"]"}})";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size());
    const auto safe = read(file + header + data, "a.safetensors");
    expect_same(*safe, 2, 2, 2, 3);
    EXPECT_EQ(safe->tokens, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(safe->source_tokens, (std::vector<std::string>{"x", "y", "z"}));
    // float16 rounds each weight: the rounded values are kept, and their sums are not reported as faults.
    const auto halves = read(npy_of("<f2", false, shape, half), "a.npy");
    EXPECT_TRUE(halves->checked().faults.empty());
    EXPECT_EQ(halves->stacks[0].map(1, 0)(1, 2), static_cast<float>(Eigen::half(all[17])));
}

/// The file of a long text may hold only some layers: each keeps its number in the model, stored from 0. Names that
/// start at 1 count from 1, names that start higher count from 0.
TEST(GivenAttentionFile, SomeLayersKeepTheirNumbers) {
    const auto numbers = [](const std::vector<std::string>& names) {
        std::vector<NpzFile> files;
        for (const std::string& name : names) files.push_back({name + ".npy", npy({3, 5, 5})});
        const GivenAttentionPtr read_back = read(npz(files));
        return read_back ? read_back->stacks.front().numbers : std::vector<int>{};
    };
    EXPECT_EQ(numbers({"attention_4", "attention_5"}), (std::vector{4, 5}));
    EXPECT_EQ(numbers({"attention_11"}), (std::vector{11}));
    EXPECT_EQ(numbers({"attention_0", "attention_6", "attention_11"}), (std::vector{0, 6, 11}));
    EXPECT_EQ(numbers({"attention_1", "attention_2"}), (std::vector{0, 1})) << "numbered from 1";
    EXPECT_EQ(numbers({"attention_0"}), (std::vector{0}));
    EXPECT_EQ(numbers({"attention"}), (std::vector{0}));
    EXPECT_THAT(refusal(npz({{"attention_99999.npy", npy({3, 5, 5})}})), HasSubstr("a layer is numbered 99999"));
    Document doc;
    take_attention(doc, read(npz({{"attention_4.npy", npy({3, 5, 5})}, {"attention_5.npy", npy({3, 5, 5})}})));
    const auto run = attn::run(doc);
    ASSERT_TRUE(run) << run.error().text();
    EXPECT_NE(find_step(run->trace, "l5.weights.h1"), kNoStep);
    EXPECT_NE(find_step(run->trace, "l6.weights.h3"), kNoStep);
    EXPECT_EQ(find_step(run->trace, "l1.weights.h1"), kNoStep);
}

TEST(GivenAttentionFile, HeadsOfTheirOwnMakeALayer) {
    const std::vector<float> all = weights_for({1, 3, 5, 5});
    const auto part = [&](std::size_t i) { return npy_bytes(Shape{5, 5}, std::span(all).subspan(i * 25, 25)); };
    expect_same(*read(npz({{"head_2.npy", part(2)}, {"head_0.npy", part(0)}, {"head_1.npy", part(1)}})), 1, 3, 5, 5);
    const std::vector<float> two = weights_for({2, 2, 3, 3});
    std::vector<NpzFile> files;
    for (std::size_t i = 0; i < 4; ++i)
        files.push_back({"layer" + std::to_string(i / 2) + "_head" + std::to_string(i % 2 + 1) + ".npy", npy_bytes(Shape{3, 3}, std::span(two).subspan(i * 9, 9))});
    expect_same(*read(npz(files)), 2, 2, 3, 3);
    files.erase(files.begin() + 2);
    EXPECT_THAT(refusal(npz(files)), HasSubstr("heads are numbered from 0 or 1 without a gap"));
    EXPECT_THAT(refusal(npz({{"head_0.npy", npy({2, 5, 5})}})), HasSubstr("is not one head"));
}

/// generate() returns one tuple per step: the prompt's queries first, then one query with one key more each time.
TEST(GivenAttentionFile, GenerationStepsAreStacked) {
    const auto expect_written = [](const GivenAttentionPtr& given) {
        ASSERT_TRUE(given);
        const AttentionStack& stack = given->stacks.front();
        ASSERT_EQ(stack.layers, 2);
        ASSERT_EQ(stack.heads, 2);
        ASSERT_EQ(stack.rows, 4);
        ASSERT_EQ(stack.cols, 4);
        const std::vector<float> prompt = weights_for({2, 2, 2}), third = weights_for({2, 1, 3}), last = weights_for({2, 1, 4});
        for (int h = 0; h < 2; ++h) {
            const auto at = static_cast<std::size_t>(h);
            const FrozenMatrix& map = stack.map(1, h);
            for (int c = 0; c < 4; ++c) {
                const auto col = static_cast<std::size_t>(c);
                EXPECT_NEAR(map(1, c), c < 2 ? prompt[at * 4 + 2 + col] : 0, 1e-6F);
                EXPECT_NEAR(map(2, c), c < 3 ? third[at * 3 + col] : 0, 1e-6F);
                EXPECT_NEAR(map(3, c), last[at * 4 + col], 1e-6F);
            }
        }
    };
    const std::vector<Shape> steps = {{1, 2, 2, 2}, {1, 2, 1, 3}, {1, 2, 1, 4}};
    std::vector<NpzFile> files;
    std::string json;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        json += step > 0 ? ",[" : "[";
        for (int layer = 0; layer < 2; ++layer) {
            files.push_back({"step_" + std::to_string(step) + "_layer_" + std::to_string(layer) + ".npy", npy(steps[step])});
            const std::vector<float> values = weights_for(steps[step]);
            const std::size_t queries = steps[step][2], keys = steps[step][3];
            json += layer > 0 ? ",[[" : "[[";
            for (std::size_t h = 0; h < 2; ++h) {
                json += h > 0 ? ",[" : "[";
                for (std::size_t q = 0; q < queries; ++q) {
                    json += q > 0 ? ",[" : "[";
                    for (std::size_t k = 0; k < keys; ++k) json += (k > 0 ? "," : "") + std::to_string(values[(h * queries + q) * keys + k]);
                    json += "]";
                }
                json += "]";
            }
            json += "]]";
        }
        json += "]";
    }
    expect_written(read(npz(files)));
    expect_written(read("{\"attentions\": [" + json + "]}", "steps.json"));
}

/// Types that other programs save and NumPy does not have, and files that cannot be opened.
TEST(GivenAttentionFile, OtherProgramsNumbers) {
    std::string brains;
    const std::vector<float> all = weights_for({2, 3, 3});
    for (const float value : all) {
        const auto upper = std::bit_cast<std::uint32_t>(value) >> 16U;
        brains += static_cast<char>(upper);
        brains += static_cast<char>(upper >> 8U);
    }
    const GivenAttentionPtr given = read(npy_of("|V2", false, {2, 3, 3}, brains), "a.npy");
    ASSERT_TRUE(given);
    EXPECT_EQ(given->stacks.front().map(0, 1)(2, 1), std::bit_cast<float>(std::bit_cast<std::uint32_t>(all[16]) & 0xFFFF0000U));
    EXPECT_TRUE(given->checked().faults.empty()) << testing::PrintToString(fault_sentences(*given));
    const std::string torch = npz({{"attn/data.pkl", "pickle"}, {"attn/data/0", "numbers"}});
    EXPECT_THAT(refusal(torch, "attn.pt"), testing::AllOf(HasSubstr("PyTorch file"), HasSubstr("np.savez(")));
    EXPECT_THAT(refusal(R"({"attention": [[[NaN, 1], [0, 1]]]})", "a.json"), HasSubstr("has null where there is none"));
    const GivenAttentionPtr lacking = read(R"({"weights": [[[null, null], [0.25, 0.75]]]})", "a.json");
    ASSERT_TRUE(lacking);
    EXPECT_TRUE(std::isnan(lacking->stacks.front().map(0, 0)(0, 1)));
    ASSERT_EQ(lacking->checked().faults.size(), 1U);
    EXPECT_EQ(lacking->checked().faults.front().fault, RowFault::NotFinite);
}

/// Captured tokens may use the letters of byte-level vocabularies; text of a language that has some of these letters is
/// left as it is.
TEST(GivenAttentionFile, ByteLettersAreRead) {
    const auto tokens = [](const std::vector<std::string>& names) { return read(npy({5, 5}), "a.npy", {names, {}, ""})->tokens; };
    EXPECT_EQ(tokens({"The", "Ġcat", "Ċ", "æĹ©", "ä¸Ĭ"}), (std::vector<std::string>{"The", " cat", "\n", "早", "上"}));
    EXPECT_EQ(tokens({"to", "je", "město", "řeka", "a"}), (std::vector<std::string>{"to", "je", "město", "řeka", "a"}));
    EXPECT_EQ(tokens({"早", "上", "好", "吗", "。"}), (std::vector<std::string>{"早", "上", "好", "吗", "。"}));
}

/// Tokens named in the file take precedence over a list of tokens next to it.
TEST(GivenAttentionFile, TokensInTheFileTakePrecedence) {
    const std::string named = R"({"tokens": ["a", "b"], "attention": [[[1, 0], [0.5, 0.5]]]})";
    EXPECT_EQ(read(named, "a.json", {{"the", "cat", "sat"}, {}, "a.txt"})->tokens, (std::vector<std::string>{"a", "b"}));
}

TEST(GivenAttentionFile, NumPyStringsNameTheTokens) {
    std::string letters;
    for (const char32_t letter : {U'猫', U'\0', U'a', U'𠮷'})
        for (int byte = 0; byte < 4; ++byte) letters += static_cast<char>(static_cast<std::uint32_t>(letter) >> (8 * byte));
    const auto unicode = npy_of("<U2", false, {2}, letters);
    const auto named = read(npz({{"attention.npy", npy({2, 2})}, {"tokens.npy", unicode}}));
    EXPECT_EQ(named->tokens, (std::vector<std::string>{"猫", "a𠮷"}));
    const auto plain = read(npz({{"attention.npy", npy({2, 3})}, {"tokens.npy", npy_of("|S3", false, {2}, std::string("the\0\0\0ca", 6).replace(3, 3, "cat"))},
                                 {"source_tokens.npy", npy_of("|S1", false, {3}, "abc")}}));
    EXPECT_EQ(plain->tokens, (std::vector<std::string>{"the", "cat"}));
    EXPECT_EQ(plain->source_tokens, (std::vector<std::string>{"a", "b", "c"}));
    std::string surrogate("\x00\xD8\x00\x00", 4);
    EXPECT_THAT(refusal(npz({{"attention.npy", npy({1, 1})}, {"tokens.npy", npy_of("<U1", false, {1}, surrogate)}})),
                HasSubstr("Text 1 of the list is not Unicode"));
    EXPECT_THAT(refusal(npz({{"attention.npy", npy({1, 1})}, {"tokens.npy", npy({1})}})), HasSubstr("is not text"));
}

/// Some editors save a list with a byte-order mark and CR LF line ends.
TEST(GivenAttentionFile, AByteOrderMarkIsNoPartOfTheFirstToken) {
    for (const auto& [bytes, name] : {std::pair{"\xEF\xBB\xBFthe\r\ncat\r\n", "a.txt"}, {"\xEF\xBB\xBFthe\ncat", "tokens"}, {"\xEF\xBB\xBF[\"the\", \"cat\"]", "tokens"}}) {
        const auto names = read_token_names(bytes, name);
        ASSERT_TRUE(names) << names.error().text();
        EXPECT_EQ(names->tokens, (std::vector<std::string>{"the", "cat"})) << name;
    }
}

TEST(GivenAttentionFile, AModelOfTwoTextsHasThreeAttentions) {
    const std::string encoder = npy({2, 2, 5, 5}), own = npy({3, 2, 4, 4}), cross = npy({3, 2, 4, 5});
    const auto all = read(npz({{"cross_attentions.npy", cross}, {"decoder_attentions.npy", own}, {"encoder_attentions.npy", encoder}}));
    ASSERT_EQ(all->stacks.size(), 3U);
    EXPECT_EQ(all->stacks[0].part, Part::Encoder);
    EXPECT_EQ(all->stacks[1].part, Part::Main);
    EXPECT_EQ(all->stacks[2].part, Part::Cross);
    EXPECT_EQ(all->queries, 4);
    EXPECT_EQ(all->sources, 5);
    EXPECT_EQ(all->layers, 3);
    EXPECT_EQ(all->stacks[0].queries, Axis::Kind::SourceTokens);
    EXPECT_EQ(all->stacks[2].queries, Axis::Kind::Tokens);
    EXPECT_EQ(all->stacks[2].keys, Axis::Kind::SourceTokens);
    EXPECT_THAT(refusal(npz({{"cross.npy", npy({1, 1, 4, 6})}, {"encoder.npy", npy({1, 1, 5, 5})}})),
                HasSubstr("5 tokens of the encoder and 6 keys that the decoder looks at"));
    EXPECT_THAT(refusal(npz({{"cross.npy", npy({1, 1, 4, 5})}, {"encoder.npy", npy({1, 2, 5, 5})}})), HasSubstr("heads"));
}

TEST(GivenAttentionFile, InvalidRowsAreCountedAndKept) {
    std::vector<float> values = weights_for({2, 2, 3, 3});
    values[9] += 0.5f;                  // layer 1, head 2, row 1
    values[18 + 3] = -0.25f;            // layer 2, head 1, row 2
    values[18 + 9 + 6] = std::nanf("");  // layer 2, head 2, row 3
    for (int i = 0; i < 3; ++i) values[static_cast<std::size_t>(i)] = 0;  // wholly masked: no fault
    const auto a = read(npy_bytes(Shape{2, 2, 3, 3}, values));
    EXPECT_EQ(a->checked().rows, 12);
    ASSERT_EQ(a->checked().faults.size(), 3U);
    EXPECT_EQ(a->checked().faults[0].fault, RowFault::Sum);
    EXPECT_EQ(a->checked().faults[0].count, 2) << "a negative weight changes the sum, too";
    EXPECT_EQ(place_of_fault(*a, a->checked().faults[0]), "layer 1, head 2, row 1");
    EXPECT_NEAR(a->checked().faults[0].value, 1.5, 1e-6);
    EXPECT_EQ(a->checked().faults[1].fault, RowFault::Negative);
    EXPECT_EQ(a->checked().faults[1].value, -0.25);
    EXPECT_EQ(a->checked().faults[2].fault, RowFault::NotFinite);
    EXPECT_EQ(a->stacks[0].map(0, 1)(0, 0), values[9]) << "never made to sum to 1";
    EXPECT_THAT(fault_sentences(*a)[0], HasSubstr("2 of 12 rows do not sum to 1 (the first, layer 1, head 2, row 1: 1.5)"));
}

TEST(GivenAttentionFile, AxesInAnotherOrderAreAnErrorThatNamesThem) {
    // Keys before queries: the columns sum to 1.
    const std::vector<float> rows = weights_for({2, 2, 3, 4});
    std::vector<float> turned(rows.size()), last(rows.size());
    for (std::size_t m = 0; m < 4; ++m)
        for (std::size_t q = 0; q < 3; ++q)
            for (std::size_t k = 0; k < 4; ++k) {
                turned[(m * 4 + k) * 3 + q] = rows[(m * 3 + q) * 4 + k];
                last[((m / 2 * 3 + q) * 4 + k) * 2 + m % 2] = rows[(m * 3 + q) * 4 + k];
            }
    EXPECT_THAT(refusal(npy_bytes(Shape{2, 2, 4, 3}, turned)), HasSubstr("lie along axis 2 and must lie along the last, the keys; swap the last two if keys come before queries"));
    EXPECT_THAT(refusal(npy_bytes(Shape{2, 3, 4, 2}, last)), HasSubstr("lie along axis 2"));
}

TEST(GivenAttentionFile, OtherArraysAreRefusedWithAReason) {
    EXPECT_THAT(refusal(npy({4})), HasSubstr("(4,) is no attention: [layers, heads, queries, keys] is expected"));
    EXPECT_THAT(refusal(npy({1, 1, 1, 1, 2, 2})), HasSubstr("is no attention"));
    EXPECT_THAT(refusal(npz({{"a_0.npy", npy({2, 1, 3, 3})}, {"a_1.npy", npy({3, 1, 3, 3})}})), HasSubstr("a batch of 2 texts"));
    EXPECT_THAT(refusal(npz({{"a_2.npy", npy({1, 3, 3})}, {"a_02.npy", npy({1, 3, 3})}})), HasSubstr("there are two arrays of layer 2"));
    EXPECT_THAT(refusal(npz({{"a_0.npy", npy({1, 3, 3})}, {"a_1.npy", npy({2, 3, 3})}})), HasSubstr("have one shape"));
    EXPECT_THAT(refusal(npz({{"left.npy", npy({1, 3, 3})}, {"right.npy", npy({1, 3, 3})}})), HasSubstr("several attentions, \"left\" and \"right\""));
    EXPECT_THAT(refusal(npy({257, 1, 2, 2})), HasSubstr("has 257 layers; 1 to 256 are shown"));
    EXPECT_THAT(refusal(npy({1, 129, 2, 2})), HasSubstr("has 129 heads; 1 to 128 are shown"));
    EXPECT_THAT(refusal(npy({1, 1, 1, 4097})), HasSubstr("has 4097 keys; 1 to 4096 are shown"));
    EXPECT_THAT(refusal(npy_bytes(Shape{0, 2, 3, 3}, {})), HasSubstr("has 0 layers"));
    EXPECT_THAT(refusal(npy_bytes(Shape{1, 2, 3, 0}, {})), HasSubstr("has 0 keys"));
    EXPECT_THAT(refusal(npz({{"notes.txt", "x"}})), HasSubstr("no array of weights"));
    EXPECT_THAT(refusal(""), HasSubstr("The file is empty"));
    EXPECT_THAT(refusal(std::string("\x80\x04\x95", 3), "a.npy"), HasSubstr("Python pickle, which can run code and is never opened"));
    EXPECT_THAT(refusal("hello", "a.bin"), HasSubstr("This is no file of attention"));
    EXPECT_THAT(refusal("[[0.5, 0.5], [1]]", "a.json"), HasSubstr("this list has 1 entries, those before it 2"));
    EXPECT_THAT(refusal("{\"attention\": [[1,\n \"x\"]]}", "a.json"), HasSubstr("a.json:2: attention: a number is expected"));
    EXPECT_THAT(refusal("[[]]", "a.json"), HasSubstr("a list is empty"));
    EXPECT_THAT(refusal("{\"numbers\": [[1]]}", "a.json"), HasSubstr("no attention in it"));
    EXPECT_THAT(refusal(npy({2, 2}), "a.npy", {{"one"}, {}, "a.txt"}), HasSubstr("tokens: 1 named in a.txt, but the weights have 2"));
}

TEST(GivenAttentionFile, ABatchHasSeveralTexts) {
    const std::vector<float> all = weights_for({2, 3, 2, 4, 4});
    const auto layer = [&](std::size_t l) { return npy_bytes(Shape{3, 2, 4, 4}, std::span(all).subspan(l * 96, 96)); };
    const auto by_layers = read(npz({{"a_0.npy", layer(0)}, {"a_1.npy", layer(1)}}));
    const auto in_one = read(npy_bytes(Shape{2, 3, 2, 4, 4}, all));
    for (const auto& first : {by_layers, in_one}) {
        ASSERT_TRUE(first);
        EXPECT_EQ(first->texts, 3);
        for (int text = 0; text < 3; ++text) {
            const auto one = text_of(*first, text);
            ASSERT_TRUE(one) << one.error().text();
            EXPECT_EQ((*one)->text, text);
            for (int l = 0; l < 2; ++l)
                for (int h = 0; h < 2; ++h)
                    EXPECT_EQ((*one)->stacks[0].map(l, h)(1, 2), all[static_cast<std::size_t>((((l * 3 + text) * 2 + h) * 4 + 1) * 4 + 2)]) << text;
        }
        EXPECT_NE((*text_of(*first, 1))->fingerprint, first->fingerprint);
        EXPECT_THAT(text_of(*first, 3).error().text(), HasSubstr("3 texts; take 1 to 3"));
    }
}

class GivenAttentionDocument : public testing::Test {
protected:
    GivenAttentionDocument() {
        std::string pattern = (fs::temp_directory_path() / "attention-XXXXXX").native();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~GivenAttentionDocument() override { fs::remove_all(folder_); }
    void write(const std::string& name, std::string_view bytes) { std::ofstream(folder_ / name, std::ios::binary) << bytes; }
    Result<Document> open(const std::string& json) { return document_from_json(json, "doc.json", {.folders = true, .base = folder_}); }
    Document opened(const std::string& json) {
        auto doc = open(json);
        EXPECT_TRUE(doc.ok()) << (doc.ok() ? "" : doc.error().text());
        return doc.ok() ? *doc : Document{};
    }
    fs::path folder_;
};

TEST_F(GivenAttentionDocument, RunsWithTheWeightsOfTheFile) {
    write("a.npy", npy({2, 3, 4, 4}));
    write("a.txt", "the\ntired\ncat\nsat\n");
    const Document doc = opened(R"({"attention": "a.npy"})");
    const auto run = attn::run(doc);
    ASSERT_TRUE(run.ok()) << run.error().text();
    EXPECT_EQ(run->trace.tokens, (std::vector<std::string>{"the", "tired", "cat", "sat"}));
    ASSERT_EQ(run->trace.size(), 6);
    const std::vector<float> all = weights_for({2, 3, 4, 4});
    const Tag tag{Role::Weights, 2, 1};
    const StepId id = find_id(run->trace, tag);
    ASSERT_NE(id, kNoStep);
    EXPECT_EQ(run->trace[id].op, Op::Input);
    EXPECT_EQ(run->trace[id].value(1, 3), all[(5 * 4 + 1) * 4 + 3]);
    const Explanation e = explain(run->trace, {id, 1, 3});
    EXPECT_EQ(e.source, Source::File);
    EXPECT_EQ(recompute(run->trace, e), static_cast<double>(all[(5 * 4 + 1) * 4 + 3]));
    EXPECT_THAT(explain_text(run->trace, e), HasSubstr("(file)"));
    EXPECT_EQ(step_name(run->trace[id].tag), "l2.weights.h3");
    EXPECT_EQ(attention_maps(run->trace).size(), 6U);
    EXPECT_EQ(run->trace[id].value.held(), doc.attention->stacks[0].map(1, 2).held()) << "the numbers are held once";
    EXPECT_GE(cost_of(doc).bytes, 6 * 16 * 4);
}

TEST_F(GivenAttentionDocument, IsSavedByFileNameAndOpensAgain) {
    write("a.npz", npz({{"attention.npy", npy({2, 2, 2})}}));
    Document doc = opened(R"({"attention": "a.npz", "tokens": ["x", "y"]})");
    doc.edits.push_back({{Role::Weights, 1}, 0, 1, 0.75f});
    const std::string saved = document_to_json(doc);
    EXPECT_THAT(saved, HasSubstr((folder_ / "a.npz").native()));
    EXPECT_THAT(saved, testing::Not(HasSubstr("variant"))) << saved;
    const auto again = document_from_json(saved, "", {.folders = true});
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(*again, doc);
    EXPECT_EQ(run(*again)->trace[1].value(0, 1), 0.75f);
    // If both are moved together, the file is found next to the document.
    fs::create_directory(folder_ / "moved");
    fs::rename(folder_ / "a.npz", folder_ / "moved/a.npz");
    EXPECT_TRUE(document_from_json(saved, "", {.folders = true, .base = folder_ / "moved"}).ok());
    EXPECT_FALSE(document_from_json(saved, "", {.folders = true, .base = folder_}).ok());
    // A document received from someone else opens no file.
    EXPECT_THAT(document_from_link(document_link(doc)).error().text(), HasSubstr("only where a document of one's own names it"));
    const auto part = document_from_json_in_part(saved, "", {.folders = true, .base = folder_});
    ASSERT_TRUE(part.ok());
    EXPECT_EQ(part->left_out.front().key, "attention");
    EXPECT_TRUE(problems(part->document).empty());
    EXPECT_FALSE(tokens_of(part->document).empty()) << "something is there to look at";
}

TEST_F(GivenAttentionDocument, TokensComeFromAListOrTheDocumentOrAreNumbered) {
    write("a.npy", npy({2, 3}));
    EXPECT_EQ(tokens_of(opened(R"({"attention": "a.npy"})")), (std::vector<std::string>{"x1", "x2"}));
    EXPECT_EQ(source_tokens_of(opened(R"({"attention": "a.npy"})")), (std::vector<std::string>{"s1", "s2", "s3"}));
    write("a.txt", "le\r\nchat\n\nthe\ncat\nsat");
    EXPECT_EQ(tokens_of(opened(R"({"attention": "a.npy"})")), (std::vector<std::string>{"le", "chat"}));
    EXPECT_EQ(source_tokens_of(opened(R"({"attention": "a.npy"})")), (std::vector<std::string>{"the", "cat", "sat"}));
    write("a.tokens.json", R"({"tokens": ["早", "安"], "source_tokens": ["good", "morn", "ing"]})");
    EXPECT_EQ(tokens_of(opened(R"({"attention": "a.npy"})")), (std::vector<std::string>{"早", "安"}));
    EXPECT_EQ(tokens_of(opened(R"({"attention": "a.npy", "tokens": ["p", "q"]})")), (std::vector<std::string>{"p", "q"}));
    EXPECT_EQ(tokens_of(opened(R"({"attention": "a.npy", "text": "two words"})")), (std::vector<std::string>{"two", "words"}));
    EXPECT_THAT(open(R"({"attention": "a.npy", "text": "three words here"})").error().text(), HasSubstr("3 tokens are named, but the attention from the file is of 2"));
    write("a.tokens.json", R"(["only"])");
    EXPECT_THAT(open(R"({"attention": "a.npy"})").error().text(), HasSubstr("tokens: 1 named in a.tokens.json, but the weights have 2"));
    write("a.tokens.json", "[1]");
    EXPECT_THAT(open(R"({"attention": "a.npy"})").error().text(), HasSubstr("a token is a text"));
    fs::remove(folder_ / "a.tokens.json");
    fs::remove(folder_ / "a.txt");
    write("a.json", R"({"attention": "a.npy"})");
    EXPECT_EQ(tokens_of(opened(R"({"attention": "a.npy"})")).front(), "x1") << "a document beside it names no tokens";
}

/// A link contains no files, so a document that depends on one is not offered as a link.
TEST_F(GivenAttentionDocument, IsNotSentAsALink) {
    write("a.npy", npy({2, 2}));
    const auto link = link_to_send(opened(R"({"attention": "a.npy"})"));
    ASSERT_FALSE(link.ok()) << *link;
    EXPECT_THAT(link.error().text(), HasSubstr("nobody could open this link, because it holds no files"));
    const auto plain = link_to_send(Document{});
    ASSERT_TRUE(plain) << plain.error().text();
    EXPECT_EQ(*plain, document_link(Document{}));
}

TEST_F(GivenAttentionDocument, FeaturesThatNeedQueriesAndKeysAreRefused) {
    write("a.npy", npy({2, 2, 2}));
    const auto wrong = [&](const std::string& more) {
        const auto doc = open(R"({"attention": "a.npy", )" + more + "}");
        return doc.ok() ? "it was read" : doc.error().text();
    };
    EXPECT_THAT(wrong(R"("score": "cosine")"), HasSubstr("score: it is read only by"));
    EXPECT_THAT(wrong(R"("mask": "causal")"), HasSubstr("mask: it is read only by"));
    EXPECT_THAT(wrong(R"("heads": 4)"), HasSubstr("heads: it is read only by"));
    EXPECT_THAT(wrong(R"("X": [[1]])"), HasSubstr("X: it is read only by documents without a file of attention"));
    EXPECT_THAT(wrong(R"("vectors": "random")"), HasSubstr("vectors: it is read only by"));
    EXPECT_THAT(wrong(R"("padding": 1)"), HasSubstr("padding: it is read only by"));
    EXPECT_THAT(wrong(R"("variant": "raw")"), HasSubstr("takes the place of a form"));
    EXPECT_THAT(wrong(R"("variant": "from_file")"), HasSubstr("there is no \"from_file\""));
    EXPECT_THAT(wrong(R"("model": "questions")"), HasSubstr("a model computes attention of its own"));
    EXPECT_THAT(wrong(R"("parameters": {"query_weight": [[1]]})"), HasSubstr("no such step"));
    EXPECT_THAT(document_from_json(R"({"attention": [[1]]})", "").error().text(), HasSubstr("the name of a file is expected"));
    EXPECT_THAT(document_from_json(R"({"attention": 3})", "").error().text(), HasSubstr("a text is expected"));
    EXPECT_THAT(document_from_json(R"({"variant": "from_file"})", "").error().text(), HasSubstr("there is no \"from_file\""));
    EXPECT_THAT(open(R"({"attention": "none.npy"})").error().text(), HasSubstr("none.npy"));
}

TEST_F(GivenAttentionDocument, AnotherFormComputesOnTheSameTokens) {
    write("a.npy", npy({2, 2, 2, 2}));
    write("a.txt", "good\nmorning");
    Document doc = opened(R"({"attention": "a.npy"})");
    choose_form(doc, "raw");
    EXPECT_FALSE(doc.attention);
    EXPECT_TRUE(problems(doc).empty());
    EXPECT_EQ(run(doc)->trace.tokens, (std::vector<std::string>{"good", "morning"}));
    EXPECT_EQ(doc.config, [] { AttentionConfig raw; raw.form = "raw"; return raw; }());
    choose_form(doc, "from_file");
    EXPECT_EQ(doc.config.form, "raw") << "without a file there is nothing to choose";
    Document set = opened(R"({"attention": "a.npy"})");
    ASSERT_TRUE(set_field(set, "attention", ""));
    EXPECT_EQ(set.config, AttentionConfig{});
}

TEST_F(GivenAttentionDocument, InvalidAndTypedOverRowsAreNoted) {
    std::vector<float> values = weights_for({3, 3});
    values[4] += 0.2f;
    write("a.npy", npy_bytes(Shape{3, 3}, values));
    Document doc = opened(R"({"attention": "a.npy"})");
    auto run = attn::run(doc);
    EXPECT_EQ(row_state(run->trace, 0, 1), RowState::NotWeights);
    EXPECT_EQ(row_state(run->trace, 0, 0), std::nullopt);
    EXPECT_EQ(run->trace[0].value(1, 1), values[4]);
    EXPECT_EQ(explain(run->trace, {0, 1, 1}).state, RowState::NotWeights);
    doc.edits.push_back({{Role::Weights}, 0, 0, 0.9f});
    run = attn::run(doc);
    EXPECT_EQ(row_state(run->trace, 0, 0), RowState::NotWeights) << "a row that is typed over sums to something else";
    EXPECT_EQ(doc.attention->stacks[0].map(0, 0)(0, 0), values[0]) << "the file's own number stays";
}

/// A safetensors file of any type and shape; `data`: the numbers of all tensors, one after the other.
struct StoredTensor {
    std::string name;
    Shape shape;
    std::vector<float> values;
};
std::string tensors(const std::vector<StoredTensor>& all, const std::string& metadata = "", bool half = true) {
    std::string header = "{" + (metadata.empty() ? "" : "\"__metadata__\": {" + metadata + "}, "), data;
    for (const StoredTensor& one : all) {
        const std::size_t begin = data.size();
        for (const float value : one.values) {
            const auto bits = std::bit_cast<std::uint16_t>(Eigen::half(value));
            half ? data.append(reinterpret_cast<const char*>(&bits), 2) : data.append(reinterpret_cast<const char*>(&value), 4);
        }
        std::string sides;
        for (const std::size_t side : one.shape) sides += (sides.empty() ? "" : ", ") + std::to_string(side);
        header += "\"" + one.name + "\": {\"dtype\": \"" + (half ? "F16" : "F32") + "\", \"shape\": [" + sides + "], \"data_offsets\": [" +
                  std::to_string(begin) + ", " + std::to_string(data.size()) + "]}" + (&one == &all.back() ? "" : ", ");
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 255);
    return length + header + data;
}
std::vector<float> part(const std::vector<float>& of, std::size_t first, std::size_t count) {
    return {of.begin() + static_cast<std::ptrdiff_t>(first), of.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

/// Files of more than no bytes stay on disk while one lives.
struct NothingHeld {
    NothingHeld() { set_held_attention(0); }
    ~NothingHeld() { set_held_attention(before); }
    const double before = held_attention();
};

void expect_same_runs(const Document& a, const Document& b) {
    const auto one = run(a), two = run(b);
    ASSERT_TRUE(one) << one.error().text();
    ASSERT_TRUE(two) << two.error().text();
    EXPECT_EQ(one->trace.tokens, two->trace.tokens);
    ASSERT_EQ(one->trace.size(), two->trace.size());
    for (StepId id = 0; id < one->trace.size(); ++id) {
        const PinScope pins;
        EXPECT_EQ(one->trace[id].tag, two->trace[id].tag);
        EXPECT_EQ(one->trace[id].value.matrix(), two->trace[id].value.matrix()) << step_name(one->trace[id].tag);
    }
}

TEST_F(GivenAttentionDocument, ALargeFileIsReadWhenItIsLookedAt) {
    std::vector<float> values = weights_for({2, 3, 4, 4});
    values[(4 * 4 + 1) * 4 + 2] = 0.75f;  // layer 2, head 2, row 2: no weights
    write("a.safetensors", tensors({{"attention_0", {3, 4, 4}, part(values, 0, 48)}, {"attention_1", {3, 4, 4}, part(values, 48, 48)}},
                                   R"("tokens": "[\"a\", \"b\", \"c\", \"d\"]")"));
    const Document held = opened(R"({"attention": "a.safetensors"})");
    const NothingHeld nothing;
    const Document later = opened(R"({"attention": "a.safetensors"})");
    ASSERT_TRUE(held.attention->held);
    ASSERT_FALSE(later.attention->held);
    EXPECT_EQ(later.attention->checked().maps, 0);
    const auto one = run(later);
    ASSERT_TRUE(one) << one.error().text();
    EXPECT_EQ(later.attention->checked().maps, 0) << "a run reads no numbers";
    const StepId faulty = find_id(one->trace, {Role::Weights, 1, 1});
    EXPECT_TRUE(one->trace[faulty].value.recipe());
    EXPECT_EQ(row_state(one->trace, faulty, 1), RowState::NotWeights);
    EXPECT_EQ(row_state(one->trace, faulty, 0), std::nullopt);
    ASSERT_EQ(notes_of(one->trace, faulty).size(), 1U);
    EXPECT_EQ(notes_of(one->trace, faulty)[0].step, faulty);
    EXPECT_EQ(later.attention->checked().maps, 1) << "once, however often it is read";
    EXPECT_EQ(later.attention->checked().rows, 4);
    EXPECT_EQ(fault_sentences(*later.attention).size(), 1U);
    expect_same_runs(held, later);
    EXPECT_TRUE(later.attention->checked().of_all());
    EXPECT_EQ(fault_sentences(*later.attention), fault_sentences(*held.attention));
    EXPECT_TRUE(problems(later).empty());
}

TEST_F(GivenAttentionDocument, ALargeFileHasItsAxesCheckedAndLosesNoNumberInSilence) {
    const std::vector<float> rows = weights_for({2, 2, 3, 4});
    std::vector<float> turned(rows.size());
    for (std::size_t m = 0; m < 4; ++m)
        for (std::size_t q = 0; q < 3; ++q)
            for (std::size_t k = 0; k < 4; ++k) turned[(m * 4 + k) * 3 + q] = rows[(m * 3 + q) * 4 + k];
    write("turned.safetensors", tensors({{"attention", {2, 2, 4, 3}, turned}}));
    write("a.safetensors", tensors({{"attention", {2, 2, 3, 4}, rows}}));
    const NothingHeld nothing;
    EXPECT_THAT(open(R"({"attention": "turned.safetensors"})").error().text(), HasSubstr("must lie along the last, the keys"));
    const Document doc = opened(R"({"attention": "a.safetensors"})");
    fs::resize_file(folder_ / "a.safetensors", fs::file_size(folder_ / "a.safetensors") - 2);
    const auto made = run(doc);
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->trace[0].value.matrix().allFinite());
    EXPECT_FALSE(made->trace[3].value.matrix().allFinite()) << "it could no longer be read";
    ASSERT_EQ(doc.attention->checked().faults.size(), 1U);
    EXPECT_EQ(doc.attention->checked().faults[0].fault, RowFault::NotFinite);
}

TEST_F(GivenAttentionDocument, AnIndexIsOneCapture) {
    // Two texts; heads 0 and 1 by one process, head 2 by another, both of both layers.
    const std::vector<float> values = weights_for({2, 2, 3, 4, 4});  // layers, texts, heads
    const auto heads = [&](std::size_t layer, std::size_t first, std::size_t count) {
        std::vector<float> out;
        for (std::size_t text = 0; text < 2; ++text) {
            const auto some = part(values, ((layer * 2 + text) * 3 + first) * 16, count * 16);
            out.insert(out.end(), some.begin(), some.end());
        }
        return out;
    };
    const std::string own = R"("texts": "2", "index": "a.index.json")";
    write("one.safetensors", tensors({{"attention_0", {2, 2, 4, 4}, heads(0, 0, 2)}, {"attention_1", {2, 2, 4, 4}, heads(1, 0, 2)}}, own));
    write("two.safetensors", tensors({{"attention_0", {2, 1, 4, 4}, heads(0, 2, 1)}, {"attention_1", {2, 1, 4, 4}, heads(1, 2, 1)}}, own));
    const auto piece = [](const std::string& file, int layer, int first, int count, const std::string& more = "\"first_text\": 0") {
        return R"({"file": ")" + file + R"(.safetensors", "tensor": "attention_)" + std::to_string(layer) + R"(", "part": "", "layer": )" +
               std::to_string(layer) + R"(, "first_head": )" + std::to_string(first) + ", " + more + R"(, "shape": [2, )" + std::to_string(count) + ", 4, 4]}";
    };
    const auto index = [&](const std::string& pieces, const std::string& more = R"(, "tokens": [["a", "b", "c", "d"], ["e", "f", "g", "h"]])") {
        write("a.index.json", R"({"heads": 3, "texts": 2, "attention_pieces": [)" + pieces + "]" + more + "}");
    };
    const std::string all = piece("two", 1, 2, 1) + ", " + piece("one", 0, 0, 2) + ", " + piece("two", 0, 2, 1) + ", " + piece("one", 1, 0, 2);
    index(all);
    EXPECT_TRUE(is_attention_json(R"({"heads": 3, "attention_pieces": []})"));
    for (const double bytes : {held_attention(), 0.0}) {
        set_held_attention(bytes);
        const Document first = opened(R"({"attention": "a.index.json"})"), second = opened(R"({"attention": "a.index.json", "attention_text": 2})");
        ASSERT_TRUE(first.attention && second.attention);
        EXPECT_EQ(first.attention->held, bytes > 0);
        EXPECT_EQ(tokens_of(first).front(), "a");
        EXPECT_EQ(tokens_of(second).front(), "e");
        EXPECT_EQ(document_from_json(document_to_json(second), "", {.folders = true})->attention->text, 1);
        for (std::size_t text = 0; text < 2; ++text)
            for (std::size_t l = 0; l < 2; ++l)
                for (std::size_t h = 0; h < 3; ++h)
                    EXPECT_EQ((text == 0 ? first : second).attention->stacks[0].map(static_cast<int>(l), static_cast<int>(h))(2, 1),
                              static_cast<float>(Eigen::half(values[(((l * 2 + text) * 3 + h) * 4 + 2) * 4 + 1])));
    }
    set_held_attention(double{1 << 28});
    const auto wrong = [&] { return open(R"({"attention": "a.index.json"})").error().text(); };
    EXPECT_THAT(open(R"({"attention": "one.safetensors"})").error().text(), HasSubstr("open \"a.index.json\""));
    EXPECT_THAT(open(R"({"attention": "a.index.json", "attention_text": 3})").error().text(), HasSubstr("take 1 to 2"));
    index(piece("one", 0, 0, 2));
    EXPECT_THAT(wrong(), HasSubstr("head 2 of attention_0 of text 0 (counted from 0): in no file"));
    index(all + ", " + piece("two", 0, 1, 1));
    EXPECT_THAT(wrong(), AllOf(HasSubstr("head 1 of attention_0"), HasSubstr("in both"), HasSubstr("first_head=")));
    index(piece("one", 0, 0, 2) + ", " + piece("two", 0, 2, 1) + ", " + piece("one", 1, 0, 2));
    EXPECT_THAT(wrong(), HasSubstr("head 2 of attention_1"));
    index(all, R"(, "tokens": [["a", "b", "c", "d"]])");
    EXPECT_THAT(wrong(), HasSubstr("there are 2 texts"));
    index(piece("one", 0, 0, 1));
    EXPECT_THAT(wrong(), AllOf(HasSubstr("one.safetensors"), HasSubstr("its shape is (2, 2, 4, 4), and the index says (2, 1, 4, 4)")));
    index(piece("three", 0, 0, 2));
    EXPECT_THAT(wrong(), AllOf(HasSubstr("three.safetensors"), HasSubstr("in the folder of the index")));
    index(piece("../one", 0, 0, 2));
    EXPECT_THAT(wrong(), HasSubstr("without a path"));
}

}  // namespace
}  // namespace attn
