// The stage: every operation in motion and at rest, texts of no, one, few and many tokens.

#include "tests/frames/frame_case_parts.h"

namespace frames {
namespace {

constexpr FrameCase kStageCases[] = {
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
    {"pair_sums_sliding", additive, "pair_sums", 0.25},
    {"pairs_joining", concat, "pairs", 0.25, Pin{7, 1}, "dark"},
    {"activate", additive, "pair_tanh", 0.3, Pin{11, 2}, "light", kChinese},
    {"fold", additive, "scores", 0.62, Pin{2, 1}},
    {"rotate_turning", rope, "rotated_queries", 0.3, Pin{2, 0}},
    {"unit", cosine, "unit_queries", 0.3, kNoPin, "dark"},
    {"spread", relative, "relative_scores", 0.3, Pin{1, 2}},
    {"collect", relative, "relative_weights", 0.9, Pin{4, 4}, "light", kChinese},
    {"window_sliding", local_p, "scope_pattern", 0.3},
    {"gaussian", local_p, "gaussian", 0.9, kNoPin, "light", kChinese},
    {"multiply", local_p, "local_weights", 0.25, Pin{2, 3}},
    {"top_k", top_two, "kept", 0.3, Pin{2, 2}},
    {"sparsemax", sparsemax, "weights", 0.28, Pin{2, 3}, "light", kChinese},
    {"draw_spinning", twelve_draws, "drawn_shares", 0.27},
    {"draw", many_draws, "drawn_shares", 1, Pin{3, 1}, "dark", kChinese},
    {"gate", gated, "gate", 0.3},
    {"column_sum", gated, "coverage", 0.3, kNoPin, "light", kChinese},
    {"penalty", gated, "penalty", 1},
    {"layer_norm_stretching", encoder, "l1.normed", 0.3, Pin{1, 3}},
    {"layer_norm", encoder, "output", 1, kNoPin, "projector", kEnglish, kProjector},
    {"recur", bahdanau, "source.states", 0.5},
    {"recur_backward", bahdanau, "source.backward_states", 0.35, kNoPin, "dark", kChinese},
    {"stack_dropping", generate, "l1.t2.cached_keys", 0.4},
    {"slice_rows", online, "t1.key_tile", 0.4},
    {"row_max", online, "t2.running_max", 0.3},
    {"exp_shift", online, "t1.shifted", 0.3, Pin{2, 0}},
    {"row_sum", online, "t1.tile_sum", 0.3, kNoPin, "light", kChinese},
    {"divide", online, "head_output", 0.3, Pin{1, 4}},
    {"tokens_0", none, "", 1},
    {"tokens_1", one, "weights", 1, kNoPin, "light", kChinese},
    {"tokens_12", many, "scores", 1, Pin{3, 7}},
    {"tokens_12_softmax", many, "weights", 0.6},
    {"tokens_64", sixty_four, "scores", 1, Pin{40, 17}},
    {"tokens_64_softmax", sixty_four, "weights", 1, Pin{5, 60}, "dark"},
    {"long_words", long_words, "weights", 1, Pin{1, 0}},
    {"strange", strange, "scores", 1, Pin{0, 2}},
    {"large", four_thousand, "scores", 1, Pin{1200, 1180}, "light", kEnglish, kLarge},
    with({"large_masked_most", thousand, "masked", 1, kNoPin, "dark", kChinese, kLarge},
         [](app::ViewState& v) {
             v.map = {1.5f, 0.5f, 0.4f};
             v.pooling = app::Pooling::Largest;
         }),
    with({"large_close", four_thousand, "weights", 1, Pin{1199, 1190}, "light", kChinese, kLarge},
         [](app::ViewState& v) {
             v.map = {600, 0.2926f, 0.29f};
             v.search.text = "lighthouse";
         }),
    with(columns({"large_columns", thousand, "queries", 1, kNoPin, "light", kEnglish, kLarge}),
         [](app::ViewState& v) {
             v.map = {20, 0.5f, 0.5f};
         }),
    with({"large_projector", thousand, "weights", 1, Pin{599, 410}, "projector", kEnglish, kProjector},
         [](app::ViewState& v) {
             v.map = {40, 0.585f, 0.4f};
             v.search.text = "lighthouse";
         }),
    {"large_moving", four_thousand, "scores", 0.5, kNoPin, "light", kEnglish, kLarge},
    with(
        {"large_compare", thousand, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "mask", "scores"},
        [](app::ViewState& v) {
            v.map = {3, 0.5f, 0.4f};
        }),
    {"cube", cat, "scores", 1, Pin{2, 3}, "light", kEnglish, kLarge, Place::Stage, "", "", FrameCase::Act::Cube},
    {"cube_flying", cat, "head_output", 0.2, Pin{1, 2}, "dark", kChinese, kLarge, Place::Stage, "", "",
     FrameCase::Act::Cube},
    {"cube_row", two_heads, "output", 0.62, kNoPin, "projector", kChinese, kProjector, Place::Stage, "", "",
     FrameCase::Act::Cube},
    {"cube_64", sixty_four, "scores", 1, Pin{40, 17}, "light", kChinese, kLarge, Place::Stage, "", "",
     FrameCase::Act::Cube},
    {"formula_numbers", causal, "weights", 1, Pin{3, 1}, "light", kEnglish, kLarge, Place::Formula},
    {"formula_numbers_scaled", cat, "scaled", 1, Pin{2, 3}, "dark", kChinese, kLarge, Place::Formula},
    {"formula_numbers_norm", encoder, "l1.normed", 1, Pin{1, 3}, "projector", kEnglish, kProjector, Place::Formula},
    {"flow_fan", four_heads, "weights.h2", 1, Pin{3, 1}, "light", kEnglish, kMiddle, Place::Flow, "", "",
     FrameCase::Act::Fan},
    {"gradient_weights", turned_back, "grad.weights.h1", 1, kNoPin, "light", kEnglish, kLarge},
    {"gradient_moving", turned_back, "grad.queries.h1", 0.4, kNoPin, "dark", kChinese, kLarge},
    {"gradient_projector", turned_back, "grad.weights.h1", 1, kNoPin, "projector", kChinese, kProjector},
    {"gradient_steps", turned_back, "grad.weights.h1", 1, kNoPin, "light", kEnglish, kLarge, Place::Left},
    {"gradient_cell", turned_back, "grad.weights.h1", 1, Pin{2, 1}, "light", kChinese, kLarge, Place::Right},
    {"gradient_loss", turned_back_from_loss, "grad.loss_logits", 1, kNoPin, "light", kChinese, kLarge},
    {"whole_small", morning, "scores", 1, Pin{0, 1}, "light", kChinese, kSmall, Place::Overlay},
    {"whole_small_dark", two_heads, "weights.h1", 0.3, kNoPin, "dark", kEnglish, kSmall, Place::Overlay},
};

}  // namespace

std::span<const FrameCase> stage_cases() { return kStageCases; }

}  // namespace frames
