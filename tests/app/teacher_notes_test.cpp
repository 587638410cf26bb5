// The teacher's notes beside the picture: their numbers, the computed answer, the next page.
#include "app/chapters/teacher_notes.h"

#include <gtest/gtest.h>

#include <sstream>

#include "app/state/course.h"
#include "app/chapters/do.h"
#include "app/ui/formula_text.h"
#include "tests/app/course_fixture.h"

namespace app {
namespace {

using testing::HasSubstr;

constexpr std::string_view kNotesChapter = R"toml(
id = "c"
title = { en = "Chapter", zh = "本章" }
[start]
variant = "raw"
text = { en = "the tired cat sat down", zh = "早上好" }
[[page]]
id = "first"
title = { en = "First", zh = "第一" }
show = "weights"
en = '''
One.

Two.
'''
zh = "一。"
notes = { en = "There are {n} words and $\\frac{\\q Q}{\\sqrt{d_k}}$.", zh = "共 {n} 个词。" }
ask = { kind = "number", of = "n + 2", tolerance = 0.1 }
[[page]]
id = "second"
title = { en = "Second", zh = "第二" }
set = { text = "cat sat" }
show = "weights"
en = "Here are {n}."
zh = "这里有 {n} 个。"
[[page]]
id = "third"
title = { en = "Third", zh = "第三" }
set = { variant = "multi_head", heads = 2, weights = "random" }
show = "weights"
en = "Of the head that is shown."
zh = "所显示的头。"
ask = { kind = "number", of = "scores[1,2]", tolerance = 0.001 }
)toml";

class Notes : public app_test::ChapterTest {
protected:
    Notes() : ChapterTest(kNotesChapter) {}
    std::string notes() { return text_of(teacher_notes(bench.state, bench.derived), bench.view().language); }
};

TEST_F(Notes, SayHowToOpenAChapter) { EXPECT_THAT(notes(), HasSubstr("Ctrl+B")); }

TEST_F(Notes, HaveTheNumbersOfThisPageAndOfTheNext) {
    act(OpenPage{"c", 0});
    const TeacherNotes notes = teacher_notes(bench.state, bench.derived);
    EXPECT_EQ(notes.place, "Chapter · page 1 of 4");
    EXPECT_EQ(notes.title, "First");
    ASSERT_EQ(notes.notes.size(), 1u);
    EXPECT_EQ(notes.notes[0], "There are 5 words and Q/√d_k.");
    EXPECT_EQ(notes.next, "Second");
    ASSERT_EQ(notes.next_says.size(), 1u);
    EXPECT_EQ(notes.next_says[0], "Here are 2.") << "the next page's own text has two words";
    EXPECT_EQ(notes.shown, "") << "nobody is before a room";
}

TEST_F(Notes, AnswerTheQuestionFromTheScreen) {
    act(OpenPage{"c", 0});
    EXPECT_THAT(teacher_notes(bench.state, bench.derived).answer, HasSubstr("7"));
    attn::Document other = bench.state.document;
    other.text = "cat sat";
    bench.edit(other);
    EXPECT_THAT(teacher_notes(bench.state, bench.derived).answer, HasSubstr("4"));
}

TEST_F(Notes, AnswerForTheHeadThatIsShown) {
    const auto answer = [&] {
        const TeacherNotes notes = teacher_notes(bench.state, bench.derived);
        const Marked marked = mark_question(*page().page->ask, page().question,
                                            context_now(bench.state, bench.derived, bench.state.document), {});
        EXPECT_EQ(notes.answer.substr(0, notes.answer.find('\n')), marked.right_answer);
        return notes.answer;
    };
    open(2);
    const std::string first = answer();
    ViewState view = bench.view();
    view.head = 1;
    bench.act(becomes(view));
    ASSERT_EQ(bench.view().head, 1);
    EXPECT_NE(answer(), first) << "the other head has another score there";
}

TEST_F(Notes, CountTheParagraphsWhilePresenting) {
    act(OpenPage{"c", 0});
    bench.view().present.on = true;
    EXPECT_EQ(teacher_notes(bench.state, bench.derived).shown, "On screen: 1 of 2 paragraphs");
    bench.view().course.shown = 2;
    EXPECT_EQ(teacher_notes(bench.state, bench.derived).shown, "On screen: 2 of 2 paragraphs");
}

TEST_F(Notes, ReachTheEndInBothLanguages) {
    act(OpenPage{"c", 2});
    EXPECT_EQ(teacher_notes(bench.state, bench.derived).next, "Further reading");
    act(OpenPage{"c", 3});
    EXPECT_EQ(teacher_notes(bench.state, bench.derived).next, "");
    bench.view().language = Language::Chinese;
    act(OpenPage{"c", 0});
    EXPECT_THAT(notes(), HasSubstr("共 3 个词"));
}

TEST_F(Notes, AreWrittenOncePerPage) {
    std::ostringstream out;
    NotesTerminal terminal(out, false);
    act(OpenPage{"c", 0});
    terminal.follow(bench.state, bench.derived);
    const std::string first = out.str();
    EXPECT_THAT(first, HasSubstr("First"));
    terminal.follow(bench.state, bench.derived);
    EXPECT_EQ(out.str(), first) << "nothing turned";
    act(TurnPage{1});
    terminal.follow(bench.state, bench.derived);
    EXPECT_THAT(out.str().substr(first.size()), HasSubstr("Second"));
}

TEST(FormulaText, IsOneLine) {
    EXPECT_EQ(formula_to_text(R"(\word{softmax}(\frac{{\q Q}{\k K}^T}{\sqrt{d_k}}){\v V})"), "softmax((QK^T)/√d_k)V");
    EXPECT_EQ(formula_to_text(R"(\frac{e^{s_{ij}}}{\sum_k e^{s_{ik}}})"), "e^(s_ij)/(∑_k e^(s_ik))");
    EXPECT_EQ(formula_to_text(R"(\frac{a + b}{2} \le \norm{x})"), "(a + b)/2 ≤ ‖x‖");
    EXPECT_EQ(formula_to_text(R"(\frac{)"), R"(\frac{)") << "what cannot be read stays as it is";
}

}  // namespace
}  // namespace app
