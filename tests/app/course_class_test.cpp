// For a class: lessons, a quiz with its result, worksheets, a lesson plan, and the answer key.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "app/state/course.h"
#include "app/chapters/do.h"
#include "app/chapters/page_run.h"
#include "app/chapters/teacher_notes.h"
#include "app/chapters/worksheet.h"
#include "app/cli/chapter_class.h"
#include "app/cli/studio.h"
#include "app/content/number_text.h"
#include "app/content/xml_text.h"
#include "app/screens/compare/comparison.h"
#include "app/shell/open_files.h"
#include "core/document/fields.h"
#include "tests/app/chapter_fixture.h"
#include "tests/app/cli_fixture.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Language kBothLanguages[] = {Language::English, Language::Chinese};

/// The program's own chapters, entered as in a frame.
class LessonAndQuiz : public testing::Test {
protected:
    LessonAndQuiz() { bench.state.chapters = std::make_shared<const ChapterLibrary>(library()); }
    void act(CourseAction action) {
        bench.act(Action(std::move(action)));
        if (bench.view().course.arriving) bench.act(Action(CourseAction{Arrive{}}));
    }
    std::string here() const {
        const Chapter* chapter = open_chapter(bench.state);
        const ChapterPage* page = open_page(bench.state);
        return (chapter ? chapter->id : "") + "/" + (page ? page->id : "");
    }
    const CourseWalk& walk() { return *bench.view().course.walk; }
    /// The right answer to the open page's question, or a wrong one.
    void answer(bool right) {
        const attn::Document own = own_document(bench.state);
        const ChapterContext context = context_now(bench.state, bench.derived, own);
        const ChapterAsk& ask = *open_page(bench.state)->ask;
        const PageQuestion question = make_question(ask, context, bench.view().course.attempt);
        ASSERT_TRUE(question.possible) << here();
        const auto wrong = wrong_answer(ask, question, context);
        ASSERT_TRUE(right || wrong) << here();
        act(GiveAnswer{right ? right_answer(ask, question, context) : *wrong, true});
    }

    app_test::Bench bench;
};

TEST_F(LessonAndQuiz, ALessonGoesThroughExactlyItsPagesAndBack) {
    const CourseRoute& route = library().routes.front();
    act(BeginWalk{walk_of(route, library())});
    for (const std::string& name : route.pages) {
        EXPECT_EQ(here(), name);
        act(TurnPage{1});
    }
    EXPECT_TRUE(walk().ended());
    EXPECT_EQ(open_page(bench.state), nullptr);
    act(TurnPage{1});
    EXPECT_TRUE(walk().ended()) << "there is nothing behind the end";
    for (auto name = route.pages.rbegin(); name != route.pages.rend(); ++name) {
        act(TurnPage{-1});
        EXPECT_EQ(here(), *name);
    }
    act(TurnPage{-1});
    EXPECT_EQ(here(), route.pages.front());
}

TEST_F(LessonAndQuiz, ALinkIsADetourAndTheListEndsTheLesson) {
    const CourseRoute& route = library().routes.front();
    act(BeginWalk{walk_of(route, library())});
    act(FollowLink{"chapter two-vectors/shadow"});
    EXPECT_EQ(here(), "two-vectors/shadow");
    act(TurnPage{1});
    EXPECT_EQ(here(), route.pages[1]) << "the lesson goes on where it was";
    act(OpenPage{"two-vectors", 0});
    EXPECT_FALSE(bench.view().course.walk);
    act(BeginWalk{walk_of(route, library())});
    act(CloseChapter{});
    EXPECT_FALSE(bench.view().course.walk);
    act(BeginWalk{});
    EXPECT_FALSE(bench.view().course.walk) << "no pages, no lesson";
}

TEST_F(LessonAndQuiz, TheTeachersNotesNameTheNextPage) {
    const CourseRoute& route = library().routes.front();
    act(BeginWalk{walk_of(route, library())});
    act(TurnPage{2});
    const TeacherNotes notes = teacher_notes(bench.state, bench.derived);
    EXPECT_THAT(notes.place, HasSubstr("page 3 of " + std::to_string(route.pages.size())));
    EXPECT_EQ(notes.next, library().page(route.pages[3])->title[0]);
    act(TurnPage{static_cast<int>(route.pages.size()) - 3});
    EXPECT_EQ(teacher_notes(bench.state, bench.derived).next, "") << "the last page of the lesson";
}

TEST_F(LessonAndQuiz, AQuizCountsFirstAnswersOnly) {
    act(BeginWalk{quiz_of(library(), 1)});
    ASSERT_EQ(walk().size(), kQuizQuestions);
    for (int i = 0; i < kQuizQuestions; ++i) {
        if (i != 9) answer(i >= 2);  // two wrong answers, and the last question is skipped
        if (i == 0) {
            act(TryAgain{});
            answer(true);
        }
        act(TurnPage{1});
    }
    EXPECT_TRUE(walk().ended());
    EXPECT_EQ(walk().right(), 7);
    EXPECT_EQ(walk().first[0], std::optional<bool>(false)) << "the second try is practice";
    EXPECT_EQ(walk().first[9], std::nullopt);
}

/// "Look at these again": a link at the end of a quiz leads to a page and back to the result.
TEST_F(LessonAndQuiz, TheResultSurvivesALink) {
    act(BeginWalk{quiz_of(library(), 1)});
    answer(false);
    act(TurnPage{kQuizQuestions});
    ASSERT_TRUE(walk().ended());
    act(FollowLink{"chapter two-vectors/shadow"});
    EXPECT_EQ(here(), "two-vectors/shadow");
    act(TurnPage{1});
    EXPECT_EQ(open_page(bench.state), nullptr) << "the end again";
    EXPECT_TRUE(walk().ended());
    EXPECT_EQ(walk().first[0], std::optional<bool>(false));
}

TEST_F(LessonAndQuiz, TheLearnersOwnPlaceStays) {
    act(OpenPage{"two-vectors", 2});
    const ChapterProgress before = bench.state.progress;
    act(BeginWalk{quiz_of(library(), 1)});
    act(TurnPage{3});
    EXPECT_EQ(bench.state.progress.chapter, before.chapter);
    EXPECT_EQ(bench.state.progress.page, before.page);
    act(OpenPage{"two-vectors", 3});
    EXPECT_NE(bench.state.progress.page, before.page);
}

TEST_F(LessonAndQuiz, AnswersOfALessonAreNotCounted) {
    CourseWalk lesson = quiz_of(library(), 1);
    lesson.quiz = 0;
    act(BeginWalk{lesson});
    answer(true);
    EXPECT_EQ(walk().right(), 0);
}

/// After saving and restoring: the same page of the same lesson, or the same question with the same result.
TEST_F(LessonAndQuiz, ALessonAndAQuizResumeAfterARestart) {
    const auto again = [&] {
        const ChapterProgress read = progress_from_json(progress_to_json(bench.state.progress));
        EXPECT_EQ(read, bench.state.progress);
        return read.walk ? restored_walk(*read.walk, library()) : std::nullopt;
    };
    act(BeginWalk{walk_of(library().routes[1], library())});
    act(TurnPage{3});
    EXPECT_EQ(again(), std::optional(walk()));
    act(TurnPage{100});
    EXPECT_TRUE(walk().ended());
    EXPECT_EQ(again(), std::optional(walk())) << "its end, too";
    act(BeginWalk{quiz_of(library(), 4)});
    answer(false);
    act(TurnPage{1});
    answer(true);
    EXPECT_EQ(again(), std::optional(walk()));
    CourseWalk gone = walk();
    gone.quiz = 0;
    gone.minutes = 7;
    EXPECT_EQ(restored_walk(gone, library()), std::nullopt) << "no lesson has seven minutes";
    CourseWalk behind = walk_of(library().routes[0], library());
    behind.at = behind.size() + 1;
    EXPECT_EQ(restored_walk(behind, library()), std::nullopt) << "the lesson is shorter now";
    act(OpenPage{"two-vectors", 0});
    EXPECT_FALSE(bench.state.progress.walk);
    for (const char* bytes : {R"({"walk":3})", R"({"walk":{"minutes":-1}})", R"({"walk":{"quiz":"x","first":[3,{}]}})"})
        EXPECT_FALSE(progress_from_json(bytes).walk) << bytes;
}

/// Pages that work with any language model use the open folder; other pages do not.
TEST_F(LessonAndQuiz, PagesUseTheOpenFolder) {
    for (const char* folder : {"checkpoints/gpt2", "checkpoints/qwen2", "planted"}) {
        const auto opened = open_model(std::string(ATTN_SOURCE_DIR "/tests/data/") + folder);
        ASSERT_TRUE(opened) << opened.error().text();
        const std::string name = opened->model->name;
        act(CloseChapter{});
        bench.edit(*opened);
        for (const char* page : {"next-token", "lens", "how-large"}) {
            act(OpenPage{"a-real-model", library().find("a-real-model")->page_index(page)});
            ASSERT_TRUE(bench.state.document.model) << page;
            EXPECT_EQ(bench.state.document.model->name, name) << page;
            EXPECT_EQ(bench.state.document.text, page_document(*open_chapter(bench.state), *open_page(bench.state), Language::English).text);
            EXPECT_TRUE(bench.derived.run) << folder << " " << page;
            const attn::Document own = own_document(bench.state);
            const std::string said = words_of(fill_prose(in(open_page(bench.state)->say, Language::English), context_now(bench.state, bench.derived, own)));
            EXPECT_THAT(said, Not(HasSubstr("–"))) << folder << " " << page << ": a number without a value";
        }
        act(OpenPage{"a-real-model", library().find("a-real-model")->page_index("how-large")});
        answer(true);
        EXPECT_TRUE(bench.view().course.marked.right) << folder;
        act(OpenPage{"a-real-model", library().find("a-real-model")->page_index("induction")});
        EXPECT_EQ(bench.state.document.model->name, "induction") << "this page is about one network";
        act(OpenPage{"a-real-model", 0});
        EXPECT_EQ(bench.state.document.model->name, name);
        act(OwnNumbers{});
        EXPECT_EQ(bench.state.document.model->name, name);
    }
    // The learner chooses the program's own model there: the folder is not used again.
    attn::Document own = page_document(*open_chapter(bench.state), *open_page(bench.state), Language::English);
    bench.edit(own);
    act(OpenPage{"a-real-model", library().find("a-real-model")->page_index("lens")});
    EXPECT_EQ(bench.state.document.model->name, "language");
    // A model that does not generate text does not count.
    const auto bert = open_model(ATTN_SOURCE_DIR "/tests/data/checkpoints/bert");
    ASSERT_TRUE(bert);
    bench.edit(*bert);
    act(OpenPage{"a-real-model", 0});
    EXPECT_EQ(bench.state.document.model->name, "language");
}

/// The answers as they are typed: a letter, letters in order, a number.
std::string typed(const std::string& page, bool right, Language language) {
    const PagePlace place = place_of_page(library(), page);
    const ChapterAsk& ask = *place.chapter->pages[static_cast<std::size_t>(place.page)].ask;
    const auto of = run_page(*place.chapter, place.chapter->pages[static_cast<std::size_t>(place.page)], language);
    const PageQuestion question = make_question(ask, *of->context, 1);
    const Answer answer = right ? right_answer(ask, question, *of->context) : wrong_answer(ask, question, *of->context).value_or(Answer{});
    if (answer.number) return fmt::format("{:.6f}\n", *answer.number);
    std::string out;
    for (const int option : answer.chosen) out += std::string(1, static_cast<char>('a' + option)) + " ";
    return out + "\n";
}

TEST(Quiz, RunsOnTheTerminal) {
    for (const Language language : kBothLanguages) {
        const CourseWalk quiz = quiz_of(library(), 3);
        std::string input = "nonsense!\n";
        for (std::size_t i = 0; i < quiz.pages.size(); ++i) input += i == 4 ? "\n" : typed(quiz.pages[i], i != 2, language);
        const auto said = cli_test::run({"chapter", "quiz", "--seed", "3", "--language", language == Language::English ? "en" : "zh", "--assets", ATTN_SOURCE_DIR}, input);
        EXPECT_EQ(said.status, 0) << said.err;
        EXPECT_THAT(said.err, HasSubstr(language == Language::English ? "an empty line leaves the question out" : "直接回车跳过这一题"));
        EXPECT_THAT(said.out, HasSubstr(fill_in(tr(Str::quiz_result, language), {"8", "10"}))) << said.out;
        for (std::size_t i = 0; i < quiz.pages.size(); ++i) {
            const std::string chapter = quiz.pages[i].substr(0, quiz.pages[i].find('/'));
            EXPECT_EQ(said.out.find("attenscope --chapter " + chapter + "\n") != std::string::npos, i == 2 || i == 4) << chapter;
        }
        EXPECT_THAT(said.out, HasSubstr("1/10"));
    }
    const auto ended = cli_test::run({"chapter", "quiz", "--assets", ATTN_SOURCE_DIR}, "");
    EXPECT_EQ(ended.status, 0);
    EXPECT_THAT(ended.out, HasSubstr(fill_in(tr(Str::quiz_result, Language::English), {"0", "10"})));
    EXPECT_THAT(ended.out, Not(HasSubstr("2/10"))) << "nobody is there to answer";
}

TEST(Quiz, HasTenDifferentQuestionsOfManyChapters) {
    std::set<std::vector<std::string>> all;
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        const CourseWalk quiz = quiz_of(library(), seed);
        const std::set<std::string> pages(quiz.pages.begin(), quiz.pages.end());
        EXPECT_EQ(pages.size(), static_cast<std::size_t>(kQuizQuestions));
        std::set<std::string> chapters;
        for (const std::string& name : pages) {
            const ChapterPage* page = library().page(name);
            ASSERT_TRUE(page) << name;
            EXPECT_TRUE(page->ask && page->closing) << name;
            chapters.insert(name.substr(0, name.find('/')));
        }
        EXPECT_EQ(chapters.size(), static_cast<std::size_t>(kQuizQuestions)) << "one of each chapter, while there are ten";
        EXPECT_EQ(quiz, quiz_of(library(), seed)) << "a class sees the same";
        all.insert(quiz.pages);
    }
    EXPECT_EQ(all.size(), 4u);
}

TEST(Quiz, OfALessonAsksOnlyOfItsChapters) {
    const CourseRoute& route = library().routes.front();
    std::set<std::string> chapters;
    for (const std::string& name : route.pages) chapters.insert(name.substr(0, name.find('/')));
    const CourseWalk quiz = quiz_of(library(), 1, &route);
    EXPECT_GE(quiz.size(), 9);
    for (const std::string& name : quiz.pages) EXPECT_TRUE(chapters.contains(name.substr(0, name.find('/')))) << name;
}

/// A swap that a page offers is one: the same words, with two of them exchanged. In Chinese as in English.
TEST(CourseWords, ASwapExchangesTwoWords) {
    int swaps = 0;
    for (const Chapter& chapter : library().chapters)
        for (const ChapterPage& page : chapter.pages) {
            if (!page.ask) continue;
            for (const AskOption& option : page.ask->options)
                for (const Language language : kBothLanguages) {
                    const std::string words = words_of(in(option.say, language));
                    if (words.find("swapped") == std::string::npos && words.find("对调") == std::string::npos) continue;
                    const attn::Document before = page_document(chapter, page, language);
                    attn::Document after = before;
                    ASSERT_TRUE(set_fields(after, option.set, language)) << chapter.id << "/" << page.id;
                    const auto tokens_of = [](const attn::Document& document) { return attn::run(document)->inputs.tokens; };
                    std::vector<std::string> one = tokens_of(before), other = tokens_of(after);
                    ASSERT_EQ(one.size(), other.size()) << chapter.id << "/" << page.id;
                    int moved = 0;
                    for (std::size_t i = 0; i < one.size(); ++i) moved += one[i] == other[i] ? 0 : 1;
                    EXPECT_EQ(moved, 2) << chapter.id << "/" << page.id;
                    std::ranges::sort(one);
                    std::ranges::sort(other);
                    EXPECT_EQ(one, other) << chapter.id << "/" << page.id;
                    ++swaps;
                }
        }
    EXPECT_GE(swaps, 2);
}

// ---- the key ----

/// The right answers, found again from the file's data and the trace, not by the code that marks them.
void expect_key(const std::string& where, const ChapterAsk& ask, const PageQuestion& question, const ChapterContext& context, const std::string& key) {
    const ChapterContext asking = asking_context(context, question);
    const auto number = [&](const std::string& expression) {
        const auto value = evaluate(expression, asking);
        return value ? value->number : NAN;
    };
    const std::string said = key.substr(0, key.find('\n'));
    const attn::Matrix* matrix = question.step == attn::kNoStep ? nullptr : &context.trace[question.step].value.matrix();
    if (ask.kind == "number" || ask.kind == "value_of_cell") {
        const double right = ask.kind == "number" ? number(ask.of) : static_cast<double>((*matrix)(question.row - 1, question.column - 1));
        EXPECT_EQ(said, number_text(static_cast<float>(right), ask.tolerance < 0.005 ? 3 : 2)) << where;
    } else if (ask.kind == "which") {
        const auto place = std::find(question.places.begin(), question.places.end(), static_cast<int>(number(ask.of)) - 1);
        ASSERT_NE(place, question.places.end()) << where;
        EXPECT_EQ(said, question.options[static_cast<std::size_t>(place - question.places.begin())]) << where;
    } else if (ask.kind == "largest_in_row") {
        const auto row = matrix->row(question.row - 1);
        bool found = false;
        for (std::size_t i = 0; i < question.options.size(); ++i)
            found |= question.options[i] == said && row(question.places[i]) == row.maxCoeff();
        EXPECT_TRUE(found) << where << ": " << said;
    } else if (ask.kind == "choice") {
        int right = 0;
        for (const AskOption& option : ask.options) {
            const auto holds = evaluate(option.right, asking);
            if (!holds || !holds->truth) continue;
            ++right;
            EXPECT_EQ(said + "\n", words_of(fill_prose(in(option.say, context.language), asking))) << where;
        }
        EXPECT_EQ(right, 1) << where;
    } else if (ask.kind == "predict_sign") {
        attn::Document changed = context.document;
        ASSERT_TRUE(set_fields(changed, ask.change, context.language)) << where;
        const auto run = attn::run(changed);
        ASSERT_TRUE(run) << where;
        ChapterContext then = asking.on(run->trace, changed);
        const auto value = evaluate(ask.of, then);
        ASSERT_TRUE(value) << where;
        const double difference = value->number - number(ask.of);
        const Str word = std::abs(difference) <= 1e-4 ? Str::ask_stays : difference > 0 ? Str::ask_rises : Str::ask_falls;
        EXPECT_EQ(said, tr(word, context.language)) << where;
    } else {
        EXPECT_FALSE(said.empty() && question.input != AnswerInput::Act) << where;
    }
}

TEST(AnswerKey, IsTheFilesDataAndTheEnginesNumbers) {
    std::map<std::string, int> kinds;
    for (const Chapter& chapter : library().chapters)
        for (const ChapterPage& page : chapter.pages)
            for (const Language language : kBothLanguages) {
                if (!page.ask) continue;
                const std::string where = chapter.id + "/" + page.id;
                const auto of = run_page(chapter, page, language);
                ASSERT_TRUE(of) << where;
                const PageQuestion question = make_question(*page.ask, *of->context, 1);
                ASSERT_TRUE(question.possible) << where;
                if (question.input == AnswerInput::Act) continue;
                expect_key(where, *page.ask, question, *of->context, key_of(*page.ask, question, *of->context));
                ++kinds[page.ask->kind];
            }
    for (const char* kind : {"number", "value_of_cell", "which", "largest_in_row", "choice", "predict_sign"}) EXPECT_GT(kinds[kind], 0) << kind;
}

TEST(AnswerKey, OfAHandoutHasTheAnswersOfItsPages) {
    const cli_test::Folder folder;
    const std::string file = folder / "key.html";
    const auto made = cli_test::run({"chapter", "handout", "two-vectors", "--answers", "--language", "zh", "-o", file, "--assets", ATTN_SOURCE_DIR});
    ASSERT_EQ(made.status, 0) << made.err;
    const std::string html = cli_test::bytes_of(file);
    const std::string key = html.substr(html.find("class=\"key\""));
    const Chapter& chapter = *library().find("two-vectors");
    int question_count = 0;
    for (const ChapterPage& page : chapter.pages) {
        if (!page.ask) continue;
        const auto of = run_page(chapter, page, Language::Chinese);
        const PageQuestion question = make_question(*page.ask, *of->context, 1);
        EXPECT_THAT(key, HasSubstr(xml_escaped(page.title[1])));
        if (question.input == AnswerInput::Act) continue;
        const std::string said = key_of(*page.ask, question, *of->context);
        EXPECT_THAT(key, HasSubstr("<strong>" + xml_escaped(said.substr(0, said.find('\n'))))) << page.id;
        ++question_count;
    }
    EXPECT_GT(question_count, 3);
}

TEST(Quiz, OnPaperHasTenNumberedQuestionsAndTheirKey) {
    const cli_test::Folder folder;
    const std::string file = folder / "quiz.html";
    const auto made = cli_test::run({"chapter", "quiz", "--seed", "3", "--language", "en", "-o", file, "--assets", ATTN_SOURCE_DIR});
    ASSERT_EQ(made.status, 0) << made.err;
    const std::string html = cli_test::bytes_of(file);
    const auto key = html.find("class=\"key\"");
    ASSERT_NE(key, std::string::npos);
    const CourseWalk quiz = quiz_of(library(), 3);
    for (int i = 0; i < kQuizQuestions; ++i) {
        const PagePlace place = place_of_page(library(), quiz.pages[static_cast<std::size_t>(i)]);
        const std::string title = std::to_string(i + 1) + ". " + xml_escaped(place.chapter->title[0]);
        EXPECT_LT(html.find("<h2>" + title + "</h2>"), key) << title;
        EXPECT_NE(html.find("<dt>" + title + "</dt>", key), std::string::npos) << title;
    }
}

// ---- sheets ----

double number_in(const std::string& cell) {
    std::string text = cell;
    if (text.starts_with("−")) text.replace(0, std::string("−").size(), "-");
    return std::stod(text);
}

TEST(Worksheet, CanBeSolvedByHandFromThePrintedNumbers) {
    int products = 0, softmaxes = 0;
    for (const char* id : {"softmax-xxt-x", "q-k-v", "one-then-all"})
        for (const Language language : kBothLanguages) {
            const std::vector<SheetTask> tasks = worksheet(*library().find(id), language);
            ASSERT_FALSE(tasks.empty()) << id;
            for (const SheetTask& task : tasks) {
                ASSERT_FALSE(task.made.cells.empty()) << task.page;
                for (std::size_t r = 0; r < task.made.cells.size(); ++r)
                    for (std::size_t c = 0; c < task.made.cells[r].size(); ++c) {
                        const bool share = task.made.cells[r][c].ends_with('%');
                        const double answer = number_in(task.made.cells[r][c]) / (share ? 100 : 1);
                        double by_hand = 0, slack = 0.011;
                        if (task.given.size() == 2 && task.given[0].cols.size() == task.given[1].rows.size() &&
                            task.given[1].cols.size() == task.made.cols.size() && task.given[0].cells.size() == task.made.cells.size()) {
                            for (std::size_t k = 0; k < task.given[0].cols.size(); ++k) {
                                const double a = number_in(task.given[0].cells[r][k]), b = number_in(task.given[1].cells[k][c]);
                                by_hand += a * b;
                                slack += 0.005 * (std::abs(a) + std::abs(b));
                            }
                            ++products;
                        } else if (task.given.size() == 1) {
                            double sum = 0;
                            for (const std::string& cell : task.given[0].cells[r]) sum += std::exp(number_in(cell));
                            by_hand = std::exp(number_in(task.given[0].cells[r][c])) / sum;
                            ++softmaxes;
                            // The intermediate step of the sheet is the same division, of integers.
                            ASSERT_TRUE(task.halfway) << task.page;
                            const auto& powers = task.halfway->cells[r];
                            ASSERT_EQ(powers.size(), task.made.cells[r].size() + 1);
                            for (const std::string& power : powers) EXPECT_EQ(power.find_first_not_of("0123456789"), std::string::npos) << power;
                            EXPECT_TRUE(share);
                            EXPECT_NEAR(number_in(powers[c]) / number_in(powers.back()), answer, 0.02) << task.page;
                        } else {
                            for (const SheetTable& one : task.given) by_hand += number_in(one.cells[r][c]);
                        }
                        EXPECT_NEAR(by_hand, answer, slack) << id << ": " << task.page << ", " << task.made.title;
                    }
            }
        }
    EXPECT_GT(products, 10);
    EXPECT_GT(softmaxes, 4);
}

TEST(Worksheet, HasIntegersIfThePageHas) {
    bool whole = false;
    for (const SheetTask& task : worksheet(*library().find("softmax-xxt-x"), Language::Chinese)) {
        bool integers = true;
        for (const auto& row : task.made.cells)
            for (const std::string& cell : row) integers &= cell.find('.') == std::string::npos;
        whole |= integers;
    }
    EXPECT_TRUE(whole) << "the article's own numbers: 11, 11, 10";
}

TEST(Worksheet, HasEmptyCellsFirstAndTheAnswersOnTheLastSheet) {
    const cli_test::Folder folder;
    const std::string file = folder / "sheet.html";
    const auto made = cli_test::run({"chapter", "handout", "q-k-v", "--worksheet", "-o", file, "--assets", ATTN_SOURCE_DIR});
    ASSERT_EQ(made.status, 0) << made.err;
    const std::string html = cli_test::bytes_of(file);
    EXPECT_THAT(html, HasSubstr("练习纸"));
    const auto key = html.find("class=\"key\"");
    ASSERT_NE(key, std::string::npos);
    EXPECT_NE(html.find("<td></td>"), std::string::npos);
    EXPECT_LT(html.find("<td></td>"), key);
    const std::string last = html.substr(html.rfind("class=\"key\""));
    EXPECT_EQ(last.find("<td></td>"), std::string::npos) << "nothing is left out of the answers";
    const auto both = cli_test::run({"chapter", "handout", "q-k-v", "--worksheet", "--answers", "-o", folder / "x.html"});
    EXPECT_EQ(both.status, 2);
    const auto none = cli_test::run({"chapter", "handout", "who-is-it", "--worksheet", "-o", folder / "y.html", "--assets", ATTN_SOURCE_DIR});
    EXPECT_EQ(none.status, 3);
    EXPECT_THAT(none.err, HasSubstr("computed by hand"));
}

// ---- the plan ----

TEST(LessonPlan, HasEveryPageInOrderWithItsMinutesNotesAndAnswers) {
    const CourseRoute& route = library().routes[1];
    for (const Language language : kBothLanguages) {
        const std::string html = lesson_plan(route, library(), {language});
        std::size_t at = 0;
        for (const std::string& name : route.pages) {
            const std::size_t found = html.find("<strong>" + xml_escaped(in(library().page(name)->title, language)) + "</strong>", at);
            ASSERT_NE(found, std::string::npos) << name;
            at = found;
        }
        EXPECT_THAT(html, HasSubstr("–45</td>"));
        EXPECT_THAT(html, HasSubstr(std::string(tr(Str::lesson_answer, language))));
        EXPECT_THAT(html, Not(HasSubstr("class=\"missing\""))) << "every number of the notes has a value";
        EXPECT_THAT(html, Not(HasSubstr("{token")));
    }
}

TEST(LessonPlan, IsWrittenByTheCommand) {
    const cli_test::Folder folder;
    const std::string file = folder / "plan.html";
    EXPECT_EQ(cli_test::run({"chapter", "plan", "--route", "15", "-o", file, "--assets", ATTN_SOURCE_DIR}).status, 0);
    EXPECT_THAT(cli_test::bytes_of(file), HasSubstr("教案"));
    EXPECT_EQ(cli_test::run({"chapter", "plan", "-o", file}).status, 2) << "which lesson?";
    EXPECT_EQ(cli_test::run({"chapter", "plan", "--route", "30", "-o", folder / "b.html", "--assets", ATTN_SOURCE_DIR}).status, 2);
    EXPECT_EQ(cli_test::run({"chapter", "quiz", "q-k-v", "-o", folder / "c.html"}).status, 2) << "a quiz is of the course";
}

// ---- pictures of pages ----

TEST(Preview, APageThatComparesTwoLargeRunsWaitsForBoth) {
    const cli_test::Folder folder;
    const std::string file = folder / "two.toml";
    cli_test::write_file(file, R"toml(
id = "two"
title = { en = "Two", zh = "两次" }
[[page]]
id = "both"
title = { en = "Both", zh = "两次" }
set = { model = "language", text = { en = "thus saith the", zh = "床前明月" } }
screen = "compare mask"
view = { comparison = { choice = "mask", first = "causal", second = "none" } }
en = "words"
zh = "字"
)toml");
    StudioOptions options;
    options.assets = ATTN_SOURCE_DIR;
    auto studio = Studio::open(std::move(options));
    ASSERT_TRUE(studio) << studio.error().text();
    ASSERT_TRUE(studio->use_chapter(file));
    studio->open_page("two", 0);
    ASSERT_TRUE(studio->picture({1280, 800}));
    EXPECT_FALSE(studio->derived().other.computing);
    EXPECT_GT(studio->derived().part<ComparisonData>().compared.difference.size(), 0) << "what the middle shows";
}

// ---- the exercise in code ----

TEST(Exercise, TheNumPyLinesComputeThePagesTables) {
    if (std::system("/usr/bin/python3 -c 'import numpy'") != 0) GTEST_SKIP() << "no numpy for /usr/bin/python3";
    const Chapter& chapter = *library().find("one-then-all");
    const ChapterPage* page = library().page("one-then-all/numpy");
    ASSERT_TRUE(page);
    std::string program = "import sys, numpy as np\n";
    for (const Language language : kBothLanguages) {
        std::string lines;
        for (const ProseBlock& block : in(page->say, language).blocks)
            if (block.kind == ProseBlock::Kind::Item) lines += (lines.empty() ? "" : "    ") + block.spans.front().text + "\n";
        ASSERT_THAT(lines, HasSubstr("return A @ V"));
        if (language == Language::English) program += lines;
        else EXPECT_THAT(program, HasSubstr(lines)) << "both languages have the same program";
    }
    const cli_test::Folder folder;
    const auto of = run_page(chapter, *page, Language::English);
    ASSERT_TRUE(of);
    // As the notes say: X is the input, and a head has four columns of each matrix.
    ASSERT_THAT(words_of(page->notes[0]), HasSubstr("columns 8:12"));
    program +=
        "t = np.load(sys.argv[1])\n"
        "y = attention(t['inputs'], *(t[w + '_weight'][:, 8:12] for w in ('query', 'key', 'value')))\n"
        "assert np.allclose(y, t['head_output.h3'], atol=1e-4), abs(y - t['head_output.h3']).max()\n"
        "assert not np.allclose(y, t['head_output.h2'], atol=1e-4)\n";
    cli_test::write_file(folder / "exercise.py", program);
    cli_test::write_file(folder / "page.json", attn::document_to_json(of->document));
    const auto traced = cli_test::run({"trace", folder / "page.json", "--format", "npz", "-o", folder / "page.npz"});
    ASSERT_EQ(traced.status, 0) << traced.err;
    const std::string command = "/usr/bin/python3 " + (folder / "exercise.py") + " " + (folder / "page.npz") + " > " + (folder / "said") + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << cli_test::bytes_of(folder / "said") << program;
}

}  // namespace
}  // namespace app
