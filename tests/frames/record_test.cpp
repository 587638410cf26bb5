// The differences that a record of a frame catches: one digit, the colour of one cell, one label. And that it is complete: a
// frame that is drawn from its record looks the same.

#include "tests/frames/record.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "app/gfx/target.h"
#include "tests/frames/contact_sheet.h"
#include "tests/frames/frame_stage.h"
#include "tests/frames/golden.h"
#include "tests/frames/record_compare.h"
#include "tests/frames/record_loose.h"
#include "tests/frames/replay.h"
#include "tests/frames/typefaces.h"

namespace frames {
namespace {

using app::gfx::Image;

const FrameCase& case_of(std::string_view name) {
    for (const FrameCase& frame : frame_cases())
        if (frame.name == name) return frame;
    throw std::out_of_range(std::string(name));
}

/// The golden of a case, and a change that a test makes in it.
class RecordTest : public FrameStage {
protected:
    Record recorded(std::string_view name) {
        const FrameCase& frame = case_of(name);
        show(frame);
        return record(frame.size, part_rect(frame));
    }
};

std::size_t line_with(const Record& record, std::string_view words) {
    for (std::size_t i = 0; i < record.size(); ++i)
        if (record[i].find(words) != std::string::npos) return i;
    ADD_FAILURE() << "nothing drawn has " << words;
    return 0;
}

/// One line that replaces another is reported as a replacement.
void expect_listed(const Record& golden, std::size_t line, const std::string& instead) {
    Record wrong = golden;
    wrong[line] = instead;
    const auto found = changes(golden, wrong);
    ASSERT_EQ(found.size(), 1u) << text_of_changes(found);
    EXPECT_EQ(found[0].expected, golden[line]);
    EXPECT_EQ(found[0].found, instead);
}

std::string with(std::string line, std::string_view from, std::string_view to) {
    const std::size_t at = line.find(from);
    EXPECT_NE(at, std::string::npos) << line;
    return line.replace(at, from.size(), to);
}

TEST_F(RecordTest, AWrongDigitOrSignIsReported) {
    const Record golden = recorded("softmax");
    EXPECT_TRUE(changes(golden, golden).empty());
    const std::size_t number = line_with(golden, " number \"0.");
    const std::size_t quote = golden[number].find('"');
    expect_listed(golden, number, with(golden[number], "\"0.", "\"−0."));
    std::string digit = golden[number];
    digit[quote + 4] = digit[quote + 4] == '8' ? '3' : '8';
    expect_listed(golden, number, digit);
}

TEST_F(RecordTest, AColorOfOneCellIsReported) {
    const Record golden = recorded("softmax");
    const std::size_t cell = line_with(golden, "fill");
    std::string other = golden[cell];
    const std::size_t hash = other.find('#');
    other.replace(hash, 3, other.compare(hash, 3, "#40") < 0 ? "#90" : "#10");
    expect_listed(golden, cell, other);
}

TEST_F(RecordTest, ACellOfAMapIsReported) {
    const Record golden = recorded("tokens_64_softmax");
    const std::size_t row = line_with(golden, "row 5 ");
    std::string other = golden[row];
    other.replace(other.size() - 2, 2, other.ends_with("80") ? "84" : "80");
    expect_listed(golden, row, other);
}

TEST_F(RecordTest, AMissingOrMovedLabelIsReported) {
    const Record golden = recorded("softmax");
    const std::size_t label = line_with(golden, " \"");
    Record wrong = golden;
    wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(label));
    const auto found = changes(golden, wrong);
    ASSERT_EQ(found.size(), 1u) << text_of_changes(found);
    EXPECT_EQ(found[0].text(), "expected, and not found: " + golden[label]);
    expect_listed(golden, label, "text 3 3" + golden[label].substr(golden[label].find(' ', 12)));
}

TEST_F(RecordTest, AColorInARowOfCellsIsReported) {
    const Record golden = recorded("heads_grid_asked");
    const std::size_t row = line_with(golden, "cells");
    std::string other = golden[row];
    const std::size_t third = other.find('#', other.find('#', other.find('#') + 1) + 1);
    const std::string was = other.substr(third, 7);
    other.replace(third, 7, "#123456");
    expect_listed(golden, row, other);
    Record wrong = golden;
    wrong[row] = other;
    EXPECT_NE(text_of_changes(changes(golden, wrong)).find("cell 3: " + was + " is #123456"), std::string::npos);
}

/// From end to end: with one number of the document changed, the golden of the case reports it, text and colour.
TEST_F(RecordTest, ATypedOverValueIsReported) {
    const FrameCase& frame = case_of("scale");
    const Record golden = recorded("scale");
    attn::Document changed = frame.document();
    changed.edits.push_back({attn::Tag{attn::Role::Scores}, 1, 2, 0.38f});
    program().apply(app::becomes(changed));
    program().finish();
    const auto found = changes(golden, record(frame.size, part_rect(frame)));
    EXPECT_FALSE(found.empty());
}

// Tests of the comparison itself.

TEST(RecordCompare, ALastBitIsNoDifference) {
    EXPECT_TRUE(same_line("fill 10 20.1 3 4 #102030", "fill 10 20.2 3 4 #102030"));
    EXPECT_TRUE(same_line("fill 10 20 3 4 #102030 r3", "fill 10 20.1 3 4 #112030 r3"));
    EXPECT_FALSE(same_line("fill 10 20.1 3 4 #102030", "fill 10 20.3 3 4 #102030"));
    EXPECT_FALSE(same_line("fill 10 20.1 3 4 #102030", "fill 10 20.1 3 4 #102830"));
    EXPECT_FALSE(same_line("fill 10 20.1 3 4 #102030", "fill 10 20.1 3 4 #102030 r3"));
    EXPECT_FALSE(same_line("fill 10 20.1 3 4 #102030", "gradient 10 20.1 3 4 #102030"));
    EXPECT_TRUE(same_line("row 3 0f -- 80", "row 3 10 -- 7f"));
    EXPECT_FALSE(same_line("row 3 0f -- 80", "row 3 0f 00 80"));
    EXPECT_FALSE(same_line("row 3 0f -- 80", "row 4 0f -- 80"));
    EXPECT_FALSE(same_line("row 3 0f 80", "row 3 0f 83"));
    EXPECT_TRUE(same_line("map 1 1 9 9 #FFFFFF 2x2 range=0,1", "map 1 1 9 9 #FFFFFF 2x2 range=0,1"));
    EXPECT_FALSE(same_line("map 1 1 9 9 #FFFFFF 2x2 range=0,1", "map 1 1 9 9 #FFFFFF 2x2 range=0,2"));
    EXPECT_FALSE(same_line("text 1 1 14 #FFFFFF number \"0.33\"", "text 1 1 14 #FFFFFF number \"0.34\""));
    EXPECT_FALSE(same_line("text 1 1 14 #FFFFFF body \"1\"", "text 1 1 14 #FFFFFF body_strong \"1\""));
}

TEST(RecordCompare, ReportsAddedAndRemovedLines) {
    const Record one{"text 1 1 9 #000000 body \"a\"", "fill 1 1 2 2 #FF0000", "fill 5 1 2 2 #00FF00"};
    const Record other{"fill 1 1 2 2 #FF0000", "line #000000 1 1 2 2", "fill 5 1 2 2 #0000FF"};
    const auto found = changes(one, other);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].text(), "expected, and not found: " + one[0]);
    EXPECT_EQ(found[1].text(), "found, and not expected: " + other[1]);
    EXPECT_EQ(found[2].text(), "expected: " + one[2] + "\n       found: " + other[2]);
}

// Tests of the comparison with letters of another width.

constexpr Looseness kLoose{8, 64};

/// A frame of the softmax as slightly wider letters would draw it: everything after them on a line is shifted.
Record drawn_wider(Record record) {
    for (std::string& line : record) {
        if (line.starts_with("text ") || line.starts_with("fill ")) {
            const std::size_t x = line.find(' ') + 1, end = line.find(' ', x);
            line.replace(x, end - x, fmt::format("{:.1f}", std::stod(line.substr(x, end - x)) + 5));
        }
    }
    return record;
}

class LooseRecordTest : public RecordTest {
protected:
    /// The errors in a frame whose letters are wider and where one line was replaced.
    std::vector<Change> with_line(const Record& golden, std::size_t line, const std::string& instead) {
        Record wrong = golden;
        wrong[line] = instead;
        return loose_changes(golden, drawn_wider(std::move(wrong)), kLoose);
    }
};

TEST_F(LooseRecordTest, PlacesMayDifferSlightly) {
    const Record golden = recorded("softmax");
    EXPECT_FALSE(changes(golden, drawn_wider(golden)).empty());
    EXPECT_EQ(text_of_changes(loose_changes(golden, drawn_wider(golden), kLoose)), "");
}

TEST_F(LooseRecordTest, AWrongDigitIsReported) {
    const Record golden = recorded("softmax");
    const std::size_t number = line_with(golden, " number \"0.");
    std::string digit = golden[number];
    char& last = digit[digit.size() - 2];
    last = last == '8' ? '3' : '8';
    EXPECT_FALSE(with_line(golden, number, digit).empty());
    EXPECT_FALSE(with_line(golden, number, with(golden[number], "\"0.", "\"−0.")).empty());
}

TEST_F(LooseRecordTest, AColorOfOneCellIsReported) {
    const Record golden = recorded("softmax");
    const std::size_t cell = line_with(golden, "fill");
    std::string other = golden[cell];
    const std::size_t hash = other.find('#');
    other.replace(hash, 3, other.compare(hash, 3, "#40") < 0 ? "#90" : "#10");
    EXPECT_FALSE(with_line(golden, cell, other).empty());
    const Record cells = recorded("heads_grid_asked");
    const std::size_t row = line_with(cells, "cells");
    std::string third = cells[row];
    third.replace(third.find('#', third.find('#', third.find('#') + 1) + 1), 7, "#123456");
    EXPECT_FALSE(with_line(cells, row, third).empty());
    const Record map = recorded("tokens_64_softmax");
    const std::size_t level = line_with(map, "row 5 ");
    std::string darker = map[level];
    darker.replace(darker.size() - 2, 2, darker.ends_with("80") ? "84" : "80");
    EXPECT_FALSE(with_line(map, level, darker).empty());
}

TEST_F(LooseRecordTest, AMissingOrChangedLabelIsReported) {
    const Record golden = recorded("softmax");
    const std::size_t label = line_with(golden, " \"");
    Record wrong = golden;
    wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(label));
    EXPECT_FALSE(loose_changes(golden, drawn_wider(wrong), kLoose).empty());
    const std::size_t quote = golden[label].find('"');
    EXPECT_FALSE(with_line(golden, label, golden[label].substr(0, quote) + "\"elsewhere\"").empty());
}

TEST(RecordLoose, MisplacedItemsAreReported) {
    const Record golden{"fill 10 20 40 40 #102030 r3", "text 10 80 14 #102030 body \"the cat\"", "line #102030 w2 10 10 20 20"};
    const auto off = [&](std::size_t line, const std::string& instead) {
        Record found = golden;
        found[line] = instead;
        return loose_changes(golden, found, kLoose).size();
    };
    EXPECT_EQ(off(0, "fill 17 20 40 40 #102030 r3"), 0u);
    EXPECT_EQ(off(0, "fill 19 20 40 40 #102030 r3"), 1u);
    EXPECT_EQ(off(0, "fill 10 20 40 49 #102030 r3"), 1u);
    EXPECT_EQ(off(1, "text 10 72 14 #102030 body \"the cat\""), 0u);
    EXPECT_EQ(off(1, "text 10 71 14 #102030 body \"the cat\""), 1u);
    EXPECT_EQ(off(2, "line #102030 w2 10 10 20 29"), 1u);
    EXPECT_EQ(off(1, "text 10 80 14 #102030 body_strong \"the cat\""), 4u) << "two words that went, two that came";
}

TEST(RecordLoose, ALineMayBreakElsewhere) {
    const Record golden{"text 10 20 14 #102030 body \"the cat sat on the\"", "text 10 40 14 #102030 body \"mat and 0.33\"",
                        "fill 10 60 40 40 #102030 r3"};
    const Record wider{"text 10 20 14 #102030 body \"the cat sat on\"", "text 10 40 14 #102030 body \"the mat and\"",
                       "text 10 60 14 #102030 body \"0.33\"", "fill 10 80 40 40 #102030 r3"};
    EXPECT_EQ(text_of_changes(loose_changes(golden, wider, kLoose)), "");
    Record wrong = wider;
    wrong[2] = with(wrong[2], "0.33", "0.38");
    EXPECT_FALSE(loose_changes(golden, wrong, kLoose).empty());
    wrong = wider;
    wrong[3] = "fill 10 130 40 40 #102030 r3";
    EXPECT_FALSE(loose_changes(golden, wrong, kLoose).empty());
    const Record chinese{"text 10 20 14 #102030 body \"男孩看\"", "text 10 40 14 #102030 body \"见小鸟\""},
        broken{"text 10 20 14 #102030 body \"男孩\"", "text 10 40 14 #102030 body \"看见小鸟\""};
    EXPECT_EQ(text_of_changes(loose_changes(chinese, broken, kLoose)), "");
}

TEST(RecordLoose, KnownDifferencesMustStayTheSame) {
    const Record golden{"text 10 20 14 #102030 body \"Europe\"", "fill 10 60 40 40 #102030"},
        found{"text 10 20 14 #102030 body \"Euro…\"", "fill 210 60 40 40 #102030"};
    const Record known = moved_by_widths(golden, found, kLoose);
    EXPECT_EQ(known, (Record{"- text #102030 body \"Europe\"", "+ text #102030 body \"Euro…\"", "@ fill 210 60 40 40 #102030"}));
    EXPECT_FALSE(loose_changes(golden, found, kLoose).empty());
    EXPECT_EQ(text_of_changes(loose_changes(golden, found, kLoose, known)), "");
    EXPECT_FALSE(loose_changes(golden, golden, kLoose, known).empty()) << "it is known no more";
    Record wrong = found;
    wrong[0] = with(wrong[0], "Euro", "Eurp");
    EXPECT_FALSE(loose_changes(golden, wrong, kLoose, known).empty());
    wrong = found;
    wrong[1] = with(wrong[1], "210", "240");
    EXPECT_FALSE(loose_changes(golden, wrong, kLoose, known).empty());
}

/// Fonts that are unknown, or that could not be measured, would have goldens compared loosely where they must be exact.
TEST(TypefacesTest, OfThisMachineAreKnown) {
    ASSERT_FALSE(typefaces_here().empty());
    ASSERT_FALSE(golden_typefaces().golden.empty());
    if (!std::getenv("CI")) return;
    EXPECT_NE(golden_typefaces().name, "?") << furthest_apart(golden_typefaces().golden, typefaces_here());
}

TEST(TypefacesTest, AreRecognizedByTheirWidths) {
    const Typefaces golden{{"body", "en", 412.3f}, {"title", "zh", 200}};
    EXPECT_EQ(typefaces_to_text(golden), "body en 412.3\ntitle zh 200.0\n");
    EXPECT_EQ(width_ratio(golden, typefaces_from_text(typefaces_to_text(golden))), 1);
    Typefaces other = golden;
    other[0].width += 0.1f;
    EXPECT_EQ(width_ratio(golden, other), 1);
    other[1].width = 210;
    EXPECT_NEAR(width_ratio(golden, other), 1.05, 1e-6);
    EXPECT_EQ(furthest_apart(golden, other), "the sample of title (zh) takes 210.0 pixels here and took 200.0");
    other[1].language = "en";
    EXPECT_FALSE(std::isfinite(width_ratio(golden, other)));
    EXPECT_TRUE(typefaces_from_text("body en\n").empty());
    EXPECT_LT(looseness_of(1.07).place, 16);
}

TEST(RecordStore, RoundTrips) {
    const Record first{"a", "b", "c", "d", "e"}, second{"x", "b", "c", "d", "y"}, third{"b", "c", "d", "y", "z", "a"};
    const Records all{{"one", first}, {"two", second}, {"three", third}, {"empty", {}}};
    const std::string text = records_to_text(all);
    EXPECT_EQ(text, "== one\na\nb\nc\nd\ne\n== two\nx\n= 1 3\ny\n== three\n= 1 4\nz\na\n== empty\n");
    EXPECT_EQ(records_from_text(text), all);
    EXPECT_TRUE(records_from_text("== one\na\n== two\n= 0 2\n").empty());
    EXPECT_TRUE(records_from_text("= 0 1\n").empty());
}

// Everything that is drawn is in the record.

class ReplayTest : public FrameStage, public ::testing::WithParamInterface<std::string_view> {};

TEST_P(ReplayTest, LooksTheSame) {
    const FrameCase& frame = case_of(GetParam());
    show(frame);
    const Image actual = render(frame.size);
    const Image again = replay(program(), record(frame.size), frame.size);
    const Difference found = difference(actual, again, 48);
    // Corners of a map's cells are square here, and curves have other steps.
    const double share = static_cast<double>(found.pixels) / (static_cast<double>(actual.width) * actual.height);
    EXPECT_LT(share, 0.01);
    EXPECT_LE(found.densest, 40);
    if (!HasFailure()) return;
    const std::filesystem::path seen = failure_folder() / fmt::format("{}.replay.png", GetParam());
    write_png(seen, side_by_side(actual, again));
    write_png(failure_folder() / fmt::format("{}.replay-difference.png", GetParam()), found.picture);
    ADD_FAILURE() << "see " << seen;
}

INSTANTIATE_TEST_SUITE_P(Frames, ReplayTest,
                         ::testing::Values("softmax", "mask", "add_row", "softmax_all_masked", "draw_spinning", "flow",
                                           "flow_heads", "formula", "panel_right_norm", "sheet_keys", "room",
                                           "heads_lines", "heads_plane_map", "paths", "chapter_question", "cube"),
                         [](const auto& row) { return std::string(row.param); });

}  // namespace
}  // namespace frames
