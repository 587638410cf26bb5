#include "tests/frames/frame_case.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/ui/theme.h"
#include "tests/frames/frame_case_parts.h"

namespace frames {
namespace {

/// An operation, a part of the window, a screen or one of its pages has one golden; parts that tokens as columns transpose
/// have a few. All other cases have the checks of every frame: nothing is cut off, nothing overlaps, and drawing twice gives
/// the same frame.
constexpr std::string_view kGoldens[] = {
    "input", "matmul_row", "mix_strips", "transpose_turning", "scale", "mask", "softmax_exp", "softmax_all_masked",
    "add_sliding", "slice_leaving", "concat_meeting", "pair_sums_sliding", "activate", "fold", "rotate_turning", "unit",
    "spread", "collect", "window_sliding", "gaussian", "multiply", "top_k", "sparsemax", "draw_spinning", "gate", "column_sum",
    "penalty", "layer_norm_stretching", "recur", "stack_dropping", "row_max", "exp_shift", "divide", "tokens_0", "tokens_1",
    "tokens_64_softmax", "long_words", "strange", "large_close", "cube", "formula_numbers", "formula_numbers_norm", "flow_fan",
    "gradient_weights", "gradient_loss", "whole_small", "panel_left", "panel_right", "panel_right_norm", "formula",
    "footer_decoder", "panel_settings", "tokens_source", "number_field", "change", "compare", "compare_text", "compare_changes", "compare_head",
    "flow", "flow_raw", "flow_heads", "flow_encoder", "flow_cross", "flow_map", "room", "room_dark", "train", "train_beside",
    "heads_lines", "heads_matrix", "heads_regions", "heads_grid", "heads_neuron", "heads_neuron_additive", "heads_plane",
    "heads_plane_map", "heads_ranked", "prediction_words", "prediction_lens", "prediction_parts", "prediction_interventions", "prediction_stream", "prediction_recurrent", "heads_through", "sheet_keys",
    "sheet_palette", "sheet_export", "sheet_description", "chapter_softmax", "chapter_question", "sheet_chapters",
    "sheet_glossary", "sheet_examples", "sheet_forms", "sheet_models", "tour_stage", "question_asked", "question_answered",
    "question_halfway", "scale_page", "paths", "columns_matmul", "columns_softmax_exp", "columns_fold", "columns_panel_right",
    "columns_compare", "columns_heads_grid",
};

/// Cases with a golden of pixels as well, not only of draw calls: letters in both languages and three themes, edges, shades,
/// photographs, and maps that the graphics processor draws, pooled and in tiles.
constexpr std::string_view kPictures[] = {
    "tokens_source", "formula_numbers", "panel_settings", "heads_regions", "chapter_question", "heads_neuron",
    "prediction_words", "room", "mask", "sheet_palette", "tokens_64_softmax", "large_close", "whole_small", "flow",
};

}  // namespace

std::span<const FrameCase> frame_cases() {
    static const std::vector<FrameCase> kAll = [] {
        std::vector<FrameCase> all;
        for (const auto& part : {stage_cases(), screen_cases(), sheet_cases(), column_cases()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kAll;
}

std::span<const FrameCase> golden_cases() {
    static const std::vector<FrameCase> kWithGolden = [] {
        std::vector<FrameCase> kept;
        for (const FrameCase& frame : frame_cases())
            if (std::ranges::find(kGoldens, frame.name) != std::end(kGoldens)) kept.push_back(frame);
        return kept;
    }();
    return kWithGolden;
}

bool keeps_picture(const FrameCase& frame) { return std::ranges::find(kPictures, frame.name) != std::end(kPictures); }

app::Rect part_rect(const FrameCase& frame) {
    app::Panels panels;
    panels.course = frame.part == Place::Course;
    // Around the stage in its final position; the inspector at its initial position.
    panels.yields = frame.part == Place::Stage || frame.part == Place::Formula || frame.part == Place::Tokens || frame.part == Place::Right;
    panels.inspector_opened = frame.part == Place::Right;
    const app::Rect r =
        app::place_rect(frame.part, {0, 0, frame.size.w, frame.size.h}, app::theme_named(frame.theme), panels);
    const float left = std::floor(r.x), top = std::floor(r.y);
    return {left, top, std::ceil(r.right()) - left, std::ceil(r.bottom()) - top};
}

}  // namespace frames
