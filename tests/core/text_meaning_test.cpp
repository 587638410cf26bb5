#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

// Included first: where other tests follow in the same batch, compilers warn that its Source::Meaning hides what
// meaning.h declares.
#include "core/attention/inputs.h"
#include "core/text/inflection.h"
#include "core/text/meaning.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

double dot(const MeaningVector& a, const MeaningVector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

MeaningVector of(std::string_view word) {
    const auto meaning = meaning_of(word);
    EXPECT_TRUE(meaning.has_value()) << word;
    return meaning.value_or(MeaningVector{});
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
    "只",   "辆",   "本",    "条",   "张",   "位",
    "which", "although", "though", "while", "until", "before", "after", "since", "during", "without", "about",
    "into", "onto", "through", "between", "near", "behind", "above", "below", "off", "out", "around", "across",
    "along", "against", "than", "also", "just", "only", "even", "still", "already", "yet", "ever", "soon",
    "should", "could", "must", "may", "might", "shall", "these", "those", "each", "every", "any", "both", "few",
    "much", "most", "other", "another", "such", "own", "same", "been", "being", "isn't", "wasn't", "aren't",
    "weren't", "can't", "cannot", "couldn't", "won't", "wouldn't", "doesn't", "hasn't", "haven't", "hadn't",
    "shouldn't", "it's", "that's", "there's", "let's", "really", "quite", "maybe", "perhaps", "however",
    "therefore", "nor", "unless", "whether", "toward", "towards", "upon", "inside", "outside", "away", "back",
    "else", "oh", "enough", "together", "被", "让", "当", "虽然", "但是", "但", "而", "而且", "或者", "或", "还是", "如果", "要是",
    "然后", "于是", "才", "又", "再", "还", "已经", "正在", "刚", "刚刚", "总是", "一直", "非常", "特别", "真", "最", "更", "比", "跟", "与",
    "对", "向", "往", "为", "为了", "用", "得", "之", "这里", "那里", "这儿", "那儿", "哪里", "怎么", "几", "每", "些", "并", "可是", "不过",
    "啊", "呀", "嘛", "别", "没有", "可以", "应该", "必须", "可能", "一起", "时候", "以后", "以前", "块", "杯", "件", "朵", "棵", "座", "台",
    "颗", "匹", "头", "群", "间", "封", "首", "幅", "双", "份", "顿", "架", "支", "名", "瓶"};

const std::set<std::string_view> kPronouns = {"i",  "me",  "my", "you",  "your", "he",   "him",  "his", "she", "her",
                                              "it", "its", "we", "us",   "our",  "they", "them", "who", "我",  "你",
                                              "他", "她",  "它", "我们", "你们", "他们", "们",   "谁",  "自己",
    "their", "它们", "她们", "您", "咱们", "大家", "别人",
    "everyone", "everybody", "someone", "somebody", "anyone", "nobody", "something", "anything", "everything", "nothing", "myself", "yourself",
    "himself", "herself", "itself", "ourselves", "themselves", "mine", "yours", "hers", "ours", "theirs", "whose", "whom"};

TEST(Meaning, HasEightNamedFeatures) {
    EXPECT_EQ(meaning_features().size(), static_cast<std::size_t>(kMeaningWidth));
    const std::set<std::string_view> distinct(meaning_features().begin(), meaning_features().end());
    EXPECT_EQ(distinct.size(), meaning_features().size());
}

TEST(Meaning, EveryRowIsReadableDistinctAndOfItsKindsLength) {
    EXPECT_GE(meaning_words().size(), 300u);
    std::set<MeaningVector> seen;
    for (const std::string_view word : meaning_words()) {
        const MeaningVector meaning = of(word);
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

TEST(Meaning, GoodMorningInChineseHasTheExpectedWeights) {
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

TEST(Meaning, TheTiredCatAttendsToItsAttributes) {
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
    for (const std::string_view unknown : {"", " ", "xyzzy", "xylophon", "龘", "\xE6", "😀", "ss"}) {
        EXPECT_FALSE(meaning_of(unknown).has_value()) << unknown;
    }
    EXPECT_FALSE(meaning_of(std::string(1'000'000, 'a')).has_value());
    EXPECT_TRUE(meaning_of("unsurprisingly").has_value());
    // Without a limit each prefix and each suffix would be tried with all others: 2 to the 30th combinations.
    std::string made;
    for (int i = 0; i < 15; ++i) made = "un" + made + "ly";
    EXPECT_FALSE(meaning_of(made).has_value());
}

TEST(Meaning, KnowsHowLongItsWordsAre) {
    std::size_t longest = 0;
    for (const std::string_view word : derived_words())
        if (static_cast<unsigned char>(word[0]) >= 0x80) longest = std::max(longest, code_points(word));
    EXPECT_EQ(longest_meaning_word(), longest);
}

TEST(DerivedMeanings, AreTwentyThousandWordsInEachLanguage) {
    std::size_t english = 0, chinese = 0;
    const std::vector<std::string_view> words = derived_words();
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end()));
    EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
    for (const std::string_view word : words) {
        ++(static_cast<unsigned char>(word[0]) < 0x80 ? english : chinese);
        const auto row = derived_meaning(word);
        ASSERT_TRUE(row) << word;
        EXPECT_LT(std::sqrt(dot(*row, *row)), 1.5) << word;
        EXPECT_TRUE(find_meaning(word)) << word;
        EXPECT_GE(usualness(word), 0) << word;
        EXPECT_LE(usualness(word), 25) << word;
    }
    EXPECT_GE(english, 20000u);
    EXPECT_GE(chinese, 20000u);
}

/// The correlation between meanings chosen by hand and meanings derived without them, over the words that have both.
std::array<double, kMeaningWidth> agreement(bool chinese) {
    std::array<double, kMeaningWidth> out{};
    for (std::size_t f = 0; f < out.size(); ++f) {
        double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
        for (const std::string_view word : meaning_words()) {
            const auto derived = derived_meaning(word);
            if (!derived || dot(*derived, *derived) < 0.1 || (static_cast<unsigned char>(word[0]) >= 0x80) != chinese) continue;
            const double a = static_cast<double>(of(word)[f]), b = static_cast<double>((*derived)[f]);
            n += 1, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
        }
        EXPECT_GE(n, 200);
        out[f] = (xy - x * y / n) / std::sqrt((xx - x * x / n) * (yy - y * y / n));
    }
    return out;
}

TEST(DerivedMeanings, AgreeWithTheRowsThatWereChosenByHand) {
    for (const double column : agreement(false)) EXPECT_GE(column, 0.65);
    for (const double column : agreement(true)) EXPECT_GE(column, 0.45);
}

TEST(DerivedMeanings, CoverEverydayWords) {
    const auto strongest = [](std::string_view word) {
        const MeaningVector row = of(word);
        const auto smaller = [](float a, float b) { return std::fabs(a) < std::fabs(b); };
        return meaning_features()[static_cast<std::size_t>(std::max_element(row.begin(), row.end(), smaller) - row.begin())];
    };
    constexpr std::array<std::string_view, 2> kWords[] = {
        {"giraffe", "living"},   {"panda", "living"},  {"dentist", "person"},  {"cousin", "person"}, {"bicycle", "thing"},
        {"xylophone", "thing"},  {"vase", "thing"},    {"kitchen", "place"},   {"hospital", "place"}, {"paris", "place"},
        {"century", "time"},     {"kick", "action"},   {"scared", "feeling"},  {"wonderful", "feeling"}, {"theory", "mind"},
        {"mary", "person"},      {"熊猫", "living"},   {"律师", "person"},     {"自行车", "thing"},  {"钢琴", "thing"},
        {"医院", "place"},       {"厨房", "place"},    {"星期天", "time"},     {"摔倒", "action"},   {"伤心", "feeling"},
        {"小明", "person"}};
    for (const auto& [word, feature] : kWords) EXPECT_EQ(strongest(word), feature) << word;
}

/// Verbs are actions, even if WordNet has the form as an adjective too, or one of its characters alone is a thing.
TEST(DerivedMeanings, OfVerbsAreActions) {
    for (const char* word : {"discovered", "inspected", "发现", "爆发", "出发", "刷牙"}) {
        const auto& [living, person, thing, place, time, action, feeling, mind] = of(word);
        EXPECT_GE(std::max(action, mind), 0.7f) << word;
        EXPECT_GT(std::max(action, mind), std::max({living, person, thing, place})) << word;
    }
}

TEST(DerivedMeanings, CoverWordsNewerThanTheirSources) {
    for (const char* word : {"smartphone", "selfie", "hoodie", "burrito", "podcast", "drone", "emoji"}) EXPECT_TRUE(meaning_of(word)) << word;
    EXPECT_GT(similarity("smartphone", "telephone"), similarity("smartphone", "doctor"));
    for (const char* word : {"桃子", "橘子", "番茄", "酸奶", "猫头鹰", "袋鼠", "吸尘器", "围巾", "消防员", "滑梯"}) EXPECT_TRUE(meaning_of(word)) << word;
}

TEST(DerivedMeanings, AreMarkedAsDerived) {
    EXPECT_EQ(find_meaning("cat")->origin, MeaningOrigin::Chosen);
    EXPECT_EQ(find_meaning("cats")->origin, MeaningOrigin::Chosen);
    EXPECT_EQ(find_meaning("giraffes")->origin, MeaningOrigin::Derived);
    EXPECT_EQ(find_meaning("3.14")->origin, MeaningOrigin::OfKind);
    EXPECT_EQ(find_meaning("，")->origin, MeaningOrigin::OfKind);
    EXPECT_NE(meaning_of("news"), meaning_of("new"));
    EXPECT_EQ(meaning_of("taller"), meaning_of("tall"));
}

TEST(DerivedMeanings, SuggestKnownWordsForAnUnknownOne) {
    EXPECT_EQ(closest_meaning_words("xylophon", 3), std::vector<std::string>{"xylophone"});
    ASSERT_FALSE(closest_meaning_words("suitcsae", 3).empty());
    EXPECT_EQ(closest_meaning_words("suitcsae", 3).front(), "suitcase");
    EXPECT_EQ(closest_meaning_words("becuase", 1), std::vector<std::string>{"because"});
    for (const std::string_view none : {"", "qq", "龘", "zzzzzzzzzz"}) EXPECT_TRUE(closest_meaning_words(none, 3).empty()) << none;
}


/// A word derived from another by a rule is similar to such words, and has the feeling of its base.
TEST(DerivedMeanings, OfDerivedWordsFollowTheirBases) {
    const auto made = [](std::string_view word) {
        const auto found = find_meaning(word);
        EXPECT_TRUE(found) << word;
        if (!found) return MeaningVector{};
        EXPECT_EQ(found->origin, MeaningOrigin::Derived) << word;
        return found->values;
    };
    const auto apart = [&](std::string_view a, std::string_view b) {
        float sum = 0;
        for (std::size_t i = 0; i < kMeaningWidth; ++i) sum += std::abs(made(a)[i] - meaning_of(b)->at(i));
        return sum;
    };
    for (const char* word : {"condescendingly", "temperately", "variably", "plastically"}) EXPECT_LT(apart(word, "gently"), apart(word, "cat")) << word;
    EXPECT_LT(apart("silliness", "abruptness"), apart("silliness", "silly"));
    EXPECT_EQ(made("silliness")[6], meaning_of("silly")->at(6));
    EXPECT_EQ(made("ungroomed")[6], -meaning_of("groomed")->at(6));
    EXPECT_EQ(made("dog-tired"), *meaning_of("tired"));
    for (const char* number : {"9th", "1920s", "10-hit"}) {
        const auto found = find_meaning(number);
        ASSERT_TRUE(found) << number;
        EXPECT_EQ(found->origin, MeaningOrigin::OfKind) << number;
    }
    for (const char* unknown : {"xylophon", "zorglub", "zorglubly", "unzorglub", "put-up", "zorglub-tired", "-", "a-"}) {
        const auto found = find_meaning(unknown);
        EXPECT_FALSE(found && found->origin == MeaningOrigin::Derived) << unknown;
    }
}

TEST(Meaning, KnowsShortBasesAndApostrophes) {
    const std::pair<const char*, const char*> forms[] = {{"goes", "go"}, {"died", "die"}, {"argued", "argue"}, {"he's", "he"}, {"He\u2019s", "he"}, {"I'm", "i"},
                                                         {"they're", "they"}, {"we'll", "we"}, {"dog's", "dog"}, {"chased", "chase"}, {"agreed", "agree"}};
    for (const auto& [form, base] : forms) {
        ASSERT_TRUE(meaning_of(base)) << base;
        EXPECT_TRUE(meaning_of(form)) << form;
    }
    EXPECT_EQ(meaning_of("goes"), meaning_of("go"));
    EXPECT_EQ(meaning_of("he's"), meaning_of("he"));
    EXPECT_FALSE(meaning_of("'s") && meaning_of("'s") == meaning_of("s")) << "nothing stands before it";
}

}  // namespace
}  // namespace attn
