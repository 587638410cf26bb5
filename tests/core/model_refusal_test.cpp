// Models that must be refused, and the error messages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/model/files/model_files.h"
#include "tests/core/model_small.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

/// The error message for a model of which one file was changed.
std::string refused(const std::function<void(ModelFiles&)>& change) {
    ModelFiles files = model_files(small_model());
    files.where = "folder";
    change(files);
    const auto model = read_model(files);
    return model ? "it was read" : model.error().text();
}

void replace(std::string& in, std::string_view old, std::string_view other) {
    const std::size_t at = in.find(old);
    ASSERT_NE(at, std::string::npos) << old << " in " << in;
    in.replace(at, old.size(), other);
}

std::string refused_config(std::string_view old, std::string_view other) {
    return refused([&](ModelFiles& f) { replace(f.config, old, other); });
}

TEST(Model, RefusesConfigurationsByFileAndKey) {
    EXPECT_THAT(refused([](ModelFiles& f) { f.config = ""; }), HasSubstr("folder/config.json"));
    EXPECT_THAT(refused([](ModelFiles& f) { f.config = "[]"; }), HasSubstr("a configuration is an object"));
    EXPECT_THAT(refused_config("\"attenscope\"", "\"gpt2\""),
                HasSubstr("folder/config.json:2: model_type: models of the family \"gpt2\" are not read"));
    EXPECT_THAT(refused_config("\"model_type\"", "\"type\""), HasSubstr("model_type: it is missing"));
    EXPECT_THAT(refused_config("\"hidden_size\": 4", "\"hidden_size\": 0"),
                HasSubstr("hidden_size: a whole number from 1 to 8192"));
    EXPECT_THAT(refused_config("\"hidden_size\": 4", "\"hidden_size\": 4.5"), HasSubstr("hidden_size: a whole number"));
    EXPECT_THAT(refused_config("\"vocab_size\": 3", "\"vocab_size\": -1"), HasSubstr("vocab_size: a whole number"));
    EXPECT_THAT(refused_config("\"heads\": 2", "\"heads\": 3"),
                HasSubstr("num_attention_heads: it contradicts attention.heads, which is 3"));
    EXPECT_THAT(refused_config("\"num_attention_heads\": 2", "\"num_attention_heads\": -1"),
                HasSubstr("it contradicts"));
    EXPECT_THAT(refused_config("\"heads\": 2", "\"heads\": 0"), HasSubstr("attention.heads: 0 is not possible"));
    EXPECT_THAT(refused_config("\"heads\": 2", "\"heads\": \"2\""), HasSubstr("attention.heads: a number is expected"));
    EXPECT_THAT(refused_config("\"learned\"", "\"somewhere\""),
                HasSubstr("attention.position: there is no \"somewhere\""));
    EXPECT_THAT(refused_config("\"temperature\"", "\"text\""),
                HasSubstr("attention.text: this is no setting of attention"));
    EXPECT_THAT(refused_config("\"temperature\"", "\"weights\""), HasSubstr("attention.weights: this is no setting"));
    EXPECT_THAT(refused_config("\"c\", \"d\"", "\"c\""),
                HasSubstr("columns: it has 3 names, but hidden_size is 4"));
    EXPECT_THAT(refused_config("\"zh\": \"谁？\"", "\"fr\": \"qui\""), HasSubstr("questions[1].zh: it is missing"));
    EXPECT_THAT(refused_config("\"seed\": 7", "\"seed\": -7"), HasSubstr("training.seed: a whole number"));
    EXPECT_THAT(refused_config("\"share\": 0.75", "\"share\": \"most\""),
                HasSubstr("measured.unseen.share: a number is expected"));
    EXPECT_THAT(
        refused_config("\"columns\"", "\"position_waves\": {\"first_column\": 3, \"wavelengths\": [4]}, \"columns\""),
        HasSubstr("position_waves.wavelengths: a sine and a cosine each from column 3 do not fit into 4 columns"));
    EXPECT_THAT(
        refused_config("\"columns\"", "\"position_waves\": {\"first_column\": 0, \"wavelengths\": [0]}, \"columns\""),
        HasSubstr("lengths above 0 are expected"));
}

TEST(Model, RefusesVocabulariesByTheWord) {
    const auto said = [](std::string vocabulary) {
        return refused([&](ModelFiles& f) { f.vocabulary = std::move(vocabulary); });
    };
    EXPECT_THAT(said("words"), HasSubstr("folder/vocab.json"));
    EXPECT_THAT(said("[1]"), HasSubstr("an object of words and their numbers"));
    EXPECT_THAT(said(R"({"the": 0, "cat": 1})"), HasSubstr("it has 2 words, but vocab_size in config.json is 3"));
    EXPECT_THAT(said(R"({"the": 0, "cat": 1, "sat": -1})"),
                HasSubstr("sat: the number of a word is a whole one from 0 to 2"));
    EXPECT_THAT(said(R"({"the": 0, "cat": 1, "sat": 900000000000})"), HasSubstr("sat: the number of a word"));
    EXPECT_THAT(said(R"({"the": 0, "cat": 1, "sat": 1})"), HasSubstr("sat: \"cat\" has the number 1, too"));
    EXPECT_THAT(said(R"({"the": 0, "the": 1, "sat": 2})"), HasSubstr("the"));
    EXPECT_THAT(said(R"({"the": 0, "": 1, "sat": 2})"), HasSubstr("a word may not be empty"));
    const auto tokenizer = [](std::string text) {
        return refused([&](ModelFiles& f) {
            f.vocabulary_name = "tokenizer.json";
            f.vocabulary = std::move(text);
        });
    };
    EXPECT_EQ(tokenizer(R"({"model": {"type": "WordLevel", "vocab": {"the": 0, "cat": 1, "sat": 2}}})"), "it was read");
    EXPECT_THAT(tokenizer(R"({"model": {"type": "BPE", "vocab": {}}})"),
                HasSubstr("folder/tokenizer.json:1: model.type: vocabularies of whole words"));
    EXPECT_THAT(tokenizer("{}"), HasSubstr("model.type"));
}

TEST(Model, RefusesTensorsByName) {
    const auto said = [](const std::function<void(Model&)>& change) {
        Model model = small_model();
        change(model);
        ModelFiles files = model_files(model);
        files.config = model_files(small_model()).config;
        files.where = "folder";
        const auto read = read_model(files);
        return read ? "it was read" : read.error().text();
    };
    EXPECT_THAT(said([](Model& m) { m.weights.erase("key_weight"); }),
                HasSubstr("folder/model.safetensors: the model \"small\" has no tensor \"key_weight\""));
    EXPECT_THAT(said([](Model& m) { m.weights.erase("positions"); }), HasSubstr("has no tensor \"positions\" (2 × 4)"));
    EXPECT_THAT(said([](Model& m) { m.weights["value_weight"] = seeded_matrix(1, 5, 4); }),
                HasSubstr("\"value_weight\" of the model \"small\" is 5 × 4, but must be 4 × 4"));
    EXPECT_THAT(said([](Model& m) { m.embeddings = seeded_matrix(1, 3, 5); }),
                HasSubstr("model.safetensors: embeddings: it is 3 × 5, but with vocab_size and hidden_size of "
                          "config.json it must be 3 × 4"));
    EXPECT_THAT(said([](Model& m) {
                    Matrix bad = seeded_matrix(1, 4, 4);
                    bad(1, 2) = std::numeric_limits<float>::quiet_NaN();
                    m.weights["query_weight"] = bad;
                }),
                HasSubstr("query_weight: 1 of its numbers are NaN or infinite, the first at place 6"));
    EXPECT_THAT(refused([](ModelFiles& f) { f.tensors.resize(f.tensors.size() - 3); }),
                HasSubstr("folder/model.safetensors"));
    EXPECT_THAT(
        refused([](ModelFiles& f) { f.tensors = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n"; }),
        HasSubstr("folder/model.safetensors"));
}

TEST(Model, RefusesFoldersWithAdvice) {
    const Folder folder;
    const auto said = [&] {
        const auto model = find_model(folder.path().string(), {.folders = true});
        return model ? "it was read" : model.error().text();
    };
    EXPECT_THAT(find_model("/no/such/folder", {.folders = true}).error().text(),
                HasSubstr("/no/such/folder: there is no such folder"));
    EXPECT_THAT(said(), HasSubstr("config.json"));
    folder.write("pytorch_model.bin", "PK");
    EXPECT_THAT(said(), HasSubstr("pytorch_model.bin: pickle can run code"));
    std::filesystem::remove(folder.path() / "pytorch_model.bin");
    folder.write("model.safetensors.index.json", "{}");
    EXPECT_THAT(said(), HasSubstr("config.json"));
    std::filesystem::remove(folder.path() / "model.safetensors.index.json");
    folder.write(model_files(small_model()));
    EXPECT_EQ(said(), "it was read");
    std::filesystem::remove(folder.path() / "vocab.json");
    EXPECT_THAT(said(), HasSubstr("vocab.json"));
    folder.write("tokenizer.json", R"({"model": {"type": "WordLevel", "vocab": {"the": 0, "cat": 1, "猫": 2}}})");
    EXPECT_EQ(said(), "it was read");
}

}  // namespace
}  // namespace attn::test
