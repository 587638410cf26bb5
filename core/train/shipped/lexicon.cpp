#include "core/train/shipped/lexicon.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/random.h"
#include "core/text/meaning.h"

namespace attn::train {
namespace {

ClassWords split_words(std::string_view list) {
    ClassWords out;
    bool held = false;
    while (!list.empty()) {
        const std::string_view word = list.substr(0, list.find(' '));
        list.remove_prefix(std::min(list.size(), word.size() + 1));
        if (word == "|")
            held = true;
        else if (!word.empty())
            (held ? out.held : out.known).emplace_back(word);
    }
    return out;
}

}  // namespace

namespace {

constexpr std::array<std::string_view, kClasses> kNames = {
#define WORDS(name, english, chinese) #name,
#include "core/train/shipped/grammar.inc"
#undef WORDS
};

/// Classes that get more words from the table of meanings: common words that are most similar to the class.
constexpr std::string_view kWithMore[] = {"People", "Animals", "Objects", "Places", "Food", "Feelings", "Takes", "Moves"};
constexpr int kUsual = 5;             // the lowest usualness() (core/text/meaning.h)
constexpr double kLike = 0.94;        // least cosine with the mean of the class
constexpr std::size_t kMostMore = 120;

using Direction = std::array<double, kMeaningWidth>;
Direction direction_of(const MeaningVector& row) {
    double square = 0;
    for (const float x : row) square += static_cast<double>(x) * static_cast<double>(x);
    Direction out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(row[i]) / std::sqrt(std::max(square, 1e-9));
    return out;
}
double cosine(const Direction& a, const Direction& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

Direction mean_of(const std::vector<std::string>& words) {
    MeaningVector sum{};
    for (const std::string& word : words) {
        const Direction one = direction_of(meaning_of(word).value_or(MeaningVector{}));
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<float>(one[i]);
    }
    return direction_of(sum);
}

void add_more(Lexicon& lexicon, bool chinese) {
    std::vector<std::pair<std::size_t, Direction>> means;
    for (std::size_t c = 0; c < kClasses; ++c)
        if (std::find(std::begin(kWithMore), std::end(kWithMore), kNames[c]) != std::end(kWithMore)) means.emplace_back(c, mean_of(lexicon[c].known));
    for (const std::string_view word : derived_words()) {
        if ((static_cast<unsigned char>(word[0]) >= 0x80) != chinese || usualness(word) < kUsual) continue;
        const auto row = find_meaning(word);
        if (!row || row->origin != MeaningOrigin::Derived) continue;
        const Direction own = direction_of(row->values);
        const auto best = std::max_element(means.begin(), means.end(),
                                           [&](const auto& a, const auto& b) { return cosine(a.second, own) < cosine(b.second, own); });
        if (cosine(best->second, own) < kLike) continue;
        // One in five is held out.
        (hash_bytes(word) % 5 == 0 ? lexicon[best->first].more_held : lexicon[best->first].more).emplace_back(word);
    }
    for (ClassWords& words : lexicon)
        for (std::vector<std::string>* list : {&words.more, &words.more_held}) {
            std::stable_sort(list->begin(), list->end(), [](const std::string& a, const std::string& b) { return usualness(a) > usualness(b); });
            if (list->size() > kMostMore) list->resize(kMostMore);
        }
}

}  // namespace

const Lexicon& lexicon(bool chinese) {
    static const Lexicon kEnglish = [] {
        Lexicon out = {
#define WORDS(name, english, chinese) split_words(english),
#include "core/train/shipped/grammar.inc"
#undef WORDS
        };
        add_more(out, false);
        return out;
    }();
    static const Lexicon kChinese = [] {
        Lexicon out = {
#define WORDS(name, english, chinese) split_words(chinese),
#include "core/train/shipped/grammar.inc"
#undef WORDS
        };
        add_more(out, true);
        return out;
    }();
    return chinese ? kChinese : kEnglish;
}

bool is_name(Class c) { return c == Class::MenNames || c == Class::WomenNames; }
bool is_person(Class c) { return c == Class::Men || c == Class::Women || c == Class::People || is_name(c); }
bool is_animal(Class c) { return c == Class::Animals || c == Class::Birds || c == Class::Fish; }

std::string_view classifier(const Word& word, bool respectful) {
    if (is_person(word.of)) return respectful ? "位" : "个";
    if (word.of == Class::Fish || word.of == Class::Ways) return "条";
    if (is_animal(word.of)) return "只";
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kOwn = {{
        {"辆", "车 自行车 汽车 卡车"}, {"本", "书 小说 杂志"}, {"张", "桌子 椅子 垫子 床 照片"}, {"台", "电脑 电视 机器 相机 机器人"},
        {"件", "衣服 外套"}, {"座", "山 桥 城市"}, {"把", "钥匙 伞"}, {"封", "信"}, {"块", "蛋糕 面包 饼干 肉"}}};
    for (const auto& [measure, nouns] : kOwn)
        if ((" " + std::string(nouns) + " ").find(" " + word.text + " ") != std::string::npos) return measure;
    return "个";
}

}  // namespace attn::train
