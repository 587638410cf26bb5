// Chapters: the format, the expressions, the questions, and the derivation of each answer.
#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "app/chapters/do.h"
#include "app/chapters/format/question.h"
#include "app/chapters/format/target.h"
#include "tests/app/chapter_fixture.h"

namespace app {
namespace {

struct ChapterRun {
    attn::Document document;
    attn::Run run;
    ChapterContext context() const { return page_context(document, run, document, Language::English); }
};
ChapterRun computed(std::string_view text, std::string_view form = "raw", int heads = 1) {
    ChapterRun out;
    attn::choose_form(out.document, form);
    out.document.text = text;
    if (heads > 1) {
        out.document.config.heads = heads;
        out.document.weights = "random";
    }
    auto run = attn::run(out.document);
    EXPECT_TRUE(run.ok());
    if (run) out.run = std::move(*run);
    return out;
}

std::string shown(const ChapterContext& context, std::string_view expression) {
    const auto value = shown_value(expression, context);
    return value ? *value : "error: " + value.error().message;
}

TEST(ChapterNumbers, AreThoseOfTheTrace) {
    const ChapterRun c = computed("the tired cat sat down");
    const attn::Matrix& weights = c.run.trace[attn::find_step(c.run.trace, "weights")].value;
    EXPECT_EQ(shown(c.context(), "n"), "5");
    EXPECT_EQ(shown(c.context(), "d"), "8");
    EXPECT_EQ(shown(c.context(), "weights[2,2]"), "0.44");
    EXPECT_EQ(shown(c.context(), "weights[2,2]:3"), "0.442");
    EXPECT_EQ(shown(c.context(), "weights[2,2]:%"), "44%");
    EXPECT_EQ(shown(c.context(), "max(weights[2])"), "0.44");
    EXPECT_EQ(shown(c.context(), "argmax(weights[5])"), "sat") << "a place is shown as its token";
    EXPECT_EQ(shown(c.context(), "argmax(weights[5]):0"), "4");
    EXPECT_EQ(shown(c.context(), "weights[5, argmax(weights[5])] = max(weights[5])").substr(0, 5), "error");
    EXPECT_TRUE(holds("weights[5, argmax(weights[5])] = max(weights[5])", c.context()));
    EXPECT_EQ(shown(c.context(), "sum(weights[1])"), "1.00");
    EXPECT_EQ(shown(c.context(), "token(2)"), "tired");
    EXPECT_EQ(shown(c.context(), "weights[\"cat\",\"sat\"] - weights[3,4]"), "0.00");
    EXPECT_EQ(shown(c.context(), "weights[end,end] - weights[5,5]"), "0.00");
    EXPECT_TRUE(holds("dot(embeddings[1], embeddings[2]) = scores[1,2]", c.context()));
    EXPECT_TRUE(holds("weights[2] != 3 or n = 5", c.context()) == false) << "a row is not compared with a number";
    EXPECT_TRUE(holds("with(\"temperature\", 0.1, max(weights[2])) > max(weights[2])", c.context()));
    const auto row = evaluate("weights[3] * 2", c.context());
    ASSERT_TRUE(row.ok());
    ASSERT_EQ(row->numbers.size(), 5u);
    EXPECT_NEAR(row->numbers[0], 2 * static_cast<double>(weights(2, 0)), 1e-9);
    EXPECT_EQ(shown(c.context(), "1 + 2 * 3 ^ 2"), "19.00");
    EXPECT_EQ(shown(c.context(), "2 * n - 1"), "9");
    EXPECT_EQ(shown(c.context(), "-weights[2,2]"), "−0.44");
}

TEST(ChapterNumbers, MissingCellsHaveNoValueAndErrorsAreReported) {
    const ChapterRun c = computed("cat");
    EXPECT_EQ(shown(c.context(), "weights[2,1]"), "");
    EXPECT_EQ(shown(c.context(), "max(weights[2]) + 1"), "");
    EXPECT_EQ(shown(c.context(), "weights[\"dog\",1]"), "");
    EXPECT_EQ(shown(c.context(), "1 / 0"), "");
    EXPECT_EQ(shown(c.context(), "token(9)"), "");
    EXPECT_EQ(shown(c.context(), "queries[1,1]"), "") << "this document has none; others do";
    EXPECT_FALSE(holds("weights[2,1] > 0", c.context()));
    EXPECT_FALSE(holds("not (weights[2,1] > 0)", c.context())) << "no value is not false";
    for (const char* wrong : {"weight[1]", "max(", "max(weights[1]", "1 +", "weights[1]]", "nothing(1)", "\"open",
                              "1:x", "max()", "with(\"score\", weights[1,1])", "with(\"heads\", \"many\", n)"})
        EXPECT_EQ(shown(c.context(), wrong).substr(0, 6), "error:") << wrong;
    EXPECT_EQ(shown(c.context(), std::string(500, '(')).substr(0, 6), "error:") << "deep, not a crash";
}

TEST(ChapterNumbers, AStepWithoutAHeadIsTheHeadThatIsShown) {
    const ChapterRun c = computed("the tired cat", "multi_head", 2);
    ChapterContext context = c.context();
    context.head = 1;
    EXPECT_EQ(shown(context, "weights[1,1]:5"), shown(context, "weights.h2[1,1]:5"));
    EXPECT_NE(shown(context, "weights[1,1]:5"), shown(context, "weights.h1[1,1]:5"));
    EXPECT_EQ(shown(context, "head"), "2");
    EXPECT_EQ(shown(context, "d_k"), "4");
}

Prose prose(std::string_view markup, std::vector<ProseError>* errors = nullptr) {
    std::vector<ProseError> own;
    return parse_prose(
        markup, [](std::string_view id) { return id == "softmax" ? "softmax" : ""; }, errors ? *errors : own);
}

TEST(ChapterProse, IsParagraphsItemsAndFormulas) {
    const Prose text = prose("One\nline.\n\n- first\n- second\n  goes on\n\n$$x_1$$\n\n中文\n换行");
    ASSERT_EQ(text.blocks.size(), 5u);
    EXPECT_EQ(text_of({{text.blocks[0]}, {}}), "One line.");
    EXPECT_EQ(text.blocks[1].kind, ProseBlock::Kind::Item);
    EXPECT_EQ(text_of({{text.blocks[2]}, {}}), "second goes on");
    EXPECT_EQ(text.blocks[3].kind, ProseBlock::Kind::Formula);
    EXPECT_EQ(text_of({{text.blocks[4]}, {}}), "中文换行");
}

TEST(ChapterProse, HasStrongWordsMathsLinksTermsNumbersAndSources) {
    const Prose text = prose("**So** [a $x$ {n}](row weights 1) and [[softmax|the softmax]] {{ [@vaswani2017, eq. 1]");
    ASSERT_EQ(text.links, (std::vector<std::string>{"row weights 1", "term softmax"}));
    std::string kinds;
    for (const ProseSpan& span : text.blocks[0].spans) kinds += "PSCMN@"[static_cast<int>(span.kind)];
    EXPECT_EQ(kinds, "SPPMPNPPP@");
    const ChapterRun c = computed("one two three");
    const Prose filled = fill_prose(text, c.context());
    EXPECT_EQ(text_of(filled), "So a x 3 and the softmax { eq. 1");
    EXPECT_EQ(expressions_of(text), std::vector<std::string>{"n"});
    EXPECT_EQ(text_of(fill_prose(prose("{weights[9,9]} $\\num{n}$"), c.context())), "– {\\word{3}}");
    std::vector<ProseError> errors;
    prose("fine\n\n[[nonsense]] and $x", &errors);
    ASSERT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[0].line, 2);
}

TEST(ChapterTargets, AreFoundOrReportedAsMissing) {
    const ChapterRun c = computed("the tired cat");
    const auto lit = [&](std::string_view text) {
        const auto target = parse_target(text);
        return target ? cells_of(*target, c.context()) : std::nullopt;
    };
    ASSERT_TRUE(lit("row weights 3"));
    EXPECT_EQ(lit("row weights 3")->row, 2);
    EXPECT_EQ(lit("row weights \"cat\"")->row, 2);
    EXPECT_EQ(lit("cell weights 2 (argmax(weights[2]))")->col, 1);
    EXPECT_EQ(lit("matrix scores")->row, -1);
    EXPECT_FALSE(lit("row weights 4"));
    ASSERT_TRUE(lit("token 2"));
    EXPECT_EQ(lit("token 2")->token, 1);
    EXPECT_EQ(lit("token \"cat\"")->token, 2);
    EXPECT_EQ(lit("token (argmax(weights[2]))")->token, lit("cell weights 2 (argmax(weights[2]))")->col);
    EXPECT_FALSE(lit("token 4"));
    EXPECT_FALSE(lit("token \"dog\""));
    EXPECT_LT(lit("row weights 3")->token, 0);
    EXPECT_FALSE(lit("row weights \"dog\""));
    for (const char* wrong : {"", "row weights", "row nonsense 1", "light weights", "play scores", "cell weights 1"})
        EXPECT_FALSE(parse_target(wrong).ok()) << wrong;
}

/// A chapter of one page with the given insertion.
Chapter chapter_with(std::string_view page) {
    return parse_chapter(
        "id = \"t\"\ntitle = { en = \"T\", zh = \"题\" }\n[start]\nvariant = \"raw\"\ntext = \"the tired "
        "cat\"\n[[page]]\n"
        "id = \"p\"\ntitle = { en = \"P\", zh = \"页\" }\nen = \"words\"\nzh = \"字\"\n" +
            std::string(page),
        "t.toml", library().terms);
}
std::string problems_of(std::string_view page) {
    return all_of(check_chapter(chapter_with(page), library(), ChapterRules::Any));
}

TEST(ChapterErrors, NameFileLineColumnAndWhatToDo) {
    EXPECT_EQ(problems_of(""), "");
    EXPECT_EQ(problems_of("show = \"weights\"\n"), "");
    const struct {
        const char* page;
        const char* part;
    } kCases[] = {
        {"show = \"weight\"\n", "t.toml:6:1: p.show: “weight” is no step's name"},
        {"show = \"queries\"\n", "the page's document has no step “queries”"},
        {"colour = 1\n", "t.toml:11:1: page[1].colour: there is no such key here"},
        {"set = { scores = \"dot\" }\n", "t.toml:11:18: page[1].set.scores: the document has no such field"},
        {"set = { mask = \"none\", score = \"nonsense\" }\n", "page[1].set.score"},
        {"set = { temperature = -1 }\n", "page[1].set.temperature"},
        {"screen = \"cinema\"\n", "there is no screen “cinema”"},
        {"screen = \"experiments nothing\"\n", "there is no screen"},
        {"hide = [\"stage\"]\n", "there is no panel “stage”"},
        {"lock = [\"volume\"]\n", "has no field “volume”"},
        {"pin = { step = \"weights\", row = 9 }\n", "“9” is not a position from 1 to 3"},
        {"light = \"row weights 9\"\n", "(row weights 9): there is none"},
        {"task = { en = \"do\", zh = \"做\", until = [\"n >= 3\"], do = {} }\n", "it is done before it is begun"},
        {"task = { en = \"do\", zh = \"做\", until = [\"n >= 9\"], do = {} }\n",
         "after doing it the conditions do not hold"},
        {"ask = { kind = \"riddle\" }\n", "there is no kind “riddle”; there are largest_in_row"},
        {"ask = { kind = \"largest_in_row\" }\n", "largest_in_row needs “step”"},
        {"ask = { kind = \"number\", of = \"queries[1,1]\" }\n", "it cannot be asked on this document"},
        {"ask = { kind = \"predict_sign\", of = \"n\", change = { nothing = 1 } }\n", "the document has no such field"},
        {"notes = \"one language\"\n", "both languages are expected"},
        {"play = \"weights\"\n", "a motion is expected"},
        {"id = \"twice\"\n", "t.toml:11"},
        {"x = [1,\n", "t.toml:1"},
    };
    for (const auto& one : kCases)
        EXPECT_NE(problems_of(one.page).find(one.part), std::string::npos) << one.page << problems_of(one.page);
    Chapter chapter = parse_chapter(
        "id = \"t\"\ntitle = { en = \"T\" }\n[[page]]\nid = \"a\"\ntitle = { en = \"A\", zh = \"甲\" }\nen = "
        "'''\n\nfirst {n\n'''\nzh = \"字 {nothing[1]} [x](row nothing 1) [@nobody]\"\n",
        "u.toml", library().terms);
    const std::string all = all_of(check_chapter(chapter, library(), ChapterRules::Any));
    for (const char* part :
         {"title.zh: a text in this language is missing", "u.toml:8:1: page[1].en: a brace is not closed",
          "{nothing[1]}: there is no step, field or function “nothing”", "there is no step “nothing”",
          "no [[source]] “nobody”"})
        EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
}

/// Chapters that users wrote may name the token row by its former name.
TEST(ChapterErrors, ThePanelsFormerNameIsRead) {
    for (const char* name : {"tokens", "chips"}) {
        const std::string page = std::string("hide = [\"") + name + "\"]\n";
        EXPECT_EQ(problems_of(page), "") << name;
        EXPECT_TRUE(chapter_with(page).pages.front().hides("tokens")) << name;
    }
}

TEST(ChapterErrors, NoBytesCrashIt) {
    for (const char* bytes :
         {"", "\xff\xfe", "[[page]]", "page = 3", "[[page]]\nen = 1\nask = 3\ntask = []\nset = 1\nplay = 2",
          "a = 1979-05-27", "[page]\n", "[[closing]]\nid=1", "term = [1]", "[[term]]\nid = 3"}) {
        const Chapter chapter = parse_chapter(bytes, "h.toml", {});
        EXPECT_FALSE(check_chapter(chapter, library(), ChapterRules::House).empty()) << bytes;
    }
}

TEST(Questions, OfEveryKindAreMarkedByComputing) {
    const char* kAsks[] = {
        "kind = \"largest_in_row\"\nstep = \"weights\"\nrow = 2",
        "kind = \"value_of_cell\"\nstep = \"scores\"\nrow = 1\ncolumn = 2",
        "kind = \"number\"\nof = \"max(weights[1])\"",
        "kind = \"which\"\nof = \"argmin(weights[1])\"",
        "kind = \"order_weights\"\nrow = 1\ncount = 3",
        "kind = \"which_mask\"\nchoices = [\"none\", \"causal\"]",
        "kind = \"which_change\"\nstep = \"weights\"\nrow = 2\nchanges = [{ en = \"a\", zh = \"一\", set = { "
        "temperature = 0.5 } }, "
        "{ en = \"b\", zh = \"二\", set = { mask = \"causal\" } }]",
        "kind = \"predict_sign\"\nof = \"entropy(weights[1])\"\nchange = { temperature = 0.5 }",
        "kind = \"drag_vector\"\nuntil = [\"scores[1,2] < 0\"]\ndo = { edit = { step = \"scores\", row = 1, column = "
        "2, value = -1 } }",
        "kind = \"choice\"\nbecause = { en = \"so\", zh = \"因\" }\noptions = [{ en = \"a\", zh = \"一\", right = "
        "\"sum(weights[1]) = 1\" }, "
        "{ en = \"b\", zh = \"二\", right = \"n = 9\" }]",
    };
    ASSERT_EQ(std::size(kAsks), question_kinds().size());
    for (std::size_t i = 0; i < std::size(kAsks); ++i) {
        EXPECT_NE(std::string(kAsks[i]).find("\"" + std::string(question_kinds()[i].id) + "\""), std::string::npos);
        // check_chapter tries three times in both languages, with right and wrong answers.
        EXPECT_EQ(problems_of("[page.ask]\n" + std::string(kAsks[i]) + "\n"), "");
    }
}

TEST(Questions, VaryByTryAndAreReproducible) {
    const Chapter chapter =
        chapter_with("[page.ask]\nkind = \"value_of_cell\"\nstep = \"scores\"\nrow = 1\ncolumn = 2\n");
    const ChapterRun c = computed("the tired cat");
    const ChapterAsk& ask = *chapter.pages[0].ask;
    const PageQuestion first = make_question(ask, c.context(), 1), second = make_question(ask, c.context(), 2);
    EXPECT_EQ(first.row, 1);
    EXPECT_EQ(first.column, 2);
    EXPECT_NE(std::pair(first.row, first.column), std::pair(second.row, second.column));
    EXPECT_EQ(make_question(ask, c.context(), 2), second);
    Answer answer;
    answer.number = static_cast<double>(c.run.trace[first.step].value(0, 1)) + 0.009;
    EXPECT_TRUE(mark_question(ask, first, c.context(), answer).right) << "within the tolerance";
    answer.number = *answer.number + 0.01;
    const Marked marked = mark_question(ask, first, c.context(), answer);
    EXPECT_FALSE(marked.right);
    ASSERT_EQ(marked.cells.size(), 1u) << "whose chain gives the right one";
    EXPECT_EQ(marked.cells[0], (attn::Cell{first.step, 0, 1}));
}

TEST(Questions, EqualWeightsAreAllRight) {
    const Chapter chapter = chapter_with("ask = { kind = \"order_weights\", row = 1, count = 3 }\n");
    ChapterRun c = computed("cat cat cat");
    const PageQuestion question = make_question(*chapter.pages[0].ask, c.context(), 1);
    for (const std::vector<int>& order : {std::vector<int>{0, 1, 2}, std::vector<int>{2, 0, 1}}) {
        Answer answer;
        answer.chosen = order;
        EXPECT_TRUE(mark_question(*chapter.pages[0].ask, question, c.context(), answer).right);
    }
}

TEST(Questions, ImpossibleOnesAreReported) {
    const Chapter chapter = chapter_with("ask = { kind = \"largest_in_row\", step = \"weights\", row = 2 }\n");
    for (const char* text : {"", "cat"}) {
        const ChapterRun c = computed(text);
        EXPECT_FALSE(make_question(*chapter.pages[0].ask, c.context(), 1).possible) << text;
    }
}

TEST(Prose, ALineEndBetweenChineseCharactersIsDropped) {
    std::vector<ProseError> errors;
    const auto plain = [&](std::string_view markup) {
        return text_of(parse_prose(
            markup, [](std::string_view id) { return std::string(id); }, errors));
    };
    EXPECT_EQ(plain("内容：\n这个词"), "内容：这个词");
    EXPECT_EQ(plain("内容：\n[这个词](row output 1)"), "内容：这个词") << "a link begins";
    EXPECT_EQ(plain("[这个词](row output 1)\n读过"), "这个词读过") << "a link ended";
    EXPECT_EQ(plain("**注意**\n力"), "注意力");
    EXPECT_EQ(plain("one\n[two](row output 1)\nthree"), "one two three");
    EXPECT_EQ(plain("词\nword"), "词 word");
    EXPECT_EQ(plain("句末；\n“猫”"), "句末；“猫”");
    EXPECT_EQ(plain("the\n“cat”\n“sat”"), "the “cat” “sat”");
    EXPECT_TRUE(errors.empty());
}

TEST(Readings, DeriveTheValueOfAnExpression) {
    const ChapterRun run = computed("the tired cat sat");
    const auto readings = readings_of("entropy(weights[2]) / n", run.context());
    ASSERT_EQ(readings.size(), 4u);
    EXPECT_EQ(readings[0].text, "weights[2]");
    EXPECT_EQ(readings[0].value.numbers.size(), 4u);
    EXPECT_EQ(readings[1].text, "entropy(weights[2])");
    EXPECT_EQ(readings[2].text, "n");
    EXPECT_EQ(reading_text(readings[2].value), "4");
    EXPECT_EQ(readings[3].text, "entropy(weights[2]) / n");
    EXPECT_NEAR(readings[3].value.number, readings[1].value.number / 4, 1e-12);
}

TEST(Readings, NameOnlyCellsOfThisRun) {
    const ChapterRun run = computed("the tired cat sat");
    const auto here = readings_of("scores[1,2] - scores[1,2]", run.context());
    ASSERT_EQ(here.size(), 2u) << "the same number is told once";
    ASSERT_TRUE(here[0].cell);
    EXPECT_EQ(here[0].cell->col, 1);
    const auto there = readings_of("with(\"temperature\", 2, weights[1,2])", run.context());
    ASSERT_EQ(there.size(), 1u);
    EXPECT_FALSE(there[0].cell);
    EXPECT_TRUE(readings_of("weights[9,9]", run.context()).empty()) << "it has no value";
    EXPECT_TRUE(readings_of("nothing[", run.context()).empty());
}

TEST(Readings, ARowAfterAChangeIsBelowTheOldOne) {
    ChapterAsk ask;
    ask.kind = "predict_sign";
    ask.of = "max(weights[2])";
    ask.change = {{"temperature", {"0.25", "0.25"}, {}}};
    const ChapterRun run = computed("the tired cat sat");
    const PageQuestion question = make_question(ask, run.context(), 1);
    ASSERT_TRUE(question.possible);
    const Marked marked = mark_question(ask, question, run.context(), {});
    ASSERT_EQ(marked.lines.size(), 3u);
    EXPECT_EQ(marked.lines[0].what, "weights[2]");
    EXPECT_EQ(marked.lines[1].what, "→");
    EXPECT_NE(marked.lines[0].value, marked.lines[1].value);
    EXPECT_NE(marked.lines[2].value.find(" → "), std::string::npos) << marked.lines[2].value;
}

TEST(Readings, EveryAnswerOfAChapterHasAChainOfNumbers) {
    int question_count = 0;
    for (const Chapter& chapter : library().chapters)
        for (const ChapterPage& page : chapter.pages) {
            if (!page.ask || page.ask->kind == "drag_vector" || page.ask->kind.starts_with("which_")) continue;
            const attn::Document document = page_document(chapter, page, Language::English);
            const auto run = attn::run(document);
            ASSERT_TRUE(run) << chapter.id << "/" << page.id;
            const ChapterContext context = page_context(document, *run, document, Language::English);
            const PageQuestion question = make_question(*page.ask, context, 1);
            const Marked marked = mark_question(*page.ask, question, context, {});
            EXPECT_TRUE(!marked.cells.empty() || !marked.lines.empty()) << chapter.id << "/" << page.id;
            ++question_count;
        }
    EXPECT_GT(question_count, 40);
}

}  // namespace
}  // namespace app
