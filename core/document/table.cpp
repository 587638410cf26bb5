// The table of the document's fields.
#include <fmt/format.h>

#include <cmath>

#include "core/attention/forms/forms.h"
#include "core/attention/parts/choices.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/rows.h"
#include "core/attention/parts/scope.h"
#include "core/attention/parts/score.h"
#include "core/attention/parts/selection.h"
#include "core/document/fields.h"
#include "core/document/gradient_request.h"
#include "core/document/internal.h"
#include "core/document/lists.h"
#include "core/document/member.h"
#include "core/document/origins.h"
#include "core/document/take.h"
#include "core/io/matrix_json.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/given_picture.h"
#include "core/model/model.h"
#include "core/text/tokenizer.h"

namespace attn {
namespace {

using namespace member;

constexpr double kMaxSeed = 9007199254740991.0;   // 2^53 - 1: every JSON reader represents it exactly
constexpr double kMaxTemperature = 3.4028235e38;  // the largest float, rounded up a little in decimal
constexpr double kMaxPadding = 64;
constexpr double kMaxWindow = static_cast<double>(kMaxTokens);
constexpr double kMaxDraws = 100000;
constexpr double kMaxPenalty = 1e6;
constexpr double kMaxClip = 64;
constexpr double kMaxFfnWidth = 65536;
constexpr double kMaxGenerate = 32;
constexpr double kLeastEpsilon = 1e-15, kMostEpsilon = 1;
constexpr double kMaxRopeBase = 1e9, kMaxRopeFactor = 1e6, kMaxPlaces = 1 << 24, kMaxTurns = 1e6;
constexpr double kMaxBuckets = 256;
constexpr double kMaxCap = 1e6, kLeastScale = 1e-6;

template <class Row>
std::vector<std::string_view> ids_of(std::span<const Row> table) {
    std::vector<std::string_view> out;
    for (const Row& row : table) out.push_back(row.id);
    return out;
}

bool may_read(const Document& d, Reads use) {
    const Form* form = find_form(d.config.form);
    return !form || has(form->reads, use);
}
template <Reads Which>
bool read_by_form(const Document& d) {
    return may_read(d, Which);
}

/// Weights that nothing reads would be a choice without effect.
bool reads_weights(const Document& d) {
    const Score* score = find_score(score_of(d.config));
    const Scope* scope = find_scope(d.config.scope);
    const Gate* gate = gates().find(d.config.gate);
    return may_read(d, Reads::Weights) || (score && score->weighted) || (scope && scope->predicted) || (gate && gate->activation);
}

/// head_width matters for W_Q, W_K and W_V that are not given, for blocks, and for segments of the input.
bool reads_head_width(const Document& d) { return may_read(d, Reads::Heads) && may_read(d, Reads::Weights); }
bool reads_vectors(const Document& d) { return !d.matrix(Given::X) && !d.attention; }
bool computes(const Document& d) { return !d.attention; }
bool windows_by_layer(const Document& d) { return may_read(d, Reads::Blocks) && rows_read(d.config, "global_every"); }
bool places_by_layer(const Document& d) { return may_read(d, Reads::Blocks) && rows_read(d.config, "unplaced_every"); }

template <Given Which>
Field projection_field(std::string_view key, std::string_view help) {
    return given_field<Which>(key, help).only_if(read_by_form<Reads::Projections>, "forms with W_Q, W_K, W_V and W_O");
}

Result<Done> read_gradient(Document& doc, const JsonValue& value) {
    doc.gradient.reset();
    if (value.string.empty()) return Done{};
    auto gradient = parse_gradient(value.string);
    if (!gradient) return error_at(value, "gradient", gradient.error().message);
    doc.gradient = *gradient;
    return Done{};
}

/// Shipped models only; document_from_json and set_field read folders where that is allowed.
Result<Done> read_shipped(Document& doc, const JsonValue& value) {
    auto model = find_model(value.string, {});
    if (!model) return error_at(value, "model", model.error().message);
    take_model(doc, std::move(*model));
    return Done{};
}
void reset_model(Document& doc) {
    static const Document kDefaults;
    doc.model.reset();
    if (takes_model_vectors(doc)) doc.vectors = kDefaults.vectors;
    if (takes_model_weights(doc)) doc.weights = kDefaults.weights;
}

/// Only document_from_json and set_field read files, where that is allowed.
Result<Done> refuse_attention(Document&, const JsonValue& value) {
    auto attention = find_attention(value.string, {});
    return error_at(value, "attention", attention ? "" : attention.error().message);
}
void reset_attention(Document& doc) {
    static const Document kDefaults;
    if (!doc.attention) return;
    doc.attention.reset();
    doc.config.form = kDefaults.config.form;
    doc.config.heads = kDefaults.config.heads;
    doc.config.layers = kDefaults.config.layers;
}

/// The other texts of a batch come with the file, which is open: nothing is looked for.
Result<Done> read_attention_text(Document& doc, const JsonValue& value) {
    if (!doc.attention && value.integer == 1) return Done{};  // the default
    if (!doc.attention) return error_at(value, "attention_text", "no file of attention is named; say which with \"attention\"");
    auto text = text_of(*doc.attention, static_cast<int>(value.integer) - 1);
    if (!text) return error_at(value, "attention_text", text.error().message);
    doc.attention = std::move(*text);
    return Done{};
}
double number_of_attention_text(const Document& doc) { return doc.attention ? doc.attention->text + 1 : 1; }
bool is_first_attention_text(const Document& doc) { return !doc.attention || doc.attention->text == 0; }
void reset_attention_text(Document& doc) {
    if (is_first_attention_text(doc)) return;
    if (auto first = text_of(*doc.attention, 0)) doc.attention = std::move(*first);
}
Field attention_text_field(std::string_view help) {
    Field field = plain_field("attention_text", FieldKind::Integer, help, read_attention_text,
                              [](const Document& d, JsonWriter& out) { out.integer(d.attention ? d.attention->text + 1 : 1); },
                              is_first_attention_text, reset_attention_text);
    field.low = 1;
    field.high = kMaxAttentionTexts;
    field.number = number_of_attention_text;
    field.reads_file = true;
    return field;
}

/// Only document_from_json and set_field read pictures, where that is allowed.
Result<Done> refuse_picture(Document&, const JsonValue& value) {
    const auto picture = find_picture(value.string, {});
    return error_at(value, "picture", picture ? "" : picture.error().message);
}
bool reads_picture(const Document& d) { return shows_picture(d); }

/// For fields that a file of attention sets, the file's value counts as the default.
template <auto Get, auto OfFile>
Field said_by_file(Field field) {
    field.is_default = [](const Document& doc) { return doc.attention ? Get(doc) == OfFile(*doc.attention) : default_member<Get>(doc); };
    field.reset = [](Document& doc) {
        if (doc.attention)
            Get(doc) = OfFile(*doc.attention);
        else
            reset_member<Get>(doc);
    };
    return field;
}

// clang-format off
#define GET(member) [](auto& d) -> auto& { return d.member; }
#define TEXT(key, help) text_field<GET(key)>(#key, help)
#define CHOICE(key, member, choices, help) choice_field<GET(member)>(key, choices, help)
#define INTEGER(key, member, low, high, help) number_field<GET(member)>(key, FieldKind::Integer, low, high, help)
#define NUMBER(key, member, low, high, help) number_field<GET(member)>(key, FieldKind::Number, low, high, help)
#define IDS(table) [] { return ids_of(table()); }
#define BY_ROWS(key) [](const Document& d) { return rows_read(d.config, #key); }
#define BY_ORIGINS(key) [](const Document& d) { return origins_read(d, #key); }

std::vector<Field> make_fields() {
    constexpr std::string_view kAttention = "the forms that compare queries with keys";
    constexpr std::string_view kHeads = "the forms with heads";
    constexpr std::string_view kBlocks = "the forms with blocks";
    constexpr std::string_view kGenerate = "the form that generates";
    constexpr std::string_view kWindowed = "the forms with blocks, with the masks sliding_window and global_window";
    constexpr std::string_view kPlaced = "the forms with blocks, with the positions rope, rope_half, alibi, relative and relative_bias";
    return {
        TEXT(text, "The sentence, in any language. Invalid UTF-8 is shown as U+FFFD."),
        TEXT(source, "The second text: cross-attention and decoders look at it, and BERT reads it behind the first, as a pair of sentences; of a model that reads pairs, empty: one text."),
        CHOICE("source_kind", source_kind, IDS(source_kinds().rows), "What is looked at: the second text, or the regions of a scene.")
            .only_if(read_by_form<Reads::Source>, "the forms with a second text"),
        INTEGER("scene_seed", scene_seed, 0, kMaxSeed, "The seed of the scene: what is where in it.")
            .only_if(BY_ORIGINS(scene_seed), "the source_kind scene"),
        CHOICE("tokenizer", tokenizer, IDS(tokenizers), "How the text is cut into tokens."),
        plain_field("tokens", FieldKind::Strings, "The tokens themselves, instead of text and tokenizer.", read_tokens,
                    [](const Document& d, JsonWriter& out) { out.strings(d.tokens); }, [](const Document& d) { return d.tokens.empty(); },
                    [](Document& d) { d.tokens.clear(); }),
        INTEGER("padding", padding, 0, kMaxPadding, "The number of [PAD] tokens after the text that the keys come from.")
            .only_if(computes, "documents without a file of attention"),
        CHOICE("vectors", vectors, IDS(vector_origins().rows), "Where the tokens' vectors come from, unless X is given.")
            .only_if(reads_vectors, "documents without X"),
        INTEGER("vector_seed", vector_seed, 0, kMaxSeed, "The seed of random vectors.")
            .only_if(BY_ORIGINS(vector_seed), "the vectors random"),
        INTEGER("width", width, 1, kMaxWidth, "The number of columns of random vectors.")
            .only_if(BY_ORIGINS(width), "the vectors random"),
        CHOICE("weights", weights, IDS(weight_origins().rows), "Weights that are not given: the identity and ones, or seeded.")
            .only_if(reads_weights, "forms, scores, scopes and gates with weights"),
        plain_field("model", FieldKind::Text, "The model that vectors and weights \"model\" come from: the id of a shipped one, or a folder in Hugging Face's layout. Its settings come first, then the document's own.",
                    [](Document& d, const JsonValue& value) { return read_shipped(d, value); },
                    [](const Document& d, JsonWriter& out) { out.string(d.model ? d.model->name : ""); },
                    [](const Document& d) { return !d.model; }, reset_model)
            .only_if(BY_ORIGINS(model), "the vectors model and the weights model"),
        plain_field("picture", FieldKind::Text, "The picture that a model of pictures (ViT) looks at in place of a text: a PNG or a JPEG, beside the document or by its whole path.",
                    refuse_picture, [](const Document& d, JsonWriter& out) { out.string(d.picture ? d.picture->name : ""); },
                    [](const Document& d) { return !d.picture; }, [](Document& d) { d.picture.reset(); })
            .only_if(reads_picture, "models of pictures"),
        INTEGER("weight_seed", weight_seed, 0, kMaxSeed, "The seed of random weights, of tables of positions, and of the networks on the page of paths."),
        plain_field("attention", FieldKind::Text, "A file of weights that another program computed, in place of a form: .npz, .npy, .safetensors or JSON, [layers, heads, queries, keys], or the index of a capture. Its heads, layers and tokens come first, then the document's own.",
                    refuse_attention, [](const Document& d, JsonWriter& out) { out.string(d.attention ? d.attention->name : ""); },
                    [](const Document& d) { return !d.attention; }, reset_attention),
        attention_text_field("Which text of the file of attention is shown, if it holds a batch of several; they count from 1.")
            .only_if([](const Document& d) { return d.attention && d.attention->texts > 1; }, "files of attention with several texts"),
        said_by_file<GET(config.form), [](const GivenAttention& a) { return form_of_file(a); }>(
            CHOICE("variant", config.form, IDS(forms), "The form of attention.")),
        CHOICE("score", config.score, IDS(scores), "How a query is compared with a key; the form's own where it is left out.")
            .only_if(read_by_form<Reads::Score>, kAttention),
        INTEGER("score_width", config.score_width, 0, kMaxWidth, "Rows of the score's own weights: d_a of additive and concat, d' of gat; 0 is as wide as a key.")
            .only_if(BY_ROWS(score_width), "the scores additive, concat and gat"),
        CHOICE("mask", config.mask, IDS(masks), "Which keys a query may look at.").only_if(read_by_form<Reads::Mask>, kAttention),
        CHOICE("position", config.position, IDS(positions), "How the order of the tokens enters the computation.").only_if(read_by_form<Reads::Position>, kAttention),
        CHOICE("scope", config.scope, IDS(scopes), "Which keys at most: all, or a window around the query's own or a predicted position.")
            .only_if(read_by_form<Reads::Scope>, kAttention),
        CHOICE("selection", config.selection, IDS(selections), "How scores become weights: softly, by drawing, the largest only, or sparsely.")
            .only_if(read_by_form<Reads::Selection>, kAttention),
        CHOICE("gate", config.gate, IDS(gates().rows), "A gate on the context: how much of it passes.")
            .only_if(read_by_form<Reads::Selection>, kAttention),
        said_by_file<GET(config.heads), [](const GivenAttention& a) { return a.heads; }>(
            INTEGER("heads", config.heads, 1, kMaxHeads, "Heads; the columns of Q, K and V are split evenly among them."))
            .only_if(read_by_form<Reads::Heads>, kHeads),
        INTEGER("kv_heads", config.kv_heads, 0, kMaxHeads, "Heads that have keys and values of their own; it divides heads; 0 is as many as heads.")
            .only_if(read_by_form<Reads::KeyHeads>, kHeads),
        INTEGER("head_width", config.head_width, 0, kMaxWidth, "d_k: columns of one head's queries, keys and values where no matrix says it; 0 is the width over heads.")
            .only_if(reads_head_width, "the forms whose heads are projections"),
        plain_field("heads_off", FieldKind::Integers, "Numbers of heads that are switched off, from 1.", read_heads_off, write_heads_off,
                    [](const Document& d) { return d.config.heads_off.empty(); }, [](Document& d) { d.config.heads_off.clear(); })
            .only_if(read_by_form<Reads::Heads>, kHeads),
        NUMBER("temperature", config.temperature, 0, kMaxTemperature,
               "Divides the scores before the softmax; 0 is the limit: the largest score takes all, ties are split evenly; \"inf\" is uniform.")
            .or_inf().only_if(read_by_form<Reads::Temperature>, kAttention),
        INTEGER("window", config.window, 1, kMaxWindow, "Keys on either side of a window's centre; of the sliding window, keys back from the query.")
            .only_if(BY_ROWS(window), "the scopes local_m and local_p, and the masks sliding_window and global_window"),
        INTEGER("global_tokens", config.global_tokens, 0, kMaxWindow, "The mask global_window: how many tokens at the beginning see all others and are seen by all.")
            .only_if(BY_ROWS(global_tokens), "the mask global_window"),
        INTEGER("top_k", config.top_k, 1, kMaxWindow, "The selection top_k: how many scores of a row are kept.")
            .only_if(BY_ROWS(top_k), "the selection top_k"),
        INTEGER("draws", config.draws, 1, kMaxDraws, "The selection hard: draws that are averaged.")
            .only_if(BY_ROWS(draws), "the selection hard"),
        INTEGER("draw_seed", config.draw_seed, 0, kMaxSeed, "The seed of draws.")
            .only_if(BY_ROWS(draw_seed), "the selection hard, and choosing by sample"),
        plain_field("gradient", FieldKind::Text,
                    "Whose gradient follows the run, backwards through every step: \"loss\", or a number as STEP,ROW,COLUMN (from 1), such "
                    "as output,2,1. The steps are called grad. and the name of the step that they belong to.",
                    read_gradient, [](const Document& d, JsonWriter& out) { out.string(d.gradient ? gradient_text(*d.gradient) : ""); },
                    [](const Document& d) { return !d.gradient; }, [](Document& d) { d.gradient.reset(); })
            .only_if([](const Document& d) { return !d.gradient || !d.gradient->loss || can_have_loss(d); },
                     "forms that predict words, and the selection hard, where it is \"loss\""),
        plain_field("target", FieldKind::Strings,
                    "What hard attention is trained to say: a word of the texts for each token, or one for all. With it the lower "
                    "bound L_s and the REINFORCE gradient are computed; a place says softmax(v E^T), E being the words' vectors. For the "
                    "gradient of a loss: the right words; [PAD] where none is wanted.",
                    read_target, [](const Document& d, JsonWriter& out) { out.strings(d.config.target); },
                    [](const Document& d) { return d.config.target.empty(); }, [](Document& d) { d.config.target.clear(); })
            .only_if([](const Document& d) { return (rows_read(d.config, "target") && may_read(d, Reads::Target)) || (d.gradient && d.gradient->loss && predicts_words(d)); },
                     "the selection hard of the forms raw, multi_head and cross, and the gradient of a loss"),
        NUMBER("penalty", config.penalty, 0, kMaxPenalty, "The weight of the doubly stochastic penalty; 0: it is not computed.")
            .only_if(read_by_form<Reads::Selection>, kAttention),
        INTEGER("relative_clip", config.relative_clip, 1, kMaxClip, "The position relative: distances are clipped to this many steps on either side.")
            .only_if(BY_ROWS(relative_clip), "the position relative"),
        NUMBER("rope_base", config.rope_base, 1, kMaxRopeBase, "The base of rotary angles: pair i of d_k columns is rotated by the position times base^(-2i/d_k).")
            .only_if(BY_ROWS(rope_base), "the positions rope and rope_half"),
        NUMBER("rope_share", config.rope_share, 0, 1, "The share of a head's columns that rotate: the first ones. The others stay.")
            .only_if(BY_ROWS(rope_share), "the positions rope and rope_half"),
        NUMBER("rope_factor", config.rope_factor, 1, kMaxRopeFactor, "Rotary angles are so many times as small: all of them, or, with rope_original, those of slow pairs.")
            .only_if(BY_ROWS(rope_factor), "the positions rope and rope_half"),
        INTEGER("rope_original", config.rope_original, 0, kMaxPlaces, "Tokens of the texts that a model saw before its angles were made smaller; 0 makes all of them smaller.")
            .only_if(BY_ROWS(rope_original), "the positions rope and rope_half"),
        NUMBER("rope_low", config.rope_low, 0, kMaxTurns, "With rope_original: a pair that turns less often than this over those tokens is slowed wholly.")
            .only_if(BY_ROWS(rope_low), "the positions rope and rope_half"),
        NUMBER("rope_high", config.rope_high, 0, kMaxTurns, "With rope_original: a pair that turns more often than this is not slowed; one between is in part.")
            .only_if(BY_ROWS(rope_high), "the positions rope and rope_half"),
        NUMBER("rope_pair_low", config.rope_pair_low, 0, kMaxWidth, "With rope_pair_high: pairs up to this one, from 0, are not slowed (YaRN).")
            .only_if(BY_ROWS(rope_pair_low), "the positions rope and rope_half"),
        NUMBER("rope_pair_high", config.rope_pair_high, 0, kMaxWidth, "Pairs from this one on are slowed wholly, those between in part (YaRN); 0: rope_original decides.")
            .only_if(BY_ROWS(rope_pair_high), "the positions rope and rope_half"),
        NUMBER("rope_length", config.rope_length, kLeastScale, kMaxCap, "Rotated queries and keys are multiplied by this (YaRN).")
            .only_if(BY_ROWS(rope_length), "the positions rope and rope_half"),
        INTEGER("bias_buckets", config.bias_buckets, 2, kMaxBuckets, "The position relative_bias: distances fall into so many buckets, each with a number a head.")
            .only_if(BY_ROWS(bias_buckets), "the position relative_bias"),
        INTEGER("bias_distance", config.bias_distance, 1, kMaxWindow, "The position relative_bias: from this distance on all fall into the last bucket.")
            .only_if(BY_ROWS(bias_distance), "the position relative_bias"),
        INTEGER("unplaced_every", config.unplaced_every, 0, kMaxLayers, "One layer in so many has no position; 0: all have.")
            .only_if(places_by_layer, kPlaced),
        INTEGER("unplaced_first", config.unplaced_first, 0, kMaxLayers - 1, "Which of so many layers has no position, from 0.")
            .only_if(places_by_layer, kPlaced),
        INTEGER("global_every", config.global_every, 0, kMaxLayers, "With the masks sliding_window and global_window: one layer in so many has no window; 0: all have.")
            .only_if(windows_by_layer, kWindowed),
        INTEGER("global_first", config.global_first, 0, kMaxLayers - 1, "Which of so many layers has no window, from 0.")
            .only_if(windows_by_layer, kWindowed),
        NUMBER("local_rope_base", config.local_rope_base, 0, kMaxRopeBase, "The base of rotary angles in layers with a window; 0 is that of the others.")
            .only_if([](const Document& d) { return windows_by_layer(d) && rows_read(d.config, "local_rope_base"); }, "the positions rope and rope_half, in the forms with blocks, with the masks sliding_window and global_window"),
        NUMBER("score_root", config.score_root, 0, kMaxWidth, "With the score scaled_dot: products of queries and keys are divided by the root of this; 0 is the width of a key.")
            .only_if([](const Document& d) { return read_by_form<Reads::Blocks>(d) && rows_read(d.config, "score_root"); }, "the forms with blocks, with the score scaled_dot"),
        NUMBER("score_cap", config.score_cap, 0, kMaxCap, "Scores s become c tanh(s/c), which stays within c; 0: no limit.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        NUMBER("logit_cap", config.logit_cap, 0, kMaxCap, "The same for the logits of words.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        NUMBER("embedding_scale", config.embedding_scale, kLeastScale, kMaxCap, "The words' vectors are multiplied by this before everything else.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        NUMBER("output_scale", config.output_scale, kLeastScale, kMaxCap, "The output is multiplied by this before words are read off it.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        said_by_file<GET(config.layers), [](const GivenAttention& a) { return a.layers; }>(
            INTEGER("layers", config.layers, 1, kMaxLayers, "How many blocks are stacked.")).only_if(read_by_form<Reads::Blocks>, kBlocks),
        INTEGER("encoder_layers", config.encoder_layers, 0, kMaxLayers, "How many blocks the encoder has; 0: as many as the decoder.")
            .only_if([](const Document& d) { return may_read(d, Reads::Blocks) && may_read(d, Reads::Source); }, "the form decoder"),
        CHOICE("block", config.block, IDS(block_orders().rows), "Where a block normalises: after each sub-layer (2017), or before it.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        INTEGER("bare_layers", config.bare_layers, 0, kMaxLayers, "Attention of the first so many layers reads its input without a norm, where a block normalises before.")
            .only_if([](const Document& d) { return may_read(d, Reads::Blocks) && block_orders().find(d.config.block) && block_orders().find(d.config.block)->norm_first; }, "the forms with blocks that normalise before a sub-layer"),
        CHOICE("norm", config.norm, IDS(norms().rows), "What a block normalises by.").only_if(read_by_form<Reads::Blocks>, kBlocks),
        NUMBER("epsilon", config.epsilon, kLeastEpsilon, kMostEpsilon, "What both norms add beneath the root.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        CHOICE("activation", config.activation, IDS(feed_forwards().rows), "The function inside the feed-forward layer.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        INTEGER("ffn_width", config.ffn_width, 0, kMaxFfnWidth, "Columns inside the feed-forward layer; 0 is four times the model's width.")
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
        CHOICE("unembedding", config.unembedding, IDS(unembeddings().rows),
               "From the output to a number for each word: the words' own vectors (tied), or a matrix of its own, unembedding_weight; "
               "unasked (by_form), decoders take the words' vectors, and an encoder and the form bahdanau predict nothing.")
            .only_if(read_by_form<Reads::Blocks | Reads::Unit>, "the forms with blocks, and bahdanau"),
        CHOICE("unit", config.unit, IDS(recurrent_units().rows), "What makes a new state of the decoder: a tanh alone, or the paper's gated recurrent unit.")
            .only_if(read_by_form<Reads::Unit>, "the form bahdanau"),
        INTEGER("generate", config.generate, 1, kMaxGenerate, "Tokens to add, one at a time.").only_if(read_by_form<Reads::Generate>, kGenerate),
        CHOICE("choose", config.choose, IDS(word_choices().rows), "How the next token is chosen: the likeliest, or sampled.")
            .only_if(read_by_form<Reads::Generate>, kGenerate),
        NUMBER("choose_temperature", config.choose_temperature, 0, kMaxTemperature, "Divides the logits before a token is drawn; \"inf\" makes all alike.")
            .or_inf().only_if(BY_ROWS(choose_temperature), "choosing by sample"),
        INTEGER("choose_top_k", config.choose_top_k, 0, kMaxWindow, "Only this many of the largest logits can be drawn; 0 means all.")
            .only_if(BY_ROWS(choose_top_k), "choosing by sample"),
        NUMBER("choose_top_p", config.choose_top_p, 0, 1, "Only the likeliest tokens that together reach this can be drawn.")
            .only_if(BY_ROWS(choose_top_p), "choosing by sample"),
        INTEGER("tile", config.tile, 1, kMaxWindow, "Keys that are read together, one tile after the other.")
            .only_if(read_by_form<Reads::Tile>, "the form online"),
        given_field<Given::X>("X", "The tokens' vectors: one row a token.")
            .only_if(computes, "documents without a file of attention"),
        given_field<Given::X_source>("X_source", "The vectors of the second text's tokens, as wide as X.")
            .only_if(read_by_form<Reads::Source>, "the forms with a second text"),
        projection_field<Given::W_Q>("W_Q", "Query weight: as many rows as X has columns."),
        projection_field<Given::W_K>("W_K", "Key weight: the shape of W_Q; narrower where heads share keys."),
        projection_field<Given::W_V>("W_V", "Value weight: as many rows as X has columns."),
        projection_field<Given::W_O>("W_O", "Output weight: a row for each column of the joined heads."),
        projection_field<Given::b_Q>("b_Q", "Query bias: one number for each column of W_Q."),
        projection_field<Given::b_K>("b_K", "Key bias: one number for each column of W_K."),
        projection_field<Given::b_V>("b_V", "Value bias: one number for each column of W_V."),
        projection_field<Given::b_O>("b_O", "Output bias: one number for each column of W_O."),
        plain_field("parameters", FieldKind::Parameters, "Weights by the name of their step, such as score_weight or l1.up_weight; `attenscope trace` names them.",
                    read_parameters, write_parameters, [](const Document& d) { return d.parameters.empty(); },
                    [](Document& d) { d.parameters.clear(); }),
        [] {
            Field field = plain_field("mask_pattern", FieldKind::Table, "The mask drawn by hand: a row per query, a column per key; 1 is visible, 0 is masked.",
                        read_pattern, [](const Document& d, JsonWriter& out) { out.matrix(d.mask_pattern); },
                        [](const Document& d) { return d.mask_pattern.size() == 0; }, [](Document& d) { d.mask_pattern.resize(0, 0); });
            field.high = 1;
            return field.only_if(BY_ROWS(mask_pattern), "the mask \"drawn\"");
        }(),
        plain_field("edits", FieldKind::Edits, "Numbers typed over: the step's name, row and column from 1, and the value.",
                    read_edits, write_edits, [](const Document& d) { return d.edits.empty(); }, [](Document& d) { d.edits.clear(); }),
        plain_field("interventions", FieldKind::Interventions,
                    "What is put in the place of what is computed: of a head, of attention, of a feed-forward layer, of a layer or of the residual "
                    "stream; zeros, the mean over the tokens, or what another text has there; of a head's weights also a pattern by rule: "
                    "uniform, previous, first or self.",
                    read_interventions, write_interventions, [](const Document& d) { return d.interventions.empty(); },
                    [](Document& d) { d.interventions.clear(); })
            .only_if(read_by_form<Reads::Blocks>, kBlocks),
    };
}
#undef GET
#undef TEXT
#undef CHOICE
#undef INTEGER
#undef NUMBER
#undef IDS
#undef BY_ROWS
#undef BY_ORIGINS
// clang-format on

}  // namespace

std::span<const Field> document_fields() {
    static const std::vector<Field> kFields = make_fields();
    return kFields;
}

}  // namespace attn
