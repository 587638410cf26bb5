// A sequence of letters, repeated once: the next letter can only be known from what followed the same letter before.
// [Olsson et al. 2022]
#include <fmt/format.h>

#include <iterator>

#include "core/train/drills.h"

namespace attn::train::task::induction {

extern const Task row;

namespace {

constexpr int kShortest = 4, kLongest = 12, kRoom = 2 * kLongest + 4;
enum : std::uint8_t { kInduction, kPrevious };

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 3000, 0.003f, 64, 64, 1, 2},
    TaskSize{"small", {"small", "小"}, 4000, 0.004f, 64, 32, 2, 2},
};

constexpr std::array kExamples = {
    TaskExample{"letters", "k d x b q w k d", "", {"What came after \"k d\" before?", "上次 k d 后面是什么？"}},
    TaskExample{"longer", "m a t h e i c s m a t", "", {"The next letter of a sequence that is repeated", "重复序列的下一个字母"}},
};

Drill drill(Random& random) {
    Drill out;
    const int length = kShortest + below(random, kLongest - kShortest + 1);
    const std::vector<int> block = different_numbers(random, length, kLetterCount);
    out.key = key_of(block);
    for (int i = 0; i < 2 * length; ++i) {
        out.text.push_back(block[static_cast<std::size_t>(i % length)]);
        out.targets.push_back(i >= length ? block[static_cast<std::size_t>((i + 1) % length)] : kNoTarget);
        if (i >= length) out.looks.push_back({kInduction, i, {i - length + 1}});
        if (i > 0) out.looks.push_back({kPrevious, i, {i - 1}});
    }
    return out;
}

/// The letter that followed the earlier occurrence; for positions after the end of the text, the right answers are
/// assumed.
std::vector<std::string> targets(const std::vector<std::string>& text, const std::vector<std::string>&, int places, const TaskOptions&) {
    std::vector<std::string> out, so_far = text;
    for (int i = 0; i < places; ++i) {
        const auto at = so_far.begin() + std::min<std::ptrdiff_t>(i, std::ssize(so_far) - 1);
        const auto before = std::find(std::make_reverse_iterator(at), so_far.rend(), *at);
        out.push_back(before == so_far.rend() ? std::string() : *before.base());
        if (i + 1 >= std::ssize(so_far) && !out.back().empty()) so_far.push_back(out.back());
    }
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "generate", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}, "generate": 4}})",
        size.heads, size.layers, 8);
    out.words = Vocabulary(kLetters).words();
    out.width = size.width;
    out.longest = kRoom;
    out.chance = 0;  // share of whole repetitions by guessing
    out.jobs = {{"induction", {"looks behind the earlier place of the same letter", "看同一字母上次出现之后的位置"}, Part::Main, 1},
                {"previous", {"looks at the letter before", "看前一个字母"}, Part::Main, 0}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "induction",
    .name = {"Induction", "归纳头"},
    .about = {"Two layers continue random letters that have begun to repeat; a head of the second finds where the same letter "
              "stood before, and looks at what came after it.",
              "两层网络续写正在重复的随机字母：第二层的一个头会找到同一字母上次出现的位置，看它后面是什么。"},
    .look_for = {"For a while nothing; then, within few steps, a head of layer 2 looks one place behind the earlier copy, and "
                 "nearly every answer is right.",
                 "起初毫无起色；随后短短几步之内，第二层的一个头学会看上一份拷贝的下一位，答案几乎全对。"},
    .sizes = kSizes,
    .examples = kExamples,
    .targets = targets,
});

}  // namespace attn::train::task::induction
