#include "tests/frames/frame_documents.h"

#include <array>
#include <string>

#include "app/state/examples.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "places.h"

namespace frames {

using attn::Document;
using attn::Given;

static Document plain(std::string text, std::string_view form = "multi_head") {
    Document doc;
    doc.text = std::move(text);
    attn::choose_form(doc, form);
    if (form == "multi_head") doc.weights = "random";
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

/// The second token is wholly masked.
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

/// The reverse pass, from a number and from the words that a decoder was expected to write.
Document turned_back() {
    Document doc = two_heads();
    doc.gradient = attn::GradientOf{false, {attn::Role::Output}, 2, 1};
    return doc;
}
Document turned_back_from_loss() {
    Document doc = plain("good day sir", "decoder");
    doc.source = "the tired cat";
    doc.weights = "random";
    doc.gradient = attn::GradientOf{true, {}, 0, 0};
    return doc;
}

Document sixty_four() {
    constexpr std::array<std::string_view, 8> kWords = {"the", "tired", "cat", "sat", "down", "and", "it", "slept"};
    std::string text;
    for (std::size_t i = 0; i < 64; ++i) text.append(kWords[i * 5 % 8]).append(" ");
    return plain(std::move(text));
}

/// A text of so many tokens, one of them rare.
static Document long_text(int tokens) {
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
/// Characters beyond 16 bits, joined emoji, a combining mark: drawn as chips with their numbers.
Document strange() { return plain("𠮷野家 😀 👩‍👩‍👧 e\u0301t\u00e9"); }

/// The cat's sentence with fields of its document set by name, before the form's own fields.
static Document cat_with(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
    Document doc = cat();
    for (const auto& [field, value] : fields)
        if (field == "variant") attn::choose_form(doc, value);
    for (const auto& [field, value] : fields)
        if (field != "variant" && !attn::set_field(doc, field, value)) return {};  // an empty picture fails its test
    return doc;
}

/// The initial document of the window: heads that were trained.
Document opening_english() { return app::opening_document(app::Language::English); }
Document opening_chinese() { return app::opening_document(app::Language::Chinese); }

/// The small included language model, on a text of some tokens.
static Document of_language(std::string_view text) {
    Document doc;
    attn::take_model(doc, attn::shipped_model("language"));
    doc.text = text;
    return doc;
}
Document language() { return of_language("the river bank was"); }
Document language_without_a_head() {
    Document doc = language();
    doc.interventions.push_back({.at = attn::Site::Head, .layer = 1, .head = 2, .tokens = {}, .text = {}});
    return doc;
}
Document language_zh() { return of_language("床前明月光，疑是"); }

/// Bahdanau's network; the third word is not the one that it expects.
Document translated() {
    Document doc;
    attn::take_model(doc, attn::shipped_model("alignment"));
    doc.tokenizer = "words";
    doc.source = "the black cat saw the red house .";
    doc.text = "fr le chien noir a";
    return doc;
}

/// A tiny ViT on a tiny picture.
Document picture() {
    const std::string folder = ATTN_SOURCE_DIR "/tests/data/checkpoints/vit";
    Document doc;
    for (const auto& [field, value] : {std::pair{"model", folder}, std::pair{"picture", folder + "/picture.png"}})
        if (!attn::set_field(doc, field, value, {.folders = true})) return {};  // an empty picture fails its test
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

/// Nearly every setting differs from its default.
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
Document deep_encoder() { return cat_with({{"variant", "encoder"}, {"heads", "4"}, {"layers", "6"}}); }
Document two_heads_generate() { return cat_with({{"variant", "generate"}, {"heads", "2"}}); }

}  // namespace frames
