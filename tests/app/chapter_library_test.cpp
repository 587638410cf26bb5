// Every chapter, page by page; the glossary; and their vocabulary.
#include <gtest/gtest.h>

#include "app/chapters/check.h"
#include "tests/app/chapter_fixture.h"
#include "tests/support/table_share.h"

namespace app {
namespace {

TEST(Glossary, IsReadableAndNamesExistingTerms) {
    EXPECT_EQ(all_of(library().problems), "");
    EXPECT_FALSE(library().terms.empty());
    for (const ChapterTerm& term : library().terms)
        for (const std::string& other : term.see)
            EXPECT_NE(library().term(other, nullptr), nullptr) << term.id << ": " << other;
}

TEST(Chapters, ExistAndHaveDifferentIds) {
    EXPECT_FALSE(library().chapters.empty());
    for (const Chapter& chapter : library().chapters) EXPECT_EQ(library().find(chapter.id), &chapter) << chapter.file;
}

/// All rules for a chapter: see app/chapters/check.h.
TEST(Chapters, FollowAllRules) {
    const auto share = static_cast<std::size_t>(test_support::table_share());
    for (std::size_t i = share - 1; i < library().chapters.size(); i += share) {
        const Chapter& chapter = library().chapters[i];
        EXPECT_EQ(all_of(check_chapter(chapter, library(), ChapterRules::House)), "") << chapter.file;
    }
}

TEST(Routes, ExistForTheThreeLessonsWithinTheirTime) {
    std::vector<int> minutes;
    for (const CourseRoute& route : library().routes) minutes.push_back(route.minutes);
    EXPECT_EQ(minutes, (std::vector<int>{15, 45, 90}));
    EXPECT_EQ(all_of(check_routes(library())), "");
}

TEST(Routes, MissingPagesAndLongLessonsAreReported) {
    ChapterLibrary broken = library();
    ASSERT_FALSE(broken.routes.empty());
    CourseRoute& route = broken.routes.front();
    route.pages.push_back("who-is-it/nobody");
    EXPECT_NE(all_of(check_routes(broken)).find("there is no page “who-is-it/nobody”"), std::string::npos);
    route.pages.pop_back();
    const int minutes = route.minutes;
    route.minutes = minutes / 2;
    EXPECT_NE(all_of(check_routes(broken)).find("its pages take about"), std::string::npos) << "too long";
    route.minutes = minutes * 2;
    EXPECT_NE(all_of(check_routes(broken)).find("its pages take about"), std::string::npos) << "half of the lesson is empty";
}

TEST(Routes, InvalidRoutesAreReportedWithTheirLine) {
    std::vector<ChapterProblem> problems;
    const auto routes = parse_routes("[[route]]\nminutes = 5\ntitle = { en = \"A\", zh = \"甲\" }\npages = [\"a/b\"]\n"
                                     "[[route]]\nminutes = 9\ntitle = { en = \"B\", zh = \"乙\" }\n", "routes.toml", problems);
    ASSERT_EQ(routes.size(), 1u);
    EXPECT_EQ(routes[0].pages, std::vector<std::string>{"a/b"});
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].line, 5);
}

TEST(Library, AChapterHasTheNumberOfItsFile) {
    const auto number = [](const char* file, bool own = false) {
        Chapter chapter;
        chapter.file = file;
        chapter.own = own;
        return chapter_number(chapter, 7);
    };
    EXPECT_EQ(number("assets/chapters/01-why-attention.toml"), "1");
    EXPECT_EQ(number("assets/chapters/11b-name.toml"), "11b");
    EXPECT_EQ(number("assets/chapters/B-pictures.toml"), "B") << "an appendix";
    EXPECT_EQ(number("assets/chapters/name.toml"), "7");
    EXPECT_EQ(number("/home/me/03-mine.toml", true), "7") << "the reader's own come after the program's";
}

/// Wordings that were found to be literal translations, or jargon of this project where the field has a term, do not come
/// back into chapters, glossary and labels.
TEST(Library, UsesTheFieldsTerms) {
    const std::pair<const char*, const char*> kRetired[] = {
        {"get to know of", "exchange information"},
        {"reached is not heard", "being within reach is not the same as being heard"},
        {"no say any more", "almost no influence left"},
        {"have to stand for", "are squeezed into"},
        {"change places", "swap"},
        {"From helper to whole", "From add-on to architecture"},
        {"play no part in where", "do not change where"},
        {"goes against it", "points the other way"},
        {"more like the deed", "a doer need not resemble"},
        {"of one matter", "on one subject"},
        {"makes it ask", "makes a word ask the question"},
        {"the row stares", "saturated"},
        {"one a word", "one per word"},
        {"a score a pair", "one score per pair"},
        {"lines of one word meet", "depend on one another"},
        {"the bent numbers", "the squashed numbers"},
        {"the bend stands", "the nonlinearity comes"},
        {"behind each other and", "end to end"},
        {"what the change takes and gives", "who loses and who gains"},
        {"one and the same?", "cannot tell apart"},
        {"live with such a mixture", "averaging inhibits"},
        {"one word stands twice", "uses the same word twice"},
        {"A fine for distance", "a penalty that grows"},
        {"all counts as one", "shares one vector"},
        {"runs a road", "a bypass (the residual connection)"},
        {"to the same measure", "on the same scale"},
        {"state of **now**", "current"},
        {"has no slope", "is not differentiable"},
        {"best served region", "most attended region"},
        {"抽签没有斜率", "不可导"},
        {"靠抽签", "采样"},
        {"而且有斜率", "处处可导"},
        {"写的一方", "解码器"},
        {"意义很少的词", "虚词"},
        {"更简洁的路", "更简洁的做法"},
        {"关键就在这一弯", "激活函数"},
        {"同一把尺", "同样的尺度"},
        {"哪些单元作答", "神经元被激活"},
        {"环顾过四周", "融合了上下文"},
        {"“不是数”", "NaN（非数）"},
        {"位置方法", "位置编码"},
        {"用波的模型", "正弦位置编码"},
        {"一袋子词", "词袋"},
        {"一袋词", "词袋"},
        {"我在第几个", "我在哪个位置"},
        {"褒贬", "情感"},
        {"最后才弯", "非线性放在最后"},
        {"那一弯", "激活函数"},
        {"压一压有什么用", "为什么要过一次 tanh"},
        {"这一换让谁", "每个权重的增减"},
        {"学着与它相处", "在训练中适应它"},
        {"分数才需要碰头", "同一行的所有分数"},
        {"鸟和飞更相像", "词向量不接近"},
        {"问得多响", "强度"},
        {"问得最响", "强度最大"},
        {"盯住不放", "饱和"},
        {"没有人亲手去设", "学出来的"},
        {"手能转到的", "用手拖动难免有误差"},
        {"怎样得知彼此", "怎样交换信息"},
        {"学习为何吃亏", "为什么难学"},
        {"输出是一份混合", "加权和"},
        {"份额", "注意力权重"},
        {"纳特", "奈特"},
    };
    std::string all(all_text());
    const Assets assets(ATTN_SOURCE_DIR);
    for (const std::string& path : assets.list("assets/chapters/"))
        if (const auto text = assets.read(path); text && path.ends_with(".toml")) all += *text;
    ASSERT_GT(all.size(), 300'000u);
    for (const auto& [retired, said] : kRetired)
        EXPECT_EQ(all.find(retired), std::string::npos) << retired << " → " << said;
    for (const char* term : {"embedding", "dimension", "attention weight", "positional encoding", "saturate", "autoregressive",
                             "differentiable", "padding token", "嵌入", "维", "注意力权重", "位置编码", "饱和", "自回归", "可导",
                             "激活函数", "神经元", "填充词元", "加权求和"})
        EXPECT_NE(all.find(term), std::string::npos) << term;
}

TEST(Library, AFolderWithoutAGlossaryIsAProblem) {
    const ChapterLibrary none = load_chapters(Assets("/nonexistent-folder"));
    ASSERT_EQ(none.problems.size(), 1u);
    EXPECT_NE(none.problems[0].message.find("--assets"), std::string::npos);
    EXPECT_TRUE(library().problems.empty());
}

}  // namespace
}  // namespace app
