// CSV as a spreadsheet or a script reads it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/io/csv.h"

namespace attn {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// A plain reader of RFC 4180, for the round trip.
Rows read_csv(std::string_view text) {
    Rows rows;
    std::vector<std::string> row;
    std::string cell;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            cell += text[++i];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == ',' || c == '\n')) {
            row.push_back(std::move(cell));
            cell.clear();
            if (c == '\n') {
                rows.push_back(std::move(row));
                row.clear();
            }
        } else {
            cell += c;
        }
    }
    EXPECT_TRUE(cell.empty() && row.empty() && !quoted) << "the last line is not ended";
    return rows;
}

std::string one_row(std::vector<std::string> cells, CsvGuard guard = CsvGuard::Off) {
    CsvWriter csv(guard);
    csv.row(cells);
    return csv.take();
}

TEST(Csv, WritesTablesOneAfterTheOther) {
    CsvWriter csv;
    const std::vector<std::string> tokens = {"早", "上"};
    const std::vector<std::string> columns = {"early", "time"};
    csv.title("weights, head 1");
    csv.table((Matrix(2, 2) << 0.1F, 1, -std::numeric_limits<float>::infinity(), 1e-7F).finished(), tokens, columns);
    csv.title("bare");
    csv.table(Matrix::Constant(1, 2, 1.0F / 3), {}, {});
    EXPECT_EQ(csv.take(),
              "\"# weights, head 1\"\n,early,time\n早,0.1,1\n上,-inf,1e-07\n\n# bare\n0.33333334,0.33333334\n");
    EXPECT_EQ(csv.take(), "");
}

TEST(Csv, QuotesOnlyWhatNeedsIt) {
    EXPECT_EQ(one_row({"a", "b c", "", "a,b", "say \"hi\"", "two\nlines", " x"}),
              "a,b c,,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\" x\"\n");
}

TEST(Csv, GuardsTextThatASpreadsheetWouldRun) {
    EXPECT_EQ(one_row({"=1+1", "+x", "-x", "@x", "a=b"}), "=1+1,+x,-x,@x,a=b\n");
    EXPECT_EQ(one_row({"=1+1", "+x", "-x", "@x", "a=b"}, CsvGuard::Apostrophe), "'=1+1,'+x,'-x,'@x,a=b\n");
    CsvWriter csv(CsvGuard::Apostrophe);
    csv.table(Matrix::Constant(1, 1, -1.5F), {}, {});
    EXPECT_EQ(csv.take(), "-1.5\n") << "numbers stay numbers";
}

TEST(Csv, EscapesControlCharacters) {
    using namespace std::string_literals;
    EXPECT_EQ(one_row({"a\0b\x1b[31m\x7f"s, "x\u202Ey", "bad\xFF"}), "a␀b␛[31m␡,x<U+202E>y,bad\xEF\xBF\xBD\n");
}

RC_GTEST_PROP(CsvRoundTrip, LabelsAndFloatsComeBack, (const std::vector<std::string>& words)) {
    std::vector<std::string> labels;
    for (const std::string& word : words) {
        std::string plain;
        for (const char c : word)
            if ((c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t' || c == '\r') plain += c;
        labels.push_back(plain + "\",\n");
    }
    RC_PRE(!labels.empty());
    const auto rows = static_cast<Eigen::Index>(labels.size());
    Matrix values(rows, 3);
    for (float* at = values.data(); at != values.data() + values.size(); ++at) {
        const auto bits = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 32);
        *at = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        RC_PRE(std::isfinite(*at));
    }
    CsvWriter csv;
    csv.table(values, labels, {});
    const Rows back = read_csv(csv.take());
    RC_ASSERT(back.size() == labels.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        RC_ASSERT(back[i].size() == 4U);
        RC_ASSERT(back[i][0] == labels[i]);
        for (std::size_t j = 1; j < 4; ++j) {
            float number = 0;
            std::from_chars(back[i][j].data(), back[i][j].data() + back[i][j].size(), number);
            const float wanted = values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j - 1));
            RC_ASSERT(std::bit_cast<std::uint32_t>(number) == std::bit_cast<std::uint32_t>(wanted));
        }
    }
}

}  // namespace
}  // namespace attn
