// What "it" stands for, which only the end of the sentence tells: the animal did not cross the street because it was too
// tired, or too wide. English and Chinese; the answer is marked at "it", never where it looks.
// [after Uszkoreit 2017, "Transformer: A Novel Neural Network Architecture for Language Understanding"]
#include <fmt/format.h>

#include "core/train/drills.h"

namespace attn::train::task::it {

extern const Task row;

namespace {

enum : std::uint8_t { kNoun, kReason };

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 2500, 0.003f, 64, 48, 1, 2},
};

constexpr std::array kExamples = {
    TaskExample{"tired", "the animal didn't cross the street because it was too tired", "", {"\"it\" is the animal", "it 指 animal"}},
    TaskExample{"wide", "the animal didn't cross the street because it was too wide", "", {"\"it\" is the street", "it 指 street"}},
    TaskExample{"tired_zh", "那 只 动物 没 过 那 条 街 因为 它 太 累 了", "", {"它 is the animal", "“它”指动物"}},
    TaskExample{"wide_zh", "那 只 动物 没 过 那 条 街 因为 它 太 宽 了", "", {"它 is the street", "“它”指街"}},
};

/// What happened: who, to what, and the reasons that speak of the one and of the other. Chinese nouns come with their
/// classifier.
struct Frame {
    std::string_view verb, first, second, of_first, of_second;
};
constexpr std::array kEnglish = {
    Frame{"didn't cross", "animal dog cat cow horse fox lion mouse", "street road river bridge field square", "tired hungry lazy afraid old sad sick weak",
          "wide long busy deep dark wet"},
    Frame{"didn't eat", "animal dog cat cow horse fox lion mouse", "apple bread fish cake rice soup", "tired full lazy afraid sad sick",
          "hot cold sour dry salty hard"},
    Frame{"didn't fit into", "ball table book chair robot machine", "box bag room car door window", "big wide long large thick", "small narrow short tight full"},
    Frame{"didn't lift", "robot machine horse dog animal", "table stone box car tree", "weak tired old small slow", "heavy big large long thick"},
    Frame{"didn't catch", "cat dog fox lion", "mouse bird fish horse", "slow tired lazy old", "quick fast small clever"},
};
constexpr std::array kChinese = {
    Frame{"没 过", "只:动物 只:狗 只:猫 头:牛 匹:马 只:老鼠 只:羊", "条:街 条:路 条:河 座:桥", "累 饿 懒 老 怕 弱", "宽 长 深 黑 滑"},
    Frame{"没 吃", "只:动物 只:狗 只:猫 头:牛 匹:马 只:老鼠 只:羊", "个:苹果 个:面包 条:鱼 碗:饭", "累 饱 懒 怕 弱", "热 冷 酸 干 硬"},
    Frame{"没 进", "个:球 张:桌子 本:书 台:机器", "个:门 个:包 个:房子 辆:车", "大 宽 长 厚", "小 窄 短 满"},
    Frame{"没 追 到", "只:猫 只:狗 头:虎", "只:老鼠 只:鸟 匹:马", "慢 累 懒 老", "快 小 灵"},
};
constexpr std::string_view kAside = "big small old young black white brown", kTimes = "yesterday today";
constexpr std::string_view kAsideChinese = "大 小 老 黑 白", kTimesChinese = "昨天 今天";

std::vector<std::string_view> parts_of(std::string_view text, char at) {
    std::vector<std::string_view> out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        if (end > begin) out.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}
std::string_view one_of(Random& random, std::string_view words) {
    const auto all = parts_of(words, ' ');
    return all[static_cast<std::size_t>(below(random, static_cast<int>(all.size())))];
}

const Vocabulary& vocabulary() {
    static const Vocabulary kWords = [] {
        Vocabulary out(", the because it was too 那 因为 它 太 了");
        for (const auto* frames : {kEnglish.data(), kChinese.data()})
            for (std::size_t f = 0; f < (frames == kEnglish.data() ? kEnglish.size() : kChinese.size()); ++f)
                for (const std::string_view list : {frames[f].verb, frames[f].first, frames[f].second, frames[f].of_first, frames[f].of_second})
                    for (const std::string_view word : parts_of(list, ' '))
                        for (const std::string_view part : parts_of(word, ':')) out.add(part);
        for (const std::string_view list : {kAside, kTimes, kAsideChinese, kTimesChinese})
            for (const std::string_view word : parts_of(list, ' ')) out.add(word);
        return out;
    }();
    return kWords;
}

/// One sentence as it grows.
class Writer {
public:
    Writer(Random& random, bool chinese) : random_(random), chinese_(chinese) {}
    void say(std::string_view words) {
        for (const std::string_view word : parts_of(words, ' ')) out.text.push_back(vocabulary()[word]);
    }
    /// Its place.
    int say_noun(std::string_view noun) {
        const auto parts = parts_of(noun, ':');
        say(chinese_ ? "那" : "the");
        if (chinese_) say(parts.front());
        if (chance(random_, 0.25)) say(one_of(random_, chinese_ ? kAsideChinese : kAside));
        say(parts.back());
        return last();
    }
    int last() const { return static_cast<int>(out.text.size()) - 1; }

    Drill out;

private:
    Random& random_;
    bool chinese_;
};

Drill drill(Random& random) {
    const bool chinese = chance(random, 0.4);
    const Frame& frame = chinese ? kChinese[static_cast<std::size_t>(below(random, kChinese.size()))]
                                 : kEnglish[static_cast<std::size_t>(below(random, kEnglish.size()))];
    const std::string_view first = one_of(random, frame.first), second = one_of(random, frame.second);
    if (first == second) return drill(random);
    const bool of_first = chance(random, 0.5);
    const std::string_view reason = one_of(random, of_first ? frame.of_first : frame.of_second);
    Writer writer(random, chinese);
    int it = 0, why = 0, nouns[2] = {};
    const auto because = [&] {
        writer.say(chinese ? "因为 它" : "because it");
        it = writer.last();
        writer.say(chinese ? "太" : "was too");
        writer.say(reason);
        why = writer.last();
        if (chinese) writer.say("了");
    };
    const auto what = [&] {
        nouns[0] = writer.say_noun(first);
        writer.say(frame.verb);
        nouns[1] = writer.say_noun(second);
    };
    if (chance(random, 0.25)) writer.say(one_of(random, chinese ? kTimesChinese : kTimes));
    if (chance(random, 0.2)) {  // the reason comes first
        because();
        writer.say(",");
        what();
    } else {
        what();
        because();
    }
    Drill out = std::move(writer.out);
    const int noun = nouns[of_first ? 0 : 1];
    out.asked.assign(out.text.size(), kNoTarget);
    out.asked[static_cast<std::size_t>(it)] = out.text[static_cast<std::size_t>(noun)];
    out.looks = {{kNoun, it, {noun}}, {kReason, it, {why}}};
    out.key = fmt::format("{} {} {} {}", frame.verb, first, second, reason);
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "encoder", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}, "unembedding": "tied"}})",
        size.heads, size.layers, 2 * size.width);
    out.words = vocabulary().words();
    out.width = size.width;
    out.longest = 20;
    out.chance = 0.5;
    out.unseen = 0.15;
    out.measured = 1000;
    out.jobs = {{"pronoun_noun", {"\"it\" looks at what it stands for", "“它”看自己所指的名词"}, Part::Main, 1},
                {"pronoun_reason", {"\"it\" looks at the word that tells which", "“它”看能说明指谁的那个词"}, Part::Main, 0}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "it",
    .name = {"What \"it\" stands for", "“它”指谁"},
    .about = {"Two layers say what \"it\" stands for in sentences of a small grammar in English and Chinese, where one word behind "
              "it decides: too tired, or too wide. Only the answer is marked, never where a head looks.",
              "两层网络要说出“它”指的是谁；句子出自一个英汉小语法，由“它”后面的一个词决定：太累了，还是太宽了。只批改答案，从不规定头看哪里。"},
    .look_for = {"In layer 1 \"it\" comes to look at the word that tells which; in layer 2 at the noun that it stands for.",
                 "第一层里“它”学会看那个决定性的词；第二层里看自己所指的名词。"},
    .sizes = kSizes,
    .examples = kExamples,
});

}  // namespace attn::train::task::it
