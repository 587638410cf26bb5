// Malicious chapters: unlimited nesting, unclosed marks, lines that invite repeated scanning. The steps of the readers are
// counted, not the time.
#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "app/chapters/do.h"
#include "app/chapters/format/chapter.h"
#include "app/chapters/format/expression_tree.h"
#include "app/ui/formula.h"
#include "core/base/effort.h"
#include "core/io/nesting.h"

namespace app {
namespace {

std::string repeated_text(std::string_view piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
}

struct Ground {
    attn::Document document;
    attn::Run run;
    Ground() {
        document.text = "the tired cat";
        run = *attn::run(document);
    }
    ChapterContext context() const { return page_context(document, run, document, Language::English); }
};

constexpr int kManyLevels = 22'000;

TEST(HostileExpressions, UnlimitedNestingIsAnError) {
    const Ground ground;
    const std::string nested[] = {
        repeated_text("-", kManyLevels) + "1",
        repeated_text("−", kManyLevels) + "1",
        repeated_text("not ", kManyLevels) + "n = 1",
        repeated_text("(", kManyLevels) + "1",
        repeated_text("2^", kManyLevels) + "1",
        repeated_text("abs(", kManyLevels) + "1",
        repeated_text("weights[", kManyLevels) + "1",
        repeated_text("with(\"heads\",", kManyLevels) + "1",
        repeated_text("- (2^abs(weights[1,", kManyLevels),
    };
    for (const std::string& expression : nested) {
        const auto value = evaluate(expression, ground.context());
        ASSERT_FALSE(value.ok()) << expression.substr(0, 20);
        EXPECT_NE(value.error().message.find("too deeply"), std::string::npos) << value.error().message;
    }
}

TEST(HostileExpressions, ALongSumDoesNotCountAsNesting) {
    const Ground ground;
    const auto sum = evaluate("1" + repeated_text(" + 1", 100'000), ground.context());
    ASSERT_TRUE(sum.ok());
    EXPECT_EQ(sum->number, 100'001);
    EXPECT_TRUE(holds("n = 3" + repeated_text(" and n = 3", 50'000), ground.context()));
    EXPECT_TRUE(evaluate(repeated_text("-", attn::kDeepestNesting / 2) + "1", ground.context()).ok());
}

/// A chapter file is rewritten while the program runs: it is read, checked and shown, and errors are reported.
TEST(HostileExpressions, AChapterWithOneIsReadAndReportsIt) {
    const std::string toml = "title = { en = \"a\", zh = \"甲\" }\n[[page]]\nid = \"p\"\ntitle = { en = \"b\", zh = \"乙\" }\n"
                                "en = \"{" + repeated_text("-", kManyLevels) + "1}\"\nzh = \"{" + repeated_text("not ", kManyLevels) + "1}\"\n";
    const Chapter chapter = parse_chapter(toml, "bad.toml", {});
    std::string problems;
    for (const ChapterProblem& problem : check_chapter(chapter, {}, ChapterRules::Any)) problems += problem.text() + "\n";
    EXPECT_NE(problems.find("too deeply"), std::string::npos) << problems.substr(0, 500);
}

/// Reading runs nothing; a run with other fields is computed once, and again only for another document.
TEST(ExpressionTrees, AreParsedOnceAndRunOnce) {
    Ground ground;
    ExpressionMemo memo;
    const std::string_view text = "with(\"temperature\", 0.5, max(weights[1])) - with(\"temperature\", 0.5, min(weights[1]))";
    EXPECT_EQ(parse_expression(text).error, "");
    EXPECT_EQ(memo.tree(text).error, "");
    EXPECT_EQ(memo.runs_made(), 0);
    ChapterContext context = ground.context();
    context.memo = &memo;
    const auto first = evaluate(text, context);
    for (int frame = 0; frame < 5; ++frame) {
        const auto again = evaluate(text, context);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(again->number, first->number);
    }
    EXPECT_EQ(memo.trees_read(), 1);
    EXPECT_EQ(memo.runs_made(), 1);
    const auto alone = evaluate(text, ground.context());
    EXPECT_EQ(alone->number, first->number);
    ground.document.text = "the cat";
    ground.run = *attn::run(ground.document);
    ChapterContext other = ground.context();
    other.memo = &memo;
    EXPECT_NE(evaluate(text, other)->number, first->number);
    EXPECT_EQ(memo.runs_made(), 2);
}

std::vector<ProseError> read_prose(const std::string& markup) {
    std::vector<ProseError> errors;
    parse_prose(markup, [](std::string_view) { return std::string("term"); }, errors);
    return errors;
}

TEST(HostileProse, NestedLinksAreAnError) {
    const auto errors = read_prose(repeated_text("[", kManyLevels) + "a" + repeated_text("](x)", kManyLevels));
    ASSERT_FALSE(errors.empty());
    EXPECT_NE(errors[0].message.find("too deeply"), std::string::npos);
    EXPECT_TRUE(read_prose("[**a [b](row 1)** c](row 2)").empty());
}

std::uint64_t steps_for(const std::string& markup) {
    const std::uint64_t before = attn::reader_steps;
    read_prose(markup);
    return attn::reader_steps - before;
}

/// Twice the text takes twice the steps, whatever its characters are.
TEST(HostileProse, TakesLinearTimeWithAnyMark) {
    for (const std::string piece : {"[", "[[", "[@", "{", "$", "`", "**", "]", "](", "[](", "a\n", "x](y)\n", "[a](b)\n", "*",
                                    "]\n", "(x)\n", "**[", "{[", "$[", "[a](x) ", "【", "因\n"}) {
        for (const std::string begin : {"", "[", "](", "****************](", "{"}) {
            const std::string text = begin + repeated_text(piece, 4'000);
            const std::uint64_t once = steps_for(text), twice = steps_for(text + repeated_text(piece, 4'000));
            EXPECT_LT(twice, 3 * once + 1'000) << begin << " then " << piece;
            EXPECT_LT(once, 100 * text.size()) << begin << " then " << piece;
        }
    }
}

TEST(HostileFormulas, UnlimitedNestingIsAnError) {
    for (const std::string piece : {"{", "(", "[", "\\sqrt", "\\sqrt{", "\\hat", "x^", "x_{", "\\frac", "\\part{a}{", "\\q{"}) {
        const auto formula = parse_formula(repeated_text(piece, kManyLevels));
        ASSERT_FALSE(formula.ok()) << piece;
    }
}

}  // namespace
}  // namespace app
