// The tokens of a checkpoint: its own tokens, and what writing begins with.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "core/analysis/prediction.h"
#include "core/model/model.h"
#include "tests/core/checkpoint_folder.h"

namespace attn::test {
namespace {

/// What is written begins with the token that the checkpoint names; a sentence is what the encoder reads.
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

/// A checkpoint that is cut into tokens, in place of its whole words, and a document that has it as its model.
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
    // One more by hand: the same rows, and its own.
    const attn::Run longer = run_valid(with_written(doc, 6));
    EXPECT_TRUE(longer.unknown.empty());
    EXPECT_EQ(find(longer.trace, {Role::Embeddings})->value.row(1), table.row(4));
    EXPECT_EQ(find(longer.trace, {Role::Embeddings})->value.row(2), table.row(6));
    // The first that is written: what is given begins with what the empty text is, and goes on.
    doc.text.clear();
    const attn::Run begun = run_valid(with_written(doc, 6));
    EXPECT_TRUE(begun.unknown.empty());
    EXPECT_EQ(find(begun.trace, {Role::Embeddings})->value.row(1), table.row(6));
}

/// What the vocabulary lacks has the vector of the token for the unknown, as in Hugging Face's models, and is told of.
TEST(CheckpointTokens, TheUnknownHasItsOwnVector) {
    auto [folder, doc] = reading_by_tokens("t5", kUnigram);
    give_sentence(doc, "the Q");
    doc.text = "cat";
    const attn::Run run = run_valid(doc);
    const FrozenMatrix& source = find(run.trace, {Role::Embeddings, kNoHead, kNoLayer, kNoTime, Part::Source})->value;
    ASSERT_EQ(run.trace.source_tokens.size(), 4U);
    EXPECT_EQ(source.row(2), doc.model->word_vectors().row(2));
    EXPECT_EQ(run.unknown.size(), 1U);
}

/// A text is cut into the checkpoint's own tokens, whose numbers name the rows; a person reads them without signs.
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
    // A way of cutting that is chosen is the one that cuts.
    doc.tokens.clear();
    doc.tokenizer = "characters";
    EXPECT_EQ(tokens_of(doc).size(), 15u);
    // What the tokens cannot say is told.
    doc.tokenizer = "auto";
    doc.text = "dog";
    const auto wrong = problems(doc);
    ASSERT_FALSE(wrong.empty());
    EXPECT_EQ(wrong.front().key, "text");
}

}  // namespace
}  // namespace attn::test
