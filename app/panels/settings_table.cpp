#include "app/panels/settings_table.h"

#include "app/state/refusals.h"
#include "core/attention/parts/rows.h"
#include "core/document/origins.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/model.h"

namespace app {
namespace {

using attn::Document;
using Config = attn::AttentionConfig;

/// Settings that only a trained model decides are not offered, unless the document has set one, so that it can be
/// reset.
template <auto Member>
bool of_checkpoint(const Document& d) {
    return (d.model && d.model->stored) || d.config.*Member != attn::AttentionConfig{}.*Member;
}

/// A checkpoint's sizes are those of its tensors: it cannot compute with others.
bool sized_here(const Document& d) { return !(d.model && d.model->stored && attn::takes_model_weights(d)); }
bool several_heads(const Document& d) { return d.config.heads > 1; }
bool shared_heads_here(const Document& d) { return several_heads(d) && sized_here(d); }
bool has_numbers(const Document& d) { return several_heads(d) || d.config.layers > 1; }
bool padded(const Document& d) { return attn::rows_read(d.config, "padding") || d.padding > 0; }
bool random_weights(const Document& d) {
    const attn::Field* weights = attn::find_field("weights");
    return attn::seeds_weights(d) && (!weights->is_read || weights->is_read(d));
}

constexpr float kHottest = 4.0f, kLargestPenalty = 4.0f, kFastestPair = 16.0f, kLargestScale = 64.0f, kLargestCap = 100.0f, kLastPair = 64.0f, kLongest = 2.0f;

double texts_of_file(const Document& d) { return d.attention ? d.attention->texts : 1; }

constexpr Setting kForm[] = {{"variant", Str::form, Control::Form}, {"attention_text", Str::attention_text, Control::Stepper, nullptr, 0, 0, texts_of_file}, {"unit", Str::unit}, {"tile", Str::tile, Control::Stepper}};
constexpr Setting kScore[] = {
    {"score", Str::score},
    {"score_width", Str::score_width, Control::Stepper},
    {"temperature", Str::temperature, Control::Slider, nullptr, kHottest, 1},
};
constexpr Setting kMask[] = {
    {"mask", Str::mask},
    {"scope", Str::scope},
    {"window", Str::window, Control::Stepper},
    {"global_tokens", Str::global_tokens, Control::Stepper},
    {"global_every", Str::global_every, Control::Stepper, of_checkpoint<&Config::global_every>},
    {"global_first", Str::global_first, Control::Stepper, of_checkpoint<&Config::global_first>},
    {"padding", Str::padding, Control::Stepper, padded},
};
constexpr Setting kSelection[] = {
    {"selection", Str::selection},
    {"top_k", Str::top_k, Control::Stepper},
    {"draws", Str::draws, Control::Stepper},
    {"draw_seed", Str::draw_seed, Control::Seed},
    {"gate", Str::gate},
    {"penalty", Str::penalty, Control::Slider, nullptr, kLargestPenalty, 0},
};
constexpr Setting kHeads[] = {
    {"heads", Str::heads, Control::Counts, sized_here},
    {"kv_heads", Str::kv_heads, Control::Counts, shared_heads_here},
    {"heads_off", Str::heads_on, Control::HeadsOff, several_heads},
    {"head_width", Str::head_width, Control::Stepper, sized_here},
    {"count_from", Str::count_from, Control::CountFrom, has_numbers},
};
constexpr Setting kPosition[] = {
    {"position", Str::position},
    {"relative_clip", Str::relative_clip, Control::Stepper},
    {"rope_base", Str::rope_base, Control::Decades},
    {"rope_share", Str::rope_share, Control::Slider, of_checkpoint<&Config::rope_share>, 1, 1},
    {"rope_factor", Str::rope_factor, Control::Decades, of_checkpoint<&Config::rope_factor>},
    {"rope_original", Str::rope_original, Control::Stepper, of_checkpoint<&Config::rope_original>},
    {"rope_low", Str::rope_low, Control::Slider, of_checkpoint<&Config::rope_low>, kFastestPair, 1},
    {"rope_high", Str::rope_high, Control::Slider, of_checkpoint<&Config::rope_high>, kFastestPair, 4},
    {"rope_pair_low", Str::rope_pair_low, Control::Slider, of_checkpoint<&Config::rope_pair_low>, kLastPair, 0},
    {"rope_pair_high", Str::rope_pair_high, Control::Slider, of_checkpoint<&Config::rope_pair_high>, kLastPair, 0},
    {"rope_length", Str::rope_length, Control::Slider, of_checkpoint<&Config::rope_length>, kLongest, 1},
    {"bias_buckets", Str::bias_buckets, Control::Stepper},
    {"bias_distance", Str::bias_distance, Control::Stepper},
    {"unplaced_every", Str::unplaced_every, Control::Stepper, of_checkpoint<&Config::unplaced_every>},
    {"unplaced_first", Str::unplaced_first, Control::Stepper, of_checkpoint<&Config::unplaced_first>},
    {"local_rope_base", Str::local_rope_base, Control::Decades, of_checkpoint<&Config::local_rope_base>},
};
constexpr Setting kBlocks[] = {
    {"layers", Str::layers, Control::Stepper},
    {"encoder_layers", Str::encoder_layers, Control::Stepper, of_checkpoint<&Config::encoder_layers>},
    {"block", Str::block},
    {"bare_layers", Str::bare_layers, Control::Stepper, of_checkpoint<&Config::bare_layers>},
    {"norm", Str::norm},
    {"epsilon", Str::epsilon, Control::Decades},
    {"activation", Str::activation},
    {"ffn_width", Str::ffn_width, Control::Stepper, sized_here},
    {"unembedding", Str::unembedding, Control::Select, sized_here},
    {"embedding_scale", Str::embedding_scale, Control::Slider, of_checkpoint<&Config::embedding_scale>, kLargestScale, 1},
    {"output_scale", Str::output_scale, Control::Slider, of_checkpoint<&Config::output_scale>, kLargestScale, 1},
    {"score_root", Str::score_root, Control::Decades, of_checkpoint<&Config::score_root>},
    {"score_cap", Str::score_cap, Control::Slider, of_checkpoint<&Config::score_cap>, kLargestCap, 0},
    {"logit_cap", Str::logit_cap, Control::Slider, of_checkpoint<&Config::logit_cap>, kLargestCap, 0},
};
constexpr Setting kDecoding[] = {
    {"generate", Str::generate, Control::Stepper},
    {"choose", Str::choose},
    {"choose_temperature", Str::temperature, Control::Slider, nullptr, kHottest, 1},
    {"choose_top_k", Str::top_k, Control::Stepper},
    {"choose_top_p", Str::top_p, Control::Slider, nullptr, 1, 1},
};
/// A checkpoint has its own tokenizer, and another one would give different tokens; a file's own choice can be undone.
bool cut_by_choice(const attn::Document& d) {
    const bool own = d.model && d.model->tokenizer && attn::takes_model_vectors(d);
    return !own || d.tokenizer != attn::Document{}.tokenizer;
}

constexpr Setting kVectors[] = {
    {"model", Str::model, Control::Model},
    {"vectors", Str::vectors},
    {"width", Str::width, Control::Stepper},
    {"vector_seed", Str::seed, Control::Seed},
    {"tokenizer", Str::tokens_by, Control::Select, cut_by_choice},
    {"source_kind", Str::source_kind},
    {"scene_seed", Str::seed, Control::Seed},
    {"weights", Str::weights_source},
    {"weight_seed", Str::seed, Control::Seed, random_weights},
    {"b_Q", Str::biases, Control::Biases},
};
constexpr SettingGroup kSettingGroups[] = {
    {Str::form, kForm, true},     {Str::group_score, kScore},       {Str::group_mask, kMask},
    {Str::selection, kSelection}, {Str::group_heads, kHeads},       {Str::position, kPosition},
    {Str::group_blocks, kBlocks}, {Str::group_decoding, kDecoding}, {Str::group_vectors, kVectors},
};

}  // namespace

std::span<const SettingGroup> setting_groups() { return kSettingGroups; }

Str count_title(attn::CountFrom from) { return from == attn::CountFrom::Zero ? Str::count_zero : Str::count_one; }

void choose_count(ViewState& view, std::optional<attn::CountFrom> from) {
    if (view.course.open())
        view.done = tr(Str::chapter_locked, view.language);
    else
        view.count_from = from;
}

bool is_offered(const Setting& setting, const Document& document) {
    if (setting.control == Control::CountFrom) return setting.sensible(document);
    const attn::Field* field = attn::find_field(setting.field);
    // A model can be chosen at any time, and brings the fields that read it.
    if (!field || (setting.control != Control::Model && !can_be_chosen(document, *field))) return false;
    return !setting.sensible || setting.sensible(document);
}

}  // namespace app
