#include "app/views/settings_table.h"

#include "core/document_origins.h"
#include "core/parts/choices.h"
#include "core/parts/rows.h"

namespace app {
namespace {

using attn::Document;
using attn::Given;

bool uses(const Document& d, attn::Uses use) {
    const attn::Variant* variant = attn::find_variant(d.config.variant);
    return variant && attn::has(variant->uses, use);
}
bool several_heads(const Document& d) { return d.config.heads > 1; }
bool windowed(const Document& d) { return attn::rows_read(d.config, "window"); }
bool with_global(const Document& d) { return attn::rows_read(d.config, "global_tokens"); }
bool padded(const Document& d) { return attn::rows_read(d.config, "padding") || d.padding > 0; }
bool top_k(const Document& d) { return attn::rows_read(d.config, "top_k"); }
bool draws_places(const Document& d) { return attn::rows_read(d.config, "draws"); }
bool sampled(const Document& d) {
    const attn::WordChoice* choice = attn::word_choices().find(d.config.choose);
    return uses(d, attn::Uses::Generate) && choice && choice->samples;
}
bool drawn_at_random(const Document& d) { return attn::rows_read(d.config, "draw_seed") || sampled(d); }
bool relative(const Document& d) { return attn::rows_read(d.config, "relative_clip"); }
bool tiled(const Document& d) { return uses(d, attn::Uses::Tile); }
bool of_scene(const Document& d) { return attn::shows_scene(d); }
bool random_vectors(const Document& d) { return attn::seeds_vectors(d) && !d.matrix(Given::X); }
bool random_weights(const Document& d) {
    const attn::Field* weights = attn::find_field("weights");
    return attn::seeds_weights(d) && (!weights->is_read || weights->is_read(d));
}

constexpr float kHottest = 4.0f, kLargestPenalty = 4.0f;

constexpr Setting kForm[] = {{"variant", Str::form}, {"tile", Str::tile, Control::Stepper, tiled}};
constexpr Setting kScore[] = {
    {"score", Str::score},
    {"temperature", Str::temperature, Control::Slider, nullptr, kHottest, 1},
};
constexpr Setting kMask[] = {
    {"mask", Str::mask},
    {"scope", Str::scope},
    {"window", Str::window, Control::Stepper, windowed},
    {"global_tokens", Str::global_tokens, Control::Stepper, with_global},
    {"padding", Str::padding, Control::Stepper, padded},
};
constexpr Setting kSelection[] = {
    {"selection", Str::selection},
    {"top_k", Str::top_k, Control::Stepper, top_k},
    {"draws", Str::draws, Control::Stepper, draws_places},
    {"draw_seed", Str::draw_seed, Control::Seed, drawn_at_random},
    {"gate", Str::gate},
    {"penalty", Str::penalty, Control::Slider, nullptr, kLargestPenalty, 0},
};
constexpr Setting kHeads[] = {
    {"heads", Str::heads, Control::Counts},
    {"kv_heads", Str::kv_heads, Control::Counts, several_heads},
    {"heads_off", Str::heads_on, Control::HeadsOff, several_heads},
};
constexpr Setting kPosition[] = {
    {"position", Str::position},
    {"relative_clip", Str::relative_clip, Control::Stepper, relative},
};
constexpr Setting kBlocks[] = {
    {"layers", Str::layers, Control::Stepper},
    {"block", Str::block},
    {"norm", Str::norm},
    {"activation", Str::activation},
    {"ffn_width", Str::ffn_width, Control::Stepper},
};
constexpr Setting kDecoding[] = {
    {"generate", Str::generate, Control::Stepper},
    {"choose", Str::choose},
    {"choose_temperature", Str::temperature, Control::Slider, sampled, kHottest, 1},
    {"choose_top_k", Str::top_k, Control::Stepper, sampled},
    {"choose_top_p", Str::top_p, Control::Slider, sampled, 1, 1},
};
constexpr Setting kVectors[] = {
    {"vectors", Str::vectors},
    {"width", Str::width, Control::Stepper, random_vectors},
    {"vector_seed", Str::seed, Control::Seed, random_vectors},
    {"tokenizer", Str::tokens_by},
    {"source_kind", Str::source_kind},
    {"scene_seed", Str::seed, Control::Seed, of_scene},
    {"weights", Str::weights_source},
    {"weight_seed", Str::seed, Control::Seed, random_weights},
};
constexpr SettingGroup kSettingGroups[] = {
    {Str::form, kForm},           {Str::group_score, kScore},       {Str::group_mask, kMask},
    {Str::selection, kSelection}, {Str::group_heads, kHeads},       {Str::position, kPosition},
    {Str::group_blocks, kBlocks}, {Str::group_decoding, kDecoding}, {Str::group_vectors, kVectors},
};

}  // namespace

std::span<const SettingGroup> setting_groups() { return kSettingGroups; }

bool is_offered(const Setting& setting, const Document& document) {
    const attn::Field* field = attn::find_field(setting.field);
    if (!field || (field->is_read && !field->is_read(document))) return false;
    return !setting.sensible || setting.sensible(document);
}

}  // namespace app
