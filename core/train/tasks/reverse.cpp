// Letters of a text repeated from the last to the first: a head attends by position alone.
#include <fmt/format.h>

#include "core/train/drills.h"

namespace attn::train::task::reverse {

extern const Task row;

namespace {

constexpr int kLength = 8;

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 1500, 0.004f, 64, 32, 1, 1},
};

constexpr std::array kExamples = {
    TaskExample{"letters", "k d x b q w f a", "", {"Which letter stands here when it is read backwards?", "倒着读，这里是哪个字母？"}},
    TaskExample{"same", "a b a c a d a e", "", {"The same letter in several places", "同一个字母出现在几处"}},
};

Drill drill(Random& random) {
    Drill out;
    for (int i = 0; i < kLength; ++i) out.text.push_back(below(random, kLetterCount));
    out.key = key_of(out.text);
    out.targets = out.text;
    std::reverse(out.targets.begin(), out.targets.end());
    for (int i = 0; i < kLength; ++i) out.looks.push_back({0, i, {kLength - 1 - i}});
    return out;
}

std::vector<std::string> targets(const std::vector<std::string>& text, const std::vector<std::string>&, int places, const TaskOptions&) {
    std::vector<std::string> out;
    if (text.size() == kLength) out.assign(text.rbegin(), text.rend());
    out.resize(static_cast<std::size_t>(places));
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "encoder", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}, "unembedding": "own"}})",
        size.heads, size.layers, 2 * size.width);
    out.words = Vocabulary(kLetters).words();
    out.width = size.width;
    out.longest = kLength;
    out.jobs = {{"mirrored", {"looks at the mirrored place", "看对称的位置"}, Part::Main, -1}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "reverse",
    .name = {"Reversing", "倒序"},
    .about = {"One layer with one head writes eight letters in reverse order; which letter is where is known from positions alone.",
              "一层一个头，把八个字母倒着写一遍；哪个字母在哪里，只能靠位置知道。"},
    .look_for = {"The other diagonal: the first place comes to look at the last, the second at the last but one.", "反对角线：第一个位置学会看最后一个，第二个看倒数第二个。"},
    .sizes = kSizes,
    .examples = kExamples,
    .targets = targets,
});

}  // namespace attn::train::task::reverse
