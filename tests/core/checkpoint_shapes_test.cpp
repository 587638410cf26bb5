// Checkpoints of known families as other programs and other versions of Hugging Face's library save them: settings elsewhere
// in config.json, tensors under other names and in other files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "core/document/take.h"
#include "core/io/files.h"
#include "core/model/checkpoint/config.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"
#include "tests/core/checkpoint_folder.h"
#include "tests/core/raw_tensors.h"

namespace attn::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Expects the folder's logits to be those that an independent pass computed for the family `as`.
void expect_logits(const std::filesystem::path& folder, const std::string& as) {
    const auto doc = opened(folder);
    ASSERT_TRUE(doc) << doc.error().text();
    const attn::Run run = run_valid(*doc);
    const StepId id = find_step(run.trace, "logits");
    ASSERT_NE(id, kNoStep);
    const auto file = TensorFile::open((kCheckpoints / as / "activations.safetensors").string());
    ASSERT_TRUE(file) << file.error().text();
    const Matrix there = *file->matrix("logits"), &here = run.trace[id].value;
    ASSERT_EQ(here.rows(), there.rows());
    ASSERT_EQ(here.cols(), there.cols());
    EXPECT_LE((here - there).cwiseAbs().maxCoeff(), 1e-4f * there.cwiseAbs().maxCoeff());
}

/// Expects the folder's step to be that of the family `as`, too.
void expect_same_step(const std::filesystem::path& folder, const std::string& as, const std::string& step) {
    const auto doc = opened(folder);
    ASSERT_TRUE(doc) << doc.error().text();
    const attn::Run run = run_valid(*doc);
    const auto file = TensorFile::open((kCheckpoints / as / "activations.safetensors").string());
    const Matrix there = *file->matrix(step), &here = run.trace[find_step(run.trace, step)].value;
    ASSERT_EQ(here.rows(), there.rows());
    EXPECT_LE((here - there).cwiseAbs().maxCoeff(), 1e-4f * there.cwiseAbs().maxCoeff());
}

std::vector<ModelNote> notes_of_folder(const std::filesystem::path& folder) {
    const auto model = find_model(folder.string(), {.folders = true});
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    return model ? (*model)->notes : std::vector<ModelNote>{};
}

/// A copy of a checkpoint with other tensors in its one file.
class Retensored : public Changed {
public:
    explicit Retensored(const std::string& of_which) : Changed(of_which), tensors_(raw_tensors(file())) {}

    std::filesystem::path file() const { return path() / "model.safetensors"; }
    RawTensor& tensor(const std::string& name) {
        for (RawTensor& one : tensors_)
            if (one.name == name) return one;
        ADD_FAILURE() << name;
        return tensors_.front();
    }
    Retensored& rename(const std::string& old, const std::string& name) { return tensor(old).name = name, *this; }
    Retensored& copy(const std::string& old, const std::string& name) {
        RawTensor twin = tensor(old);
        twin.name = name;
        tensors_.push_back(std::move(twin));
        return *this;
    }
    Retensored& add(RawTensor one) { return tensors_.push_back(std::move(one)), *this; }
    Retensored& drop(const std::string& name) { return std::erase_if(tensors_, [&](const RawTensor& t) { return t.name == name; }), *this; }
    Retensored& prefix(const std::string& with) {
        for (RawTensor& one : tensors_) one.name = with + one.name;
        return *this;
    }
    /// Changes the first number of a tensor.
    Retensored& change(const std::string& name) { return tensor(name).bytes[1] ^= 0x10, *this; }
    const std::filesystem::path& written() const { return write_raw(file(), tensors_), path(); }
    std::string written_and_refused() const { return written(), refused(); }

private:
    std::vector<RawTensor> tensors_;
};

/// Folders of shapes that users met, and the first numbers of one row of their logits, reported with them.
struct Met {
    const char* folder;
    Eigen::Index row;
    std::vector<float> begins;
    const char* texts = R"("text": "the cat sat on cat")";
};

TEST(CheckpointCases, GiveTheReportedNumbers) {
    const Met cases[] = {
        {"01-ids-beyond-vocab", 0, {0.7329859f, 1.4678262f, -1.416292f}},
        {"02-rope-share-nested-pythia-1.0", 4, {0.40845571f, 0.95760203f, 2.68674277f, -1.61506446f}},
        {"02-rope-share-nested-phi-0.4", 4, {-1.3112721f, 0.79469395f, -2.5805569f, 0.8734897f}},
        {"04-t5-own-head-in-v5", 0, {-0.0072f, 0.1252f, 1.7943f, 0.2949f, 0.0506f}, R"("text": "", "source": "the cat sat on cat")"},
        {"05-tied-under-another-name-gpt2", 0, {-0.4244483f, 0.0596779f, 0.2113609f}},
        {"06-index-decides", 0, {0.7329859f, 1.4678262f, -1.416292f}},
    };
    for (const Met& met : cases) {
        SCOPED_TRACE(met.folder);
        const std::string folder = ATTN_SOURCE_DIR "/tests/data/cases/" + std::string(met.folder);
        const auto doc = document_from_json("{" + std::string(met.texts) + R"(, "tokenizer": "words", "model": ")" + folder + "\"}", "", {.folders = true});
        ASSERT_TRUE(doc) << doc.error().text();
        const attn::Run run = run_valid(*doc);
        const StepId id = find_step(run.trace, "logits");
        ASSERT_NE(id, kNoStep);
        const Matrix& logits = run.trace[id].value;
        for (std::size_t i = 0; i < met.begins.size(); ++i)
            EXPECT_NEAR(logits(met.row, static_cast<Eigen::Index>(i)), met.begins[i], 5e-5f);
    }
    expect_logits(ATTN_SOURCE_DIR "/tests/data/cases/05-tied-under-another-name-t5", "t5");
}

TEST(CheckpointVariants, RotarySettingsMayBeNested) {
    Changed phi("phi");
    phi.replace("config.json", "\"partial_rotary_factor\": 0.4,", "").replace("config.json", "\"rope_theta\": 10000.0,", R"("rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.4},)");
    expect_logits(phi.path(), "phi");
    Changed pythia("pythia-whole");
    pythia.replace("config.json", "\"rope_parameters\": {", "\"rotary_pct\": 1.0, \"rotary_emb_base\": 5000, \"dropped\": {");
    expect_logits(pythia.path(), "pythia-whole");
    Changed gemma("gemma3-nested");
    gemma.replace("config.json", "\"rope_parameters\": {", R"("rope_theta": 5000.0, "rope_local_base_freq": 200.0, "rope_scaling": {"rope_type": "linear", "factor": 4.0}, "sliding_window_pattern": 3, "dropped": {)");
    expect_logits(gemma.path(), "gemma3-nested");
    Changed modern("modernbert");
    modern.replace("config.json", "\"global_rope_theta\": 160000.0", R"("rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 160000.0}, "sliding_attention": {"rope_type": "default", "rope_theta": 500.0}})")
        .replace("config.json", "\"local_rope_theta\": 500.0,", "");
    expect_logits(modern.path(), "modernbert");
    Changed yarn("qwen3-yarn");
    yarn.replace("config.json", "\"rope_theta\": 1000.0,", "").replace("config.json", "\"rope_scaling\": {", "\"rope_parameters\": {\"rope_theta\": 1000.0,");
    expect_logits(yarn.path(), "qwen3-yarn");
}

/// GPT-Neo's kinds of layers: written out, as groups, or not given.
TEST(CheckpointVariants, GptNeoNamesItsLocalLayers) {
    const std::string types = "\"attention_types\": [\n  [\n   [\n    \"global\",\n    \"local\"\n   ],\n   1\n  ],\n  [\n   [\n    \"global\"\n   ],\n   1\n  ]\n ],";
    Changed listed("gpt-neo"), usual("gpt-neo");
    expect_logits(listed.replace("config.json", types, "").path(), "gpt-neo");
    expect_logits(usual.replace("config.json", types, "").replace("config.json", "\"attention_layers\"", "\"attention_dropout_\"").path(), "gpt-neo");
    const auto with = [&](const std::string& other) {
        Changed folder("gpt-neo");
        return folder.replace("config.json", types, other).refused();
    };
    EXPECT_THAT(with(R"("attention_types": [[["global"], 3]],)"), HasSubstr("attention_layers: it says of the layers otherwise than attention_types"));
    EXPECT_THAT(with(R"("attention_types": [[["global", "local"], 12]],)"), HasSubstr("attention_types: it says of 24 layers what they are, but there are 3"));
    EXPECT_THAT(with(R"("attention_types": [["global", "local", "global"]],)"), HasSubstr("attention_types: a list of [kinds of layers, how often] is expected"));
    EXPECT_THAT(with(R"("attention_types": [[["global", "sparse", "global"], 1]],)"), HasSubstr("layer 2 is \"sparse\"; global and local are computed here"));
    const auto alone = [&](const std::string& kinds) {
        Changed folder("gpt-neo");
        return folder.replace("config.json", types, "\"attention_types\": " + kinds + ",").replace("config.json", "\"attention_layers\"", "\"attention_dropout_\"").refused();
    };
    EXPECT_THAT(alone(R"([[["local", "global", "global"], 1]])"), HasSubstr("layers that see everything, other than one in 1, are not computed here"));
    for (const auto& [kinds, every, first] : {std::tuple(R"([[["local"], 3]])", 0, 0), {R"([[["global"], 3]])", 0, 0}, {R"([[["local", "local", "global"], 1]])", 3, 2}, {R"([[["global", "local", "local"], 1]])", 3, 0}}) {
        Changed folder("gpt-neo");
        folder.replace("config.json", types, "\"attention_types\": " + std::string(kinds) + ",").replace("config.json", "\"attention_layers\"", "\"attention_dropout_\"");
        const auto doc = opened(folder.path());
        ASSERT_TRUE(doc) << doc.error().text();
        EXPECT_EQ(doc->config.global_every, every) << kinds;
        EXPECT_EQ(doc->config.global_first, first) << kinds;
        EXPECT_EQ(doc->config.mask, std::string_view(kinds) == R"([[["global"], 3]])" ? "causal" : "sliding_window");
    }
}

/// What would change a number, and is not computed, is refused.
TEST(CheckpointVariants, OfOptGptJAndPhi3) {
    const auto refused = [](const std::string& of, const std::string& old, const std::string& other) {
        Changed folder(of);
        return folder.replace("config.json", old, other).refused();
    };
    EXPECT_THAT(refused("opt", "\"word_embed_proj_dim\": 8", "\"word_embed_proj_dim\": 4"), HasSubstr("word_embed_proj_dim: 4 beside hidden_size = 8 is not computed here"));
    EXPECT_THAT(refused("opt", "\"_remove_final_layer_norm\": false", "\"_remove_final_layer_norm\": true"), HasSubstr("_remove_final_layer_norm: true is not computed here"));
    EXPECT_THAT(refused("opt", "\"layer_norm_elementwise_affine\": true", "\"layer_norm_elementwise_affine\": false"), HasSubstr("layer_norm_elementwise_affine: false is not computed here"));
    EXPECT_THAT(refused("opt", "\"do_layer_norm_before\": true", "\"do_layer_norm_before\": false"), HasSubstr("OPT with these settings has no norm behind the last block"));
    EXPECT_THAT(refused("opt-behind", "\"do_layer_norm_before\": false", "\"do_layer_norm_before\": true"), HasSubstr("there is no norm behind the last block; OPT with these settings has one"));
    EXPECT_THAT(refused("opt", "\"max_position_embeddings\": 8", "\"max_position_embeddings\": 10"), HasSubstr("it is 10 × 8, but with config.json it must be 12 × 8"));
    EXPECT_THAT(refused("gptj", "\"rotary_dim\": 4", "\"rotary_dim\": 3"), HasSubstr("rotary_dim: 3 columns of a head turn, which must be even"));
    EXPECT_THAT(refused("gptj", "\"rotary_dim\": 4", "\"rotary_dim\": 16"), HasSubstr("rotary_dim: a whole number from 2 to 8 is expected, not 16"));
    EXPECT_THAT(refused("gptj", "\"rotary_dim\": 4", "\"rotary_dim\": null"), HasSubstr("rotary_dim: null would turn a head by angles as of the model's whole width"));
    EXPECT_THAT(refused("gptj", "\"rotary_dim\": 4,", ""), HasSubstr("rotary_dim: 64 columns of a head turn"));
    EXPECT_THAT(refused("gptj", "\"rotary\": true", "\"rotary\": false"), HasSubstr("rotary: false is not computed here"));
    EXPECT_THAT(refused("phi3-long", "\"short_factor\": [\n   1.0,", "\"short_factor\": [\n   1.05,"), HasSubstr("short_factor that differs from pair to pair of columns is not computed here"));
    EXPECT_THAT(refused("phi3-long", "\"original_max_position_embeddings\": 4096", "\"original_max_position_embeddings\": 2048"), HasSubstr("texts longer than 2048 tokens have other angles (long_factor)"));
    EXPECT_THAT(refused("phi3-long", "\"short_factor\"", "\"shorter\""), HasSubstr("a list short_factor is missing"));
    Changed su("phi3-long"), five("phi3-long");
    expect_logits(su.replace("config.json", "\"longrope\"", "\"su\"").path(), "phi3-long");
    five.replace("config.json", "\"rope_theta\": 10000.0,", "").replace("config.json", "\"partial_rotary_factor\": 0.5,", "").replace("config.json", "\"original_max_position_embeddings\": 4096,", "")
        .replace("config.json", "\"rope_scaling\": {", R"("rope_parameters": {"rope_theta": 10000.0, "partial_rotary_factor": 0.5, "original_max_position_embeddings": 4096,)").replace("config.json", "\"type\": \"longrope\"", "\"rope_type\": \"longrope\"");
    expect_logits(five.path(), "phi3-long");
}

/// Words' vectors of their own width, layers that share tensors, numbers for distances beside places.
TEST(CheckpointVariants, OfElectraAlbertAndMpnet) {
    const auto refused = [](const std::string& of, const std::string& old, const std::string& other) {
        Changed folder(of);
        return folder.replace("config.json", old, other).refused();
    };
    EXPECT_THAT(refused("electra", "\"embedding_size\": 4", "\"embedding_size\": 5"), HasSubstr("it is 8 × 4, but with config.json it must be 8 × 5 to be embedding_weight"));
    EXPECT_THAT(refused("electra", "\"embedding_size\": 4,", ""), HasSubstr("it must be 8 × 128 to be embedding_weight"));
    EXPECT_THAT(Retensored("electra").drop("electra.embeddings_project.weight").drop("electra.embeddings_project.bias").written_and_refused(), HasSubstr("l1.query_weight"));
    EXPECT_THAT(refused("electra", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\""), HasSubstr("hidden_act: the layer in front of the words has the function \"gelu\" in all models of ELECTRA"));
    EXPECT_THAT(refused("roberta", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"gelu_new\""), HasSubstr("in all models of RoBERTa; beside blocks with \"gelu_new\""));
    EXPECT_EQ(refused("electra-discriminator", "\"hidden_act\": \"gelu\"", "\"hidden_act\": \"relu\""), "it was opened");
    EXPECT_THAT(refused("albert", "\"num_hidden_groups\": 1", "\"num_hidden_groups\": 2"), HasSubstr("encoder.albert_layer_groups.1.albert_layers.0.attention.query.weight"));
    EXPECT_THAT(refused("albert", "\"num_hidden_groups\": 1", "\"num_hidden_groups\": 4"), HasSubstr("num_hidden_groups: a whole number from 1 to 3 is expected"));
    EXPECT_THAT(refused("albert-groups", "\"inner_group_num\": 2", "\"inner_group_num\": 1"), HasSubstr("albert_layers.1"));
    EXPECT_THAT(refused("albert", "\"net_structure_type\": 0", "\"net_structure_type\": 1"), HasSubstr("net_structure_type: 1 is not computed here; 0 is"));
    EXPECT_THAT(refused("mpnet", "\"relative_attention_num_buckets\": 32", "\"relative_attention_num_buckets\": 64"), HasSubstr("relative_attention_num_buckets: 64 is not computed here; 32 is"));
    EXPECT_THAT(Retensored("mpnet").drop("mpnet.encoder.relative_attention_bias.weight").written_and_refused(), HasSubstr("there is no such tensor; MPNet has it"));
    Changed usual("mpnet");
    expect_logits(usual.replace("config.json", "\"relative_attention_num_buckets\": 32,", "").path(), "mpnet");
    Changed albert("albert");
    expect_logits(albert.replace("config.json", "\"inner_group_num\": 1,", "").replace("config.json", "\"num_hidden_groups\": 1,", "").path(), "albert");
}

/// A layer's tensors that other layers share are read once, and counted once.
TEST(CheckpointVariants, LayersThatShareTensorsHoldThemOnce) {
    const auto model = find_model((kCheckpoints / "albert").string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    const auto one = (*model)->matrix("l1.up_weight"), other = (*model)->matrix("l3.up_weight");
    ASSERT_TRUE(one && other);
    EXPECT_EQ(one->held(), other->held());
    std::int64_t stored = 0;
    for (const RawTensor& tensor : raw_tensors(kCheckpoints / "albert/model.safetensors"))
        if (tensor.name != "predictions.decoder.bias") stored += static_cast<std::int64_t>(tensor.bytes.size() / sizeof(float));
    EXPECT_EQ((*model)->numbers(), stored);
    const auto groups = find_model((kCheckpoints / "albert-groups").string(), {.folders = true});
    ASSERT_TRUE(groups) << groups.error().text();
    EXPECT_NE(Matrix(*(*groups)->matrix("l1.up_weight")), Matrix(*(*groups)->matrix("l2.up_weight")));
    EXPECT_NE(Matrix(*(*groups)->matrix("l1.up_weight")), Matrix(*(*groups)->matrix("l3.up_weight")));
}

/// A note names the token with which a model's input or output begins if the user must write it.
TEST(CheckpointVariants, NotesNameLanguagesAndFirstTokens) {
    using Kind = ModelNote::Kind;
    const auto notes_of = [](const std::filesystem::path& folder) {
        const auto model = find_model(folder.string(), {.folders = true});
        EXPECT_TRUE(model) << (model ? "" : model.error().text());
        return model ? (*model)->notes : std::vector<ModelNote>{};
    };
    EXPECT_THAT(notes_of(kCheckpoints / "bart"), ElementsAre(ModelNote{Kind::FirstToken, {"a"}}));
    EXPECT_THAT(notes_of(kCheckpoints / "m2m"), ElementsAre(ModelNote{Kind::LanguageToken, {}}));
    EXPECT_THAT(notes_of(kCheckpoints / "mbart"), ElementsAre(ModelNote{Kind::LanguageToken, {}}));
    Changed german("mbart"), first("bart"), none("bart");
    EXPECT_THAT(notes_of(german.replace("config.json", "{", "{\"forced_bos_token_id\": 5,").path()), ElementsAre(ModelNote{Kind::LanguageToken, {}}, ModelNote{Kind::FirstToken, {"mat"}}));
    EXPECT_THAT(notes_of(first.replace("config.json", "\"forced_bos_token_id\": 0", "\"force_bos_token_to_be_generated\": true").path()), ElementsAre(ModelNote{Kind::FirstToken, {"a"}}));
    EXPECT_THAT(notes_of(none.replace("config.json", "\"forced_bos_token_id\": 0", "\"force_bos_token_to_be_generated\": false").path()), IsEmpty());
    EXPECT_THAT(notes_of(kCheckpoints / "electra-discriminator"),
                ElementsAre(ModelNote{Kind::OtherHead, {"discriminator_predictions.dense.bias", "discriminator_predictions.dense.weight",
                                                       "discriminator_predictions.dense_prediction.bias", "discriminator_predictions.dense_prediction.weight"}}));
}

/// A missing key means what the family's own configuration means by it: the wrong default would be wrong numbers without a word.
TEST(CheckpointVariants, MissingKeysOfBartsRelativesHaveTheirOwnDefaults) {
    const auto expect_without = [](const char* of, const std::string& line) {
        Changed folder(of);
        expect_logits(folder.replace("config.json", line, "").path(), of);
    };
    for (const char* of : {"bart", "m2m"})
        for (const char* line : {"\"decoder_start_token_id\": 2,", "\"pad_token_id\": 1,"}) expect_without(of, line);
    expect_without("m2m", "\"scale_embedding\": true,");
    EXPECT_THAT(Changed("mbart").replace("config.json", "\"decoder_start_token_id\": 2,", "").refused(), HasSubstr("decoder_start_token_id"));
    EXPECT_THAT(Changed("m2m").replace("config.json", "\"pad_token_id\": 1", "\"pad_token_id\": 3").refused(), HasSubstr("pad_token_id"));
}

/// Every key of these configurations is read, or is known to change nothing.
TEST(CheckpointVariants, EveryKeyOfTheNewFamiliesIsRead) {
    for (const char* name : {"gpt-neo", "opt", "opt-behind", "gptj", "phi3", "phi3-long", "bert-pair", "electra", "albert", "albert-groups", "mpnet", "mpnet-bare"}) {
        const auto model = find_model((kCheckpoints / name).string(), {.folders = true});
        ASSERT_TRUE(model) << model.error().text();
        EXPECT_THAT((*model)->notes, IsEmpty()) << name;
    }
}

/// CLIP's folder has two models: the one for pictures opens, the other by its name.
TEST(CheckpointTowers, TheTextModelOfTwoOpensByItsName) {
    const auto model = find_model((kCheckpoints / "clip#text").string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    using Kind = ModelNote::Kind;
    EXPECT_THAT((*model)->notes, ElementsAre(ModelNote{Kind::OtherHead, {"logit_scale", "text_projection.weight", "visual_projection.weight"}}, ModelNote{Kind::TextTower, {}}));
    EXPECT_EQ((*model)->name, (kCheckpoints / "clip#text").string());
    Document doc;
    take_model(doc, *model);
    give_sentence(doc, "the cat sat on cat");
    doc.tokenizer = "words";
    const attn::Run run = run_valid(doc);
    const auto file = TensorFile::open((kCheckpoints / "clip/text_activations.safetensors").string());
    ASSERT_TRUE(file) << file.error().text();
    for (const TensorPlace& place : file->header().tensors) {
        const StepId id = find_step(run.trace, place.name);
        ASSERT_NE(id, kNoStep) << place.name;
        const Matrix there = *file->matrix(place.name), &here = run.trace[id].value;
        ASSERT_EQ(here.rows(), there.rows()) << place.name;
        EXPECT_LE((here - there).cwiseAbs().maxCoeff(), 1e-4f * there.cwiseAbs().maxCoeff()) << place.name;
    }
    const auto vision = find_model((kCheckpoints / "clip#vision").string(), {.folders = true});
    ASSERT_TRUE(vision) << vision.error().text();
    EXPECT_TRUE((*vision)->picture);
}

TEST(CheckpointTowers, MissingPartsAreReported) {
    const auto refused_name = [](const char* name) {
        const auto model = find_model((kCheckpoints / name).string(), {.folders = true});
        return model ? "it was opened" : model.error().text();
    };
    EXPECT_THAT(refused_name("clip#audio"), HasSubstr("there is no model \"#audio\" here; these are read: #vision, #text"));
    EXPECT_THAT(refused_name("siglip#text"), HasSubstr("there is no model \"#text\" here; these are read: #vision"));
    EXPECT_THAT(refused_name("gpt2#text"), HasSubstr("there is one model in this folder; leave out \"#text\""));
    Changed other("clip");
    EXPECT_THAT(notes_of_folder(other.replace("config.json", "\"projection_dim\": 6,\n \"text_config\"", "\"fusion\": 1,\n \"text_config\"").replace("config.json", "\"dropout\": 0.0", "\"tubelet\": 2").path()),
                testing::Contains(ModelNote{ModelNote::Kind::UnreadKeys, {"tubelet", "fusion"}}));
}

/// The sizes that such files leave out are CLIP's own; the tensors here are of others.
TEST(CheckpointTowers, SizesThatAreLeftOutAreTheUsualOnes) {
    EXPECT_THAT(Changed("clip").replace("config.json", "\"hidden_size\": 8,\n  \"num_hidden_layers\": 2,\n  \"num_attention_heads\": 2,\n  \"intermediate_size\": 10,\n  \"image_size\"", "\"num_hidden_layers\": 2,\n  \"image_size\"").refused(),
                HasSubstr("768"));
    EXPECT_THAT(Changed("clip-text").replace("config.json", "\"max_position_embeddings\": 8,", "").refused(), HasSubstr("it must be 77 × 8 to be positions"));
}

/// An end token that the text lacks: the text has no row that represents it.
TEST(CheckpointTowers, WithoutAnEndTokenNoRowRepresentsTheText) {
    Changed folder("clip-text");
    const auto doc = opened(folder.replace("config.json", "\"eos_token_id\": 2", "\"eos_token_id\": 9").path());
    ASSERT_TRUE(doc) << doc.error().text();
    EXPECT_EQ(find_step(run_valid(*doc).trace, "end_state"), kNoStep);
}

/// DINOv2's positions are for pictures of any size; a size that patches do not divide is refused, as is one that CLIP has no
/// positions for.
TEST(CheckpointTowers, SizesOfPictures) {
    Changed larger("dinov2");
    larger.replace("preprocessor_config.json", "\"height\": 8,\n  \"width\": 8", "\"height\": 12,\n  \"width\": 8");
    const auto doc = opened(larger.path());
    ASSERT_TRUE(doc) << doc.error().text();
    const attn::Run run = run_valid(*doc);
    EXPECT_EQ(run.trace.tokens.size(), 7U);
    EXPECT_EQ(run.trace[find_step(run.trace, "position_shares")].value.cols(), 26);
    EXPECT_NEAR(run.trace[find_step(run.trace, "position_shares")].value.rowwise().sum().maxCoeff(), 1, 1e-6);
    const auto with = [](const char* of, const char* old, const char* other) { return Changed(of).replace("preprocessor_config.json", old, other).refused(); };
    EXPECT_THAT(with("dinov2", "\"height\": 8", "\"height\": 9"), HasSubstr("crop_size: patches of 4 × 4 do not cut 9 × 8 pixels into equal parts"));
    EXPECT_THAT(with("dinov2", "\"shortest_edge\": 15", "\"shortest_edge\": 7"), HasSubstr("size: 7 × 7 pixels are fewer than the 8 × 8 that are cut out of them"));
    EXPECT_THAT(with("dinov2", "\"do_center_crop\": true", "\"do_center_crop\": false"), HasSubstr("a shortest edge gives pictures of many shapes"));
    EXPECT_THAT(with("clip", "\"height\": 12", "\"height\": 8"), HasSubstr("would need positions interpolated"));
    Changed number("clip");
    number.replace("preprocessor_config.json", "{\n  \"shortest_edge\": 14\n }", "14");
    expect_same_step(number.path(), "clip", "output");
}

/// generation_config.json has what config.json leaves out, and not what it says, except the tokens that end a text.
TEST(CheckpointGeneration, ReadsTokensMissingFromConfig) {
    const auto with = [](const std::string& text, bool start = true) {
        auto folder = std::make_unique<Changed>("bart");
        if (start) folder->replace("config.json", "\"decoder_start_token_id\": 2,", "");
        folder->replace("config.json", "\"eos_token_id\": 2,", "\"eos_token_id\": null,");
        std::ofstream(folder->path() / "generation_config.json") << text;
        return folder;
    };
    const auto folder = with(R"({"_from_model_config": true, "decoder_start_token_id": 5, "eos_token_id": [7, 8], "num_beams": 4, "forced_bos_token_id": 3})");
    const auto model = find_model(folder->path().string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ((*model)->start, 5);
    EXPECT_EQ((*model)->ends, (std::vector{7, 8}));
    EXPECT_THAT((*model)->notes, ElementsAre(ModelNote{ModelNote::Kind::FirstToken, {"a"}}));  // config.json's own
    const auto kept = with(R"({"decoder_start_token_id": 5, "watermarking": {"bias": 2}})", false);
    const auto said = find_model(kept->path().string(), {.folders = true});
    ASSERT_TRUE(said) << said.error().text();
    EXPECT_EQ((*said)->start, 2);
    EXPECT_THAT((*said)->notes, testing::Contains(ModelNote{ModelNote::Kind::UnreadKeys, {"generation_config.json: watermarking"}}));
    EXPECT_THAT(with(R"({"eos_token_id": "no"})")->refused(), HasSubstr("generation_config.json:1: eos_token_id: the number of a token is expected, not a text"));
    EXPECT_THAT(with("[]")->refused(), HasSubstr("an object is expected"));
}

TEST(CheckpointVariants, AnOutputMatrixOfItsOwnIsUsed) {
    Changed flan("flan-t5");
    flan.replace("config.json", "\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true, \"scale_decoder_outputs\": false");
    expect_logits(flan.path(), "flan-t5");
    Changed mistral("mistral");
    mistral.replace("config.json", "\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true");
    expect_logits(mistral.path(), "mistral");
}

TEST(CheckpointVariants, TiedVectorsMayHaveAnotherName) {
    expect_logits(Retensored("gpt2").rename("transformer.wte.weight", "lm_head.weight").written(), "gpt2");
    expect_logits(Retensored("t5").rename("shared.weight", "decoder.embed_tokens.weight").written(), "t5");
    expect_logits(Retensored("marian").rename("model.shared.weight", "model.encoder.embed_tokens.weight").written(), "marian");
    expect_logits(Retensored("bert").rename("bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight").written(), "bert");
}

TEST(CheckpointVariants, TheIndexNamesTheFileOfEachTensor) {
    Changed folder("smollm2");
    const std::filesystem::path second = folder.path() / "model-00002-of-00002.safetensors", first = folder.path() / "model-00001-of-00002.safetensors";
    std::vector<RawTensor> there = raw_tensors(first), other = raw_tensors(second);
    RawTensor twice = other.back(), also = there.front();
    for (RawTensor* one : {&twice, &also})
        for (std::size_t i = 0; i < one->bytes.size(); ++i) one->bytes[i] = i % 2 == 0 ? '\xE0' : '\x40';  // 7 as BF16
    there.push_back(twice);
    other.push_back(also);
    write_raw(first, there);
    write_raw(second, other);
    expect_logits(folder.path(), "smollm2");
}

TEST(CheckpointVariants, PrefixesOfWrappersAreRemoved) {
    for (const char* prefix : {"_orig_mod.", "module.", "module._orig_mod."}) {
        SCOPED_TRACE(prefix);
        expect_logits(Retensored("gpt2").prefix(prefix).written(), "gpt2");
    }
}

// Published configurations, complete: their settings are read, and settings that change no number are not reported.

/// By its name in tests/data/configs.json.
CheckpointConfig config_of(const JsonMember& published) {
    auto config = read_checkpoint_config(published.value, published.key);
    EXPECT_TRUE(config) << published.key << ": " << (config ? "" : config.error().text());
    return config ? std::move(*config) : CheckpointConfig{};
}

const JsonValue& published() {
    static const JsonValue kAll = *parse_json(*read_file(ATTN_SOURCE_DIR "/tests/data/configs.json", std::size_t{1} << 20));
    return kAll;
}

CheckpointConfig config_of(std::string_view name) {
    for (const JsonMember& one : published().members)
        if (one.key == name) return config_of(one);
    ADD_FAILURE() << name;
    return {};
}

double setting(const CheckpointConfig& config, std::string_view key) {
    for (const auto& [name, value] : config.settings)
        if (name == key) return value.number;
    return -1;  // not said
}

TEST(CheckpointConfig, ReadsRotarySettingsFromEveryPlace) {
    struct Right {
        const char* file;
        double base, share, local, factor;
    };
    for (const auto& [file, base, share, local, factor] : {
             Right{"v5-gpt_neox-share1", 10000, -1, -1, -1},
             Right{"v5-gpt_neox-share0.5-theta5e5", 5e5, 0.5, -1, -1},
             Right{"v5-phi-2-nested-only", 10000, 0.4, -1, -1},
             Right{"v5-gemma3_text-4b", 1e6, -1, 10000, 8},
             Right{"v4-gemma3_text-4b", 1e6, -1, 10000, 8},
             Right{"v5-gemma3_text-other-thetas", 5e6, -1, 20000, -1},
             Right{"v5-llama-3.2-1b", 5e5, -1, -1, 32},
         }) {
        SCOPED_TRACE(file);
        const CheckpointConfig config = config_of(file);
        EXPECT_EQ(setting(config, "rope_base"), base);
        EXPECT_EQ(setting(config, "rope_share"), share);
        EXPECT_EQ(setting(config, "local_rope_base"), local);
        EXPECT_EQ(setting(config, "rope_factor"), factor);
    }
    EXPECT_EQ(setting(config_of("v5-llama-3.2-1b"), "rope_original"), 8192);
    EXPECT_EQ(setting(config_of("v5-gemma3_text-4b"), "global_every"), 6);
    EXPECT_EQ(setting(config_of("v4-gemma3_text-4b"), "global_every"), 6);
}

/// Gemma 2 9B's scores are divided by the root of 224, though its heads have 256 columns; LaBSE has half a million words.
TEST(CheckpointConfig, ReadsWhatIsUnusuallyLarge) {
    EXPECT_EQ(setting(config_of("gemma-2-9b-it"), "score_root"), 224);
    EXPECT_EQ(config_of("gemma-2-9b-it").sizes.head, 256);
    EXPECT_EQ(config_of("labse.config").sizes.words, 501153);
}

TEST(CheckpointConfig, PublishedConfigurationsGiveNoNotes) {
    for (const JsonMember& one : published().members) EXPECT_THAT(config_of(one).unread, IsEmpty()) << one.key;
    using Kind = ModelNote::Kind;
    const ModelNote first{Kind::FirstToken, {"a"}}, language{Kind::LanguageToken, {}};
    const std::map<std::string, std::vector<ModelNote>> expected = {
        {"modernbert-classes", {{Kind::OtherHead, {"classifier.bias", "classifier.weight"}}}},
        {"electra-discriminator", {{Kind::OtherHead, {"discriminator_predictions.dense.bias", "discriminator_predictions.dense.weight",
                                                      "discriminator_predictions.dense_prediction.bias", "discriminator_predictions.dense_prediction.weight"}}}},
        {"clip", {{Kind::OtherHead, {"logit_scale", "text_projection.weight", "visual_projection.weight"}}, {Kind::VisionTower, {}}}},
        {"siglip", {{Kind::OtherHead, {"logit_bias", "logit_scale", "vision_model.head.attention.in_proj_bias", "vision_model.head.attention.in_proj_weight",
                                       "vision_model.head.attention.out_proj.bias", "vision_model.head.attention.out_proj.weight", "vision_model.head.layernorm.bias",
                                       "vision_model.head.layernorm.weight", "vision_model.head.mlp.fc1.bias", "vision_model.head.mlp.fc1.weight",
                                       "vision_model.head.mlp.fc2.bias", "vision_model.head.mlp.fc2.weight", "vision_model.head.probe"}}, {Kind::VisionTower, {}}}},
        {"bart", {first}}, {"bart-bare", {first}}, {"mbart", {language}}, {"m2m", {language}}, {"m2m-uneven", {language}},
    };
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) {
        SCOPED_TRACE(entry.path().filename());
        const auto model = find_model(entry.path().string(), {.folders = true});
        ASSERT_TRUE(model) << model.error().text();
        const auto own = expected.find(entry.path().filename());
        EXPECT_EQ((*model)->notes, own == expected.end() ? std::vector<ModelNote>{} : own->second);
    }
}

std::vector<ModelNote> notes_of(const std::filesystem::path& folder) {
    const auto model = find_model(folder.string(), {.folders = true});
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    return model ? (*model)->notes : std::vector<ModelNote>{};
}

TEST(CheckpointConfig, NotesKeysThatAreNotRead) {
    using Kind = ModelNote::Kind;
    Changed known("llama");
    known.replace("config.json", "\"model_type\"", R"("attention_dropout": 0.5, "_made_by": "nobody", "eos_token_id": [1, 2], "quantization_config": null, "model_type")");
    EXPECT_THAT(notes_of(known.path()), IsEmpty());
    Changed other("llama");
    other.replace("config.json", "\"model_type\"", R"("residual_multiplier": 0.22, "model_type")").replace("config.json", "\"rope_type\"", R"("long_factor": [1, 2], "rope_type")");
    EXPECT_THAT(notes_of(other.path()), ElementsAre(ModelNote{Kind::UnreadKeys, {"residual_multiplier", "rope_scaling.long_factor"}}));
    // Nested settings win; a root that says the same is read, one that says another is not.
    Changed twice("phi");
    twice.replace("config.json", "\"model_type\"", R"("rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.4}, "model_type")");
    EXPECT_THAT(notes_of(twice.path()), IsEmpty());
    twice.replace("config.json", "\"partial_rotary_factor\": 0.4,\n", "\"partial_rotary_factor\": 0.5,\n");
    expect_logits(twice.path(), "phi");
    EXPECT_THAT(notes_of(twice.path()), ElementsAre(ModelNote{Kind::UnreadKeys, {"partial_rotary_factor"}}));
}

TEST(CheckpointConfig, RefusesAnglesAndLayersThatAreNotComputed) {
    EXPECT_THAT(Changed("gemma3-nested").replace("config.json", "\"rope_theta\": 200.0,", "\"rope_theta\": 200.0, \"factor\": 2.0,").replace("config.json", "\"default\"", "\"linear\"").refused(),
                HasSubstr("rope_parameters: layers with a window have angles of the type default here"));
    EXPECT_THAT(Changed("pythia-whole").replace("config.json", "\"partial_rotary_factor\": 1.0", "\"partial_rotary_factor\": 1.5").refused(), HasSubstr("a share of a head's columns is at most 1"));
    EXPECT_THAT(Changed("pythia-whole").replace("config.json", "\"rope_parameters\": {", "\"rope_parameters\": 3, \"dropped\": {").refused(), HasSubstr("rope_parameters: an object is expected, not a number"));
    EXPECT_THAT(Changed("llama").replace("config.json", "\"model_type\"", R"("layer_types": ["full_attention", "sliding_attention"], "model_type")").refused(),
                HasSubstr("layer_types: layer 2 is computed here as one of full_attention, not of sliding_attention"));
    EXPECT_THAT(Changed("llama").replace("config.json", "\"model_type\"", R"("rope_interleaved": true, "model_type")").refused(), HasSubstr("rope_interleaved: true is not computed here; false is"));
    EXPECT_THAT(Changed("roberta").replace("config.json", "\"model_type\"", R"("pad_token_id": 0, "model_type")").refused(), HasSubstr("pad_token_id: a whole number from 1 to 1 is expected, not 0"));
}

TEST(CheckpointVariants, CopiesOfAMatrixAreCompared) {
    using Kind = ModelNote::Kind;
    // Equal numbers under both names: one matrix, and nothing to report.
    for (const auto& [of, words, own] : {std::tuple("gpt2", "transformer.wte.weight", "lm_head.weight"), {"t5", "shared.weight", "lm_head.weight"},
                                         {"bert", "bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"},
                                         {"roberta", "roberta.embeddings.word_embeddings.weight", "lm_head.decoder.weight"},
                                         {"distilbert", "distilbert.embeddings.word_embeddings.weight", "vocab_projector.weight"},
                                         {"modernbert", "model.embeddings.tok_embeddings.weight", "decoder.weight"},
                                         {"gemma2", "model.embed_tokens.weight", "lm_head.weight"}, {"marian", "model.shared.weight", "lm_head.weight"}}) {
        SCOPED_TRACE(of);
        Retensored folder(of);
        expect_logits(folder.copy(words, own).written(), of);
        EXPECT_THAT(notes_of(folder.path()), IsEmpty());
        // One number differs: the matrix is used, and a note reports that there are two.
        folder.change(own).written();
        EXPECT_THAT(notes_of(folder.path()), ElementsAre(ModelNote{Kind::OwnOutput, {own, words}}));
        const auto doc = opened(folder.path());
        ASSERT_TRUE(doc) << doc.error().text();
        EXPECT_EQ(doc->config.unembedding, "own");
    }
    EXPECT_THAT(Retensored("t5").copy("shared.weight", "encoder.embed_tokens.weight").change("encoder.embed_tokens.weight").written_and_refused(),
                HasSubstr("encoder.embed_tokens.weight: it is to be a copy of shared.weight, and is not; T5 has one matrix for both"));
    EXPECT_THAT(Retensored("bert").copy("cls.predictions.bias", "cls.predictions.decoder.bias").change("cls.predictions.decoder.bias").written_and_refused(),
                HasSubstr("cls.predictions.decoder.bias: it is to be a copy of cls.predictions.bias"));
    EXPECT_THAT(Retensored("flan-t5").drop("lm_head.weight").written_and_refused(), HasSubstr("lm_head.weight: there is no such tensor, and the words' vectors do not stand for it"));
    EXPECT_THAT(notes_of(Retensored("mistral").drop("lm_head.weight").written()), ElementsAre(ModelNote{Kind::NoOutput, {}}));
}

/// A head for another task is not mistaken for a language modelling head.
TEST(CheckpointVariants, AHeadForAnotherTaskPredictsNoWords) {
    using Kind = ModelNote::Kind;
    const auto classes = [](const char* name) { return RawTensor{name, "F32", {2, 8}, std::string(64, '\0')}; };
    Retensored modern("modernbert");
    modern.drop("decoder.bias").add(classes("classifier.weight"));
    Retensored gpt2("gpt2");
    gpt2.add(classes("score.weight"));
    Retensored roberta("roberta");
    for (const char* part : {"lm_head.dense.weight", "lm_head.dense.bias", "lm_head.layer_norm.weight", "lm_head.layer_norm.bias", "lm_head.bias"}) roberta.drop(part);
    roberta.add(classes("classifier.out_proj.weight"));
    Retensored bert("bert");
    for (const char* part : {"bias", "transform.dense.weight", "transform.dense.bias", "transform.LayerNorm.weight", "transform.LayerNorm.bias"}) bert.drop(std::string("cls.predictions.") + part);
    bert.add(classes("qa_outputs.weight"));
    for (const auto& [folder, head] : {std::pair<Retensored*, const char*>(&modern, "classifier.weight"), {&gpt2, "score.weight"}, {&roberta, "classifier.out_proj.weight"}, {&bert, "qa_outputs.weight"}}) {
        SCOPED_TRACE(head);
        EXPECT_THAT(notes_of(folder->written()), ElementsAre(ModelNote{Kind::OtherHead, {head}}));
        const auto doc = opened(folder->path());
        ASSERT_TRUE(doc) << doc.error().text();
        const attn::Run run = run_valid(*doc);
        EXPECT_EQ(find_step(run.trace, "logits"), kNoStep);
        EXPECT_NE(find_step(run.trace, "output"), kNoStep);
    }
    // Next to a language modelling head it is ignored, and a note says so.
    Retensored both("bert");
    expect_logits(both.add(classes("classifier.weight")).written(), "bert");
    EXPECT_THAT(notes_of(both.path()), ElementsAre(ModelNote{Kind::LeftOut, {"classifier.weight"}}));
}

/// An id beyond the vectors is an error of the text that has it.
TEST(CheckpointVariants, ATokenWithoutAVectorIsRefusedInATextThatHasIt) {
    Changed folder("llama");
    std::filesystem::remove(folder.path() / "vocab.json");
    std::ofstream(folder.path() / "tokenizer.json") << R"({"version": "1.0", "added_tokens": [
 {"id": 11, "content": "<pad>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}],
 "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null, "decoder": null,
 "model": {"type": "WordLevel", "vocab": {"a": 0, "the": 1, "cat": 2, "sat": 3, "on": 4, "mat": 5, "dog": 6, "ran": 7, "away": 8, "red": 9, "hat": 10}, "unk_token": "a"}})";
    const auto model = find_model(folder.path().string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    doc.text = "the cat sat on cat";
    const attn::Run run = run_valid(doc);
    const auto file = TensorFile::open((kCheckpoints / "llama" / "activations.safetensors").string());
    const Matrix there = *file->matrix("logits");
    EXPECT_LE((run.trace[find_step(run.trace, "logits")].value - there).cwiseAbs().maxCoeff(), 1e-4f * there.cwiseAbs().maxCoeff());
    doc.text = "the <pad> sat";
    const auto wrong = problems(doc);
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_EQ(wrong.front().text(), "text: the tokenizer gives \"<pad>\" the id 11, but the model has vectors for the ids 0 to 10 alone (vocab_size in config.json); take it out of the text");
}

TEST(CheckpointVariants, FoldersOfOtherProgramsAreOpenedOrNamed) {
    Changed half("gpt2");
    std::filesystem::rename(half.path() / "model.safetensors", half.path() / "model.fp16.safetensors");
    expect_logits(half.path(), "gpt2");
    Changed shards("smollm2");
    std::filesystem::rename(shards.path() / "model.safetensors.index.json", shards.path() / "model.safetensors.index.fp16.json");
    expect_logits(shards.path(), "smollm2");

    // The cache of the hub: a folder a revision.
    Changed cache("gpt2");
    const std::filesystem::path hub = cache.path() / "models--x--gpt2", one = hub / "snapshots" / "0a1b", other = hub / "snapshots" / "2c3d";
    std::filesystem::create_directories(one);
    for (const char* file : {"config.json", "model.safetensors", "vocab.json"}) std::filesystem::rename(cache.path() / file, one / file);
    expect_logits(hub, "gpt2");
    std::filesystem::create_directories(other);
    std::filesystem::create_directories(hub / "refs");
    std::ofstream(hub / "refs" / "main") << "0a1b\n";
    expect_logits(hub, "gpt2");

    std::filesystem::remove_all(hub / "refs");
    EXPECT_THAT(cache.refused(hub), HasSubstr("snapshots: this folder of the hub's cache has no revision, or several and no refs/main that says which"));

    Changed adapter("gpt2");
    for (const char* file : {"config.json", "model.safetensors"}) std::filesystem::remove(adapter.path() / file);
    std::ofstream(adapter.path() / "adapter_config.json") << R"({"base_model_name_or_path": "openai/gpt2", "peft_type": "LORA"})";
    EXPECT_THAT(adapter.refused(), HasSubstr("adapter_config.json: this is an adapter, which has only what is added to the weights of openai/gpt2; merge the two"));
    Changed none("gpt2");
    std::filesystem::remove(none.path() / "model.safetensors");
    EXPECT_THAT(none.refused(), HasSubstr("there are no weights beside config.json; model.safetensors or model.safetensors.index.json is expected"));
}

}  // namespace
}  // namespace attn::test
