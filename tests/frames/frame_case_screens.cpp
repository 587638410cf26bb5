// Panels beside the stage, and the screens that replace it.

#include "app/screens/training/training.h"
#include "tests/frames/frame_case_parts.h"
#include "app/screens/heads/look.h"
#include "app/screens/prediction/look.h"

namespace frames {
namespace {

void pick_tokens(app::HeadsChoice& h) {
    h.queries = {0, 2};
    h.keys = {1};
    h.hide_first = h.renormalise = true;
}
void from_a_patch(app::HeadsChoice& h) { h.queries = {5}; }
void shown_as_matrix(app::HeadsChoice& h) { h.matrix = true; }
void as_strongest(app::HeadsChoice& h) {
    h.shown = "strongest";
    h.keep = 0.5f;
}
void as_small_lines(app::HeadsChoice& h) { h.small_lines = true; }
void as_all_tokens(app::HeadsChoice& h) { h.plane = "all"; }
void as_map(app::HeadsChoice& h) {
    h.plane = "map";
    h.after = 0.7f;
}
void as_features(app::HeadsChoice& h) {
    h.first = 1;
    h.second = 4;
}

/// A few steps: the picture shows trained numbers, and is ready soon.
void trained(app::ViewState& v) {
    v.screen = app::Screen::Train;
    v.part<app::TrainingLook>().until = 24;
}
void trained_copy(app::ViewState& v) {
    v.screen = app::Screen::Train;
    v.part<app::TrainingLook>().task = "copy";
    v.part<app::TrainingLook>().until = 12;
    v.part<app::TrainingLook>().at = 4;
}
/// Two trainings on one seed, of which one has no mask.
void trained_beside(app::ViewState& v) {
    v.screen = app::Screen::Train;
    v.part<app::TrainingLook>().task = "induction";
    v.part<app::TrainingLook>().beside = "no_mask";
    v.part<app::TrainingLook>().until = 24;
}
/// The cross-attention of two, after an earlier step.
void trained_beside_copy(app::ViewState& v) {
    v.screen = app::Screen::Train;
    v.part<app::TrainingLook>().task = "copy";
    v.part<app::TrainingLook>().beside = "no_position";
    v.part<app::TrainingLook>().until = 64;
    v.part<app::TrainingLook>().at = 45;
}

void from_afar(app::ViewState& v) {
    v.screen = app::Screen::Flow;
    v.flow.zoom = app::kLeastFlowZoom;
}
/// Half way in: the tile of the place is turning into its flow.
void half_way(app::ViewState& v) {
    v.screen = app::Screen::Flow;
    v.flow.zoom = 0.6f;
}

void predicted(app::ViewState& v) { v.screen = app::Screen::Prediction; }
void predicted_inside(app::ViewState& v) {
    predicted(v);
    v.part<app::PredictionLook>().place = 2;
}
void predicted_by_lot(app::ViewState& v) {
    predicted(v);
    v.part<app::PredictionLook>().draw = true;
    v.part<app::PredictionLook>().temperature = 1.5f;
    v.part<app::PredictionLook>().top_k = 10;
    v.part<app::PredictionLook>().top_p = 0.9f;
}
void read_by_lens(app::ViewState& v) {
    predicted(v);
    v.part<app::PredictionLook>().page = "lens";
}
void read_by_parts(app::ViewState& v) {
    predicted(v);
    v.part<app::PredictionLook>().page = "parts";
}
void read_by_stream(app::ViewState& v) {
    predicted(v);
    v.part<app::PredictionLook>().page = "stream";
}
void with_each_part_off(app::ViewState& v) {
    predicted(v);
    v.part<app::PredictionLook>().page = "interventions";
}
void with_parts_of_another_text(app::ViewState& v) {
    with_each_part_off(v);
    v.part<app::PredictionLook>().sweep.by = "text";
    v.part<app::PredictionLook>().sweep.from = "床前明日光，疑是";
}
void as_flow(app::HeadsChoice& h) { h.through = "flow"; }
void as_norm(app::HeadsChoice& h) {
    h.measure = "norm";
    h.matrix = true;
}
void as_part(app::HeadsChoice& h) { h.measure = "part"; }
void by_previous(app::HeadsChoice& h) { h.role = "previous"; }
void on_repeated_words(app::HeadsChoice& h) {
    h.role = "induction";
    h.repeated = true;
}

constexpr app::Size kCompact{960, 600};

constexpr FrameCase kScreenCases[] = {
    {"panel_left", causal, "weights", 1, kNoPin, "light", kEnglish, kLarge, Place::Left},
    {"panel_right", causal, "weights", 1, Pin{3, 1}, "light", kChinese, kLarge, Place::Right},
    {"panel_right_dot", cat, "scores", 1, Pin{1, 2}, "dark", kEnglish, kLarge, Place::Right},
    {"panel_left_asked", opening_english, "weights.h1", 1, kNoPin, "light", kEnglish, app::Size{1440, 1400}, Place::Left},
    {"panel_left_decoder", decoder, "cross.l1.weights", 1, kNoPin, "light", kChinese, kLarge, Place::Left},
    {"panel_right_norm", encoder, "l1.normed", 1, Pin{1, 3}, "light", kEnglish, kLarge, Place::Right},
    {"panel_right_additive", additive, "weights", 1, Pin{1, 3}, "light", kChinese, kLarge, Place::Right},
    {"footer_decoder", decoder, "cross.l1.weights", 1, kNoPin, "light", kEnglish, kLarge, Place::Footer},
    {"formula", causal, "masked", 1, kNoPin, "light", kEnglish, kLarge, Place::Formula},
    {"panel_settings", many_settings, "weights.h1", 1, kNoPin, "dark", kChinese, kLarge, Place::Left},
    {"tokens_source", cross, "weights", 1, Pin{1, 2}, "light", kChinese, {1920, 1080}, Place::Tokens},
    {"mask_blind", blind, "masked", 1, kNoPin, "light", kEnglish},
    {"number_field", cat, "scores", 1, Pin{1, 2}, "light", kEnglish, kLarge, Place::Stage, "", "",
     FrameCase::Act::Type},
    {"change", typed_over, "weights", 1, Pin{1, 1}, "light", kChinese, kLarge, Place::Stage, "", "",
     FrameCase::Act::Change},
    {"panel_right_change", typed_over, "weights", 1, Pin{1, 1}, "light", kEnglish, kLarge, Place::Right, "", "",
     FrameCase::Act::Change},
    {"compare", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "score", "weights"},
    {"compare_order", placed, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Compare, "order", "output"},
    {"compare_permuted", cat, "weights", 1, kNoPin, "light", kChinese, kMiddle, Place::Compare, "order", "weights"},
    {"compare_64", sixty_four, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "mask", "weights"},
    {"flow", cat, "weights", 1, Pin{2, 1}, "light", kEnglish, kMiddle, Place::Flow},
    {"flow_raw", morning, "scores", 1, Pin{1, 2}, "light", kChinese, kMiddle, Place::Flow},
    {"flow_heads", two_heads, "weights.h1", 1, Pin{3, 5}, "dark", kChinese, kMiddle, Place::Flow},
    {"flow_moving", causal, "weights", 0.6, kNoPin, "light", kEnglish, kMiddle, Place::Flow},
    {"flow_encoder", encoder, "l1.weights", 1, Pin{1, 3}, "light", kChinese, kMiddle, Place::Flow},
    {"flow_cross", cross, "weights", 1, Pin{1, 2}, "projector", kEnglish, kMiddle, Place::Flow},
    {"flow_64", sixty_four, "weights", 1, Pin{40, 17}, "light", kEnglish, kMiddle, Place::Flow},
    {"flow_entering", cat, "weights", 1, Pin{2, 1}, "light", kEnglish, kMiddle, Place::Flow, "", "",
     FrameCase::Act::Enter},
    {"flow_closer", two_heads, "weights.h1", 1, Pin{2, 3}, "light", kChinese, kMiddle, Place::Flow, "", "",
     FrameCase::Act::Closer},
    with({"flow_map", deep_encoder, "l2.weights.h3", 1, kNoPin, "light", kEnglish, kMiddle, Place::Flow}, from_afar),
    with({"flow_map_decoder", deep_decoder, "cross.l1.weights.h1", 1, kNoPin, "dark", kChinese, kMiddle, Place::Flow}, from_afar),
    with({"flow_map_times", two_heads_generate, "l1.t1.weights.h1", 1, kNoPin, "projector", kEnglish, kMiddle, Place::Flow}, from_afar),
    with({"flow_map_opening", deep_encoder, "l2.weights.h3", 1, kNoPin, "light", kChinese, kMiddle, Place::Flow}, half_way),
    columns({"flow_columns", cat, "weights", 1, Pin{2, 1}, "light", kChinese, kMiddle, Place::Flow}),
    columns({"flow_columns_heads", two_heads, "weights.h1", 1, Pin{3, 5}, "dark", kEnglish, kMiddle, Place::Flow}),
    {"room", causal, "weights", 1, Pin{3, 1}, "light", kEnglish, kRoom, Place::Overlay, "", "", FrameCase::Act::Room},
    {"room_dark", two_heads, "scores.h1", 0.3, kNoPin, "dark", kChinese, kRoom, Place::Overlay, "", "",
     FrameCase::Act::Room},
    {"room_projector", cat, "queries", 1, kNoPin, "projector", kChinese, kRoom, Place::Overlay, "", "",
     FrameCase::Act::Room},
    with({"room_note", cat, "weights", 1, kNoPin, "projector", kChinese, kRoom, Place::Overlay, "", "", FrameCase::Act::Room},
         [](ViewState& v) { v.done = app::tr(app::Str::chapter_locked, Language::Chinese); }),
    with({"train", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Train}, trained),
    with({"train_beside", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Train}, trained_beside),
    with({"train_snapshot", cat, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Train}, trained_copy),
    with({"train_beside_copy", cat, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Train}, trained_beside_copy),
    {"heads_lines", four_heads, "weights.h2", 1, Pin{4, 1}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "lines"},
    {"heads_lines_asked", opening_english, "weights.h1", 1, Pin{8, 4}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "lines"},
    {"heads_grid_asked", opening_chinese, "weights.h1", 1, Pin{7, 3}, "light", kChinese, kMiddle, Place::Heads, "", "", kNoAct,
     "grid"},
    {"heads_matrix_asked", opening_chinese, "weights.h3", 1, kNoPin, "dark", kEnglish, kLarge, Place::Heads, "", "", kNoAct,
     "lines", shown_as_matrix},
    {"flow_asked", opening_english, "weights.h1", 1, Pin{8, 4}, "light", kEnglish, kMiddle, Place::Flow},
    {"heads_lines_picked", cross, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Heads, "", "", kNoAct,
     "lines", pick_tokens},
    {"heads_lines_strongest", two_heads, "weights.h1", 1, kNoPin, "light", kChinese, kMiddle, Place::Heads, "", "",
     kNoAct, "lines", as_strongest},
    {"heads_lines_64", sixty_four, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "lines"},
    {"heads_lines_strange", strange, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "lines"},
    {"heads_lines_long", long_words, "weights", 1, kNoPin, "light", kChinese, kMiddle, Place::Heads, "", "", kNoAct,
     "lines"},
    {"heads_lines_1", one, "weights", 1, kNoPin, "light", kChinese, kMiddle, Place::Heads, "", "", kNoAct, "lines"},
    {"heads_matrix", two_heads, "weights.h1", 1, Pin{2, 3}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "lines", shown_as_matrix},
    {"heads_regions", picture, "l1.weights.h1", 1, kNoPin, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct, "regions",
     from_a_patch},
    {"heads_regions_class", picture, "l2.weights.h2", 1, kNoPin, "dark", kChinese, kMiddle, Place::Heads, "", "", kNoAct, "regions"},
    {"heads_none", online, "head_output", 1, kNoPin, "light", kChinese, kMiddle, Place::Heads, "", "", kNoAct, "lines"},
    {"heads_grid", deep_decoder, "l1.weights.h1", 1, kNoPin, "light", kEnglish, kLarge, Place::Heads, "", "", kNoAct,
     "grid"},
    {"heads_grid_lines", two_heads_generate, "l1.t1.weights.h1", 1, kNoPin, "dark", kChinese, kMiddle, Place::Heads, "",
     "", kNoAct, "grid", as_small_lines},
    {"heads_grid_64", sixty_four, "weights", 1, Pin{3, 9}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "grid"},
    {"heads_neuron", four_heads, "weights.h2", 1, Pin{3, 1}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "neuron"},
    {"heads_neuron_additive", additive, "scores", 1, Pin{1, 3}, "dark", kChinese, kMiddle, Place::Heads, "", "", kNoAct,
     "neuron"},
    {"heads_neuron_64", sixty_four, "weights", 1, Pin{40, 17}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "neuron"},
    {"heads_plane", cat, "weights", 1, Pin{1, 2}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct, "plane"},
    {"heads_plane_features", cat_raw, "weights", 1, Pin{1, 2}, "dark", kChinese, kMiddle, Place::Heads, "", "", kNoAct,
     "plane", as_features},
    {"heads_plane_all", many, "weights", 1, Pin{3, 7}, "light", kChinese, kMiddle, Place::Heads, "", "", kNoAct,
     "plane", as_all_tokens},
    {"heads_plane_map", cat, "weights", 1, Pin{1, 2}, "light", kEnglish, kLarge, Place::Heads, "", "", kNoAct, "plane",
     as_map},
    {"heads_plane_none", additive, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "plane"},
    with({"prediction_words", language, "l1.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Prediction}, predicted),
    with({"prediction_words_drawn", language_zh, "l1.weights.h1", 1, kNoPin, "projector", kChinese, kCompact, Place::Prediction}, predicted_by_lot),
    with({"prediction_recurrent", translated, "weights", 1, kNoPin, "light", kEnglish, kCompact, Place::Prediction}, predicted_inside),
    with({"prediction_recurrent_projector", translated, "weights", 1, kNoPin, "projector", kChinese, kCompact, Place::Prediction}, predicted_inside),
    with({"prediction_lens", language, "l1.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Prediction}, read_by_lens),
    with({"prediction_parts", language_without_a_head, "l2.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Prediction}, read_by_parts),
    with({"prediction_stream", language, "l2.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Prediction}, read_by_stream),
    with({"prediction_stream_dark", language_zh, "l2.weights.h1", 1, kNoPin, "dark", kChinese, kCompact, Place::Prediction}, read_by_stream),
    with({"prediction_interventions", language_without_a_head, "l2.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Prediction}, with_each_part_off),
    with({"prediction_interventions_text", language_zh, "l2.weights.h1", 1, kNoPin, "dark", kChinese, kLarge, Place::Prediction}, with_parts_of_another_text),
    with({"prediction_words_changed", language_without_a_head, "l2.weights.h1", 1, kNoPin, "dark", kChinese, kCompact, Place::Prediction}, predicted),
    with({"prediction_lens_projector", language_zh, "l1.weights.h1", 1, kNoPin, "projector", kChinese, kCompact, Place::Prediction}, read_by_lens),
    {"heads_through", language, "l1.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Heads, "", "", kNoAct, "through"},
    {"heads_through_flow", language_zh, "l1.weights.h1", 1, kNoPin, "projector", kChinese, kCompact, Place::Heads, "", "", kNoAct, "through",
     as_flow},
    {"heads_matrix_norm", language, "l2.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Heads, "", "", kNoAct, "lines", as_norm},
    {"heads_ranked", language, "l1.weights.h1", 1, kNoPin, "light", kEnglish, kCompact, Place::Heads, "", "", kNoAct, "ranked", by_previous},
    {"heads_ranked_repeated", language_zh, "l2.weights.h1", 1, kNoPin, "projector", kChinese, kCompact, Place::Heads, "", "", kNoAct, "ranked",
     on_repeated_words},
    {"heads_grid_tinted", deep_decoder, "l1.weights.h1", 1, kNoPin, "dark", kChinese, kMiddle, Place::Heads, "", "", kNoAct, "grid", by_previous},
    {"heads_grid_part", language_zh, "l2.weights.h1", 1, kNoPin, "light", kChinese, kMiddle, Place::Heads, "", "", kNoAct, "grid", as_part},
};

}  // namespace

std::span<const FrameCase> screen_cases() { return kScreenCases; }

}  // namespace frames
