#include "tests/frames/frame_case.h"

#include <array>
#include <cmath>
#include <string>

#include "app/ui/theme.h"

namespace frames {
namespace {

using app::Language;
using app::Place;
using attn::Document;
using attn::Given;

Document plain(std::string text, std::string_view variant = "multi_head") {
    Document doc;
    doc.text = std::move(text);
    attn::choose_variant(doc, variant);
    if (variant == "multi_head") doc.weights = "random";
    return doc;
}

Document cat() { return plain("the tired cat sat down"); }
Document cat_raw() { return plain("the tired cat sat down", "raw"); }
Document morning() { return plain("早上好", "raw"); }
Document none() { return plain(""); }
Document one() { return plain("cat"); }
Document many() { return plain("the animal didn't cross the street because it was too tired ."); }

Document positions() {
    Document doc = plain("the tired cat", "raw");
    doc.config.position = "sinusoidal";
    return doc;
}

Document causal() {
    Document doc = cat();
    doc.config.mask = "causal";
    return doc;
}

/// The second token may look at nothing.
Document blind() {
    Document doc = causal();
    doc.config.mask = "drawn";
    doc.mask_pattern = attn::Matrix::Ones(5, 5);
    doc.mask_pattern.row(1).setZero();
    return doc;
}

Document biased() {
    Document doc = cat();
    doc.given[static_cast<std::size_t>(Given::b_Q)] =
        attn::Matrix::NullaryExpr(1, 8, [](Eigen::Index, Eigen::Index c) { return 0.25f * static_cast<float>(c - 3); });
    return doc;
}

Document two_heads() {
    Document doc = plain("小猫坐在垫子上");
    doc.config.heads = 2;
    return doc;
}

Document sixty_four() {
    constexpr std::array<std::string_view, 8> kWords = {"the", "tired", "cat", "sat", "down", "and", "it", "slept"};
    std::string text;
    for (std::size_t i = 0; i < 64; ++i) text.append(kWords[i * 5 % 8]).append(" ");
    return plain(std::move(text));
}

Document long_words() { return plain("Donaudampfschifffahrtsgesellschaft antidisestablishmentarianism a"); }
/// Beyond 16 bits, joined emoji, a combining mark: drawn as chips with their numbers.
Document strange() { return plain("𠮷野家 😀 👩‍👩‍👧 e\u0301t\u00e9"); }

constexpr app::Size kSmall{640, 480}, kProjector{1024, 768}, kLarge{1280, 800};
constexpr Language kChinese = Language::Chinese, kEnglish = Language::English;
constexpr auto kNoPin = std::nullopt;
using Pin = std::pair<int, int>;

constexpr FrameCase kCases[] = {
    {"input_moving", cat_raw, "embeddings", 0.4},
    {"input", morning, "embeddings", 1, kNoPin, "light", kChinese},
    {"matmul_flying", cat, "scores", 0.22, Pin{1, 2}},
    {"matmul_row", cat, "scores", 0.62, Pin{1, 2}, "dark", kChinese},
    {"matmul", cat, "queries", 1, kNoPin, "light", kChinese},
    {"mix_strips", cat, "head_output", 0.2},
    {"mix_strips_late", cat_raw, "output", 0.42, Pin{2, 0}, "dark"},
    {"transpose_turning", cat, "keys_transposed", 0.4, kNoPin, "dark"},
    {"transpose", cat, "keys_transposed", 1},
    {"scale_shrinking", cat, "scaled", 0.5, kNoPin, "light", kChinese},
    {"scale", cat, "scaled", 1, Pin{3, 3}},
    {"mask_falling", causal, "masked", 0.3},
    {"mask", causal, "masked", 1, Pin{1, 3}, "projector", kEnglish, kProjector},
    {"softmax_exp", causal, "weights", 0.22, Pin{3, 1}},
    {"softmax", causal, "weights", 1, kNoPin, "dark", kChinese},
    {"softmax_all_masked", blind, "weights", 1, Pin{1, 1}, "light", kChinese},
    {"add_sliding", positions, "inputs", 0.55},
    {"add", positions, "inputs", 1, Pin{1, 4}, "light", kChinese},
    {"add_row_sliding", biased, "queries", 0.5, kNoPin, "light", kEnglish, kLarge},
    {"add_row", biased, "queries", 1, Pin{2, 1}, "dark", kChinese},
    {"slice_leaving", two_heads, "queries.h1", 0.55, kNoPin, "light", kChinese},
    {"slice", two_heads, "queries.h1", 1, kNoPin, "projector", kChinese, kProjector},
    {"concat_meeting", two_heads, "joined", 0.4, kNoPin, "light", kChinese},
    {"concat", two_heads, "joined", 1},
    {"tokens_0", none, "", 1},
    {"tokens_1", one, "weights", 1, kNoPin, "light", kChinese},
    {"tokens_12", many, "scores", 1, Pin{3, 7}},
    {"tokens_12_softmax", many, "weights", 0.6},
    {"tokens_64", sixty_four, "scores", 1, Pin{40, 17}},
    {"tokens_64_softmax", sixty_four, "weights", 1, Pin{5, 60}, "dark"},
    {"long_words", long_words, "weights", 1, Pin{1, 0}},
    {"strange", strange, "scores", 1, Pin{0, 2}},
    {"panel_left", causal, "weights", 1, kNoPin, "light", kEnglish, kLarge, Place::Left},
    {"panel_right", causal, "weights", 1, Pin{3, 1}, "light", kChinese, kLarge, Place::Right},
    {"panel_right_dot", cat, "scores", 1, Pin{1, 2}, "dark", kEnglish, kLarge, Place::Right},
    {"formula", causal, "masked", 1, kNoPin, "light", kEnglish, kLarge, Place::Formula},
    {"whole_small", morning, "scores", 1, Pin{0, 1}, "light", kChinese, kSmall, Place::Overlay},
    {"whole_small_dark", two_heads, "weights.h1", 0.3, kNoPin, "dark", kEnglish, kSmall, Place::Overlay},
};

}  // namespace

std::span<const FrameCase> frame_cases() { return kCases; }

app::Rect kept_rect(const FrameCase& frame) {
    const app::Rect r = app::place_rect(frame.kept, {0, 0, frame.size.w, frame.size.h}, app::theme_named(frame.theme));
    const float left = std::floor(r.x), top = std::floor(r.y);
    return {left, top, std::ceil(r.right()) - left, std::ceil(r.bottom()) - top};
}

}  // namespace frames
