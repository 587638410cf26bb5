// Sorts letters: after the arrow, each letter's query finds the next larger one.
#include <fmt/format.h>

#include "core/train/drills.h"

namespace attn::train::task::sort {

extern const Task row;

namespace {

constexpr int kShortest = 3, kLongest = 10, kRoom = 2 * kLongest + 2;

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 5000, 0.004f, 64, 32, 1, 1},
};

constexpr std::array kExamples = {
    TaskExample{"letters", "t c k a p >", "", {"Which letter comes first?", "哪个字母排在最前？"}},
    TaskExample{"whole", "t c k a p > a c k p t", "", {"Each letter asks for the next larger one", "每个字母都在找下一个更大的字母"}},
};

Drill drill(Random& random) {
    const int arrow = kLetterCount, end = kLetterCount + 1;
    const int length = kShortest + below(random, kLongest - kShortest + 1);
    Drill out;
    out.text = different_numbers(random, length, kLetterCount);
    out.key = key_of(out.text);
    std::vector<int> sorted = out.text;
    std::sort(sorted.begin(), sorted.end());
    out.targets.assign(static_cast<std::size_t>(length), kNoTarget);
    out.text.push_back(arrow);
    for (const int letter : sorted) {
        const auto place = std::find(out.text.begin(), out.text.begin() + length, letter) - out.text.begin();
        out.looks.push_back({0, static_cast<int>(out.text.size()) - 1, {static_cast<int>(place)}});
        out.targets.push_back(letter);
        out.text.push_back(letter);
    }
    out.targets.push_back(end);
    return out;
}

/// From the arrow on, its letters in ascending order, then the full stop.
std::vector<std::string> targets(const std::vector<std::string>& text, const std::vector<std::string>&, int places, const TaskOptions&) {
    const auto arrow = std::find(text.begin(), text.end(), ">");
    std::vector<std::string> sorted(text.begin(), arrow), out(static_cast<std::size_t>(arrow - text.begin()));
    std::sort(sorted.begin(), sorted.end());
    if (arrow != text.end()) {
        out.insert(out.end(), sorted.begin(), sorted.end());
        out.emplace_back(".");
    }
    out.resize(static_cast<std::size_t>(places));
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "generate", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "ffn_width": {}, "generate": 6}})",
        size.heads, size.layers, 2 * size.width);
    out.words = Vocabulary(std::string(kLetters) + " > .").words();
    out.width = size.width;
    out.longest = kRoom;
    out.jobs = {{"next_larger", {"looks at the next larger letter", "看下一个更大的字母"}, Part::Main, -1}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "sort",
    .name = {"Sorting", "排序"},
    .about = {"One layer, without positions, writes letters in alphabetical order: each letter that it has written asks for "
              "the next larger one among those before the sign >.",
              "一层网络，不用位置，按字母表的顺序写出各个字母：每写出一个，就在 > 号之前找下一个更大的。"},
    .look_for = {"Rows behind the sign > come to look at the next larger letter, wherever it is.",
                 "> 号之后的各行会学会看下一个更大的字母，不管它在哪里。"},
    .sizes = kSizes,
    .examples = kExamples,
    .targets = targets,
});

}  // namespace attn::train::task::sort
