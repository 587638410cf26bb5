// Every kind of tokenizer against a second implementation (tests/data/tokenizers.py), which also makes the tokenizers:
// ids and spans of many lines in many scripts, code, emoji and control characters.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "core/document/document.h"
#include "core/document/take.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/model/model.h"
#include "core/tokenizers/tokenizer_model.h"
#include "places.h"

namespace attn::test {
namespace {

/// Lines of text for each tokenizer. tests/run --all sets more.
int lines() {
    const char* const more = std::getenv("ATTN_TOKENIZER_LINES");
    return more ? std::atoi(more) : 400;
}

constexpr std::size_t kMostBytes = std::size_t{1} << 26;

std::string content(const std::filesystem::path& path) {
    std::error_code none;
    if (!std::filesystem::exists(path, none)) return "";
    auto bytes = read_file(path, kMostBytes);
    EXPECT_TRUE(bytes) << path;
    return bytes ? *std::move(bytes) : "";
}

class TokenizerVectors : public testing::TestWithParam<const char*> {
protected:
    ~TokenizerVectors() override {
        std::error_code none;
        std::filesystem::remove_all(folder_, none);
    }

    /// Makes one of the script's tokenizers, with its test vectors.
    TokenizerFiles made(const std::string& name) {
        const std::string command = "python3 -B -X utf8 '" ATTN_SOURCE_DIR "/tests/data/tokenizers.py' '" +
                                    folder_.string() + "' " + std::to_string(lines()) + " " + name;
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
        const std::filesystem::path folder = folder_ / name;
        vectors_ = content(folder / "vectors.json");
        return {.where = name,
                .tokenizer_json = content(folder / "tokenizer.json"),
                .tokenizer_config = content(folder / "tokenizer_config.json"),
                .vocab_json = content(folder / "vocab.json"),
                .merges = content(folder / "merges.txt"),
                .vocab_txt = content(folder / "vocab.txt"),
                .sentencepiece = content(folder / "spiece.model")};
    }

    void expect_vectors(const TokenizerModel& model) const { expect_vectors(model, vectors_, static_cast<std::size_t>(lines()), true); }
    /// `special`: with the tokens that the checkpoint puts around a text.
    void expect_vectors(const TokenizerModel& model, const std::string& json, std::size_t count, bool special) const;

    std::string vectors_;  ///< of the tokenizer made last
    std::filesystem::path folder_ =
        std::filesystem::path(testing::TempDir()) / ("attenscope-tokenizers-" + std::to_string(::getpid()));
};

std::vector<std::int64_t> numbers_of(const JsonValue& list) {
    std::vector<std::int64_t> out;
    for (const JsonValue& item : list.items) out.push_back(item.integer);
    return out;
}

void TokenizerVectors::expect_vectors(const TokenizerModel& model, const std::string& json, std::size_t count, bool special) const {
    const auto vectors = parse_json(json);
    ASSERT_TRUE(vectors);
    ASSERT_EQ(vectors->items.size(), count);
    int wrong = 0;
    for (const JsonValue& one : vectors->items) {
        const std::string& text = one.items[0].string;
        const auto pieces = model.encode(text, special);
        ASSERT_TRUE(pieces) << pieces.error().text();
        std::vector<std::int64_t> ids, spans;
        for (const ModelToken& piece : *pieces) {
            ids.push_back(piece.id);
            spans.push_back(static_cast<std::int64_t>(piece.begin));
            spans.push_back(static_cast<std::int64_t>(piece.end));
        }
        EXPECT_EQ(ids, numbers_of(one.items[1])) << testing::PrintToString(text);
        EXPECT_EQ(spans, numbers_of(one.items[2])) << testing::PrintToString(text);
        if (HasFailure() && ++wrong == 3) return;
    }
}

TEST_P(TokenizerVectors, AgreeWithASecondImplementation) {
    const auto model = read_tokenizer(made(GetParam()));
    ASSERT_TRUE(model) << model.error().text();
    expect_vectors(**model);
}

INSTANTIATE_TEST_SUITE_P(Each, TokenizerVectors,
                         testing::Values("gpt2", "llama3", "qwen", "bert", "t5", "unigram_bytes", "llama2", "spm_bpe",
                                         "spm_unigram", "words", "ended"),
                         [](const auto& given) { return std::string(given.param); });

class TokenizerFolders : public TokenizerVectors {};

/// vocab.json with merges.txt, and vocab.txt, tokenize as tokenizer.json does.
TEST_F(TokenizerFolders, OlderFilesGiveTheSameTokens) {
    TokenizerFiles merges = made("gpt2");
    merges.tokenizer_json.clear();
    const auto gpt2 = read_tokenizer(merges);
    ASSERT_TRUE(gpt2) << gpt2.error().text();
    expect_vectors(**gpt2);
    const TokenizerFiles newer_files = made("bert");
    TokenizerFiles words = newer_files;
    words.tokenizer_json.clear();
    const auto older = read_tokenizer(words), newer = read_tokenizer(newer_files);
    ASSERT_TRUE(older) << older.error().text();
    for (const char* text : {"Hello, wörld!", "早上好 [MASK]", "don't read numbers"}) {
        const auto a = (*older)->encode(text, true), b = (*newer)->encode(text, true);
        ASSERT_EQ(a->size(), b->size());
        for (std::size_t i = 0; i < a->size(); ++i) EXPECT_EQ((*a)[i].id, (*b)[i].id);
    }
}

/// Marian reads one language and writes another: target.spm tokenizes the written text, and vocab.json numbers both.
TEST_F(TokenizerFolders, MarianWritesWithItsTargetFile) {
    made("marian");
    const std::filesystem::path folder = folder_ / "marian", checkpoint = ATTN_SOURCE_DIR "/tests/data/checkpoints/marian";
    for (const char* const file : {"config.json", "model.safetensors"}) std::filesystem::copy_file(checkpoint / file, folder / file);
    const auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    ASSERT_TRUE((*model)->tokenizer && (*model)->writer);
    expect_vectors(*(*model)->tokenizer, content(folder / "source_vectors.json"), 500, true);
    expect_vectors(*(*model)->writer, content(folder / "target_vectors.json"), 500, false);
    Document doc;
    take_model(doc, *model);
    give_sentence(doc, ">>fra<< the cats");
    doc.text = "le chats";
    const auto made = run(doc);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(made->trace.source_tokens, (std::vector<std::string>{">>fra<<", " the", " cat", "s", "</s>"}));
    EXPECT_EQ(made->trace.tokens, (std::vector<std::string>{"<pad>", " le", " chat", "s"}));
    const FrozenMatrix table = (*model)->word_vectors();
    const auto rows_are = [&](Part part, const std::vector<int>& ids) {
        const Step* x = find(made->trace, {Role::Embeddings, kNoHead, kNoLayer, kNoTime, part});
        for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(x->value.row(static_cast<Eigen::Index>(i)), table.row(ids[i])) << i;
    };
    rows_are(Part::Source, {8, 4, 5, 6, 1});
    rows_are(Part::Main, {0, 9, 10, 6});
    // Without that file source.spm would tokenize the target language differently: it lacks " le".
    const auto by_source = (*model)->tokenizer->encode("le chats", false);
    ASSERT_TRUE(by_source);
    EXPECT_EQ((*by_source)[1].id, 2) << "unknown";
}

/// A tokenizer without loss decodes to the text as it was typed.
TEST_F(TokenizerFolders, ByteLevelDecodesToTheText) {
    const auto model = read_tokenizer(made("llama3"));
    ASSERT_TRUE(model);
    const auto vectors = parse_json(vectors_);
    ASSERT_TRUE(vectors);
    for (const JsonValue& one : vectors->items) {
        const std::string& text = one.items[0].string;
        const auto has = [&](const char* added) { return text.find(added) != std::string::npos; };
        if (has("<s>") || has("[MASK]") || has("<|end|>")) continue;
        const auto pieces = (*model)->encode(text, true);
        ASSERT_TRUE(pieces);
        std::vector<int> ids;
        for (const ModelToken& piece : *pieces) ids.push_back(piece.id);
        EXPECT_EQ((*model)->decode(ids), text);
    }
}

}  // namespace
}  // namespace attn::test
