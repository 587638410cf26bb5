#include "tests/frames/frame_case.h"

#include <array>
#include <cmath>
#include <string>

#include "app/ui/theme.h"
#include "core/document_fields.h"
#include "core/link.h"

namespace frames {
namespace {

using app::Language;
using app::Place;
using app::Sheet;
using app::ViewState;
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

/// A text of so many tokens, one of them rare.
Document long_text(int tokens) {
    constexpr std::array<std::string_view, 11> kWords = {"the",  "tired", "cat", "sat",   "down", "and",
                                                         "then", "slept", "all", "night", "long"};
    std::string text;
    for (int i = 0; i < tokens; ++i)
        text.append(i % 300 == 299 ? "lighthouse" : kWords[static_cast<std::size_t>(i) * 7 % kWords.size()])
            .append(" ");
    Document doc = plain(std::move(text));
    doc.config.mask = "causal";
    return doc;
}
Document thousand() { return long_text(1024); }
Document four_thousand() { return long_text(4096); }

Document long_words() { return plain("Donaudampfschifffahrtsgesellschaft antidisestablishmentarianism a"); }
/// Beyond 16 bits, joined emoji, a combining mark: drawn as chips with their numbers.
Document strange() { return plain("𠮷野家 😀 👩‍👩‍👧 e\u0301t\u00e9"); }

/// The cat's sentence with fields of its document set by name, where they stand before the variant's own.
Document cat_with(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
    Document doc = cat();
    for (const auto& [field, value] : fields)
        if (field == "variant") attn::choose_variant(doc, value);
    for (const auto& [field, value] : fields)
        if (field != "variant" && !attn::set_field(doc, field, value)) return {};  // an empty picture fails its test
    return doc;
}

Document additive() { return cat_with({{"score", "additive"}}); }
Document concat() { return cat_with({{"score", "concat"}}); }
Document cosine() { return cat_with({{"score", "cosine"}}); }
Document rope() { return cat_with({{"position", "rope"}}); }
Document relative() { return cat_with({{"position", "relative"}}); }
Document local_p() { return cat_with({{"scope", "local_p"}, {"window", "2"}}); }
Document top_two() { return cat_with({{"selection", "top_k"}, {"top_k", "2"}}); }
Document sparsemax() { return cat_with({{"selection", "sparsemax"}, {"weights", "identity"}}); }
Document twelve_draws() { return cat_with({{"selection", "hard"}, {"draws", "12"}}); }
Document many_draws() { return cat_with({{"selection", "hard"}, {"draws", "200"}}); }
Document gated() { return cat_with({{"gate", "sigmoid"}, {"penalty", "1"}}); }
Document encoder() { return cat_with({{"variant", "encoder"}}); }
Document decoder() { return cat_with({{"variant", "decoder"}}); }
Document generate() { return cat_with({{"variant", "generate"}}); }
Document bahdanau() { return cat_with({{"variant", "bahdanau"}}); }
Document online() { return cat_with({{"variant", "online"}}); }

/// A score typed over.
Document typed_over() {
    Document doc = cat();
    doc.edits = {{{attn::Role::Scores}, 1, 2, 3}};
    return doc;
}

/// Nearly every setting has something to say.
Document many_settings() {
    Document doc = two_heads();
    doc.config.heads = 4;
    doc.config.heads_off = {1};
    doc.config.mask = "global_window";
    doc.config.selection = "hard";
    return doc;
}

Document cross() {
    Document doc = plain("早上好朋友", "cross");
    doc.weights = "random";
    doc.source = "good morning friend";
    return doc;
}

Document placed() {
    Document doc = cat();
    doc.config.position = "sinusoidal";
    return doc;
}

Document four_heads() {
    Document doc = causal();
    doc.config.heads = 4;
    return doc;
}

Document deep_decoder() { return cat_with({{"variant", "decoder"}, {"heads", "4"}, {"layers", "2"}}); }
Document two_heads_generate() { return cat_with({{"variant", "generate"}, {"heads", "2"}}); }

void pick_tokens(app::HeadsChoice& h) {
    h.queries = {0, 2};
    h.keys = {1};
    h.hide_first = h.renormalise = true;
}
void as_matrix(app::HeadsChoice& h) { h.matrix = true; }
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

constexpr app::Size kSmall{640, 480}, kProjector{1024, 768}, kLarge{1280, 800}, kMiddle{1024, 640}, kWindow{1000, 540},
    kRoom{960, 560};
constexpr Language kChinese = Language::Chinese, kEnglish = Language::English;
constexpr auto kNoPin = std::nullopt;
constexpr auto kNoAct = FrameCase::Act::Nothing;
using Pin = std::pair<int, int>;

constexpr FrameCase columns(FrameCase frame) {
    frame.convention = attn::Convention::Columns;
    return frame;
}

using Look = void (*)(ViewState& view);
/// The lab's page of paths; `Only` below 0: all three networks.
template <int Kernel, bool Dilated, int Only>
void show_paths(ViewState& view) {
    view.screen = app::Screen::Lab;
    view.lab_page = "paths";
    view.paths.dials.kernel = Kernel;
    view.paths.dials.dilated = Dilated;
    if (Only >= 0) view.paths.only = static_cast<attn::PathKind>(Only);
}

constexpr FrameCase with(FrameCase frame, Look look) {
    frame.look = look;
    return frame;
}

/// The whole window, for what lies over it.
constexpr FrameCase whole(std::string_view name, std::string_view theme, Language language) {
    return {name, causal, "weights", 1, Pin{3, 1}, theme, language, kWindow, Place::Overlay};
}

/// Chapter 3 beside its own sentence, on a page from 0.
template <int page>
constexpr Look lesson_at = [](ViewState& v) {
    v.study.lesson = "softmax-xxt-x";
    v.study.page = page;
};

template <int stop>
constexpr Look tour_at = [](ViewState& v) {
    v.sheet = Sheet::Tour;
    v.tour = stop;
};

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
    {"pair_sums_sliding", additive, "pair_sums", 0.25},
    {"pairs_joining", concat, "pairs", 0.25, Pin{7, 1}, "dark"},
    {"activate", additive, "pair_bent", 0.3, Pin{11, 2}, "light", kChinese},
    {"fold", additive, "scores", 0.62, Pin{2, 1}},
    {"rotate_turning", rope, "rotated_queries", 0.3, Pin{2, 0}},
    {"unit", cosine, "unit_queries", 0.3, kNoPin, "dark"},
    {"spread", relative, "relative_scores", 0.3, Pin{1, 2}},
    {"collect", relative, "relative_weights", 0.9, Pin{4, 4}, "light", kChinese},
    {"window_sliding", local_p, "scope_pattern", 0.3},
    {"bell", local_p, "bell", 0.9, kNoPin, "light", kChinese},
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
    {"panel_left", causal, "weights", 1, kNoPin, "light", kEnglish, kLarge, Place::Left},
    {"panel_right", causal, "weights", 1, Pin{3, 1}, "light", kChinese, kLarge, Place::Right},
    {"panel_right_dot", cat, "scores", 1, Pin{1, 2}, "dark", kEnglish, kLarge, Place::Right},
    {"panel_left_decoder", decoder, "cross.l1.weights", 1, kNoPin, "light", kChinese, kLarge, Place::Left},
    {"panel_right_norm", encoder, "l1.normed", 1, Pin{1, 3}, "light", kEnglish, kLarge, Place::Right},
    {"panel_right_additive", additive, "weights", 1, Pin{1, 3}, "light", kChinese, kLarge, Place::Right},
    {"footer_decoder", decoder, "cross.l1.weights", 1, kNoPin, "light", kEnglish, kLarge, Place::Footer},
    {"formula", causal, "masked", 1, kNoPin, "light", kEnglish, kLarge, Place::Formula},
    {"panel_settings", many_settings, "weights.h1", 1, kNoPin, "dark", kChinese, kLarge, Place::Left},
    {"chips_source", cross, "weights", 1, Pin{1, 2}, "light", kChinese, kLarge, Place::Chips},
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
    columns({"flow_columns", cat, "weights", 1, Pin{2, 1}, "light", kChinese, kMiddle, Place::Flow}),
    columns({"flow_columns_heads", two_heads, "weights.h1", 1, Pin{3, 5}, "dark", kEnglish, kMiddle, Place::Flow}),
    {"room", causal, "weights", 1, Pin{3, 1}, "light", kEnglish, kRoom, Place::Overlay, "", "", FrameCase::Act::Room},
    {"room_dark", two_heads, "scores.h1", 0.3, kNoPin, "dark", kChinese, kRoom, Place::Overlay, "", "",
     FrameCase::Act::Room},
    {"room_projector", cat, "queries", 1, kNoPin, "projector", kChinese, kRoom, Place::Overlay, "", "",
     FrameCase::Act::Room},
    {"heads_lines", four_heads, "weights.h2", 1, Pin{4, 1}, "light", kEnglish, kMiddle, Place::Heads, "", "", kNoAct,
     "lines"},
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
     "lines", as_matrix},
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
    {"whole_small", morning, "scores", 1, Pin{0, 1}, "light", kChinese, kSmall, Place::Overlay},
    {"whole_small_dark", two_heads, "weights.h1", 0.3, kNoPin, "dark", kEnglish, kSmall, Place::Overlay},
    // another run beside this one
    with({"compare_text", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "text"},
         [](ViewState& v) { v.comparison.text = "the happy dog ran home"; }),
    {"compare_head", four_heads, "weights.h2", 1, kNoPin, "dark", kChinese, kMiddle, Place::Compare, "head"},
    with({"compare_kept", cat, "weights", 1, kNoPin, "light", kChinese, kMiddle, Place::Compare, "kept"},
         [](ViewState& v) { v.comparison.kept = attn::document_link(causal()); }),
    {"compare_kept_none", cat, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Compare, "kept"},
    // what lies over the window
    with(whole("sheet_keys", "light", kEnglish), [](ViewState& v) { v.sheet = Sheet::Keys; }),
    with(whole("sheet_palette", "dark", kChinese), [](ViewState& v) { v.sheet = Sheet::Palette; }),
    with(whole("sheet_export", "light", kChinese),
         [](ViewState& v) {
             v.sheet = Sheet::Export;
             v.exporting.path = "attenscope-weights.png";  // where homes are is not the picture's business
             v.exporting.proposed = false;
         }),
    with(whole("sheet_words", "light", kEnglish), [](ViewState& v) { v.sheet = Sheet::Words; }),
    with({"lesson_softmax", cat_raw, "weights", 1, Pin{0, 3}, "light", kEnglish, {1280, 800}, Place::Study},
         lesson_at<4>),
    with({"lesson_formula", morning, "output", 1, kNoPin, "dark", kChinese, {1280, 800}, Place::Study}, lesson_at<8>),
    with({"lesson_question", cat_raw, "scores", 1, kNoPin, "light", kChinese, {1280, 800}, Place::Study}, lesson_at<6>),
    with({"lesson_projector", cat_raw, "scores", 1, kNoPin, "projector", kEnglish, {1024, 768}, Place::Study},
         lesson_at<1>),
    with(whole("sheet_chapters", "light", kEnglish), [](ViewState& v) { v.sheet = Sheet::Chapters; }),
    with(whole("sheet_glossary", "dark", kChinese), [](ViewState& v) { v.sheet = Sheet::Glossary; }),
    with(whole("tour_text", "light", kChinese), tour_at<0>),
    with(whole("tour_stage", "light", kEnglish), tour_at<1>),
    with(whole("tour_inspector", "dark", kChinese), tour_at<2>),
    with(whole("tour_timeline", "projector", kEnglish), tour_at<3>),
    with(whole("tour_settings", "light", kEnglish), tour_at<4>),
    with(whole("tour_screens", "light", kChinese), tour_at<5>),
    with(whole("tour_offered", "light", kEnglish), [](ViewState& v) { v.offers_tour = true; }),
    // the ways between tokens
    with({"paths", many, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Lab}, show_paths<3, false, -1>),
    with({"paths_gaps", two_heads, "weights.h1", 1, kNoPin, "dark", kChinese, kMiddle, Place::Lab},
         show_paths<3, true, 1>),
    with({"paths_64", sixty_four, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Lab},
         show_paths<5, true, -1>),
    with({"paths_long", thousand, "weights", 1, kNoPin, "dark", kChinese, kMiddle, Place::Lab},
         show_paths<9, true, -1>),
    with({"paths_1", one, "weights", 1, kNoPin, "light", kEnglish, kMiddle, Place::Lab}, show_paths<3, false, -1>),
    // tokens as columns
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
    columns({"columns_bell", local_p, "bell", 0.9}),
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

std::span<const FrameCase> frame_cases() { return kCases; }

app::Rect kept_rect(const FrameCase& frame) {
    app::Panels panels;
    panels.study = frame.kept == Place::Study;
    const app::Rect r =
        app::place_rect(frame.kept, {0, 0, frame.size.w, frame.size.h}, app::theme_named(frame.theme), panels);
    const float left = std::floor(r.x), top = std::floor(r.y);
    return {left, top, std::ceil(r.right()) - left, std::ceil(r.bottom()) - top};
}

}  // namespace frames
