// Nested brackets of three kinds: which one closes next depends on the last one that is still open.
#include <fmt/format.h>

#include "core/train/drills.h"

namespace attn::train::task::brackets {

extern const Task row;

namespace {

constexpr int kPairs = 8, kLongest = 2 * kPairs;

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 1200, 0.003f, 64, 64, 2, 3},
};

constexpr std::array kExamples = {
    TaskExample{"nested", "( [ { } ] )", "", {"Which bracket closes next?", "接下来该闭合哪个括号？"}},
    TaskExample{"rows", "( ) [ { } ( ) ]", "", {"Those that are closed already do not count", "已闭合的不算"}},
};

constexpr int kKinds = 3;
/// Words: ( [ { ) ] } .
int opener(int kind) { return kind; }
int closer(int kind) { return kKinds + kind; }

Drill drill(Random& random) {
    const int end = 2 * kKinds, pairs = 2 + below(random, kPairs - 1);
    Drill out;
    std::vector<int> open;  // positions
    for (int begun = 0; begun < pairs || !open.empty();) {
        if (begun < pairs && (open.empty() || chance(random, 0.5))) {
            open.push_back(static_cast<int>(out.text.size()));
            out.text.push_back(opener(below(random, kKinds)));
            ++begun;
        } else {
            out.text.push_back(closer(out.text[static_cast<std::size_t>(open.back())]));
            open.pop_back();
        }
        out.targets.push_back(open.empty() ? end : closer(out.text[static_cast<std::size_t>(open.back())]));
        if (!open.empty()) out.looks.push_back({0, static_cast<int>(out.text.size()) - 1, {open.back()}});
    }
    out.key = key_of(out.text);
    return out;
}

std::vector<std::string> targets(const std::vector<std::string>& text, const std::vector<std::string>&, int places, const TaskOptions&) {
    constexpr std::string_view kOpeners = "([{", kClosers = ")]}";
    std::vector<std::string> out;
    std::string open;  // the closing brackets still needed, the next one last
    for (const std::string& sign : text) {
        const std::size_t opens = kOpeners.find(sign);
        if (opens != std::string_view::npos)
            open += kClosers[opens];
        else if (!open.empty() && sign == std::string_view(&open.back(), 1))
            open.pop_back();
        else
            break;  // not a valid example
        out.push_back(open.empty() ? std::string(".") : std::string(1, open.back()));
    }
    out.resize(static_cast<std::size_t>(places));
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "encoder", "tokenizer": "words", "mask": "causal", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}, "unembedding": "own"}})",
        size.heads, size.layers, 2 * size.width);
    out.words = Vocabulary("( [ { ) ] } .").words();
    out.width = size.width;
    out.longest = kLongest;
    out.jobs = {{"open", {"looks at the last bracket that is still open", "看最后一个尚未闭合的括号"}, Part::Main, -1}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "brackets",
    .name = {"Brackets", "括号"},
    .about = {"Three layers read nested brackets of three kinds and write at each position which one has to close next, "
              "or a full stop if none is open.",
              "三层网络读入三种互相嵌套的括号，在每个位置写出接下来该闭合哪一个；都闭合了就写句号。"},
    .look_for = {"Lower layers count how deep a place is; then a head looks back at the last bracket that is still open.",
                 "底层先数出每个位置有多深；随后一个头会回看最后一个尚未闭合的括号。"},
    .sizes = kSizes,
    .examples = kExamples,
    .targets = targets,
});

}  // namespace attn::train::task::brackets
