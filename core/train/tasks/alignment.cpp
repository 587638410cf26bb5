// The sentence pairs of the translation, learned by the first attention: a bidirectional recurrent encoder, and a
// recurrent decoder that queries the encoder before each word [Bahdanau, Cho, Bengio 2014].
#include <fmt/format.h>

#include "core/train/tasks/translation_pairs.h"

namespace attn::train::task::alignment {

extern const Task row;

namespace {

enum : std::uint8_t { kFrench, kChinese };

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 2500, 0.006f, 64, 48, 1, 1},
    TaskSize{"plain", {"without gates", "不带门控"}, 2500, 0.004f, 64, 48, 1, 1},
};
constexpr std::string_view kPlain = "plain";

constexpr std::array kExamples = {
    TaskExample{"french", "fr hier la petite fille a vu un chat noir dans le jardin .", "yesterday the small girl saw a black cat in the garden .",
                {"Where black cat becomes chat noir, the rows cross", "black cat 译成 chat noir，两行交叉"}},
    TaskExample{"chinese", "zh 昨天 那 个 小 女孩 在 花园 里 看见 了 一 只 黑 猫 。", "yesterday the small girl saw a black cat in the garden .",
                {"In Chinese the place comes before the verb", "中文里地点在动词前面"}},
};

/// The state that predicts a word is computed from the previous word, so each row's target is its own word. The first
/// word names the language and is no target.
Drill drill(Random& random) {
    const pairs::Pair pair = pairs::any_pair(random);
    Drill out;
    out.source = pair.source;
    out.key = key_of(pair.source);
    out.text = out.targets = pair.target;
    out.targets.front() = kNoTarget;
    for (std::size_t i = 1; i < pair.target.size(); ++i)
        out.looks.push_back({pair.to_french ? kFrench : kChinese, static_cast<int>(i), {pair.from[i]}});
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(R"({{"variant": "bahdanau", "tokenizer": "words", "unit": "{}", "score_width": {}, "unembedding": "own"}})",
                               size.id == kPlain ? "tanh" : "gru", size.width / 2);
    out.words = pairs::words().words();
    out.width = size.width;
    out.longest = pairs::kLongestTarget;
    out.longest_source = pairs::kLongestSource;
    out.quiet = 0.02f;
    out.jobs = {{"french", {"a French word looks at the English word that it says", "法语词看它所译的英语词"}, Part::Main, -1},
                {"chinese", {"a Chinese word looks at the English word that it says", "中文词看它所译的英语词"}, Part::Main, -1}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "alignment",
    .name = {"The first alignment", "最早的对齐"},
    .about = {"The same sentences as the small translation, learned by the network that attention was invented for: a recurrent encoder "
              "reads English both ways; a recurrent decoder asks, before each French or Chinese word, where to look.",
              "与“小翻译”同样的句子，由最早使用注意力的网络来学：循环编码器把英语正着、倒着各读一遍；循环解码器每写一个法语词或中文词之前，先问该看哪里。"},
    .look_for = {"At first every row looks everywhere, and the states alone guess common words. Then the rows sharpen into an alignment, and cross where "
                 "the order changes.",
                 "起初每一行到处都看，只凭状态猜常用词；后来各行逐渐集中成一张对齐图，语序变化处会交叉。"},
    .sizes = kSizes,
    .examples = kExamples,
});

}  // namespace attn::train::task::alignment
