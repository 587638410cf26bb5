// Matrices in every format: read back by an independent reader, and edge cases of the formats.

#include "app/export/matrix_format.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <limits>
#include <set>

#include "places.h"
#include "tests/app/cli_fixture.h"

namespace app {
namespace {

using testing::HasSubstr;

struct Row {
    const char* name;
    const char* arguments;
};

class EveryMatrix : public testing::TestWithParam<Row> {};

TEST_P(EveryMatrix, ReadsBackExactlyInEveryFormat) {
    if (std::system("python3 -c ''") != 0) GTEST_SKIP() << "no python3";
    cli_test::Folder folder;
    const std::string said = folder / "said.txt";
    const std::string command = std::string("python3 ") + ATTN_SOURCE_DIR + "/tests/data/check_matrices.py " +
                                ATTN_PROGRAM + " " + GetParam().arguments + " > " + said + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << cli_test::bytes_of(said);
}

INSTANTIATE_TEST_SUITE_P(
    Documents, EveryMatrix,
    testing::Values(Row{"causal", "--text 'the tired cat' --set mask=causal --set weights=random"},
                    Row{"chinese", "--text '早上好 😀'  --set variant=raw"},
                    Row{"columns", "--text 'a bc' --set variant=raw --convention columns"},
                    Row{"wide", "--text 'a b c d e f g h i j k l' --set variant=raw"},
                    Row{"odd_labels", "--text '=1+1 a|b *c* [d] \"e\" f,g' --set variant=raw --set tokenizer=words"}),
    [](const auto& row) { return std::string(row.param.name); });

MatrixSource sample() {
    attn::Matrix value(2, 3);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    value << 0.1f, -kInfinity, -0.0f, 1e-7f, 3.0f, std::numeric_limits<float>::quiet_NaN();
    return {value, "l1.weights.h2", {"the", "=cat"}, {"a", "b|c", "d"}, "attenscope test"};
}

std::string as(std::string_view format, const MatrixSource& source) {
    const auto text = encode_matrix(*find_matrix_format(format), source);
    EXPECT_TRUE(text) << format;
    return text ? *text : std::string();
}

TEST(MatrixFormats, TheTableIsSound) {
    std::set<std::string_view> ids, endings;
    for (const MatrixFormat& format : matrix_formats()) {
        EXPECT_TRUE(ids.insert(format.id).second) << format.id;
        EXPECT_TRUE(endings.insert(format.ending).second) << format.id;
        EXPECT_EQ(find_matrix_format(format.id), &format);
        EXPECT_EQ(matrix_format_of("/a/b." + std::string(format.ending)), &format);
        for (const Language language : {Language::English, Language::Chinese})
            EXPECT_FALSE(tr(format.about, language).empty());
        EXPECT_FALSE(as(format.id, sample()).empty()) << format.id;
    }
    EXPECT_EQ(find_matrix_format("xls"), nullptr);
    EXPECT_EQ(matrix_format_of("matrix"), nullptr);
    EXPECT_EQ(matrix_format_of("MATRIX.CSV"), find_matrix_format("csv"));
}

TEST(MatrixFormats, NonFiniteNumbersFollowEachNotation) {
    EXPECT_THAT(as("numpy", sample()), HasSubstr("l1_weights_h2 = np.array([[0.1, -np.inf, -0.0],"));
    EXPECT_THAT(as("numpy", sample()), HasSubstr("np.nan]], dtype=np.float32)"));
    EXPECT_THAT(as("latex", sample()), HasSubstr("0.1 & -\\infty & -0.0 \\\\"));
    EXPECT_THAT(as("markdown", sample()), HasSubstr("| b\\|c |"));
    EXPECT_THAT(as("markdown", sample()), HasSubstr("−∞"));
    EXPECT_EQ(as("tsv", sample()), "0.1\t-inf\t-0.0\n1e-07\t3\tnan\n");
}

TEST(MatrixFormats, ASpreadsheetRunsNoLabel) {
    MatrixSource guarded = sample();
    guarded.guard = attn::CsvGuard::Apostrophe;
    EXPECT_THAT(as("csv", guarded), HasSubstr("'=cat"));
    EXPECT_THAT(as("csv", sample()), HasSubstr("\n=cat"));
}

TEST(MatrixFormats, ControlCharactersInLabelsAreEscaped) {
    MatrixSource hostile = sample();
    hostile.rows = {"a\nimport os", "\x1b[31m"};
    const std::string python = as("numpy", hostile);
    // Every line but the assignment's is a comment.
    EXPECT_EQ(python.find("\nimport"), std::string::npos) << python;
    for (const char* format : {"numpy", "markdown", "csv"})
        EXPECT_EQ(as(format, hostile).find('\x1b'), std::string::npos) << format;
}

TEST(MatrixFormats, LongLatexIsShortenedWithDots) {
    MatrixSource large{attn::Matrix::Constant(20, 9, 0.123456f), "scores", {}, {}};
    large.shortened = true;
    const std::string text = as("latex", large);
    EXPECT_THAT(text, HasSubstr("0.123 & 0.123 & 0.123 & 0.123 & \\cdots & 0.123 \\\\"));
    EXPECT_THAT(text, HasSubstr("\\vdots & \\vdots & \\vdots & \\vdots & \\ddots & \\vdots \\\\"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 + 6);
    large.shortened = false;
    EXPECT_EQ(as("latex", large).find("dots"), std::string::npos);
}

TEST(MatrixFormats, AnEmptyMatrixIsWritten) {
    for (const auto& [rows, cols] : {std::pair(0, 0), std::pair(0, 3), std::pair(2, 0)}) {
        const MatrixSource empty{attn::Matrix(rows, cols), "x", {}, {}};
        for (const MatrixFormat& format : matrix_formats()) EXPECT_TRUE(encode_matrix(format, empty)) << format.id;
    }
}

TEST(CliTraceStep, OneMatrixByNameAndFormat) {
    using cli_test::run;
    const std::vector<std::string> base = {"trace", "--text", "a b", "--set", "variant=raw", "--step", "weights"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), base.begin(), base.end());
        return run(more);
    };
    EXPECT_THAT(with({"--format", "latex"}).out, HasSubstr("bmatrix"));
    EXPECT_THAT(with({}).out, HasSubstr("\"name\": \"weights\""));
    cli_test::Folder folder;
    EXPECT_EQ(with({"-o", folder / "w.py"}).status, 0);
    EXPECT_THAT(cli_test::bytes_of(folder / "w.py"), HasSubstr("weights = np.array("));
    EXPECT_EQ(run({"trace", "--text", "a", "--format", "latex"}).status, 2);
    EXPECT_EQ(run({"trace", "--text", "a", "--step", "no_such_step"}).status, 3);
}

TEST(CliLink, RoundTripsAndOpensEverywhere) {
    using cli_test::run;
    const auto link = run({"link", "--text", "the tired cat", "--set", "mask=causal"});
    ASSERT_EQ(link.status, 0) << link.err;
    std::string text = link.out;
    ASSERT_FALSE(text.empty());
    text.pop_back();
    const auto back = run({"link", "--read", text});
    EXPECT_EQ(back.status, 0) << back.err;
    EXPECT_THAT(back.out, HasSubstr("\"causal\""));
    EXPECT_EQ(run({"trace", text}).out, run({"trace", "--text", "the tired cat", "--set", "mask=causal"}).out);
    EXPECT_EQ(run({"trace", "-"}, link.out).status, 0);  // piped
    const auto damaged = run({"trace", text.substr(0, text.size() - 2)});
    EXPECT_EQ(damaged.status, 3);
    EXPECT_THAT(damaged.err, HasSubstr("missing or changed"));
}

}  // namespace
}  // namespace app
