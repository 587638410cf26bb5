// Checkpoints in Hugging Face's layout, one of every family: each value that an independent pass made of them (NumPy,
// tests/data/make_checkpoints.py) is a step of ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "core/analysis/prediction.h"
#include "core/attention/parts/position.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/checkpoint/families.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"
#include "core/ops/explain.h"
#include "core/ops/measure.h"
#include "tests/core/checkpoint_folder.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

constexpr double kAgreement = 1e-4;  // of the largest number of a step

std::vector<std::string> folders() {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) out.push_back(entry.path().filename().string());
    std::sort(out.begin(), out.end());
    return out;
}

attn::Run run_of(const std::filesystem::path& folder, const std::string& more = "") {
    const auto doc = opened(folder, more);
    EXPECT_TRUE(doc) << (doc ? "" : doc.error().text());
    return doc ? run_valid(*doc) : attn::Run{};
}

class Checkpoint : public testing::TestWithParam<std::string> {};

TEST_P(Checkpoint, MakesEveryNumberOfAnIndependentPass) {
    const std::filesystem::path folder = kCheckpoints / GetParam();
    const attn::Run run = run_of(folder);
    const auto expected = TensorFile::open((folder / "activations.safetensors").string());
    ASSERT_TRUE(expected) << expected.error().text();
    for (const TensorPlace& place : expected->header().tensors) {
        const StepId id = find_step(run.trace, place.name);
        ASSERT_NE(id, kNoStep) << place.name;
        const Matrix there = *expected->matrix(place.name), &here = run.trace[id].value;
        ASSERT_EQ(here.rows(), there.rows()) << place.name;
        ASSERT_EQ(here.cols(), there.cols()) << place.name;
        const double size = static_cast<double>(there.cwiseAbs().maxCoeff());
        EXPECT_LE(static_cast<double>((here - there).cwiseAbs().maxCoeff()), kAgreement * size) << place.name;
        if (place.name != "logits") continue;
        for (Eigen::Index row = 0; row < here.rows(); ++row) {
            Eigen::Index ours = 0, theirs = 0;
            here.row(row).maxCoeff(&ours);
            there.row(row).maxCoeff(&theirs);
            EXPECT_EQ(ours, theirs) << "the top token of row " << row;
        }
    }
}

/// Inputs come from the model, a formula or a picture, and every cell equals what its explanation recomputes.
TEST_P(Checkpoint, ExplainsEveryStep) {
    const attn::Run run = run_of(kCheckpoints / GetParam());
    for (StepId id = 0; id < run.trace.size(); ++id) {
        const Step& step = run.trace[id];
        if (step.value.size() == 0) continue;
        const Cell cell{id, static_cast<int>(step.value.rows()) - 1, static_cast<int>(step.value.cols()) / 2};
        const Explanation e = explain(run.trace, cell);
        if (!std::isfinite(e.computed)) continue;
        const double scale = std::max(1.0, static_cast<double>(step.value.array().isFinite().select(step.value.array().abs(), 0).maxCoeff()));
        EXPECT_NEAR(recompute(run.trace, e), static_cast<double>(e.computed), 1e-4 * scale) << step_name(step.tag);
        if (step.op == Op::Input) {
            EXPECT_TRUE(e.source == Source::Model || e.source == Source::Formula || e.source == Source::Picture) << step_name(step.tag);
        }
    }
}

/// A run over shapes counts what the run takes, layer by layer.
TEST_P(Checkpoint, IsCountedExactly) {
    const auto doc = opened(kCheckpoints / GetParam());
    ASSERT_TRUE(doc);
    const attn::Run run = run_valid(*doc);
    double bytes = 0, work = 0;
    for (StepId id = 0; id < run.trace.size(); ++id) {
        bytes += cost(run.trace, id).bytes;
        work += cost(run.trace, id).work;
    }
    EXPECT_DOUBLE_EQ(cost_of(*doc).bytes, bytes);
    EXPECT_DOUBLE_EQ(cost_of(*doc).work, work);
}

/// Generating with the checkpoint's form gives the same, one token at a time.
TEST_P(Checkpoint, ContinuesTheText) {
    const auto whole = opened(kCheckpoints / GetParam());
    ASSERT_TRUE(whole);
    std::ifstream file(kCheckpoints / GetParam() / "config.json");
    const std::string config(std::istreambuf_iterator<char>(file), {});
    const Family* family = find_family(parse_json(config)->find("model_type")->string);
    if (!family || !family->causal || family->ends_text) return;  // it predicts no words
    const attn::Run run = run_of(kCheckpoints / GetParam()), on = run_of(kCheckpoints / GetParam(), R"(, "variant": "generate", "generate": 2)");
    const Matrix &there = run.trace[find_step(run.trace, "logits")].value, &here = on.trace[find_step(on.trace, "t1.logits")].value;
    EXPECT_LE((here - there.bottomRows(1)).cwiseAbs().maxCoeff(), 1e-4f);
    // Appending the generated token to the text: its row is the one that was computed with the cache.
    Document longer = *whole;
    longer.tokens = on.trace.tokens;
    longer.tokens.resize(6);
    const attn::Run again = run_valid(longer);
    const Matrix& after = again.trace[find_step(again.trace, "logits")].value;
    EXPECT_LE((on.trace[find_step(on.trace, "t2.logits")].value - after.bottomRows(1)).cwiseAbs().maxCoeff(), 1e-4f);
}

INSTANTIATE_TEST_SUITE_P(All, Checkpoint, testing::ValuesIn(folders()), [](const auto& one) {
    std::string name = one.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

std::string refused(const std::string& of, const std::string& old, const std::string& other) {
    Changed folder(of);
    return folder.replace("config.json", old, other).refused();
}

TEST(CheckpointFolder, NamesWhatIsMissingAndTheClosest) {
    EXPECT_THAT(refused("gpt2", "\"gpt2\"", "\"mobilebert\""), HasSubstr("the family \"mobilebert\" are not read; the closest that is, is BERT"));
    EXPECT_THAT(refused("gpt2", "\"gpt2\"", "\"swin\""), HasSubstr("the closest that is, is ViT"));
    EXPECT_THAT(refused("gpt2", "\"gpt2\"", "\"umt5\""), HasSubstr("the closest that is, is T5 (all: GPT-2, BERT, MiniLM, DistilBERT"));
    EXPECT_THAT(refused("gpt2", "\"gpt2\"", "\"gpt2xyz\""), HasSubstr("the closest that is, is GPT-2"));
    EXPECT_THAT(refused("gpt2", "\"gpt2\"", "\"deberta\""), HasSubstr("the closest that is, is BERT"));
    EXPECT_THAT(refused("gpt2", "\"gpt2\"", "\"vit_mae\""), HasSubstr("the closest that is, is ViT"));
    EXPECT_THAT(refused("gpt2", "\"gpt2\"", "\"whisper\""), HasSubstr("the family \"whisper\" are not read; none that is, is close to it (all: GPT-2, BERT"));
    EXPECT_THAT(refused("gpt2", "\"gelu_new\"", "\"xielu\""), HasSubstr("activation_function: the function \"xielu\" is not computed here; gelu, gelu_new"));
    EXPECT_THAT(refused("llama", "\"llama3\"", "\"longrope\""), HasSubstr("rope_scaling: angles scaled by \"longrope\" are not computed here; default, linear, llama3 and yarn are"));
    EXPECT_THAT(refused("bert", "\"absolute\"", "\"relative_key\""), HasSubstr("position_embedding_type: relative_key is not computed here; absolute is"));
    EXPECT_THAT(refused("gemma2", "\"query_pre_attn_scalar\": 4", "\"query_pre_attn_scalar\": 0"), HasSubstr("query_pre_attn_scalar: a number above 0 is expected"));
}

TEST(CheckpointFolder, RefusesUnsupportedSettingsOfLaterFamilies) {
    EXPECT_THAT(refused("t5", "\"num_decoder_layers\": 2", "\"num_decoder_layers\": 0"), HasSubstr("num_decoder_layers: a whole number from 1 to 64"));
    EXPECT_THAT(refused("t5", "\"num_decoder_layers\": 2", "\"num_decoder_layers\": 3"), HasSubstr("decoder.block.2"));
    EXPECT_THAT(refused("marian", "\"decoder_layers\": 2", "\"decoder_layers\": 1"), HasSubstr("decoder.layers.1"));
    EXPECT_THAT(refused("t5", "\"relu\"", "\"gated-relu\""), HasSubstr("feed_forward_proj: the function \"gated-relu\" is not computed here"));
    EXPECT_THAT(refused("t5", "\"relu\"", "\"gated-gelu\""), HasSubstr("side_weight"));
    EXPECT_THAT(refused("t5", "\"relative_attention_num_buckets\": 6", "\"relative_attention_num_buckets\": 7"), HasSubstr("it is 6 × 2, but with config.json it must be 7 × 2 to be bucket_values"));
    EXPECT_THAT(refused("t5", "\"decoder_start_token_id\": 0", "\"decoder_start_token_id\": 11"), HasSubstr("decoder_start_token_id: a whole number from 0 to 10"));
    EXPECT_THAT(refused("bart", "\"normalize_before\": false", "\"normalize_before\": true"), HasSubstr("normalize_before: true is not computed here; false is"));
    EXPECT_THAT(refused("mbart", "\"normalize_before\": true", "\"normalize_before\": false"), HasSubstr("normalize_before: false is not computed here; true is"));
    EXPECT_THAT(refused("bart", "\"static_position_embeddings\": false", "\"static_position_embeddings\": true"), HasSubstr("static_position_embeddings: true is not computed here"));
    EXPECT_THAT(refused("bart", "\"max_position_embeddings\": 8", "\"max_position_embeddings\": 10"), HasSubstr("it is 10 × 8, but with config.json it must be 12 × 8 to be positions"));
    EXPECT_THAT(refused("marian", "\"normalize_before\": false", "\"normalize_before\": true"), HasSubstr("normalize_before: true is not computed here; false is"));
    EXPECT_THAT(refused("marian", "\"decoder_vocab_size\": 11", "\"decoder_vocab_size\": 12"), HasSubstr("decoder_vocab_size: 12 beside vocab_size = 11"));
    EXPECT_THAT(refused("modernbert", "\"local_attention\": 2", "\"local_attention\": 0"), HasSubstr("local_attention: a whole number from 2"));
    EXPECT_THAT(refused("smollm3", "  0,\n", "  1,\n"), HasSubstr("it was opened"));
    EXPECT_THAT(refused("qwen3-yarn", "\"original_max_position_embeddings\": 256", "\"original_max_position_embeddings\": 2"), HasSubstr("rope_scaling: no pair of columns turns between beta_slow and beta_fast times"));
}

/// Sizes that contradict each other or the tensors, shards and pickle are files of tests/data/hostile.
TEST(CheckpointFolder, RefusesSizesThatDoNotFit) {
    EXPECT_THAT(refused("gpt2", "\"n_layer\": 2", "\"n_layer\": 100000000"), HasSubstr("n_layer: a whole number from 1 to 64"));
    EXPECT_THAT(refused("llama", "\"rope_theta\": 500.0", "\"rope_theta\": 1e30"), HasSubstr("rope_base"));
    EXPECT_THAT(refused("llama", "\"rope_theta\": 500.0", "\"rope_theta\": -5"), HasSubstr("rope_theta: a number above 0 is expected"));
}

TEST(CheckpointFolder, RefusesFilesWithAdvice) {
    Changed words("gpt2");
    std::filesystem::remove(words.path() / "vocab.json");
    EXPECT_THAT(words.refused(), HasSubstr("there is no tokenizer"));
    EXPECT_THAT(Changed("gpt2").replace("vocab.json", "\"cat\": 2", "\"cat\": 11").refused(), HasSubstr("the number of a word is a whole one from 0 to 10"));
}

TEST(CheckpointFolder, AFileThatShrinksWhileItIsOpenIsAnError) {
    const Changed folder("gpt2");
    const auto doc = opened(folder.path());
    ASSERT_TRUE(doc);
    std::filesystem::resize_file(folder.path() / "model.safetensors", 1500);
    const auto made = run(*doc);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().text(), HasSubstr("has become shorter"));
}

/// Weights are read only when a run uses them, and all users share what has been read.
TEST(CheckpointFolder, ReadsWeightsOnceWhenUsed) {
    const auto model = find_model((kCheckpoints / "gpt2").string(), {.folders = true});
    ASSERT_TRUE(model);
    EXPECT_EQ((*model)->embeddings.held(), nullptr);
    const auto one = (*model)->matrix("l1.up_weight"), two = (*model)->matrix("l1.up_weight");
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->held(), two->held());
    EXPECT_EQ((*model)->matrix("l9.up_weight"), std::nullopt);
    EXPECT_EQ((*model)->shape_of("l1.key_weight")->cols(), 8);
}

/// T5's 32 buckets of a query at position 0, computed by hand from the formula; keys after it use the upper half.
TEST(BiasBucket, IsNearByNearAndSharedByTheLogarithm) {
    for (const auto& [offset, both, causal] : {std::array{0, 0, 0}, {-1, 1, 1}, {-7, 7, 7}, {-8, 8, 8}, {-11, 8, 11}, {-12, 9, 12}, {-15, 9, 15},
                                              {-16, 10, 16}, {-32, 12, 21}, {-64, 14, 26}, {-127, 15, 31}, {-128, 15, 31}, {-4000, 15, 31},
                                              {1, 17, 0}, {8, 24, 0}, {128, 31, 0}}) {
        EXPECT_EQ(bias_bucket(offset, true, 32, 128), both) << offset;
        EXPECT_EQ(bias_bucket(offset, false, 32, 128), causal) << offset;
    }
}

/// Encoder and decoder may have different numbers of layers: the document has both, and each side's blocks exist.
TEST(CheckpointFolder, AnEncoderMayHaveItsOwnNumberOfLayers) {
    for (const auto& [name, encoder, decoder] : {std::tuple("marian-uneven", 3, 1), {"t5-uneven", 1, 3}}) {
        const auto doc = opened(kCheckpoints / name);
        ASSERT_TRUE(doc) << doc.error().text();
        EXPECT_EQ(doc->config.encoder_layers, encoder);
        EXPECT_EQ(doc->config.layers, decoder);
        const attn::Run run = run_valid(*doc);
        const auto layers = [&](Part part) {
            int count = 0;
            while (find_id(run.trace, {Role::Keys, kNoHead, count, kNoTime, part}) != kNoStep) ++count;
            return count;
        };
        EXPECT_EQ(layers(Part::Encoder), encoder) << name;
        EXPECT_EQ(layers(Part::Main), decoder) << name;
        EXPECT_EQ(layers(Part::Cross), decoder) << name;
    }
}

class Written : public testing::TestWithParam<const char*> {};

/// Words sampled one after the other: the row computed with the cache equals that of a run of the whole text, byte for
/// byte, and nothing of the encoder is recomputed.
TEST_P(Written, EqualsARunWithoutTheCache) {
    const auto model = find_model((kCheckpoints / GetParam()).string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    give_sentence(doc, "red hat ran away");
    doc.tokenizer = "words";
    const Sampling how{.draw = true, .temperature = 1.5f, .seed = 11};
    attn::Run first = run_valid(doc);
    ASSERT_TRUE(Writing::suits(first.config));
    const auto of_encoder = [&] {
        return std::count_if(first.trace.steps.begin(), first.trace.steps.end(), [](const Step& s) { return s.tag.part == Part::Encoder || s.tag.part == Part::EncoderFeedForward; });
    };
    const auto before = of_encoder();
    Writing writing(first, how);
    for (int time = 0; time < 6; ++time) {
        const SampledWord word = writing.next();
        attn::Run whole = run_valid(doc);
        const SampledWord plain = predict_written(whole, how, time);
        EXPECT_EQ(word.word.id, plain.word.id) << time;
        EXPECT_EQ(word.word.probability, plain.word.probability) << time;
        EXPECT_EQ(word.drawn_by, plain.drawn_by) << time;
        const FrozenMatrix &logits = whole.trace[find_step(whole.trace, "logits")].value, &row = first.trace[writing.logits()].value;
        ASSERT_EQ(row.rows(), 1);
        EXPECT_EQ(Matrix(row), Matrix(logits.bottomRows(1))) << time;
        doc = with_written(std::move(doc), word.word.id);
    }
    EXPECT_EQ(of_encoder(), before);
    EXPECT_EQ(first.trace.tokens, [&] { auto t = tokens_of(doc); t.pop_back(); return t; }());
}

INSTANTIATE_TEST_SUITE_P(All, Written, testing::Values("t5", "flan-t5", "marian", "marian-uneven", "t5-uneven"), [](const auto& one) {
    std::string name = one.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

}  // namespace
}  // namespace attn::test
