// English to Chinese and French with the Transformer: one model, where the first word of the second text selects the
// language.
#include <fmt/format.h>

#include "core/train/tasks/translation_pairs.h"

namespace attn::train::task::translation {

extern const Task row;

namespace {

enum : std::uint8_t { kFrench, kChinese };

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 3000, 0.003f, 64, 64, 1, 1},
    TaskSize{"deep", {"two layers", "两层"}, 3000, 0.002f, 64, 64, 4, 2},
};

constexpr std::array kExamples = {
    TaskExample{"french", "fr hier la petite fille a vu un chat noir dans le jardin", "yesterday the small girl saw a black cat in the garden .",
                {"In French the adjective stands behind the noun", "法语的形容词在名词后面"}},
    TaskExample{"chinese", "zh 昨天 那 个 小 女孩 在 花园 里 看见 了 一 只 黑 猫", "yesterday the small girl saw a black cat in the garden .",
                {"In Chinese the place comes before the verb", "中文里地点在动词前面"}},
    TaskExample{"gender", "fr la", "the old black cow saw the boy .", {"\"la\" must know of the cow", "选 la 得先看 cow"}},
};

Drill drill(Random& random) {
    const pairs::Pair pair = pairs::any_pair(random);
    const std::vector<int>& target = pair.target;
    Drill out;
    out.source = pair.source;
    out.key = key_of(pair.source);
    out.text.assign(target.begin(), target.end() - 1);
    out.targets.assign(target.begin() + 1, target.end());
    for (std::size_t i = 1; i < target.size(); ++i)
        out.looks.push_back({pair.to_french ? kFrench : kChinese, static_cast<int>(i) - 1, {pair.from[i]}});
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "decoder", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}}})",
        size.heads, size.layers, 2 * size.width);
    out.words = pairs::words().words();
    out.width = size.width;
    out.longest = pairs::kLongestTarget - 1;
    out.longest_source = pairs::kLongestSource;
    out.jobs = {{"french", {"a French word looks at the English word that it says", "法语词看它所译的英语词"}, Part::Cross, -1},
                {"chinese", {"a Chinese word looks at the English word that it says", "中文词看它所译的英语词"}, Part::Cross, -1}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "translation",
    .name = {"A small translation", "小翻译"},
    .about = {"An encoder reads English sentences of a small grammar, a decoder translates them into French or Chinese; its first word, "
              "fr or zh, says which. Words change places on the way.",
              "编码器读入一个小语法造出的英语句子，解码器译成法语或中文，由开头的 fr 或 zh 决定；词的位置会在翻译中调换。"},
    .look_for = {"The alignment: each word comes to look at the word that it translates, and crosses where the order changes: "
                 "black cat, chat noir; in the garden before the verb in Chinese.",
                 "对齐：每个词学会看它所译的词，语序变化处会交叉：black cat 与 chat noir；中文的地点移到动词之前。"},
    .sizes = kSizes,
    .examples = kExamples,
});

}  // namespace attn::train::task::translation
