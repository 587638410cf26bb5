// Letters of one text repeated in another: the decoder attends by position alone.
#include <fmt/format.h>

#include "core/train/drills.h"

namespace attn::train::task::copy {

extern const Task row;

namespace {

constexpr int kShortest = 3, kLongest = 10;

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 2000, 0.004f, 64, 32, 1, 1},
};

constexpr std::array kExamples = {
    TaskExample{"letters", "> k d x b q w f a", "k d x b q w f a", {"Which letter comes next?", "下一个是哪个字母？"}},
    TaskExample{"same", "> a b a c a d", "a b a c a d a e", {"The same letter in several places", "同一个字母出现在几处"}},
};

Drill drill(Random& random) {
    const int begin = kLetterCount, end = kLetterCount + 1;
    const int length = kShortest + below(random, kLongest - kShortest + 1);
    Drill out;
    for (int i = 0; i < length; ++i) out.source.push_back(below(random, kLetterCount));
    out.key = key_of(out.source);
    out.text = out.targets = out.source;
    out.text.insert(out.text.begin(), begin);
    out.targets.push_back(end);
    for (int i = 0; i < length; ++i) out.looks.push_back({0, i, {i}});
    return out;
}

/// After the start sign each letter of the source, then the full stop.
std::vector<std::string> targets(const std::vector<std::string>&, const std::vector<std::string>& source, int places, const TaskOptions&) {
    std::vector<std::string> out = source;
    out.emplace_back(".");
    out.resize(static_cast<std::size_t>(places));
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "decoder", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}}})",
        size.heads, size.layers, 2 * size.width);
    out.words = Vocabulary(std::string(kLetters) + " > .").words();
    out.width = size.width;
    out.longest = kLongest + 1;
    out.longest_source = kLongest;
    out.jobs = {{"same_place", {"looks at the same place of the other text", "看另一段文字的同一位置"}, Part::Cross, -1}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "copy",
    .name = {"Copying", "复制"},
    .about = {"An encoder reads letters, a decoder writes them again, one after the other; which comes next is known from "
              "positions alone, because letters may be repeated.",
              "编码器读入字母，解码器一个接一个地复述；下一个是谁只能靠位置知道，因为字母会重复。"},
    .look_for = {"The diagonal: the decoder's row for each place comes to look at the same place of the source.",
                 "对角线：解码器每个位置的行，学会看源文的同一位置。"},
    .sizes = kSizes,
    .examples = kExamples,
    .targets = targets,
});

}  // namespace attn::train::task::copy
