// The predicted words, one after the other, and the logit lens: on a checkpoint of every family.
#include "core/analysis/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/ops/explain.h"
#include "core/ops/ops.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

const std::filesystem::path kCheckpoints = ATTN_SOURCE_DIR "/tests/data/checkpoints";

Document of_checkpoint(const std::string& name) {
    const auto model = find_model((kCheckpoints / name).string(), {.folders = true});
    EXPECT_TRUE(model) << (model ? "" : model.error().text());
    Document doc;
    if (model) take_model(doc, *model);
    if (doc.model && doc.model->picture) {
        EXPECT_TRUE(set_field(doc, "picture", (kCheckpoints / name / "picture.png").string(), {.folders = true}));
    } else {
        doc.tokens = {"the", "cat", "sat", "on"};
    }
    return doc;
}

double softmax_of(const Matrix& logits, int row, int word) {
    double sum = 0;
    for (Eigen::Index c = 0; c < logits.cols(); ++c) sum += std::exp(static_cast<double>(logits(row, c)));
    return std::exp(static_cast<double>(logits(row, word))) / sum;
}

/// The lens after the last layer equals the model's output, to the bit; every cell on the way has an explanation.
TEST(PredictedToken, TheLensEndsWithTheModelsOutput) {
    int read = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints)) {
        const std::string name = entry.path().filename().string();
        SCOPED_TRACE(name);
        attn::Run run = run_valid(of_checkpoint(name));
        const StepId said = logits_step(run.trace);
        if (said == kNoStep) continue;
        ++read;
        const StepId before = run.trace.size();
        const int row = std::min(2, static_cast<int>(run.trace[said].value.rows()) - 1);  // a picture has one row only
        const auto lens = read_lens(run, row);
        ASSERT_EQ(lens.size(), static_cast<std::size_t>(run.config.layers) + 1);
        EXPECT_EQ(Matrix(run.trace[lens.back().logits].value.row(0)), Matrix(run.trace[said].value.row(row)));
        EXPECT_NE(Matrix(run.trace[lens.front().logits].value.row(0)), Matrix(run.trace[said].value.row(row)));
        for (StepId id = before; id < run.trace.size(); ++id) {
            const Explanation e = explain(run.trace, {id, 0, 1});
            EXPECT_NEAR(recompute(run.trace, e), static_cast<double>(e.computed),
                        1e-4 * std::max(1.0, std::abs(static_cast<double>(e.computed))))
                << step_name(run.trace[id].tag);
        }
    }
    EXPECT_GE(read, 10);
}

/// The generating form predicts from its last row alone.
TEST(PredictedToken, TheLensOfAFormThatGeneratesIsOfItsLastToken) {
    Document doc;
    take_model(doc, shipped_model("induction"));
    doc.text = "k q b z k q b";
    attn::Run run = run_valid(for_prediction(doc));
    const auto lens = read_lens(run, 0);
    ASSERT_EQ(lens.size(), 3U);
    EXPECT_EQ(Matrix(run.trace[lens.back().logits].value), Matrix(run.trace[logits_step(run.trace)].value));
    EXPECT_EQ(likeliest(run.trace, lens.back().shares, 0, 1).front().text, "z");
}

/// γ (x − mean) / √(var + ε) + β, times Eᵀ, in float64.
TEST(PredictedToken, TheLensIsTheFinalNormAndTheUnembedding) {
    attn::Run run = run_valid(of_checkpoint("gpt2"));
    const Matrix& left = find(run.trace, {Role::Residual, kNoHead, 0, kNoTime, Part::FeedForward})->value;
    const Eigen::VectorXd x = left.row(3).cast<double>();
    const auto of_norm = [&](Role role) {
        return Eigen::VectorXd(
            find(run.trace, {role, kNoHead, kNoLayer, kNoTime, Part::Final})->value.row(0).cast<double>());
    };
    const Eigen::VectorXd centred = x.array() - x.mean();
    const double spread =
        std::sqrt(centred.squaredNorm() / static_cast<double>(x.size()) + static_cast<double>(run.config.epsilon));
    const Eigen::VectorXd normed =
        (centred.array() / spread * of_norm(Role::NormGain).array() + of_norm(Role::NormBias).array()).matrix();
    const Eigen::MatrixXd words = run.inputs.word_vectors.matrix().cast<double>();
    const Eigen::VectorXd expected = words * normed;
    const StepId logits = read_lens(run, 3)[1].logits;
    const Matrix& read = run.trace[logits].value;
    ASSERT_EQ(read.cols(), expected.size());
    for (Eigen::Index w = 0; w < read.cols(); ++w) EXPECT_NEAR(static_cast<double>(read(0, w)), expected(w), 1e-5) << w;
}

TEST(PredictedToken, ExistsWhereTheModelPredictsOne) {
    const Document back = of_checkpoint("gpt2");
    const attn::Run run = run_valid(back);
    ASSERT_EQ(expected_places(back, run).size(), 1U);
    EXPECT_EQ(expected_places(back, run)[0].row, 3);
    EXPECT_FALSE(expected_places(back, run)[0].masked);
    EXPECT_TRUE(looks_back_only(run_valid(of_checkpoint("mistral")).config)) << "a window that looks back";
    Document both = of_checkpoint("bert");
    const attn::Run none = run_valid(both);
    EXPECT_TRUE(expected_places(both, none).empty());
    both.tokens = {"the", "[MASK]", "sat", "[MASK]"};
    const attn::Run masked = run_valid(both);
    const auto places = expected_places(both, masked);
    ASSERT_EQ(places.size(), 2U);
    EXPECT_EQ(places[1].row, 3);
    EXPECT_TRUE(places[1].masked);
}

TEST(PredictedToken, TheLikeliestComeFirstAndEqualOnesInOrder) {
    Trace trace;
    trace.words = {"a", "b", "c", "d"};
    Matrix shares(1, 4);
    shares << 0.2f, 0.3f, 0.2f, 0.3f;
    const StepId id =
        input(trace, shares, {Role::Probabilities}, {Axis::Kind::Tokens}, {Axis::Kind::Words}, {Source::Given});
    std::string order;
    for (const LikelyWord& word : likeliest(trace, id, 0, 9)) order += word.text;
    EXPECT_EQ(order, "bdac");
    EXPECT_EQ(likeliest(trace, id, 0, 1).size(), 1U);
}

/// Greedy decoding: each word is the most likely one of a run over the text so far, with that probability.
TEST(PredictedToken, OneByOneEqualsARunOverTheWholeText) {
    for (const char* name : {"gpt2", "llama", "gemma2"}) {
        SCOPED_TRACE(name);
        Document doc = of_checkpoint(name);
        const auto longer = going_on(doc, {.words = 3});
        ASSERT_TRUE(longer) << longer.error().text();
        attn::Run run = run_valid(*longer);
        for (const SampledWord& one : sampled_words(run.trace, 3)) {
            const attn::Run whole = run_valid(doc);
            const Matrix& logits = whole.trace[logits_step(whole.trace)].value;
            Eigen::Index best = 0;
            logits.row(logits.rows() - 1).maxCoeff(&best);
            EXPECT_EQ(one.word.id, static_cast<int>(best));
            EXPECT_NEAR(static_cast<double>(one.word.probability),
                        softmax_of(logits, static_cast<int>(logits.rows()) - 1, one.word.id), 1e-5);
            EXPECT_EQ(one.drawn_by, 1.0f);
            doc.tokens.push_back(one.word.text);
        }
    }
}

TEST(PredictedToken, IsReproducibleBySeed) {
    const Document doc = of_checkpoint("gpt2");
    const auto drawn = [&](std::uint64_t seed, int top_k = 0) {
        attn::Run run =
            run_valid(*going_on(doc, {.words = 4, .draw = true, .temperature = 2, .top_k = top_k, .seed = seed}));
        std::vector<int> ids;
        for (const SampledWord& one : sampled_words(run.trace, 4)) ids.push_back(one.word.id);
        return ids;
    };
    EXPECT_EQ(drawn(7), drawn(7));
    EXPECT_NE(drawn(7), drawn(8));
    EXPECT_EQ(drawn(7, 1), drawn(8, 1)) << "of one there is no choice";
}

TEST(PredictedToken, IsRefusedIfNoneCanBeAppended) {
    const auto both = going_on(of_checkpoint("bert"), {});
    ASSERT_FALSE(both);
    EXPECT_THAT(both.error().text(), testing::AnyOf(testing::HasSubstr("[MASK]"), testing::HasSubstr("no matrix")));
    const auto raw = going_on(Document{}, {});
    ASSERT_FALSE(raw);
    EXPECT_THAT(raw.error().text(), testing::HasSubstr("no matrix from its outputs to words"));
}

/// Appending one token at a time gives what the generating form produces in one go with the same seed.
TEST(PredictedToken, OneAtATimeEqualsGeneratingAtOnce) {
    Document doc;
    take_model(doc, shipped_model("language"));
    doc.text = "the river";
    for (const Sampling& how : {Sampling{.words = 6}, Sampling{.words = 6, .draw = true, .temperature = 1.3f, .top_k = 40, .top_p = 0.9f, .seed = 5}}) {
        attn::Run whole = run_valid(*going_on(doc, how));
        Document now = doc;
        int time = 0;
        for (const SampledWord& expected : sampled_words(whole.trace, how.words)) {
            attn::Run run = run_valid(now);
            const int last = static_cast<int>(run.trace[logits_step(run.trace)].value.rows()) - 1;
            const PredictionSteps steps = predict_at(run, last, how, time++);
            const LikelyWord taken = likeliest(run.trace, steps.choice, 0, 1).front();
            EXPECT_EQ(taken.id, expected.word.id);
            EXPECT_NEAR(run.trace[steps.own].value(0, taken.id), expected.word.probability, 1e-5);
            EXPECT_NEAR(run.trace[steps.shares].value(0, taken.id), expected.drawn_by, 1e-5);
            EXPECT_EQ(Matrix(run.trace[steps.logits].value.row(0)), Matrix(run.trace[logits_step(run.trace)].value.row(last)));
            const std::size_t before = tokens_of(now).size();
            now = with_predicted(now, taken);
            ASSERT_EQ(tokens_of(now).size(), before + 1);
            const attn::Run longer = run_valid(now);
            EXPECT_TRUE(longer.unknown.empty());
            EXPECT_EQ(Matrix(find(longer.trace, {Role::Embeddings})->value.row(static_cast<Eigen::Index>(before))),
                      Matrix(whole.inputs.word_vectors.row(taken.id)));
        }
    }
}

/// A predicted word is appended to the text if that is tokenized in the same way; a piece that would merge with the
/// last one is appended as a token.
TEST(PredictedToken, AppendedTokensStayTextIfPossible) {
    Document doc;
    take_model(doc, shipped_model("language"));
    doc.text = "the river";
    attn::Run run = run_valid(doc);
    const auto said = [&](std::string_view text) {
        const auto& words = run.trace.words;
        const auto at = std::find(words.begin(), words.end(), text);
        EXPECT_NE(at, words.end()) << text;
        return LikelyWord{static_cast<int>(at - words.begin()), std::string(text), 0};
    };
    const Document is = with_predicted(doc, said(" is"));
    EXPECT_EQ(is.text, "the river is");
    EXPECT_TRUE(is.tokens.empty());
    // " riv" and "er" would merge to " river" again.
    Document part = doc;
    part.text = "the";
    const Document joined = with_predicted(with_predicted(part, said(" r")), said("iver"));
    EXPECT_EQ(tokens_of(joined).size(), 3U);
    EXPECT_FALSE(joined.tokens.empty());
    EXPECT_TRUE(run_valid(joined).unknown.empty());
}

/// A form without a model predicts one of the words of its texts; its tokens are words.
TEST(PredictedToken, WithoutAModelAWordOfItsTextsIsAppended) {
    Document doc;
    choose_form(doc, "generate");
    doc.text = "good morning";
    attn::Run run = run_valid(doc);
    const LikelyWord word = likeliest(run.trace, predict_at(run, 0, {}, 0).choice, 0, 1).front();
    EXPECT_EQ(with_predicted(doc, word).text, "good morning " + word.text);
    EXPECT_TRUE(says_words(doc));
    EXPECT_FALSE(says_words(Document{}));
}

/// A mask is filled in place, and a word is hidden in place: in the text, or among given tokens.
TEST(PredictedToken, AMaskIsFilledInPlace) {
    Document given = of_checkpoint("bert");
    given.tokens[1] = "[MASK]";
    attn::Run run = run_valid(given);
    const LikelyWord best = likeliest(run.trace, predict_at(run, expected_places(given, run).at(0).row, {}, 0).choice, 0, 1).front();
    EXPECT_EQ(with_replaced(given, 1, best).tokens, (std::vector<std::string>{"the", best.text, "sat", "on"}));
    EXPECT_FALSE(mask_word(given)) << "its vocabulary has none";

    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "attenscope_bert_of_pieces";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    for (const char* file : {"config.json", "model.safetensors"}) std::filesystem::copy_file(kCheckpoints / "bert" / file, folder / file);
    std::ofstream(folder / "vocab.txt") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\ncat\nsat\non\nmat\n##s\n";
    const auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    doc.text = "the cats sat";
    EXPECT_EQ(tokens_of(doc), (std::vector<std::string>{"[CLS]", "the", "cat", "s", "sat", "[SEP]"}));
    const auto mask = mask_word(doc);
    ASSERT_TRUE(mask);
    const Document hidden = with_replaced(doc, 4, *mask);
    EXPECT_EQ(hidden.text, "the cats [MASK]");
    EXPECT_TRUE(hidden.tokens.empty());
    EXPECT_EQ(with_replaced(hidden, 4, {9, "mat", 0}).text, "the cats mat");
    // "cat[MASK]" is tokenized like this, and a piece after a word stays a piece.
    EXPECT_EQ(tokens_of(with_replaced(doc, 3, *mask))[3], "[MASK]");
    EXPECT_EQ(tokens_of(with_replaced(with_replaced(doc, 3, *mask), 3, {10, "s", 0})).size(), 6U);
    EXPECT_TRUE(run_valid(with_replaced(doc, 0, *mask)).unknown.empty()) << "what stands for no typed text";
    std::filesystem::remove_all(folder);
}

/// The lens of all rows equals that of each row alone; its last line is the model's own output, at every row.
TEST(PredictedToken, TheLensOfAllRowsIsThatOfEach) {
    for (const char* name : {"gpt2", "llama", "bert", "gemma2", "t5"}) {
        SCOPED_TRACE(name);
        attn::Run run = run_valid(of_checkpoint(name));
        const StepId said = logits_step(run.trace);
        if (said == kNoStep) continue;
        const int rows = static_cast<int>(run.trace[said].value.rows()) - 1;
        const LensGrid grid = lens_grid(run, 1, rows, 3);
        ASSERT_EQ(grid.layers, run.config.layers);
        ASSERT_EQ(grid.cells.size(), static_cast<std::size_t>((grid.layers + 1) * rows));
        for (int r = 0; r < rows; ++r) {
            attn::Run own = run;
            const auto lens = read_lens(own, r + 1);
            for (int layer = 0; layer <= grid.layers; ++layer) {
                const auto alone = likeliest(own.trace, lens[static_cast<std::size_t>(layer)].shares, 0, 3);
                for (std::size_t i = 0; i < 3; ++i) {
                    EXPECT_EQ(grid.at(layer, r)[i].id, alone[i].id);
                    EXPECT_EQ(grid.at(layer, r)[i].probability, alone[i].probability);
                }
            }
            EXPECT_NEAR(static_cast<double>(grid.at(grid.layers, r)[0].probability),
                        softmax_of(run.trace[said].value, r + 1, grid.at(grid.layers, r)[0].id), 1e-5);
        }
    }
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(lens_grid(run_valid(of_checkpoint("gpt2")), 0, 2, 3, stop.get_token()).cells.empty());
}

/// A word's rank in a layer is one more than the number of likelier words, counted here; probabilities in float64.
TEST(PredictedToken, ARankInTheLensCountsLikelierWords) {
    attn::Run run = run_valid(of_checkpoint("gpt2"));
    const auto lens = read_lens(run, 3);
    for (const int id : {0, 4, 9}) {
        const auto ranks = ranks_in_lens(run.trace, lens, id);
        ASSERT_EQ(ranks.size(), lens.size());
        for (std::size_t i = 0; i < lens.size(); ++i) {
            const Matrix& logits = run.trace[lens[i].logits].value;
            int likelier = 0;
            for (Eigen::Index w = 0; w < logits.cols(); ++w) likelier += logits(0, w) > logits(0, id);
            EXPECT_EQ(ranks[i].rank, likelier + 1);
            EXPECT_NEAR(static_cast<double>(ranks[i].probability), softmax_of(logits, 0, id), 1e-6);
        }
    }
}

}  // namespace
}  // namespace attn::test
