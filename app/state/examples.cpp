#include "app/state/examples.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "core/document/take.h"
#include "core/model/model.h"

namespace app {
namespace {

attn::Document plain(std::string_view text, std::string_view form) {
    attn::Document doc;
    doc.text = text;
    attn::choose_form(doc, form);
    return doc;
}

/// The trained layer each of whose heads answers its own question.
attn::Document questions_document(std::string_view text) {
    attn::Document doc;
    doc.text = text;
    attn::take_model(doc, attn::shipped_model("questions"));
    return doc;
}

/// Two heads with seeded weights: Q, K and V differ, as in a real model.
attn::Document two_heads(std::string_view text, std::string_view mask) {
    attn::Document doc = plain(text, "multi_head");
    doc.weights = "random";
    doc.config.heads = 2;
    doc.config.mask = mask;
    return doc;
}

/// Words that attend to the regions of a picture, sharply enough to be visible.
attn::Document picture(std::string_view selection) {
    attn::Document doc = plain("the girl has a cat and a ball", "cross");
    doc.source_kind = "scene";
    doc.vectors = "one_hot";
    doc.config.temperature = 0.25f;
    doc.config.gate = "sigmoid";
    doc.config.selection = selection;
    if (selection == "hard") doc.config.draws = 20;
    return doc;
}

attn::Document local_window() {
    attn::Document doc = two_heads("the tired cat sat down", "none");
    doc.config.heads = 1;
    doc.config.scope = "local_p";
    doc.config.window = 2;
    return doc;
}

attn::Document rotary() {
    attn::Document doc = two_heads("the tired cat sat down", "none");
    doc.config.position = "rope";
    return doc;
}

/// A translation that changes the order of the words.
attn::Document translation() {
    attn::Document doc = plain("I saw a cat yesterday", "bahdanau");
    doc.source = "我昨天看见了一只猫";
    doc.weights = "random";
    return doc;
}

attn::Document seeded(std::string_view text, std::string_view form, int heads) {
    attn::Document doc = plain(text, form);
    doc.weights = "random";
    doc.config.heads = heads;
    return doc;
}

/// The layer that learned what “it” refers to.
attn::Document pronoun(std::string_view text) {
    attn::Document doc;
    doc.text = text;
    attn::take_model(doc, attn::shipped_model("it"));
    return doc;
}

std::vector<Example> make_examples() {
    using enum Level;
    constexpr auto kEnglish = Language::English, kChinese = Language::Chinese;
    return {
        {"asked", Str::example_question, Str::example_question_says, First, kEnglish, questions_document("the boy saw the bird and he loved it")},
        {"asked_zh", Str::example_question_zh, Str::example_question_zh_says, First, kChinese, questions_document("男孩看见小鸟，他喜欢它")},
        {"tired", Str::example_tired, Str::example_tired_says, First, kEnglish,
         pronoun("the animal didn't cross the street because it was too tired")},
        {"wide", Str::example_wide, Str::example_wide_says, First, kEnglish,
         pronoun("the animal didn't cross the street because it was too wide")},
        {"tired_zh", Str::example_tired_zh, Str::example_tired_zh_says, First, kChinese,
         pronoun("那 只 动物 没 过 那 条 街 因为 它 太 累 了")},
        {"asked_cat", Str::example_question_cat, Str::example_question_cat_says, First, kEnglish, questions_document("the tired cat sat down")},
        {"morning", Str::example_morning, Str::example_morning_says, First, kChinese, plain("早上好", "raw")},
        {"cat", Str::example_cat, Str::example_cat_says, First, kEnglish, plain("the tired cat sat down", "raw")},
        {"animal", Str::example_animal, Str::example_animal_says, Further, kEnglish,
         plain("the animal didn't cross the street because it was too tired", "multi_head")},
        {"trophy", Str::example_trophy, Str::example_trophy_says, Further, kEnglish,
         pronoun("the trophy didn't fit in the suitcase because it was too big")},
        {"heads", Str::example_heads, Str::example_heads_says, Further, kEnglish, two_heads("the tired cat sat down", "none")},
        {"causal", Str::example_causal, Str::example_causal_says, Further, kChinese, two_heads("小猫坐在垫子上", "causal")},
        {"scene", Str::example_scene, Str::example_scene_says, Further, kEnglish, picture("soft")},
        {"hard", Str::example_hard, Str::example_hard_says, Further, kEnglish, picture("hard")},
        {"local", Str::example_local, Str::example_local_says, Further, kEnglish, local_window()},
        {"rotary", Str::example_rotary, Str::example_rotary_says, Further, kEnglish, rotary()},
        {"translation", Str::example_translation, Str::example_translation_says, Whole, kEnglish, translation()},
        {"encoder", Str::example_encoder, Str::example_encoder_says, Whole, kEnglish,
         seeded("the tired cat sat down", "encoder", 2)},
        {"generate", Str::example_generate, Str::example_generate_says, Whole, kEnglish, seeded("the cat sat", "generate", 1)},
        {"tiles", Str::example_tiles, Str::example_tiles_says, Whole, kEnglish, seeded("the tired cat sat down", "online", 1)},
        {"friend", Str::example_friend, Str::example_friend_says, Further, kChinese, plain("早上好朋友", "multi_head")},
    };
}

}  // namespace

std::span<const Example> example_documents() {
    static const std::vector<Example> kExamples = make_examples();
    return kExamples;
}

const Example& example_document(std::string_view id) {
    const auto all = example_documents();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Example& one) { return one.id == id; });
    assert(found != all.end() && "examples are named by the program alone");
    return *found;
}

attn::Document opening_document(Language language) {
    return example_document(language == Language::Chinese ? "asked_zh" : "asked").document;
}

}  // namespace app
