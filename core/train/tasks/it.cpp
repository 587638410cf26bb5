// What "it" refers to, which only the end of the sentence shows: the animal did not cross the street because it was too
// tired, or too wide. English and Chinese; the loss is on the answer at "it", never on where a head attends. Words are
// known by their meanings, and it is measured on held-out nouns.
// [after Uszkoreit 2017, "Transformer: A Novel Neural Network Architecture for Language Understanding"]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/train/drills.h"
#include "core/train/shipped/lexicon.h"

namespace attn::train::task::it {

extern const Task row;

namespace {

enum : std::uint8_t { kNoun, kReason };

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 4000, 0.003f, 64, 48, 1, 2},
};

constexpr std::array kExamples = {
    TaskExample{"tired", "the animal didn't cross the street because it was too tired", "", {"\"it\" is the animal", "it 指 animal"}},
    TaskExample{"wide", "the animal didn't cross the street because it was too wide", "", {"\"it\" is the street", "it 指 street"}},
    TaskExample{"big", "the trophy didn't fit in the suitcase because it was too big", "", {"words that never trained", "没学过的词"}},
    TaskExample{"small", "the trophy didn't fit in the suitcase because it was too small", "", {"words that never trained", "没学过的词"}},
    TaskExample{"tired_zh", "那 只 动物 没 过 那 条 街 因为 它 太 累 了", "", {"它 is the animal", "“它”指动物"}},
    TaskExample{"wide_zh", "那 只 动物 没 过 那 条 街 因为 它 太 宽 了", "", {"它 is the street", "“它”指街"}},
};

/// Which nouns fit a position.
enum class Kind : std::uint8_t { Beasts, Ways, Foods, Things, Holders, Movers };
constexpr std::size_t kKinds = 6;

/// An event: its verbs (the words after the negation; in Chinese including it), the kinds of its two nouns, and the
/// reasons that concern the first and the second.
struct Frame {
    std::string_view verbs;
    Kind first, second;
    std::string_view of_first, of_second;
};
constexpr std::array kEnglish = {
    Frame{"cross|cross over|pass", Kind::Beasts, Kind::Ways, "tired hungry lazy afraid old sad sick weak young scared",
          "wide long busy deep dark wet dangerous crowded steep"},
    Frame{"eat|finish|like", Kind::Beasts, Kind::Foods, "tired full lazy afraid sad sick nervous", "hot cold sour dry salty hard bitter sweet"},
    Frame{"fit in|fit into|fit inside|go into", Kind::Things, Kind::Holders, "big wide long large thick huge tall", "small narrow short tight full tiny little"},
    Frame{"lift|carry|move|pull", Kind::Movers, Kind::Things, "weak tired old small slow lazy young", "heavy big large long thick huge"},
    Frame{"catch|reach", Kind::Beasts, Kind::Beasts, "slow tired lazy old sick", "quick fast small clever tiny"},
    Frame{"carry|pull|lift|push", Kind::Beasts, Kind::Beasts, "weak tired small slow young lazy", "heavy big fat large huge"},
};
constexpr std::array kChinese = {
    Frame{"没 过|没有 过|过 不 了|没 能 过", Kind::Beasts, Kind::Ways, "累 饿 懒 老 怕 弱 困 害怕", "宽 长 深 黑 滑 危险"},
    Frame{"没 吃|没有 吃|吃 不 下|不 吃", Kind::Beasts, Kind::Foods, "累 饱 懒 怕 弱 难过", "热 冷 酸 干 硬 苦 甜"},
    Frame{"没 进|放 不 进|装 不 进|没有 放进", Kind::Things, Kind::Holders, "大 宽 长 厚 高", "小 窄 短 满"},
    Frame{"搬 不 动|没 搬 动|拿 不 动|推 不 动", Kind::Movers, Kind::Things, "弱 累 老 小 懒", "重 大 长 厚"},
    Frame{"没 追 到|追 不 上|抓 不 到|没有 追 上", Kind::Beasts, Kind::Beasts, "慢 累 懒 老", "快 小 灵 聪明"},
    Frame{"背 不 动|拉 不 动|没 拉 动", Kind::Beasts, Kind::Beasts, "弱 累 小 懒 老", "重 大 胖"},
};
constexpr std::string_view kNegations = "didn't|did not|couldn't|could not|can't|cannot|doesn't|does not|won't";
constexpr std::string_view kArticles = "the|the|the|this|that|my|his|our|their", kArticlesChinese = "那|那|这|一|我 的|他 的|";
constexpr std::string_view kDegrees = "too|too|too|so|very", kDegreesChinese = "太|太|太|很|非常";
constexpr std::string_view kAside = "big|small|old|young|black|white|brown|little", kTimes = "yesterday|today|now";
constexpr std::string_view kAsideChinese = "大|小|老|黑|白", kTimesChinese = "昨天|今天|早上";
constexpr std::string_view kMeasures = "个|只|头|匹|条|片|座|张|把|台|块|辆";
constexpr std::string_view kOwn = "because it it's was is too , . 因为 它 太 了 ， 。";

std::vector<std::string_view> parts_of(std::string_view text, char at) {
    std::vector<std::string_view> out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        out.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}
/// One of several alternatives, separated by '|', or by spaces if each is a word.
std::string_view one_of(Random& random, std::string_view list, char at = '|') {
    const auto all = parts_of(list, at);
    return all[static_cast<std::size_t>(below(random, static_cast<int>(all.size())))];
}

/// Nouns of the best-known sentence of this kind (Winograd's schema) are held out, so that it is new to the model.
bool never_trains(std::string_view noun) {
    constexpr std::array<std::string_view, 5> kNever = {"trophy", "suitcase", "奖杯", "箱子", "行李箱"};
    return std::find(kNever.begin(), kNever.end(), noun) != kNever.end();
}

/// Nouns of a kind: for training, and held out.
struct Nouns {
    std::vector<Word> known, held;
};
using NounTable = std::array<Nouns, kKinds>;

/// Every kind's nouns. A class that is listed twice is drawn twice as often. A noun held out in one class is held out
/// in all, because the table of meanings also adds words to a class that the grammar holds out.
NounTable nouns_in(bool chinese) {
    constexpr std::array<std::pair<Kind, Class>, 16> kOf = {{
        {Kind::Beasts, Class::Animals}, {Kind::Beasts, Class::Birds},   {Kind::Ways, Class::Ways},       {Kind::Ways, Class::Ways},
        {Kind::Ways, Class::Places},    {Kind::Foods, Class::Food},     {Kind::Things, Class::Objects},  {Kind::Things, Class::Objects},
        {Kind::Things, Class::Texts},   {Kind::Things, Class::Machines}, {Kind::Holders, Class::Objects}, {Kind::Holders, Class::Objects},
        {Kind::Holders, Class::Places}, {Kind::Holders, Class::Machines}, {Kind::Movers, Class::Animals}, {Kind::Movers, Class::Machines},
    }};
    std::set<std::string_view> held;
    for (const auto& [kind, of] : kOf) {
        const ClassWords& words = lexicon(chinese)[static_cast<std::size_t>(of)];
        for (const auto* list : {&words.held, &words.more_held}) held.insert(list->begin(), list->end());
    }
    NounTable out;
    for (const auto& [kind, of] : kOf) {
        const ClassWords& words = lexicon(chinese)[static_cast<std::size_t>(of)];
        Nouns& nouns = out[static_cast<std::size_t>(kind)];
        for (const auto* list : {&words.known, &words.more, &words.held, &words.more_held})
            for (const std::string& word : *list) (held.contains(word) || never_trains(word) ? nouns.held : nouns.known).push_back({word, of});
    }
    return out;
}
const NounTable& nouns_of(bool chinese) {
    static const std::array kTables = {nouns_in(false), nouns_in(true)};
    return kTables[chinese ? 1 : 0];
}

/// Trained words first, then the held-out nouns.
struct Words {
    Vocabulary all;
    int trained = 0;
};
const Words& words() {
    static const Words kWords = [] {
        Words out{Vocabulary(kOwn), 0};
        const auto add = [&](std::string_view list) {
            for (const std::string_view one : parts_of(list, '|'))
                for (const std::string_view word : parts_of(one, ' '))
                    if (!word.empty()) out.all.add(word);
        };
        for (const std::string_view list : {kNegations, kArticles, kArticlesChinese, kDegrees, kDegreesChinese, kAside, kTimes, kAsideChinese, kTimesChinese, kMeasures}) add(list);
        for (const auto* frames : {&kEnglish, &kChinese})
            for (const Frame& frame : *frames)
                for (const std::string_view list : {frame.verbs, frame.of_first, frame.of_second}) add(list);
        for (const bool held : {false, true}) {
            for (const bool chinese : {false, true})
                for (const Nouns& nouns : nouns_of(chinese))
                    for (const Word& word : held ? nouns.held : nouns.known) {
                        out.all.add(word.text);
                        if (chinese) add(classifier(word, false));
                    }
            if (!held) out.trained = out.all.size();
        }
        return out;
    }();
    return kWords;
}

/// A sentence being built.
class Writer {
public:
    Writer(Random& random, bool chinese) : random_(random), chinese_(chinese) {}
    void say(std::string_view text) {
        for (const std::string_view word : parts_of(text, ' '))
            if (!word.empty()) out.text.push_back(words().all[word]);
    }
    /// Returns its position.
    int say_noun(const Word& noun) {
        const std::string_view article = one_of(random_, chinese_ ? kArticlesChinese : kArticles);
        say(article);
        // Classifiers vary more than the grammar knows: 一头牛, 一片沙漠.
        constexpr double kOtherMeasure = 0.2;
        if (chinese_ && !article.empty() && !article.ends_with("的")) say(chance(random_, kOtherMeasure) ? one_of(random_, kMeasures) : classifier(noun, false));
        if (chance(random_, 0.2)) say(one_of(random_, chinese_ ? kAsideChinese : kAside));
        say(noun.text);
        return last();
    }
    int last() const { return static_cast<int>(out.text.size()) - 1; }

    Drill out;

private:
    Random& random_;
    bool chinese_;
};

constexpr int kRivals = 16;

Drill drill(Random& random) {
    constexpr double kHeld = 0.15, kBareNoun = 0.4, kBare = 0.05;
    const bool chinese = chance(random, 0.4), held = chance(random, kHeld);
    const auto& frames = chinese ? kChinese : kEnglish;
    const Frame& frame = frames[static_cast<std::size_t>(below(random, static_cast<int>(frames.size())))];
    const auto noun_of = [&](Kind kind) -> const Word& {
        const Nouns& nouns = nouns_of(chinese)[static_cast<std::size_t>(kind)];
        const std::vector<Word>& list = held ? nouns.held : nouns.known;
        return list[static_cast<std::size_t>(below(random, static_cast<int>(list.size())))];
    };
    const Word &first = noun_of(frame.first), &second = noun_of(frame.second);
    if (first.text == second.text) return drill(random);
    const bool of_first = chance(random, 0.5);
    const std::string_view reason = one_of(random, of_first ? frame.of_first : frame.of_second, ' ');
    Writer writer(random, chinese);
    int it = 0, why = 0, nouns[2] = {};
    const auto because = [&] {
        const bool short_form = !chinese && chance(random, 0.1);
        writer.say(chinese ? "因为 它" : short_form ? "because it's" : "because it");
        it = writer.last();
        if (!chinese && !short_form) writer.say(chance(random, 0.8) ? "was" : "is");
        const std::string_view degree = one_of(random, chinese ? kDegreesChinese : kDegrees);
        writer.say(degree);
        writer.say(reason);
        why = writer.last();
        if (degree == "太") writer.say("了");
    };
    const auto what = [&] {
        nouns[0] = writer.say_noun(first);
        if (!chinese) writer.say(one_of(random, kNegations));
        writer.say(one_of(random, frame.verbs));
        nouns[1] = writer.say_noun(second);
    };
    if (chance(random, 0.2)) writer.say(one_of(random, chinese ? kTimesChinese : kTimes));
    if (chance(random, 0.2)) {  // the reason comes first
        because();
        writer.say(chinese ? "，" : ",");
        what();
    } else {
        what();
        if (chance(random, 0.3)) writer.say(chinese ? "，" : ",");
        because();
    }
    if (chance(random, 0.3)) writer.say(chinese ? "。" : ".");
    Drill out = std::move(writer.out);
    const int noun = nouns[of_first ? 0 : 1];
    out.targets.assign(out.text.size(), kNoTarget);
    out.targets[static_cast<std::size_t>(it)] = noun;
    out.looks = {{kNoun, it, {noun}}, {kReason, it, {why}}};
    for (int i = 0; i < kRivals; ++i) {
        const Word& rival = noun_of(chance(random, 0.5) ? frame.first : frame.second);
        if (rival.text != first.text && rival.text != second.text) out.rivals.push_back(words().all[rival.text]);
    }
    out.bare.resize(out.text.size() + out.rivals.size());
    // A held-out word has only its meaning. To practise this, so do some other words, nouns often.
    for (std::size_t i = 0; !held && i < out.bare.size(); ++i)
        out.bare[i] = chance(random, static_cast<int>(i) == nouns[0] || static_cast<int>(i) == nouns[1] || i >= out.text.size() ? kBareNoun : kBare);
    out.key = fmt::format("{} {} {} {}", frame.verbs, first.text, second.text, reason);
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "encoder", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}, "unembedding": "tied"}})",
        size.heads, size.layers, 2 * size.width);
    const std::vector<std::string>& all = words().all.words();
    out.words.assign(all.begin(), all.begin() + words().trained);
    out.others.assign(all.begin() + words().trained, all.end());
    out.by_meaning = true;
    out.rivals = kRivals;
    out.width = size.width;
    out.longest = 24;
    out.chance = 0.5;
    out.unseen = 0;
    out.measured = 1000;
    out.jobs = {{"pronoun_noun", {"\"it\" looks at what it refers to", "“它”看自己所指的名词"}, Part::Main, 1},
                {"pronoun_reason", {"\"it\" looks at the word that tells which", "“它”看能说明指谁的那个词"}, Part::Main, 0}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "it",
    .name = {"What \"it\" stands for", "“它”指谁"},
    .about = {"Two layers say what \"it\" stands for in sentences of a small grammar in English and Chinese, where one word behind "
              "it decides: too tired, or too wide. Words are known by their meanings, so it may be about things that never "
              "trained. Only the answer is marked, never where a head looks.",
              "两层网络要说出“它”指的是谁；句子出自一个英汉小语法，由“它”后面的一个词决定：太累了，还是太宽了。词是凭词义认的，所以没学过的东西也答得上来。"
              "只批改答案，从不规定头看哪里。"},
    .look_for = {"In layer 1 \"it\" comes to look at the word that tells which; in layer 2 at the noun that it refers to.",
                 "第一层里“它”学会看那个决定性的词；第二层里看自己所指的名词。"},
    .sizes = kSizes,
    .examples = kExamples,
});

}  // namespace attn::train::task::it
