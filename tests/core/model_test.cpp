// Models: written and read back, what documents take from them, and everything that must be refused.
#include "core/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "core/document_fields.h"
#include "core/document_origins.h"
#include "core/io/files.h"
#include "core/link.h"
#include "core/train/questions_model.h"
#include "core/train/tasks.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

/// A folder that goes when the test ends.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "attn_model_XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, std::string_view bytes) const {
        std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    void write(const ModelFiles& files) const {
        write("config.json", files.config);
        write("vocab.json", files.vocabulary);
        write("model.safetensors", files.tensors);
    }

private:
    std::filesystem::path path_;
};

JsonValue value_of(std::string_view json) { return *parse_json(json); }

/// Three words of four columns, two heads, places for five tokens.
Model small_model() {
    Model m;
    m.name = "small";
    m.about = {"Three words.", "三个词。"};
    m.settings = {{"heads", value_of("2")}, {"position", value_of("\"learned\"")}, {"temperature", value_of("1.5")}};
    m.words = {"the", "cat", "猫"};
    m.columns = {"a", "b", "c", "d"};
    m.embeddings = seeded_matrix(1, 3, 4);
    m.weights.emplace("positions", seeded_matrix(2, 5, 4));
    std::uint64_t seed = 3;
    for (const char* name : {"query_weight", "key_weight", "value_weight", "output_weight"})
        m.weights.emplace(name, seeded_matrix(seed++, 4, 4));
    m.weights.emplace("query_bias", seeded_matrix(seed, 1, 4));
    m.questions = {{"one", {"What?", "什么？"}}, {"two", {"Who?", "谁？"}}};
    m.training = ModelTraining{"a test", 7, 100, 8};
    m.measured = {{"unseen", {{"share", 0.75}}}};
    return m;
}

ModelPtr read_valid(const ModelFiles& files) {
    auto model = read_model(files);
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    return model ? *model : nullptr;
}

Document document_with(ModelPtr model, std::string text) {
    Document doc;
    doc.text = std::move(text);
    take_model(doc, std::move(model));
    return doc;
}

TEST(Model, IsReadAsItWasWritten) {
    const Model written = small_model();
    const ModelFiles files = model_files(written);
    const ModelPtr read = read_valid(files);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->about, written.about);
    EXPECT_EQ(read->words, written.words);
    EXPECT_EQ(read->columns, written.columns);
    EXPECT_EQ(read->questions.at(1).text, written.questions[1].text);
    EXPECT_EQ(read->training->seed, 7u);
    EXPECT_EQ(read->measured.at(0).figures.at(0).second, 0.75);
    EXPECT_TRUE(same_bits(read->embeddings, written.embeddings));
    ASSERT_EQ(read->weights.size(), written.weights.size());
    for (const auto& [name, tensor] : written.weights) EXPECT_TRUE(same_bits(*read->matrix(name), tensor)) << name;
    const ModelFiles again = model_files(*read);
    EXPECT_EQ(again.config, files.config);
    EXPECT_EQ(again.vocabulary, files.vocabulary);
    EXPECT_EQ(again.tensors, files.tensors);
}

TEST(Model, HalfPrecisionIsHalfAsLong) {
    const ModelFiles whole = model_files(small_model()), half = model_files(small_model(), TensorNumbers::F16);
    EXPECT_LT(half.tensors.size(), whole.tensors.size());
    const ModelPtr read = read_valid(half);
    ASSERT_TRUE(read);
    EXPECT_TRUE(close(read->embeddings, small_model().embeddings, 1e-3));
}

TEST(Model, ADocumentComputesWithItsNumbersAndSaysSo) {
    const ModelPtr model = read_valid(model_files(small_model()));
    const Document doc = document_with(model, "the cat the");
    EXPECT_EQ(doc.config.heads, 2);
    EXPECT_EQ(doc.config.temperature, 1.5f);
    const attn::Run run = run_valid(doc);
    const auto source = [&](Role role) { return find(run.trace, {role})->params.sources; };
    for (const Role role :
         {Role::Positions, Role::QueryWeight, Role::KeyWeight, Role::ValueWeight, Role::OutputWeight, Role::QueryBias})
        EXPECT_EQ(source(role), std::vector{Source::Model}) << role_id(role);
    EXPECT_EQ(source(Role::Embeddings), std::vector(3, Source::Model));
    EXPECT_EQ(run.inputs.features, model->columns);
    // The same by hand.
    Document plain = document_of(R"({"text":"the cat the","heads":2,"position":"learned","temperature":1.5})");
    const auto give = [&](Given which, Matrix m) { plain.given[static_cast<std::size_t>(which)] = std::move(m); };
    Matrix x(3, 4);
    x << model->embeddings.row(0), model->embeddings.row(1), model->embeddings.row(0);
    give(Given::X, x);
    give(Given::W_Q, model->matrix("query_weight")->matrix());
    give(Given::W_K, model->matrix("key_weight")->matrix());
    give(Given::W_V, model->matrix("value_weight")->matrix());
    give(Given::W_O, model->matrix("output_weight")->matrix());
    give(Given::b_Q, model->matrix("query_bias")->matrix());
    plain.parameters = {{{Role::Positions}, Matrix(model->matrix("positions")->topRows(3))}};
    const attn::Run expected = run_valid(plain);
    ASSERT_EQ(run.trace.size(), expected.trace.size());
    for (StepId id = 0; id < run.trace.size(); ++id)
        EXPECT_TRUE(same_bits(run.trace[id].value, expected.trace[id].value)) << step_name(run.trace[id].tag);
}

TEST(Model, WhatIsGivenOrTypedOverWins) {
    Document doc = document_with(read_valid(model_files(small_model())), "the cat");
    doc.given[static_cast<std::size_t>(Given::W_K)] = seeded_matrix(50, 4, 4);
    doc.parameters = {{{Role::Positions}, seeded_matrix(51, 2, 4)}};
    doc.edits = {{{Role::QueryWeight}, 0, 0, 9}};
    const attn::Run run = run_valid(doc);
    EXPECT_TRUE(same_bits(find(run.trace, {Role::KeyWeight})->value, seeded_matrix(50, 4, 4)));
    EXPECT_EQ(find(run.trace, {Role::KeyWeight})->params.sources, std::vector{Source::Given});
    EXPECT_EQ(find(run.trace, {Role::Positions})->params.sources, std::vector{Source::Given});
    EXPECT_EQ(find(run.trace, {Role::QueryWeight})->value(0, 0), 9);
    doc.weights = "identity";
    EXPECT_EQ(find(run_valid(doc).trace, {Role::ValueWeight})->params.sources, std::vector{Source::Identity});
}

TEST(Model, AWordThatItDoesNotKnowIsSaidToBeUnknown) {
    Model model = small_model();
    const attn::Run run = run_valid(document_with(read_valid(model_files(model)), "The cats zyzzyva 猫 zyzzyva"));
    const Step& x = *find(run.trace, {Role::Embeddings});
    EXPECT_EQ(x.params.sources,
              (std::vector{Source::Model, Source::Model, Source::Unknown, Source::Model, Source::Unknown}));
    EXPECT_EQ(run.unknown, std::vector<std::string>{"zyzzyva"});
    EXPECT_TRUE(same_bits(Matrix(x.value.row(1)), Matrix(model.embeddings.row(1)))) << "cats";
    EXPECT_EQ(largest(Matrix(x.value.row(2))), 0);
    model.words[0] = "[UNK]";
    const attn::Run other = run_valid(document_with(read_valid(model_files(model)), "zyzzyva"));
    EXPECT_TRUE(same_bits(find(other.trace, {Role::Embeddings})->value, Matrix(model.embeddings.row(0))));
    EXPECT_EQ(other.unknown.size(), 1u);
}

TEST(Model, WavesOfPositionsAreAFormulaForAnyLength) {
    Model model = small_model();
    model.weights.erase("positions");
    model.waves = PositionWaves{2, {4}};
    const attn::Run run = run_valid(document_with(read_valid(model_files(model)), "the cat the cat the cat the"));
    const Step& places = *find(run.trace, {Role::Positions});
    EXPECT_EQ(places.params.sources, std::vector{Source::Formula});
    Matrix expected = Matrix::Zero(7, 4);
    expected.col(2) << 0, 1, 0, -1, 0, 1, 0;
    expected.col(3) << 1, 0, -1, 0, 1, 0, -1;
    EXPECT_TRUE(close(places.value, expected, 1e-7));
}

TEST(Model, DocumentsNameItAndKeepWhatTheySayThemselves) {
    const Folder folder;
    folder.write(model_files(small_model()));
    const ModelPlaces here{.folders = true, .base = folder.path().parent_path()};
    const std::string name = folder.path().filename();
    const auto read = document_from_json(R"({"heads": 1, "model": ")" + name + R"(", "text": "the cat"})", "", here);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(read->model->name, folder.path().string());
    EXPECT_EQ(read->config.heads, 1) << "said by the document, in whatever order";
    EXPECT_EQ(read->config.position, "learned") << "said by the model";
    const auto again = document_from_json(document_to_json(*read), "", {.folders = true});
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *read);
    EXPECT_EQ(again->config.heads, 1) << "the default, but not the model's";
    // Of somebody else's making: no folder is opened.
    const auto refused = document_from_json(document_to_json(*read), "");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().key, "model");
    EXPECT_THAT(refused.error().text(), HasSubstr("a document of one's own"));
    EXPECT_FALSE(document_from_link(document_link(*read)));
    EXPECT_THAT(document_from_json(R"({"model": 3})", "").error().text(),
                HasSubstr("a text is expected, not a number"));
    // Other numbers, another model.
    Document changed = *read;
    folder.write(model_files([] {
        Model m = small_model();
        m.embeddings = seeded_matrix(90, 3, 4);
        return m;
    }()));
    EXPECT_FALSE(*document_from_json(document_to_json(*read), "", {.folders = true}) == changed);
}

TEST(Model, WhatNobodyReadsOfItGoesOrIsRefused) {
    const Folder folder;
    folder.write(model_files(small_model()));
    const std::string name = folder.path();
    const auto read = [&](const std::string& fields) {
        return document_from_json(R"({"model": ")" + name + R"(", "text": "the cat", )" + fields + "}", "", {.folders = true});
    };
    const auto raw = read(R"("variant": "raw")");
    ASSERT_TRUE(raw) << raw.error().text();
    EXPECT_EQ(raw->config.heads, 1) << "the model's two heads are no part of this form";
    EXPECT_TRUE(takes_model_vectors(*raw));
    EXPECT_EQ(read(R"("variant": "raw", "heads": 2)").error().key, "heads") << "said by the document";
    const auto unread = read(R"("vectors": "random", "weights": "random", "position": "none")");
    ASSERT_FALSE(unread);
    EXPECT_EQ(unread.error().key, "model");
    Document doc = document_with(read_valid(model_files(small_model())), "the cat");
    doc.vectors = "random";
    doc.weights = "identity";
    drop_unread(doc);
    EXPECT_FALSE(doc.model);
}

TEST(Model, AFolderThatHasGoneCostsTheModelAlone) {
    const auto part = document_from_json_in_part(
        R"({"model": "/nowhere/at/all", "vectors": "model", "mask": "causal", "text": "the cat"})", "", {.folders = true});
    ASSERT_TRUE(part);
    EXPECT_EQ(part->document.text, "the cat");
    EXPECT_EQ(part->document.config.mask, "causal");
    ASSERT_EQ(part->left_out.size(), 2u);
    EXPECT_EQ(part->left_out[0].key, "model");
    EXPECT_EQ(part->left_out[1].key, "vectors");
}

TEST(Model, HasBiasesInsideOfBlocksAndEverySettingOfADocument) {
    Model model = small_model();
    model.settings = {{"variant", value_of("\"encoder\"")}, {"temperature", value_of("\"inf\"")}, {"epsilon", value_of("0.25")}};
    model.questions.clear();
    model.weights.clear();
    const Document asked = document_of(
        R"({"variant": "encoder", "weights": "random", "vectors": "random", "width": 4, "text": "the cat"})");
    for (const Step& step : run_valid(asked).trace.steps)
        if (step.op == Op::Input && step.tag.layer != kNoLayer)
            model.weights.emplace(step_name(step.tag), step.value.matrix());
    const attn::Run without = run_valid(document_with(read_valid(model_files(model)), "the cat"));
    EXPECT_FALSE(find(without.trace, {.role = Role::QueryBias, .layer = 0}));
    model.weights.emplace("l1.query_bias", seeded_matrix(60, 1, 4));
    const ModelPtr read = read_valid(model_files(model));
    ASSERT_TRUE(read);
    const attn::Run run = run_valid(document_with(read, "the cat"));
    EXPECT_TRUE(std::isinf(run.config.temperature));
    EXPECT_EQ(run.config.epsilon, 0.25f);
    const Step* bias = find(run.trace, {.role = Role::QueryBias, .layer = 0});
    ASSERT_TRUE(bias);
    EXPECT_EQ(bias->params.sources, std::vector{Source::Model});
    EXPECT_TRUE(same_bits(bias->value, seeded_matrix(60, 1, 4)));
}

TEST(Model, RefusesWhatItCannotCompute) {
    const ModelPtr model = read_valid(model_files(small_model()));
    const auto refusal = [&](const std::function<void(Document&)>& change) {
        Document doc = document_with(model, "the cat");
        change(doc);
        const auto wrong = problems(doc);
        return wrong.empty() ? "nothing" : wrong.front().text();
    };
    EXPECT_THAT(refusal([](Document& d) { d.text = "the cat the cat the cat"; }),
                HasSubstr("has 5 places, but the text has 6 tokens"));
    EXPECT_THAT(refusal([](Document& d) { d.config.score = "additive"; }),
                HasSubstr("has no tensor \"score_weight.h1\" (2 × 2)"));
    EXPECT_THAT(refusal([](Document& d) { d.vectors = "meaning"; }),
                HasSubstr("\"query_weight\" of the model \"small\" is 4 × 4, but must be 8 × 4"));
    EXPECT_THAT(refusal([](Document& d) { d.config.heads = 3; }), HasSubstr("\"key_weight\" of the model \"small\" is 4 × 4, but must be 4 × 3"));
    EXPECT_THAT(refusal([](Document& d) { d.model = nullptr; }), HasSubstr("no model is named"));
}

/// What is said of a model of which one file was changed.
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
                HasSubstr("columns: 3 names stand here, but hidden_size is 4"));
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

TEST(Model, RefusesFoldersWithWhatToDo) {
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

TEST(ShippedModels, AllCanBeReadAndShowASentence) {
    for (const ModelPtr& model : shipped_models()) {
        SCOPED_TRACE(model->name);
        EXPECT_FALSE(model->about.english.empty() || model->about.chinese.empty());
        EXPECT_EQ(shipped_model(model->name), model);
        const train::Task* task = train::task_of(*model);
        ASSERT_NE(task, nullptr);
        const Document doc = train::task_document(task->examples.front(), model);
        EXPECT_FALSE(run_valid(doc).trace.steps.empty());
        EXPECT_EQ(document_of(document_to_json(doc)), doc);
        EXPECT_EQ(*document_from_link(document_link(doc)), doc);
    }
    EXPECT_EQ(shipped_model("none"), nullptr);
}

}  // namespace
}  // namespace attn::test
