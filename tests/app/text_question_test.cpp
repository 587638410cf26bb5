// The question about a text: which word a pronoun refers to, what a head was trained on, and how the answer is animated.
#include "app/state/text_question.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <tuple>
#include <vector>

#include "app/content/number_text.h"
#include "app/explain/head_names.h"
#include "app/state/examples.h"
#include "app/state/opening.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/text/unicode.h"
#include "core/text/word_kind.h"
#include "places.h"
#include "tests/app/state_fixture.h"

namespace app {
namespace {

using app_test::Bench;

std::optional<TextQuestion> question_of(std::string_view model, std::string_view text, int head = 0, Language language = Language::English) {
    attn::Document document;
    document.text = text;
    if (!model.empty()) attn::take_model(document, attn::shipped_model(model));
    const auto run = attn::run(document);
    EXPECT_TRUE(run);
    return run ? question_of_text(document, *run, head, language) : std::nullopt;
}

TEST(TextQuestion, AsksWhatAPronounMeans) {
    const auto question = question_of("questions", "the boy saw the bird and it ran");
    ASSERT_TRUE(question);
    EXPECT_EQ(question->title, "Which word does “it” mean?");
    EXPECT_EQ(question->word, "it");
    EXPECT_EQ(question->answer, "bird");
    const auto chinese = question_of("it", "那只动物没过那条街因为它太累了", 0, Language::Chinese);
    ASSERT_TRUE(chinese);
    EXPECT_EQ(chinese->title, "“它”指的是谁？");
    EXPECT_EQ(chinese->answer, "动物");
    EXPECT_EQ(question_of("it", "the animal didn't cross the street because it was too wide")->answer, "street");
}

/// The weight of "it" on the noun in the two layers; the model has no row of its own for the noun.
std::string answer_of_two_layers(std::string text, std::string_view reason, std::string_view noun, Language language) {
    EXPECT_FALSE(attn::shipped_model("it")->rows.contains(std::string(noun))) << noun << " trained";
    text.replace(text.find("{}"), 2, reason);
    const auto question = question_of("it", text, 0, language);
    return question ? question->answer : "";
}

/// One word decides, about two nouns that were never in the training.
TEST(TextQuestion, TheTwoLayersWorkForUntrainedWords) {
    struct Turn {
        const char *text, *first, *then, *second, *other;
        Language language = Language::English;
    };
    constexpr Turn kTurns[] = {
        {"the trophy did not fit in the suitcase because it was too {}", "big", "trophy", "small", "suitcase"},
        {"the trophy doesn't fit into the suitcase because it is too {}", "large", "trophy", "narrow", "suitcase"},
        {"the donkey could not carry the sack because it was too {}", "weak", "donkey", "heavy", "sack"},
        {"奖杯放不进箱子，因为它太{}了", "大", "奖杯", "小", "箱子", Language::Chinese},
    };
    for (const Turn& turn : kTurns) {
        EXPECT_EQ(answer_of_two_layers(turn.text, turn.first, turn.then, turn.language), turn.then);
        EXPECT_EQ(answer_of_two_layers(turn.text, turn.second, turn.other, turn.language), turn.other);
    }
    EXPECT_FALSE(attn::shipped_model("it")->sure.empty()) << "how often such answers were right is on record";
}

/// Tired or wide, for any animal and any place.
TEST(TextQuestion, TiredAndWideWorkForUntrainedWords) {
    int right = 0, all = 0;
    const auto ask = [&](const std::string& text, const char* tired, const char* beast, const char* wide, const char* way, Language language) {
        right += answer_of_two_layers(text, tired, beast, language) == beast;
        right += answer_of_two_layers(text, wide, way, language) == way;
        all += 2;
    };
    for (const char* beast : {"camel", "donkey", "badger", "otter", "hamster", "gazelle"})
        for (const char* way : {"canal", "canyon", "lake", "valley"})
            ask(std::string("the ") + beast + " didn't cross the " + way + " because it was too {}", "tired", beast, "wide", way, Language::English);
    for (const char* beast : {"骡子", "羚羊"})
        for (const char* way : {"峡谷", "草原", "沙漠"})
            ask(std::string("那只") + beast + "没过那片" + way + "，因为它太{}了", "累", beast, "宽", way, Language::Chinese);
    EXPECT_GE(right, 0.95 * all) << right << " of " << all;
}

/// tests/data/sentences.txt: sentence, pronoun, the word to which it refers.
std::vector<std::array<std::string, 3>> natural_sentences() {
    std::vector<std::array<std::string, 3>> out;
    std::ifstream file(std::string(ATTN_SOURCE_DIR) + "/tests/data/sentences.txt");
    for (std::string line; std::getline(file, line);) {
        const auto first = line.find('|'), last = line.rfind('|');
        if (line.starts_with('#') || first == std::string::npos) continue;
        out.push_back({line.substr(0, first), line.substr(first + 1, last - first - 1), line.substr(last + 1)});
    }
    return out;
}

TEST(TextQuestion, IsSensibleForEverydaySentences) {
    int sentences = 0, questions = 0, tokens = 0, known = 0;
    for (const auto& [text, pronoun, answer] : natural_sentences()) {
        attn::Document document;
        document.text = text;
        attn::take_model(document, attn::shipped_model("questions"));
        const auto run = attn::run(document);
        ASSERT_TRUE(run);
        for (int i = 0; i < static_cast<int>(run->trace.tokens.size()); ++i, ++tokens) known += attn::is_blank(*run, i) ? 0 : 1;
        ++sentences;
        const auto question = question_of_text(document, *run, 0, Language::English);
        if (!question) continue;
        for (const std::string& word : {run->trace.tokens[static_cast<std::size_t>(question->query)], run->trace.tokens[static_cast<std::size_t>(question->key)]}) {
            EXPECT_NE(attn::word_kind(word), attn::WordKind::Blank) << text << ": " << word;
            // The last head can answer with any word: its answers are positions, not words.
            EXPECT_TRUE(question->head == 3 || attn::word_kind(word) != attn::WordKind::Function) << text << ": " << word;
        }
        ++questions;
    }
    EXPECT_GE(sentences, 200);
    EXPECT_GE(known, 0.98 * tokens) << known << " of " << tokens;
    EXPECT_GE(questions, 0.95 * sentences) << questions << " of " << sentences;
}

/// One sentence per line; of tests/data/natural.txt (made by the script beside it), or of the file that ATTENSCOPE_SENTENCES
/// names.
std::vector<std::string> sentences_of_others() {
    const char* named = std::getenv("ATTENSCOPE_SENTENCES");
    std::ifstream file(named ? std::string(named) : std::string(ATTN_SOURCE_DIR) + "/tests/data/natural.txt");
    std::vector<std::string> out;
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && !line.starts_with('#')) out.push_back(line);
    return out;
}

TEST(TextQuestion, IsSensibleForForeignSentences) {
    int sentences = 0, tokens = 0, known = 0, questions = 0, pronouns = 0, answered = 0, blank = 0, unsure = 0;
    for (const std::string& text : sentences_of_others()) {
        attn::Document document;
        document.text = text;
        attn::take_model(document, attn::shipped_model("questions"));
        const auto run = attn::run(document);
        ASSERT_TRUE(run);
        ++sentences;
        for (int i = 0; i < static_cast<int>(run->trace.tokens.size()); ++i, ++tokens) known += attn::is_blank(*run, i) ? 0 : 1;
        const auto question = question_of_text(document, *run, 0, Language::English);
        if (!question) continue;
        const auto& words = run->trace.tokens;
        const auto query = static_cast<std::size_t>(question->query), key = static_cast<std::size_t>(question->key);
        const bool sensible = attn::word_kind(words[query]) != attn::WordKind::Blank && attn::word_kind(words[query]) != attn::WordKind::Function &&
                              (question->head == 3 || attn::word_kind(words[key]) != attn::WordKind::Function);
        EXPECT_TRUE(sensible) << text << ": " << question->title << ' ' << question->says;
        questions += sensible;
        pronouns += attn::refers_back(words[query]);
        const auto data = opening_data(document, *run, 0, Language::English, question, -1);
        ASSERT_TRUE(data);
        (data->doubt == Doubt::Blank ? blank : data->doubt == Doubt::Unsure ? unsure : answered) += 1;
        if (std::getenv("ATTENSCOPE_SENTENCES")) std::cout << text << '\t' << question->title << '\t' << question->says << '\t' << static_cast<int>(data->doubt) << '\n';
    }
    EXPECT_GE(sentences, 200);
    EXPECT_GE(known, 0.98 * tokens) << known << " of " << tokens << ": a dictionary gives examples of its rare words";
    EXPECT_GE(questions, 0.95 * sentences) << questions << " of " << sentences;
    EXPECT_GT(answered, 0.5 * sentences);
    std::cout << sentences << " sentences, " << known << " of " << tokens << " tokens known; asked " << questions << ", of these pronouns " << pronouns << "; told " << answered
              << ", a word is blank " << blank << ", unsure " << unsure << '\n';
}

/// Answers called sure are right: the rates for the sentences with known answers (tests/data/sentences.txt).
TEST(TextQuestion, SureAnswersAreMostlyRight) {
    int sure = 0, right = 0, all = 0;
    for (const auto& [text, pronoun, answer] : natural_sentences()) {
        if (answer == "-") continue;
        attn::Document document;
        document.text = text;
        attn::take_model(document, attn::shipped_model("questions"));
        const auto run = attn::run(document);
        ASSERT_TRUE(run);
        const auto& words = run->trace.tokens;
        int asks = -1;
        for (int i = 0; i < static_cast<int>(words.size()); ++i)
            if (attn::fold_case(words[static_cast<std::size_t>(i)]) == attn::fold_case(pronoun)) asks = i;
        const auto question = question_of_text(document, *run, 0, Language::English);
        if (asks < 0 || !question || run->trace[question->weights].tag.head != 0) continue;
        const auto data = opening_data(document, *run, 0, Language::English, question, asks);
        ASSERT_TRUE(data);
        ++all;
        const auto share = sure_share(document, 0, "it", data->shares[static_cast<std::size_t>(data->key)]);
        if (data->doubt != Doubt::None || !share || *share < 0.8) continue;
        ++sure;
        right += attn::fold_case(data->words[static_cast<std::size_t>(data->key)]) == attn::fold_case(answer);
    }
    EXPECT_GE(sure, 60);
    EXPECT_GE(right, 0.9 * sure) << right << " of " << sure;
    std::cout << "of " << all << " pronouns " << sure << " are told with a record of 80 % and more, " << right << " of these are right\n";
}

TEST(TextQuestion, NeverInvolvesAnUnknownWord) {
    for (const char* text : {"she plays the xylophon and it sounds nice", "the blorf was hungry", "it zzyx"})
        for (int head = 0; head < 4; ++head) {
            attn::Document document;
            document.text = text;
            attn::take_model(document, attn::shipped_model("questions"));
            const auto run = attn::run(document);
            ASSERT_TRUE(run);
            EXPECT_EQ(run->unknown.size(), 1u) << text;
            if (const auto question = question_of_text(document, *run, head, Language::English)) {
                EXPECT_FALSE(attn::is_blank(*run, question->query)) << text;
                EXPECT_FALSE(attn::is_blank(*run, question->key)) << text;
            }
        }
}

TEST(TextQuestion, ItsNumberIsTheLargestOfTheRow) {
    attn::Document document;
    document.text = "the boy saw the bird and it ran";
    attn::take_model(document, attn::shipped_model("questions"));
    const auto run = attn::run(document);
    ASSERT_TRUE(run);
    for (int head = 0; head < 4; ++head) {
        const auto question = question_of_text(document, *run, head, Language::English);
        ASSERT_TRUE(question) << head;
        const attn::Step& step = run->trace[question->weights];
        EXPECT_EQ(step.tag.head, head);
        const float weight = step.value(question->query, question->key);
        EXPECT_EQ(weight, step.value.row(question->query).maxCoeff());
        EXPECT_NE(question->says.find(weight_text(static_cast<double>(weight))), std::string::npos) << question->says;
    }
}

TEST(TextQuestion, OtherHeadsHaveTheirOwnAndUntrainedOnesNone) {
    const auto question = question_of("questions", "the tired cat sat down", 2);
    ASSERT_TRUE(question);
    EXPECT_NE(question->title.find("What does this word describe?"), std::string::npos) << question->title;
    EXPECT_FALSE(question_of("", "the boy saw the bird and it ran")) << "identity matrices were asked nothing";
    EXPECT_FALSE(question_of("sort", "t c k a p >")) << "letters have no pronouns";
    EXPECT_FALSE(question_of("questions", "it"));
}

TEST(TextQuestion, TheWalkExplainsTheQuestion) {
    Bench bench(opening_document(Language::English));
    bench.view().asking = Asking::Asked;
    bench.pass(0.1);
    ASSERT_TRUE(bench.derived.question);
    bench.act(GoToStop{stop_of(bench.derived.timeline, bench.derived.run->trace, bench.derived.run->trace[bench.derived.question->weights].tag), 0.5});
    ASSERT_TRUE(bench.derived.explained);
    EXPECT_EQ(bench.derived.explained->row, bench.derived.question->query);
    EXPECT_EQ(bench.derived.explained->col, bench.derived.question->key);
}

/// Two layers: the first finds what decides, the second the referent. The steps follow the pronoun through both, whether the
/// question was asked or not, and give the second as much time as the first.
TEST(TextQuestion, TheWalkFollowsThePronounThroughTheLayers) {
    attn::Document document;
    document.text = "the animal didn't cross the street because it was too tired";
    attn::take_model(document, attn::shipped_model("it"));
    for (const Asking asking : {Asking::None, Asking::Answered}) {
        Bench bench(document);
        bench.view().asking = asking;
        bench.pass(0.01);
        const auto shown_in = [&](std::int16_t layer) {
            attn::Tag tag{attn::Role::Weights};
            for (const attn::Step& step : bench.derived.run->trace.steps)
                if (step.tag.role == attn::Role::Weights && step.tag.layer == layer) tag = step.tag;
            const int stop = stop_of(bench.derived.timeline, bench.derived.run->trace, tag);
            bench.act(GoToStop{stop, 0.9});
            EXPECT_TRUE(bench.derived.explained);
            const auto& tokens = bench.derived.run->trace.tokens;
            const attn::Cell cell = *bench.derived.explained;
            const Stop& at = bench.derived.timeline.stops[static_cast<std::size_t>(stop)];
            return std::tuple(tokens[static_cast<std::size_t>(cell.row)], tokens[static_cast<std::size_t>(cell.col)], at.motion + at.rest);
        };
        const auto [asks, answers, seconds] = shown_in(0);
        const auto [asks_then, answers_then, seconds_then] = shown_in(1);
        EXPECT_EQ(asks + " " + answers, "it tired");
        EXPECT_EQ(asks_then + " " + answers_then, "it animal");
        EXPECT_GE(seconds_then, 0.9 * seconds);
        EXPECT_GT(seconds_then, 3);
    }
    // After the question is closed, layer 0 still explains its own answer; in layer 1 the same word attends elsewhere.
    Bench left(document);
    left.view().asking = Asking::Asked;
    left.pass(0.01);
    left.act(OpeningAction{OpeningAction::Do::Answer});
    left.act(OpeningAction{OpeningAction::Do::LookInside});
    const int first = stop_of(left.derived.timeline, left.derived.run->trace, left.view().playhead.tag);
    ASSERT_GE(first, 0);
    for (std::size_t i = 0; i < left.derived.timeline.stops.size(); ++i) {
        const attn::Tag& tag = left.derived.run->trace[left.derived.timeline.stops[i].step].tag;
        if (tag.role != attn::Role::Weights || tag.layer != 0) continue;
        left.act(GoToStop{static_cast<int>(i), 0.9});
        ASSERT_TRUE(left.derived.explained);
        EXPECT_EQ(left.derived.run->trace.tokens[static_cast<std::size_t>(left.derived.explained->col)], "tired");
    }
}

TEST(TextQuestion, MayBeMissing) {
    Bench bench;
    EXPECT_EQ(bench.view().asking, Asking::None);
    EXPECT_FALSE(bench.derived.question);
    bench.act(Play{true});
    EXPECT_EQ(bench.view().asking, Asking::None);
}

}  // namespace
// Numbers as they are written: a list with its sum on the screen can be checked by hand.

/// In a narrow place a number loses the zero before its point, then a decimal; a number that is not 0 never reads as 0.
TEST(NumberText, ShortensInANarrowRow) {
    const auto in = [](float value, std::size_t signs) {
        return short_row_text(value, [signs](std::string_view text) {
            return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; })) <= signs;
        });
    };
    EXPECT_EQ(in(1.73f, 4), "1.73");
    EXPECT_EQ(in(1.73f, 3), "1.7");
    EXPECT_EQ(in(-0.45f, 4), number_text(-0.45f).substr(0, number_text(-0.45f).find('0')) + ".45");
    EXPECT_EQ(in(-1.73f, 4), number_text(-1.73f, 1));
    EXPECT_EQ(in(28.51f, 4), "28.5");
    EXPECT_EQ(in(0.0004f, 3), "");
    EXPECT_EQ(in(0.0004f, 5), ".0004");
    EXPECT_EQ(in(0.45f, 2), "");
}

TEST(NumberText, HasAsManyDecimalsAsTheSumNeeds) {
    const std::vector<float> plain{0.25f, 0.5f}, thirds{1 / 3.f, 1 / 3.f, 1 / 3.f}, odd{0.125f, 0.125f, 0.125f, 0.125f};
    EXPECT_EQ(decimals_that_add_up(plain, 0.75f), 2);
    EXPECT_EQ(decimals_that_add_up(thirds, 1), 0) << "0.33 three times is never 1";
    EXPECT_EQ(decimals_that_add_up(odd, 0.5f), 3) << "0.12 four times is 0.48";
    EXPECT_EQ(decimals_that_add_up({}, 0), 2);
}

TEST(NumberText, TheWrittenListSumsToItsTotal) {
    std::uint32_t state = 7;
    int more = 0;
    for (int round = 0; round < 400; ++round) {
        std::vector<float> parts;
        double exact = 0;
        for (int i = 0; i < 6; ++i) {
            state = state * 1664525u + 1013904223u;
            parts.push_back(static_cast<float>(state >> 8) / 16777216.0f - 0.5f);
            exact += static_cast<double>(parts.back());
        }
        const auto sum = static_cast<float>(exact);
        const int decimals = decimals_that_add_up(parts, sum);
        more += decimals > 2;
        if (decimals == 0) continue;
        const auto read = [&](float value) {
            std::string text = number_text(value, decimals);
            if (text.starts_with("−")) text = "-" + text.substr(std::string("−").size());
            return std::llround(std::stod(text) * std::pow(10.0, decimals));
        };
        long long added = 0;
        for (const float part : parts) added += read(part);
        EXPECT_EQ(added, read(sum)) << round;
    }
    EXPECT_GT(more, 40);
}

}  // namespace app
