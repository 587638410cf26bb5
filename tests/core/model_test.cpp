// Models: writing and reading back, and what documents take from them.
#include "core/document/take.h"
#include "core/model/files/model_files.h"
#include "core/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/document/origins.h"
#include "core/io/files.h"
#include "core/train/shipped/questions_model.h"
#include "core/train/tasks.h"
#include "tests/core/model_small.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

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

TEST(Model, RoundTrips) {
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

TEST(Model, ADocumentComputesWithItsNumbersAndNamesTheirSource) {
    const ModelPtr model = read_valid(model_files(small_model()));
    const Document doc = document_with(model, "the cat the");
    EXPECT_EQ(doc.config.heads, 2);
    EXPECT_EQ(doc.config.temperature, 1.5f);
    const attn::Run run = run_valid(doc);
    const auto source = [&](Role role) { return find(run.trace, {role})->as<InputParams>().sources; };
    for (const Role role :
         {Role::Positions, Role::QueryWeight, Role::KeyWeight, Role::ValueWeight, Role::OutputWeight, Role::QueryBias})
        EXPECT_EQ(source(role), std::vector{Source::Model}) << role_id(role);
    EXPECT_EQ(source(Role::Embeddings), std::vector(3, Source::Model));
    EXPECT_EQ(run.inputs.features, model->columns);
    // The same with given matrices.
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

TEST(Model, GivenAndTypedOverNumbersTakePrecedence) {
    Document doc = document_with(read_valid(model_files(small_model())), "the cat");
    doc.given[static_cast<std::size_t>(Given::W_K)] = seeded_matrix(50, 4, 4);
    doc.parameters = {{{Role::Positions}, seeded_matrix(51, 2, 4)}};
    doc.edits = {{{Role::QueryWeight}, 0, 0, 9}};
    const attn::Run run = run_valid(doc);
    EXPECT_TRUE(same_bits(find(run.trace, {Role::KeyWeight})->value, seeded_matrix(50, 4, 4)));
    EXPECT_EQ(find(run.trace, {Role::KeyWeight})->as<InputParams>().sources, std::vector{Source::Given});
    EXPECT_EQ(find(run.trace, {Role::Positions})->as<InputParams>().sources, std::vector{Source::Given});
    EXPECT_EQ(find(run.trace, {Role::QueryWeight})->value(0, 0), 9);
    doc.weights = "identity";
    EXPECT_EQ(find(run_valid(doc).trace, {Role::ValueWeight})->as<InputParams>().sources, std::vector{Source::Identity});
}

TEST(Model, AnUnknownWordIsReported) {
    Model model = small_model();
    const attn::Run run = run_valid(document_with(read_valid(model_files(model)), "The cats zyzzyva 猫 zyzzyva"));
    const Step& x = *find(run.trace, {Role::Embeddings});
    EXPECT_EQ(x.as<InputParams>().sources,
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
    EXPECT_EQ(places.as<InputParams>().sources, std::vector{Source::Formula});
    Matrix expected = Matrix::Zero(7, 4);
    expected.col(2) << 0, 1, 0, -1, 0, 1, 0;
    expected.col(3) << 1, 0, -1, 0, 1, 0, -1;
    EXPECT_TRUE(close(places.value, expected, 1e-7));
}

TEST(Model, DocumentsNameItAndKeepTheirOwnFields) {
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
    // A document of unknown origin opens no folder.
    const auto refused = document_from_json(document_to_json(*read), "");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().key, "model");
    EXPECT_THAT(refused.error().text(), HasSubstr("a document of one's own"));
    EXPECT_FALSE(document_from_link(document_link(*read)));
    EXPECT_THAT(document_from_json(R"({"model": 3})", "").error().text(),
                HasSubstr("a text is expected, not a number"));
    // Other numbers make another model.
    Document changed = *read;
    folder.write(model_files([] {
        Model m = small_model();
        m.embeddings = seeded_matrix(90, 3, 4);
        return m;
    }()));
    EXPECT_FALSE(*document_from_json(document_to_json(*read), "", {.folders = true}) == changed);
}

TEST(Model, UnreadPartsAreDroppedOrRefused) {
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

TEST(Model, AFolderIsAlwaysOneModelEvenIfAWriteFails) {
    const Folder folder;
    Model small = small_model();
    const ModelFiles first = model_files(small);
    ASSERT_TRUE(write_model_folder(folder.path(), first));
    small.about.english = "another";
    const ModelFiles second = model_files(small);
    ASSERT_NE(first.config, second.config);

    // The weights cannot be replaced: the old model stays.
    std::filesystem::remove(folder.path() / "model.safetensors");
    std::filesystem::create_directory(folder.path() / "model.safetensors");
    EXPECT_FALSE(write_model_folder(folder.path(), second));
    EXPECT_EQ(*read_file(folder.path() / "config.json", 1 << 20), first.config);
    std::filesystem::remove(folder.path() / "model.safetensors");

    // The vocabulary cannot be replaced: the weights are new already, so config.json must not claim the old model.
    std::filesystem::remove(folder.path() / "vocab.json");
    std::filesystem::create_directory(folder.path() / "vocab.json");
    EXPECT_FALSE(write_model_folder(folder.path(), second));
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "config.json"));

    std::filesystem::remove(folder.path() / "vocab.json");
    ASSERT_TRUE(write_model_folder(folder.path(), second));
    EXPECT_EQ(*read_file(folder.path() / "config.json", 1 << 20), second.config);
}

TEST(Model, AMissingFolderLosesOnlyTheModel) {
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
    const Document document = document_of(
        R"({"variant": "encoder", "weights": "random", "vectors": "random", "width": 4, "text": "the cat"})");
    for (const Step& step : run_valid(document).trace.steps)
        if (step.op == Op::Input && step.tag.layer != kNoLayer)
            model.weights.emplace(step_name(step.tag), step.value.matrix());
    const attn::Run without = run_valid(document_with(read_valid(model_files(model)), "the cat"));
    EXPECT_FALSE(find(without.trace, {Role::QueryBias, kNoHead, 0}));
    model.weights.emplace("l1.query_bias", seeded_matrix(60, 1, 4));
    const ModelPtr read = read_valid(model_files(model));
    ASSERT_TRUE(read);
    const attn::Run run = run_valid(document_with(read, "the cat"));
    EXPECT_TRUE(std::isinf(run.config.temperature));
    EXPECT_EQ(run.config.epsilon, 0.25f);
    const Step* bias = find(run.trace, {Role::QueryBias, kNoHead, 0});
    ASSERT_TRUE(bias);
    EXPECT_EQ(bias->as<InputParams>().sources, std::vector{Source::Model});
    EXPECT_TRUE(same_bits(bias->value, seeded_matrix(60, 1, 4)));
}

TEST(Model, RefusesUnsupportedSettings) {
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
