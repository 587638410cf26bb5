// attenscope chapter: list, new, check, facts.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "app/ui/formula_mathml.h"
#include "places.h"
#include "tests/app/cli_fixture.h"

namespace {

using cli_test::Folder;
using cli_test::run;

TEST(CliChapter, ListsEveryChapterInBothLanguages) {
    const auto listed = run({"chapter", "list"});
    EXPECT_EQ(listed.status, 0) << listed.err;
    for (const char* part :
         {"softmax-xxt-x", "why-attention", "before-the-transformer", "pictures-and-windows", "多头与位置"})
        EXPECT_NE(listed.out.find(part), std::string::npos) << part;
}

TEST(CliChapter, ARouteListsTheLessonInOrder) {
    const auto lesson = run({"chapter", "list", "--route", "45", "--assets", ATTN_SOURCE_DIR});
    EXPECT_EQ(lesson.status, 0) << lesson.err;
    const auto first = lesson.out.find("who-is-it/guess"), last = lesson.out.find("a-real-model/the-sentence");
    ASSERT_NE(first, std::string::npos) << lesson.out;
    ASSERT_NE(last, std::string::npos) << lesson.out;
    EXPECT_LT(first, last);
    EXPECT_EQ(lesson.out.find("closing-"), std::string::npos) << "not all pages: the lesson's";
    const auto none = run({"chapter", "list", "--route", "30", "--assets", ATTN_SOURCE_DIR});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("choose one of 15, 45, 90"), std::string::npos) << none.err;
    EXPECT_EQ(run({"chapter", "facts", "--route", "45"}).status, 2);
    EXPECT_EQ(run({"chapter", "list", "--answers"}).status, 2);
}

TEST(CliChapter, ANewChapterHasNoErrors) {
    const Folder folder;
    const std::string file = folder / "mine.toml";
    EXPECT_EQ(run({"chapter", "new", file}).status, 0);
    const auto checked = run({"chapter", "check", file});
    EXPECT_EQ(checked.status, 0) << checked.out;
    const auto again = run({"chapter", "new", file});
    EXPECT_NE(again.status, 0);
    EXPECT_NE(again.err.find("was not changed"), std::string::npos) << again.err;
}

TEST(CliChapter, ErrorsHaveFileLineAndColumn) {
    const Folder folder;
    const std::string file = folder / "bad.toml";
    cli_test::write_file(
        file,
        "id = \"b\"\ntitle = { en = \"B\", zh = \"题\" }\n[[page]]\nid = \"p\"\ntitle = { en = \"P\", zh = \"页\" }\n"
        "en = \"{nothing[1]}\"\nzh = \"字\"\ncolour = 3\n");
    const auto checked = run({"chapter", "check", file});
    EXPECT_EQ(checked.status, 3);
    EXPECT_NE(checked.out.find(file + ":8:1: page[1].colour: there is no such key here"), std::string::npos)
        << checked.out;
    EXPECT_NE(checked.out.find("2 mistakes"), std::string::npos) << checked.out;
    EXPECT_EQ(run({"chapter", "check", folder / "none.toml"}).status, 3);
    EXPECT_EQ(run({"chapter", "sing"}).status, 2);
    EXPECT_EQ(run({"chapter", "preview", file}).status, 2) << "nowhere to put it";
}

TEST(CliChapter, AFolderWithoutChaptersIsReported) {
    const Folder folder;
    const auto listed = run({"chapter", "list", "--assets", folder / "nothing"});
    EXPECT_EQ(listed.status, 3);
    EXPECT_NE(listed.err.find("--assets"), std::string::npos) << listed.err;
}

TEST(CliChapter, FactsNameTheirSources) {
    const auto facts = run({"chapter", "facts"});
    EXPECT_EQ(facts.status, 0);
    EXPECT_NE(facts.out.find("Attention Is All You Need"), std::string::npos);
    // One sentence, not its whole paragraph, however many sources it names.
    std::istringstream lines(facts.out);
    std::set<std::string> sentences;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("    ")) continue;
        EXPECT_TRUE(sentences.insert(line).second) << line;
        EXPECT_LT(line.size(), 420u) << line;
    }
    EXPECT_GT(sentences.size(), 80u);
}

TEST(FormulaMathml, SaysTheSameAsTheFormula) {
    const std::string math = app::formula_to_mathml("\\frac{1}{\\sqrt{d_k}} = \\word{2.5}", false);
    for (const char* part : {"<math>", "<mfrac>", "<mn>1</mn>", "<msqrt>", "<msub>", "<mi>d</mi>", "<mi>k</mi>",
                             "<mn>2.5</mn>", "</math>"})
        EXPECT_NE(math.find(part), std::string::npos) << part << " in " << math;
    EXPECT_NE(app::formula_to_mathml("\\s A < 1", true).find("&lt;"), std::string::npos);
    EXPECT_EQ(app::formula_to_mathml("\\frac{", false), "\\frac{") << "what cannot be parsed stays as it is";
}

}  // namespace
