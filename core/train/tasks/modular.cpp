// a + b modulo a prime: six in ten of all sums are trained, and long after these are memorised, the model generalises
// to the others.
// [Power et al. 2022; Nanda et al. 2023]
#include <fmt/format.h>

#include <charconv>

#include "core/train/drills.h"

namespace attn::train::task::modular {

extern const Task row;

namespace {

constexpr std::array kSizes = {
    TaskSize{"usual", {"modulo 31", "模 31"}, 6000, 0.002f, 256, 64, 4, 1},
    TaskSize{"large", {"modulo 59", "模 59"}, 10000, 0.002f, 512, 96, 4, 1},
};
constexpr int kPrimes[] = {31, 59};

constexpr std::array kExamples = {
    TaskExample{"sum", "17 + 20 =", "", {"17 + 20 = 37, which leaves 6 by 31", "17 + 20 = 37，模 31 余 6"}},
    TaskExample{"small", "2 + 3 =", "", {"A sum below the prime", "和小于质数"}},
};

int prime_of(const TaskOptions& options) { return kPrimes[&chosen_size(kSizes, options) - kSizes.data()]; }

std::vector<std::string> targets(const std::vector<std::string>& text, const std::vector<std::string>&, int places, const TaskOptions& options) {
    std::vector<std::string> out(static_cast<std::size_t>(places));
    int a = 0, b = 0;
    const auto number = [](const std::string& word, int& into) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), into);
        return error == std::errc() && end == word.data() + word.size();
    };
    if (text.size() == 4 && places > 3 && text[1] == "+" && text[3] == "=" && number(text[0], a) && number(text[2], b))
        out[3] = std::to_string((a + b) % prime_of(options));
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    const int prime = prime_of(options), plus = prime, equals = prime + 1;
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "generate", "tokenizer": "words", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}, "unembedding": "own", "generate": 1}})",
        size.heads, size.layers, 4 * size.width);
    Vocabulary words;
    for (int i = 0; i < prime; ++i) words.add(std::to_string(i));
    words.add("+");
    words.add("=");
    out.words = words.words();
    out.width = size.width;
    out.longest = 4;
    out.decay = 1;
    out.copying = false;
    out.unseen = 0.4;
    out.chance = 1.0 / prime;
    out.jobs = {{"both", {"= looks at the two numbers", "= 看两个数"}, Part::Main, -1}};
    out.drill = [=](Random& random) {
        const int a = below(random, prime), b = below(random, prime);
        Drill drill;
        drill.text = {a, plus, b, equals};
        drill.targets = {kNoTarget, kNoTarget, kNoTarget, (a + b) % prime};
        drill.looks = {{0, 3, {0, 2}}};
        drill.key = fmt::format("{} {}", a, b);
        return drill;
    };
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "modular",
    .name = {"Remainders", "取余加法"},
    .about = {"One layer learns the remainder of a + b by a prime from six in ten of all sums; the others are never shown.",
              "一层网络从所有算式的六成里学 a + b 除以一个质数的余数；其余的从不给它看。"},
    .look_for = {"Soon all sums that train are right and half of the others wrong; thousands of steps later these are right, too.",
                 "训练用的算式很快全对，别的还有一半错；再过几千步，别的也对了。"},
    .sizes = kSizes,
    .examples = kExamples,
    .targets = targets,
});

}  // namespace attn::train::task::modular
