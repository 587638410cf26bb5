// The tokens of a checkpoint: its own vocabulary, and the token that the decoder's text begins with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/analysis/prediction.h"
#include "core/document/internal.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "tests/core/checkpoint_folder.h"

namespace attn::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// A model's weights beside other vectors than its own: what does not fit is refused, by the name of the tensor and with
/// the shape that would fit, and nothing is computed from matrices that do not fit together.
TEST(CheckpointTokens, OtherVectorsThanTheModelsAreRefusedByTheirShapes) {
    int refused = 0, recorded = 0;
    for (const fs::directory_entry& folder : fs::directory_iterator(kCheckpoints)) {
        if (!fs::exists(folder.path() / "config.json")) continue;
        SCOPED_TRACE(folder.path().filename().string());
        const auto model = find_model(folder.path().string(), {.folders = true});
        ASSERT_TRUE(model) << model.error().text();
        if ((*model)->picture) continue;
        Document doc;
        take_model(doc, *model);
        give_sentence(doc, "red hat");
        doc.tokenizer = "words";
        for (const char* vectors : {"one_hot", "random", "meaning"}) {
            doc.vectors = vectors;
            const auto found = problems(doc);
            const auto by_shape = std::ranges::count_if(found, [](const Error& one) {
                return one.key == "weights" && one.message.find(" of the model ") != std::string::npos;
            });
            refused += static_cast<int>(by_shape);
            if (by_shape < std::ssize(found)) continue;  // refused before any shape was recorded
            const std::optional<Trace> shapes = shape_trace(doc);
            if (!shapes) continue;
            ++recorded;
            for (const Step& step : shapes->steps)
                if (step.op == Op::MatMul) {
                    EXPECT_EQ((*shapes)[step.inputs[0]].value.cols(), (*shapes)[step.inputs[1]].value.rows()) << step_name(step.tag);
                }
        }
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(recorded, 0);
}

/// The decoder's text begins with the start token that the checkpoint names; the encoder reads the sentence.
TEST(CheckpointTokens, ADecoderBeginsWithItsStartToken) {
    const auto model = find_model((kCheckpoints / "t5").string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    give_sentence(doc, "red hat");
    doc.tokenizer = "words";
    EXPECT_EQ(tokens_of(doc), std::vector<std::string>{"a"});
    EXPECT_EQ(source_tokens_of(doc), (std::vector<std::string>{"red", "hat"}));
    attn::Run first = run_valid(doc);
    const SampledWord word = predict_written(first, {}, 0);
    const FrozenMatrix& logits = first.trace[find_step(first.trace, "logits")].value;
    Eigen::Index best = 0;
    logits.row(logits.rows() - 1).maxCoeff(&best);
    EXPECT_EQ(word.word.id, best);
    EXPECT_GT(word.word.probability, 0);
    const Document longer = with_written(doc, word.word.id);
    EXPECT_EQ(tokens_of(longer), (std::vector<std::string>{"a", (*model)->words[static_cast<std::size_t>(best)]}));
    EXPECT_TRUE(run_valid(longer).unknown.empty());
}

/// Eleven tokens of a byte-level vocabulary, as tokenizer.json has them.
constexpr const char* kPieces = R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
 "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
 "post_processor": null, "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
 "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null, "end_of_word_suffix": null,
  "fuse_unk": false, "byte_fallback": false,
  "vocab": {"a": 0, "t": 1, "h": 2, "e": 3, "Ġ": 4, "c": 5, "th": 6, "the": 7, "Ġc": 8, "Ġca": 9, "Ġcat": 10},
  "merges": ["t h", "th e", "Ġ c", "Ġc a", "Ġca t"]}})";

/// T5's: tokens with a sign for a space, and </s> behind what is read, but not behind what is written.
constexpr const char* kUnigram = R"({"version": "1.0", "truncation": null, "padding": null,
 "added_tokens": [{"id": 0, "content": "<pad>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
  {"id": 1, "content": "</s>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
 "normalizer": null, "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
 "post_processor": {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}],
  "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}], "special_tokens": {"</s>": {"id": "</s>", "ids": [1], "tokens": ["</s>"]}}},
 "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
 "model": {"type": "Unigram", "unk_id": 2, "vocab": [["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], ["▁the", -1.0], ["▁cat", -2.0], ["▁", -3.0], ["s", -4.0]], "byte_fallback": false}})";

/// A checkpoint with a tokenizer in place of its whole words, and a document that has it as its model.
struct Reading {
    std::unique_ptr<Changed> folder;
    Document doc;
};
Reading reading_by_tokens(const std::string& checkpoint, const char* tokenizer) {
    Reading out{std::make_unique<Changed>(checkpoint), {}};
    std::filesystem::remove(out.folder->path() / "vocab.json");
    std::ofstream(out.folder->path() / "tokenizer.json") << tokenizer;
    const auto model = find_model(out.folder->path().string(), {.folders = true});
    EXPECT_TRUE(model) << model.error().text();
    if (model) take_model(out.doc, *model);
    return out;
}

/// The same with codes of languages; its template has English behind </s>, as if it had been saved so.
std::string with_languages() {
    std::string out = kUnigram;
    const auto put = [&](const std::string& old, const std::string& other) { out.replace(out.find(old), old.size(), other); };
    put(R"("special": true}],)", R"("special": true}, {"id": 7, "content": "eng_Latn", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
  {"id": 8, "content": "deu_Latn", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true},
  {"id": 9, "content": "__de__", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],)");
    put(R"({"SpecialToken": {"id": "</s>", "type_id": 0}}])", R"({"SpecialToken": {"id": "</s>", "type_id": 0}}, {"SpecialToken": {"id": "eng_Latn", "type_id": 0}}])");
    put(R"("tokens": ["</s>"]}})", R"("tokens": ["</s>"]}, "eng_Latn": {"id": "eng_Latn", "ids": [7], "tokens": ["eng_Latn"]}})");
    return out;
}

/// The model's class and the settings determine on which side the code of its language is, and which code it is [NLLB, mBART,
/// M2M-100].
TEST(CheckpointTokens, TheLanguageCodeIsWhereTheClassPutsIt) {
    const auto read = [](const std::string& settings) {
        Reading out{std::make_unique<Changed>("m2m"), {}};
        std::filesystem::remove(out.folder->path() / "vocab.json");
        std::ofstream(out.folder->path() / "tokenizer.json") << with_languages();
        std::ofstream(out.folder->path() / "tokenizer_config.json") << settings;
        return out;
    };
    using Kind = ModelNote::Kind;
    const auto expect = [&](const std::string& settings, std::vector<std::string> tokens, std::optional<ModelNote> note) {
        SCOPED_TRACE(settings);
        auto [folder, doc] = read(settings);
        const auto model = find_model(folder->path().string(), {.folders = true});
        ASSERT_TRUE(model) << model.error().text();
        take_model(doc, *model);
        give_sentence(doc, "the cat");
        EXPECT_EQ(source_tokens_of(doc), tokens);
        std::vector<ModelNote> notes = {{Kind::LanguageToken, {}}};
        if (note) notes.push_back(*note);
        EXPECT_EQ((*model)->notes, notes);
    };
    expect(R"({"tokenizer_class": "NllbTokenizer", "src_lang": "deu_Latn", "eos_token": "</s>"})", {"deu_Latn", " the", " cat", "</s>"}, ModelNote{Kind::LanguageInFront, {"deu_Latn"}});
    expect(R"({"tokenizer_class": "NllbTokenizerFast", "src_lang": null, "eos_token": "</s>"})", {"eng_Latn", " the", " cat", "</s>"}, ModelNote{Kind::LanguageInFront, {"eng_Latn"}});
    expect(R"({"tokenizer_class": "NllbTokenizer", "src_lang": "deu_Latn", "legacy_behaviour": true, "eos_token": "</s>"})", {" the", " cat", "</s>", "deu_Latn"}, ModelNote{Kind::LanguageBehind, {"deu_Latn"}});
    expect(R"({"tokenizer_class": "MBartTokenizer", "src_lang": "deu_Latn", "eos_token": "</s>"})", {" the", " cat", "</s>", "deu_Latn"}, ModelNote{Kind::LanguageBehind, {"deu_Latn"}});
    expect(R"({"tokenizer_class": "MBart50Tokenizer", "src_lang": "deu_Latn", "eos_token": "</s>"})", {"deu_Latn", " the", " cat", "</s>"}, ModelNote{Kind::LanguageInFront, {"deu_Latn"}});
    expect(R"({"tokenizer_class": "M2M100Tokenizer", "src_lang": "de", "eos_token": "</s>"})", {"__de__", " the", " cat", "</s>"}, ModelNote{Kind::LanguageInFront, {"__de__"}});
    expect(R"({"tokenizer_class": "MBartTokenizer", "eos_token": "</s>"})", {" the", " cat", "</s>", "eng_Latn"}, std::nullopt);  // it has no en_XX
    expect("{}", {" the", " cat", "</s>", "eng_Latn"}, std::nullopt);
    EXPECT_THAT(read(R"({"tokenizer_class": "NllbTokenizer", "src_lang": "fra_Latn", "eos_token": "</s>"})").folder->refused(),
                HasSubstr("tokenizer_config.json: src_lang: the vocabulary has no code of the language \"fra_Latn\""));
}

TEST(CheckpointTokens, OfAnEncoderAndADecoder) {
    auto [folder, doc] = reading_by_tokens("t5", kUnigram);
    give_sentence(doc, "the cats");
    doc.text = "cat";
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(run.trace.tokens, (std::vector<std::string>{"<pad>", " cat"}));
    EXPECT_EQ(run.trace.source_tokens, (std::vector<std::string>{" the", " cat", "s", "</s>"}));
    const FrozenMatrix table = doc.model->word_vectors();
    EXPECT_EQ(find(run.trace, {Role::Embeddings})->value.row(0), table.row(0));
    EXPECT_EQ(find(run.trace, {Role::Embeddings})->value.row(1), table.row(4));
    const FrozenMatrix& source = find(run.trace, {Role::Embeddings, kNoHead, kNoLayer, kNoTime, Part::Source})->value;
    EXPECT_EQ(source.row(0), table.row(3));
    EXPECT_EQ(source.row(3), table.row(1));
    // One token is appended by hand: the earlier rows stay, and it has its own.
    const attn::Run longer = run_valid(with_written(doc, 6));
    EXPECT_TRUE(longer.unknown.empty());
    EXPECT_EQ(find(longer.trace, {Role::Embeddings})->value.row(1), table.row(4));
    EXPECT_EQ(find(longer.trace, {Role::Embeddings})->value.row(2), table.row(6));
    // The first token of an empty text: the start token stays in front of it.
    doc.text.clear();
    const attn::Run begun = run_valid(with_written(doc, 6));
    EXPECT_TRUE(begun.unknown.empty());
    EXPECT_EQ(find(begun.trace, {Role::Embeddings})->value.row(1), table.row(6));
}

/// A word that the vocabulary lacks has the vector of the unknown token, as in Hugging Face's models, and is reported.
TEST(CheckpointTokens, TheUnknownTokenHasItsOwnVector) {
    auto [folder, doc] = reading_by_tokens("t5", kUnigram);
    give_sentence(doc, "the Q");
    doc.text = "cat";
    const attn::Run run = run_valid(doc);
    const FrozenMatrix& source = find(run.trace, {Role::Embeddings, kNoHead, kNoLayer, kNoTime, Part::Source})->value;
    ASSERT_EQ(run.trace.source_tokens.size(), 4U);
    EXPECT_EQ(source.row(2), doc.model->word_vectors().row(2));
    EXPECT_EQ(run.unknown.size(), 1U);
}

/// A text is cut into the checkpoint's own tokens, whose ids select the rows; users see them without byte-level signs.
TEST(CheckpointTokens, AreThoseOfTheCheckpoint) {
    auto [folder, doc] = reading_by_tokens("gpt2", kPieces);
    doc.text = "the cat the cat";
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(run.trace.tokens, (std::vector<std::string>{"the", " cat", " ", "the", " cat"}));
    const FrozenMatrix table = doc.model->word_vectors(), x = find(run.trace, {Role::Embeddings})->value;
    for (const auto& [place, id] : {std::pair(0, 7), {1, 10}, {2, 4}, {3, 7}, {4, 10}})
        EXPECT_EQ(x.row(place), table.row(id)) << place;
    EXPECT_EQ(run.trace.words.at(10), " cat");
    EXPECT_TRUE(run.unknown.empty());
    // By hand, as the vocabulary spells them.
    doc.tokens = {"the", "Ġcat", "dog"};
    const attn::Run given = run_valid(doc);
    EXPECT_EQ(find(given.trace, {Role::Embeddings})->value.row(1), table.row(10));
    EXPECT_EQ(given.unknown, std::vector<std::string>{"dog"});
    // A tokenizer that the document chooses takes precedence.
    doc.tokens.clear();
    doc.tokenizer = "characters";
    EXPECT_EQ(tokens_of(doc).size(), 15u);
    // Text that the tokens cannot represent is reported.
    doc.tokenizer = "auto";
    doc.text = "dog";
    const auto wrong = problems(doc);
    ASSERT_FALSE(wrong.empty());
    EXPECT_EQ(wrong.front().key, "text");
}

/// A folder whose tokenizer.json or vocab.txt cuts into words, with these texts.
Document pair_of(const std::filesystem::path& folder, const std::string& text, const std::string& source) {
    const auto doc = document_from_json(R"({"text": ")" + text + R"(", "source": ")" + source + R"(", "model": ")" + folder.string() + "\"}", "", {.folders = true});
    EXPECT_TRUE(doc) << doc.error().text();
    return doc ? *doc : Document{};
}

/// BERT's two sentences with their segment vectors, against an independent pass in float64.
TEST(SentencePairs, HaveTheirSegments) {
    const std::filesystem::path folder = ATTN_SOURCE_DIR "/tests/data/cases/16-sentence-pair";
    const Document doc = pair_of(folder, "the cat", "the dog"), alone = pair_of(folder, "the cat", ""), inside = pair_of(folder, "the cat [SEP] the dog", "");
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(run.trace.tokens, (std::vector<std::string>{"[CLS]", "the", "cat", "[SEP]", "the", "dog", "[SEP]"}));
    EXPECT_TRUE(run.unknown.empty());
    const Matrix& weights = run.trace[find_step(run.trace, "l1.weights.h1")].value;
    const float two[] = {0.1302f, 0.1606f, 0.1467f, 0.1479f, 0.1184f, 0.1836f, 0.1126f}, one[] = {0.1253f, 0.1546f, 0.1411f};
    for (int i = 0; i < 7; ++i) EXPECT_NEAR(weights(0, i), two[i], 6e-5f);
    const attn::Run same = run_valid(inside);
    EXPECT_EQ(same.trace.tokens, run.trace.tokens);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(same.trace[find_step(same.trace, "l1.weights.h1")].value(0, i), one[i], 6e-5f);
    const Matrix& shares = run.trace[find_step(run.trace, "segment_shares")].value;
    for (int i = 0; i < 7; ++i) EXPECT_EQ(shares(i, 1), i < 4 ? 0 : 1) << i;
    EXPECT_EQ(find_step(same.trace, "segment_shares"), kNoStep);
    EXPECT_EQ(tokens_of(alone).size(), 4u);
    EXPECT_EQ(cost_of(doc).bytes, [&] {
        double bytes = 0;
        for (StepId id = 0; id < run.trace.size(); ++id) bytes += cost(run.trace, id).bytes;
        return bytes;
    }());
}

/// There is one text until a second is given; saving keeps this, and with padding the segments stay with their tokens.
TEST(SentencePairs, AreReadOnRequest) {
    const std::string folder = ATTN_SOURCE_DIR "/tests/data/cases/16-sentence-pair";
    const auto doc = document_from_json(R"({"text": "the cat", "model": ")" + folder + "\"}", "", {.folders = true});
    ASSERT_TRUE(doc);
    EXPECT_TRUE(reads_pair(*doc));
    EXPECT_EQ(tokens_of(*doc).size(), 4u);
    EXPECT_TRUE(segments_of(*doc, 4).empty());
    const auto again = document_from_json(document_to_json(*doc), "", {.folders = true});
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *doc);
    Document pair = *doc;
    pair.source = Document{}.source;  // the default source counts as a second text once a document names it
    const auto kept = document_from_json(document_to_json(pair), "", {.folders = true});
    ASSERT_TRUE(kept);
    EXPECT_EQ(*kept, pair);
    EXPECT_EQ(tokens_of(pair).size(), 7u);
    pair.padding = 2;
    EXPECT_EQ(segments_of(pair, 9), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 0, 0}));
    Document cross = *doc;
    choose_form(cross, "cross");
    EXPECT_EQ(cross.source, Document{}.source);
    choose_form(cross, "encoder");
    EXPECT_TRUE(cross.source.empty());
}

/// Tokens by hand are the first text, whatever they are.
TEST(SentencePairs, FollowGivenTokens) {
    Document doc = pair_of(ATTN_SOURCE_DIR "/tests/data/cases/16-sentence-pair", "", "the dog");
    doc.tokens = {"[CLS]", "the", "cat", "[SEP]"};
    const attn::Run by_hand = run_valid(doc);
    const attn::Run cut = run_valid(pair_of(ATTN_SOURCE_DIR "/tests/data/cases/16-sentence-pair", "the cat", "the dog"));
    EXPECT_EQ(by_hand.trace.tokens, cut.trace.tokens);
    const Matrix &here = by_hand.trace[find_step(by_hand.trace, "output")].value, &there = cut.trace[find_step(cut.trace, "output")].value;
    EXPECT_EQ(here, there);
    doc.source.clear();
    const attn::Run alone = run_valid(doc), typed = run_valid(pair_of(ATTN_SOURCE_DIR "/tests/data/cases/16-sentence-pair", "the cat", ""));
    EXPECT_EQ(Matrix(alone.trace[find_step(alone.trace, "output")].value), Matrix(typed.trace[find_step(typed.trace, "output")].value));
}

/// Eleven whole words and the signs around a text; `pair`: how two are put together.
std::string template_of(const std::string& first, const std::string& last, const std::string& pair) {
    return R"({"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, "decoder": null,
 "post_processor": {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": ")" + first + R"(", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": ")" + last + R"(", "type_id": 0}}],
  "pair": [)" + pair + R"(], "special_tokens": {")" + first + R"(": {"id": ")" + first + R"(", "ids": [0], "tokens": [")" + first + R"("]}, ")" + last + R"(": {"id": ")" + last + R"(", "ids": [1], "tokens": [")" + last + R"("]}}},
 "model": {"type": "WordLevel", "unk_token": "ran", "vocab": {")" + first + R"(": 0, ")" + last + R"(": 1, "cat": 2, "sat": 3, "on": 4, "mat": 5, "dog": 6, "ran": 7, "away": 8, "red": 9, "hat": 10}}})";
}
std::string sign(const char* id, int type) { return R"({"SpecialToken": {"id": ")" + std::string(id) + R"(", "type_id": )" + std::to_string(type) + "}}"; }
std::string text_item(const char* id, int type) { return R"({"Sequence": {"id": ")" + std::string(id) + R"(", "type_id": )" + std::to_string(type) + "}}"; }

/// <s> a </s></s> b </s>, all in the only segment that RoBERTa has.
TEST(SentencePairs, OfRobertaAreSeparatedByTwoTokens) {
    const std::string pair = sign("<s>", 0) + "," + text_item("A", 0) + "," + sign("</s>", 0) + "," + sign("</s>", 0) + "," + text_item("B", 0) + "," + sign("</s>", 0);
    auto [folder, doc] = reading_by_tokens("roberta", template_of("<s>", "</s>", pair).c_str());
    doc.text = "cat sat";
    doc.source = "dog";
    const attn::Run run = run_valid(doc);
    EXPECT_EQ(run.trace.tokens, (std::vector<std::string>{"<s>", "cat", "sat", "</s>", "</s>", "dog", "</s>"}));
    const FrozenMatrix table = doc.model->word_vectors();
    EXPECT_EQ(find(run.trace, {Role::Embeddings})->value.row(5), table.row(6));
    EXPECT_EQ(find_step(run.trace, "segment_shares"), kNoStep);
    ASSERT_NE(find_step(run.trace, "token_type"), kNoStep);
}

/// A segment that the model lacks, and a pair that is put together in another way, are refused.
TEST(SentencePairs, ThatCannotBeComputedAreRefused) {
    const std::string second = sign("<s>", 0) + "," + text_item("A", 0) + "," + sign("</s>", 0) + "," + text_item("B", 1) + "," + sign("</s>", 1);
    auto [one, lacking] = reading_by_tokens("roberta", template_of("<s>", "</s>", second).c_str());
    lacking.text = "cat";
    EXPECT_TRUE(problems(lacking).empty());
    lacking.source = "dog";
    ASSERT_EQ(problems(lacking).size(), 1u);
    EXPECT_EQ(problems(lacking).front().key, "source");
    EXPECT_NE(problems(lacking).front().message.find("of segment 1, but the model has vectors for segment 0 alone"), std::string::npos);
    const std::string turned = sign("<s>", 0) + "," + text_item("B", 0) + "," + sign("</s>", 0) + "," + text_item("A", 1) + "," + sign("</s>", 1);
    const std::string marked = sign("<s>", 0) + "," + text_item("A", 1) + "," + sign("</s>", 0) + "," + text_item("B", 1) + "," + sign("</s>", 1);
    const std::string mixed = sign("<s>", 0) + "," + text_item("A", 0) + "," + sign("</s>", 0) + "," + text_item("B", 1) + "," + sign("</s>", 0);
    for (const std::string& other : {turned, marked, mixed}) {
        auto [two, refused] = reading_by_tokens("bert", template_of("<s>", "</s>", other).c_str());
        refused.text = "cat";
        EXPECT_TRUE(problems(refused).empty());
        refused.source = "dog";
        ASSERT_EQ(problems(refused).size(), 1u) << other;
        EXPECT_NE(problems(refused).front().message.find("does not say how a second text is put behind the first"), std::string::npos);
    }
    auto [three, fits] = reading_by_tokens("bert", template_of("<s>", "</s>", second).c_str());
    fits.text = "cat";
    fits.source = "dog";
    EXPECT_EQ(segments_of(fits, 5), (std::vector<int>{0, 0, 0, 1, 1}));
    EXPECT_TRUE(problems(fits).empty());
}

}  // namespace
}  // namespace attn::test
