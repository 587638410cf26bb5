// The same with tokens as columns.

#include "tests/frames/frame_case_parts.h"
#include "app/screens/heads/look.h"

namespace frames {
namespace {

void as_matrix(app::HeadsChoice& h) { h.matrix = true; }

constexpr FrameCase kColumnCases[] = {
    columns({"columns_matmul_flying", cat, "scores", 0.22, Pin{1, 2}}),
    columns({"columns_matmul", cat, "queries", 1, kNoPin, "projector", kChinese, kProjector}),
    columns({"columns_mix_strips", cat, "head_output", 0.28, Pin{3, 2}, "dark"}),
    columns({"columns_softmax_exp", causal, "weights", 0.22, Pin{3, 1}, "light", kChinese}),
    columns({"columns_mask", causal, "masked", 1, Pin{1, 3}}),
    columns({"columns_mask_blind", blind, "masked", 1}),
    columns({"columns_concat_meeting", two_heads, "joined", 0.4}),
    columns({"columns_concat", two_heads, "joined", 1, kNoPin, "light", kChinese}),
    columns({"columns_slice_leaving", two_heads, "queries.h1", 0.55, kNoPin, "dark", kChinese}),
    columns({"columns_add", positions, "inputs", 1, Pin{1, 4}}),
    columns({"columns_add_row_sliding", biased, "queries", 0.5}),
    columns({"columns_transpose_turning", cat, "keys_transposed", 0.4}),
    columns({"columns_pair_sums_sliding", additive, "pair_sums", 0.25, Pin{7, 1}}),
    columns({"columns_fold", additive, "scores", 0.62, Pin{2, 1}, "light", kChinese}),
    columns({"columns_gaussian", local_p, "gaussian", 0.9}),
    columns({"columns_exp_shift", online, "t1.shifted", 0.3, Pin{2, 0}}),
    columns({"columns_column_sum", gated, "coverage", 0.3}),
    columns({"columns_recur", bahdanau, "source.states", 0.5}),
    columns({"columns_stack_dropping", generate, "l1.t2.cached_keys", 0.4}),
    columns({"columns_layer_norm", encoder, "l1.normed", 0.3, Pin{1, 3}, "projector", kEnglish, kProjector}),
    columns({"columns_tokens_64", sixty_four, "scores", 1, Pin{40, 17}}),
    columns({"columns_tokens_64_softmax", sixty_four, "weights", 0.9, Pin{5, 60}, "dark"}),
    columns({"columns_long_words", long_words, "weights", 1, Pin{1, 0}}),
    columns({"columns_cube", cat, "scores", 0.64, Pin{1, 2}, "light", kEnglish, kLarge, Place::Stage, "", "",
             FrameCase::Act::Cube}),
    columns({"columns_formula_numbers", cat, "head_output", 1, Pin{1, 2}, "light", kChinese, kLarge, Place::Formula}),
    columns({"columns_flow_fan", four_heads, "weights.h2", 1, Pin{3, 1}, "dark", kChinese, kMiddle, Place::Flow, "", "",
             FrameCase::Act::Fan}),
    columns({"columns_panel_right", causal, "weights", 1, Pin{3, 1}, "light", kEnglish, kLarge, Place::Right}),
    columns({"columns_panel_right_dot", cat, "scores", 1, Pin{1, 2}, "light", kChinese, kLarge, Place::Right}),
    columns({"columns_formula", causal, "masked", 1, kNoPin, "light", kEnglish, kLarge, Place::Formula}),
    columns({"columns_panel_left", causal, "weights", 1, kNoPin, "light", kEnglish, kLarge, Place::Left}),
    columns(
        {"columns_compare", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "score", "output"}),
    columns({"columns_compare_64", sixty_four, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Compare, "mask",
             "weights"}),
    columns({"columns_heads_matrix", four_heads, "weights.h1", 1, Pin{3, 1}, "light", kEnglish, kMiddle, Place::Heads,
             "", "", kNoAct, "lines", as_matrix}),
    columns({"columns_heads_grid", cross, "weights", 1, Pin{1, 2}, "light", kChinese, kMiddle, Place::Heads, "", "",
             kNoAct, "grid"}),
    columns({"columns_change", typed_over, "weights", 1, Pin{1, 2}, "light", kEnglish, kLarge, Place::Stage, "", "",
             FrameCase::Act::Change}),
};

}  // namespace

std::span<const FrameCase> column_cases() { return kColumnCases; }

}  // namespace frames
