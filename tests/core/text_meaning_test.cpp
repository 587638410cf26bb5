#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

// First: compilers take its Source::Meaning for one that hides what meaning.h declares, where other tests follow in the
// same batch.
#include "core/attention/inputs.h"
#include "core/text/inflection.h"
#include "core/text/meaning.h"

namespace attn {
namespace {

double dot(const Meaning& a, const Meaning& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

Meaning of(std::string_view word) {
    const auto meaning = meaning_of(word);
    EXPECT_TRUE(meaning.has_value()) << word;
    return meaning.value_or(Meaning{});
}

double similarity(std::string_view a, std::string_view b) { return dot(of(a), of(b)); }

double norm(std::string_view word) { return std::sqrt(similarity(word, word)); }

/// Row `query` of softmax(X Xᵀ / divisor) over a sentence.
std::vector<double> shares(const std::vector<std::string>& sentence, std::size_t query, double divisor = 1) {
    std::vector<double> row;
    for (const std::string& word : sentence) row.push_back(std::exp(similarity(sentence[query], word) / divisor));
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (double& share : row) share /= sum;
    return row;
}

const std::set<std::string_view> kFunctionWords = {
    "the",  "a",    "an",    "this", "that",  "and",  "or",     "but",  "because", "if",  "so",     "of",    "to",
    "in",   "on",   "at",    "by",   "for",   "from", "with",   "over", "under",   "up",  "down",   "here",  "there",
    "then", "is",   "are",   "am",   "was",   "were", "be",     "do",   "does",    "did", "didn't", "don't", "have",
    "has",  "had",  "can",   "will", "would", "not",  "no",     "yes",  "very",    "too", "all",    "some",  "more",
    "as",   "what", "where", "when", "why",   "how",  "的",     "了",   "着",      "在",  "是",     "不",    "没",
    "有",   "和",   "也",    "都",   "很",    "太",   "就",     "这",   "那",      "个",  "吗",     "呢",    "吧",
    "把",   "从",   "到",    "因为", "所以",  "什么", "为什么", "会",   "能",
    "只",   "辆",   "本",    "条",   "张",   "位"};

const std::set<std::string_view> kPronouns = {"i",  "me",  "my", "you",  "your", "he",   "him",  "his", "she", "her",
                                              "it", "its", "we", "us",   "our",  "they", "them", "who", "我",  "你",
                                              "他", "她",  "它", "我们", "你们", "他们", "们",   "谁",  "自己"};

TEST(Meaning, HasEightNamedFeatures) {
    EXPECT_EQ(meaning_features().size(), static_cast<std::size_t>(kMeaningWidth));
    const std::set<std::string_view> distinct(meaning_features().begin(), meaning_features().end());
    EXPECT_EQ(distinct.size(), meaning_features().size());
}

TEST(Meaning, EveryRowIsReadableDistinctAndOfTheLengthOfItsKind) {
    EXPECT_GE(meaning_words().size(), 300u);
    std::set<Meaning> seen;
    for (const std::string_view word : meaning_words()) {
        const Meaning meaning = of(word);
        EXPECT_TRUE(seen.insert(meaning).second) << word << " has the numbers of another word";
        for (const float value : meaning) {
            EXPECT_GE(value, -1.2f) << word;
            EXPECT_LE(value, 1.6f) << word;
            EXPECT_NEAR(value * 100, std::round(value * 100), 1e-3) << word;
        }
        const bool small = kFunctionWords.contains(word);
        const bool pronoun = kPronouns.contains(word);
        EXPECT_GE(norm(word), small ? 0.15 : pronoun ? 0.7 : 1.1) << word;
        EXPECT_LE(norm(word), small ? 0.8 : pronoun ? 1.1 : 1.45) << word;
    }
    for (const auto& words : {kFunctionWords, kPronouns}) {
        for (const std::string_view word : words) of(word);
    }
}

// Nothing may outshine a word in its own row by much: at most a fifth in the score.
TEST(Meaning, NoWordDominatesTheRowOfAnother) {
    for (const std::string_view a : meaning_words()) {
        if (kFunctionWords.contains(a) || kPronouns.contains(a)) continue;
        for (const std::string_view b : meaning_words()) EXPECT_LT(similarity(a, b), similarity(a, a) + 0.2) << a << b;
    }
}

struct Triple {
    std::string_view word, near, far;
};

const Triple kTriples[] = {
    {"cat", "dog", "street"},
    {"cat", "kitten", "morning"},
    {"cat", "猫", "狗"},
    {"cat", "mouse", "chair"},
    {"dog", "chase", "table"},
    {"dog", "puppy", "law"},
    {"animal", "horse", "city"},
    {"bird", "fly", "read"},
    {"fish", "swim", "speak"},
    {"it", "animal", "street"},
    {"it", "cat", "time"},
    {"tired", "sleep", "number"},
    {"tired", "sad", "happy"},
    {"good", "happy", "bad"},
    {"good", "beautiful", "street"},
    {"bad", "sad", "good"},
    {"love", "like", "hate"},
    {"love", "friend", "table"},
    {"i", "you", "street"},
    {"i", "love", "the"},
    {"he", "man", "mat"},
    {"she", "woman", "car"},
    {"king", "queen", "apple"},
    {"man", "boy", "river"},
    {"mother", "father", "ball"},
    {"brother", "sister", "sky"},
    {"teacher", "student", "cow"},
    {"teacher", "school", "fish"},
    {"morning", "evening", "dog"},
    {"morning", "early", "late"},
    {"today", "tomorrow", "book"},
    {"summer", "winter", "word"},
    {"run", "walk", "sleep"},
    {"run", "fast", "slow"},
    {"sit", "chair", "word"},
    {"sat", "stand", "red"},
    {"eat", "apple", "law"},
    {"drink", "water", "robot"},
    {"see", "look", "jump"},
    {"say", "speak", "mat"},
    {"think", "know", "run"},
    {"learn", "reading", "horse"},
    {"read", "book", "river"},
    {"word", "language", "cow"},
    {"attention", "mind", "door"},
    {"red", "blue", "run"},
    {"one", "two", "dog"},
    {"three", "四", "mother"},
    {"house", "room", "week"},
    {"street", "road", "animal"},
    {"street", "cross", "love"},
    {"river", "water", "teacher"},
    {"bank", "river", "cat"},
    {"bank", "money", "cat"},
    {"sun", "sky", "brother"},
    {"machine", "computer", "bird"},
    {"robot", "machine", "flower"},
    {"hello", "friend", "road"},
    {"not", "bad", "good"},
    {"did", "run", "tree"},
    {"早", "上", "好"},
    {"早上", "今天", "猫"},
    {"早上", "morning", "街"},
    {"朋友", "friend", "车"},
    {"好", "朋友", "街"},
    {"我", "你", "垫子"},
    {"我", "爱", "门"},
    {"爱", "喜欢", "恨"},
    {"爱", "love", "跑"},
    {"猫", "狗", "早上"},
    {"猫", "追", "书"},
    {"老鼠", "mouse", "学校"},
    {"小猫", "小狗", "时间"},
    {"小猫", "玩", "数"},
    {"坐", "垫子", "学习"},
    {"坐", "sat", "红"},
    {"天气", "今天", "狗"},
    {"天气", "雨", "妈妈"},
    {"学习", "learn", "猫"},
    {"学习", "学校", "鱼"},
    {"机器", "machine", "鸟"},
    {"机器", "机器人", "花"},
    {"世界", "world", "茶"},
    {"世界", "中国", "二"},
    {"注意力", "attention", "河"},
    {"有趣", "fun", "街"},
    {"它", "动物", "街"},
    {"累", "tired", "快乐"},
    {"因为", "because", "的"},
    {"妈妈", "爸爸", "路"},
    {"一", "二", "马"},
    {"红", "red", "走"},
    {"看", "see", "吃"},
    {"书", "读", "雪"},
    {"说", "话", "树"},
    {"吃", "苹果", "夜"},
};

TEST(Meaning, RelatedWordsHaveTheLargerInnerProduct) {
    EXPECT_GE(std::size(kTriples), 60u);
    for (const Triple& row : kTriples) {
        EXPECT_GT(similarity(row.word, row.near), similarity(row.word, row.far) + 0.05)
            << row.word << ": " << row.near << " against " << row.far;
    }
}

TEST(Meaning, GoodMorningInChineseLooksAsItShould) {
    const std::vector<double> row = shares({"早", "上", "好"}, 0);
    EXPECT_GE(row[0], row[1]);
    EXPECT_GT(row[1], row[2]);
    for (const double share : {row[0], row[1]}) {
        EXPECT_GE(share, 0.35);
        EXPECT_LE(share, 0.45);
    }
    EXPECT_GE(row[2], 0.15);
    EXPECT_LE(row[2], 0.27);
    const std::vector<double> scaled = shares({"早", "上", "好"}, 0, std::sqrt(8.0));
    EXPECT_GE(scaled[0], scaled[1]);
    EXPECT_GT(scaled[1], scaled[2]);
}

TEST(Meaning, TheTiredCatLooksAtWhatItIsAndDoes) {
    const std::vector<double> row = shares({"the", "tired", "cat", "sat", "down"}, 2);
    EXPECT_GT(row[2], row[3]);
    for (const std::size_t content : {1u, 3u}) {
        EXPECT_GT(row[content], row[0]);
        EXPECT_GT(row[content], row[4]);
    }
}

TEST(Meaning, ItIsTheAnimal) {
    const std::vector<std::string> sentence = {"the",     "animal", "didn't", "cross", "the",  "street",
                                               "because", "it",     "was",    "too",   "tired"};
    const std::vector<double> row = shares(sentence, 7);
    EXPECT_EQ(std::max_element(row.begin(), row.end()) - row.begin(), 1);
    EXPECT_GT(row[1], 1.5 * row[5]);
}

TEST(Meaning, IsFoundInAnyCaseAndForm) {
    EXPECT_EQ(meaning_of("Cat"), meaning_of("cat"));
    EXPECT_EQ(meaning_of("DIDN\u2019T"), meaning_of("didn't"));
    EXPECT_EQ(meaning_of("cats"), meaning_of("cat"));
    EXPECT_EQ(meaning_of("Dog's"), meaning_of("dog"));
    EXPECT_EQ(meaning_of("chased"), meaning_of("chase"));
    EXPECT_EQ(meaning_of("running"), meaning_of("run"));
    EXPECT_EQ(meaning_of("flies"), meaning_of("fly"));
    EXPECT_EQ(meaning_of("crosses"), meaning_of("cross"));
    for (const std::string_view unknown : {"", " ", "xyzzy", "麒麟", "\xE6", "ca", "used", "bus", "seed", "ss"}) {
        EXPECT_FALSE(meaning_of(unknown).has_value()) << unknown;
    }
    EXPECT_FALSE(meaning_of(std::string(1'000'000, 'a')).has_value());
}

TEST(Meaning, KnowsHowLongItsWordsAre) { EXPECT_EQ(longest_meaning_word(), 3u); }

}  // namespace
}  // namespace attn
