// The training plan computes what the trace computes; training does not depend on threads or pauses.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>

#include "core/document/take.h"
#include "core/gradient/gradient.h"
#include "core/io/safetensors.h"
#include "core/kernels/multiply.h"
#include "core/model/files/model_files.h"
#include "core/text/meaning.h"
#include "core/train/product.h"
#include "core/train/shipped/questions.h"
#include "core/train/shipped/questions_model.h"
#include "tests/core/support.h"
#include "tests/core/widths.h"

namespace attn::train {
namespace {

using attn::test::close;
using attn::test::document_of;
using attn::test::largest;
using attn::test::run_valid;
using attn::test::same_bits;
using attn::test::seeded_matrix;

TEST(TrainingProduct, IsTheEnginesProductForAllTranspositions) {
    for (const vectors::Width width : vectors::widths())
        for (const auto [rows, cols, inner] :
             {std::array{1, 1, 1}, {7, 16, 5}, {13, 33, 20}, {6, 15, 64}, {3, 40, 1}, {20, 24, 24}}) {
            const attn::test::Forced forced(width, 1);
            const Matrix a = seeded_matrix(1, rows, inner), b = seeded_matrix(2, inner, cols);
            const Matrix a_turned = a.transpose(), b_turned = b.transpose();
            std::vector<float> room(product_room(inner));
            Matrix out[4];
            for (Matrix& one : out) one.resize(rows, cols);
            const Matrix engine = multiply(a, b);
            product_into(rows, cols, inner, {a.data(), inner, 1}, {b.data(), cols, 1}, out[0].data(), room.data());
            product_into(rows, cols, inner, {a_turned.data(), 1, rows}, {b.data(), cols, 1}, out[1].data(),
                         room.data());
            product_into(rows, cols, inner, {a.data(), inner, 1}, {b_turned.data(), 1, inner}, out[2].data(),
                         room.data());
            product_into(rows, cols, inner, {a_turned.data(), 1, rows}, {b_turned.data(), 1, inner}, out[3].data(),
                         room.data());
            for (int i = 0; i < 4; ++i) EXPECT_TRUE(same_bits(engine, out[i])) << i;
        }
}

/// Gradients of Σ G ⊙ end over a batch of examples: the plan's against the traces' own, one example at a time.
void expect_plan_agrees(const char* json) {
    const attn::Run run = run_valid(document_of(json));
    Trace t = run.trace;
    PlanRequest request;
    request.trace = &t;
    std::vector<StepId> inputs;
    for (StepId id = 0; id < t.size(); ++id) {
        if (t[id].op != Op::Input) continue;
        const Role role = t[id].tag.role;
        if (role == Role::Embeddings)
            request.per_example.push_back(id);
        else if (role != Role::CausalPattern && role != Role::MaskPattern && role != Role::Positions)
            request.weights.push_back(id);
    }
    const StepId end = t.size() - 1;
    request.objectives = {end};
    request.wanted = request.weights;
    request.wanted.insert(request.wanted.end(), request.per_example.begin(), request.per_example.end());
    request.batch = 3;
    const auto plan = Plan::make(request);
    ASSERT_TRUE(plan) << plan.error().text();
    PlanMemory memory = plan->memory();
    std::vector<Matrix> weights;
    for (const StepId id : request.weights) weights.push_back(Matrix(t[id].value));
    for (std::size_t w = 0; w < weights.size(); ++w) plan->place_weight(memory, request.weights[w], weights[w].data());
    const auto example = [&](StepId id, int i) {
        const auto seed = static_cast<std::uint64_t>(id * 10 + i);
        return seeded_matrix(seed, static_cast<int>(t[id].value.rows()), static_cast<int>(t[id].value.cols()));
    };
    for (int round = 0; round < 2; ++round) {  // the second round reuses the memory
        for (int i = 0; i < request.batch; ++i)
            for (const StepId id : request.per_example)
                Eigen::Map<Matrix>(plan->example(memory, id, i), t[id].value.rows(), t[id].value.cols()) =
                    example(id, i);
        plan->forward(memory);
        for (int i = 0; i < request.batch; ++i)
            Eigen::Map<Matrix>(plan->objective(memory, end, i), t[end].value.rows(), t[end].value.cols()) =
                example(end, i);
        plan->backward(memory);
    }
    std::vector<Matrix> sums;
    for (const Matrix& weight : weights) sums.push_back(Matrix::Zero(weight.rows(), weight.cols()));
    for (int i = 0; i < request.batch; ++i) {
        // The same computation on this example's vectors, recorded as a trace.
        Document doc = document_of(json);
        for (const StepId id : request.per_example)
            doc.given[static_cast<std::size_t>(t[id].tag.part == Part::Source ? Given::X_source : Given::X)] =
                example(id, i);
        drop_unread(doc);  // the previous source of the vectors
        Trace own = run_valid(doc).trace;
        const Objective objective = objective_of(own, end, example(end, i));
        const Gradients g = record_gradients(own, {{objective}});
        EXPECT_TRUE(
            close(Eigen::Map<const Matrix>(plan->value(memory, end, i), own[end].value.rows(), own[end].value.cols()),
                  own[end].value, 1e-5));
        for (std::size_t w = 0; w < weights.size(); ++w)
            sums[w] += own[g.of[static_cast<std::size_t>(request.weights[w])]].value.matrix();
        for (const StepId id : request.per_example) {
            const Matrix& expected = own[g.of[static_cast<std::size_t>(id)]].value;
            EXPECT_TRUE(close(Eigen::Map<const Matrix>(plan->gradient(memory, id, i), expected.rows(), expected.cols()),
                              expected, 3e-5));
        }
    }
    for (std::size_t w = 0; w < weights.size(); ++w) {
        const Matrix recorded =
            Eigen::Map<const Matrix>(plan->gradient(memory, request.weights[w]), sums[w].rows(), sums[w].cols());
        EXPECT_LE(largest(recorded - sums[w]), 3e-5 * std::max(largest(sums[w]), 0.1))
            << step_name(t[request.weights[w]].tag);
    }
}

class TrainingPlan : public testing::TestWithParam<const char*> {};
TEST_P(TrainingPlan, GivesTheGradientsOfTheTrace) { expect_plan_agrees(GetParam()); }
INSTANTIATE_TEST_SUITE_P(
    Forms, TrainingPlan,
    testing::Values(
        R"({"text": "a b c d", "vectors": "random", "weights": "random", "heads": 2, "mask": "causal", "b_Q": [0.1,0.2,0.3,0,0,0,0,1], "b_V": [1,0,0,0,0,0,0,2]})",
        R"({"text": "a b c", "vectors": "random", "weights": "random", "score": "additive", "position": "sinusoidal"})",
        R"({"text": "a b c", "vectors": "random", "weights": "random", "position": "relative"})",
        R"({"text": "a b c", "vectors": "random", "weights": "random", "score": "cosine"})",
        R"({"text": "a b c", "variant": "encoder", "vectors": "random", "weights": "random", "layers": 2, "heads": 2, "activation": "gelu_tanh", "block": "pre_norm", "position": "rope"})",
        R"({"text": "a b c", "variant": "encoder", "vectors": "random", "weights": "random", "heads": 4, "kv_heads": 2, "activation": "swiglu", "norm": "rms_norm"})",
        R"({"text": "a b c", "source": "d e", "variant": "cross", "vectors": "random", "weights": "random", "heads": 2})",
        R"({"text": "a b c", "source": "d e", "variant": "luong", "vectors": "random", "weights": "random"})",
        R"({"text": "a b c", "source": "d e f", "variant": "bahdanau", "vectors": "random", "weights": "random"})",
        R"({"text": "a b c", "source": "d e f", "variant": "bahdanau", "vectors": "random", "weights": "random", "unit": "gru"})",
        R"({"text": "a b c", "variant": "encoder", "vectors": "random", "weights": "random", "epsilon": 0.3, "position": "rope_half", "rope_base": 3, "head_width": 2, "heads": 2})",
        R"({"text": "a b c", "variant": "encoder", "vectors": "random", "weights": "random", "epsilon": 0.3, "norm": "rms_norm"})"));

TEST(TrainingPlan, RefusesStepsThatDependOnValues) {
    const attn::Run run = run_valid(document_of(R"({"text": "a b c", "weights": "random", "selection": "top_k"})"));
    PlanRequest request;
    request.trace = &run.trace;
    request.per_example = {find_id(run.trace, {Role::Embeddings})};
    request.weights = request.wanted = {find_id(run.trace, {Role::QueryWeight})};
    request.objectives = {run.trace.size() - 1};
    EXPECT_FALSE(Plan::make(request));
}

QuestionOptions short_course() {
    QuestionOptions options;
    options.seed = 5;
    options.batch = 16;
    options.first_steps = 8;
    options.second_steps = 4;
    return options;
}

TEST(Training, TheSameBytesWithAnyNumberOfThreads) {
    std::string states[2];
    for (const int threads : {1, 3}) {
        Trainer trainer(questions_course(short_course()), threads);
        while (!trainer.finished()) trainer.step();
        states[threads / 2] = trainer.state();
    }
    EXPECT_EQ(states[0], states[1]);
}

/// A failed allocation in any part, on whatever thread, leaves the step as an exception once all threads have finished;
/// the next step works as usual.
TEST(Training, AnExceptionOfAPartLeavesTheStep) {
    for (const int threads : {1, 3}) {
        Course course = questions_course(short_course());
        const auto refused = std::make_shared<std::atomic<int>>(-1);
        course.fill = [usual = course.fill, refused](PlanMemory& memory, const std::vector<Weight>& weights, int part) {
            if (part == *refused) throw std::bad_alloc();
            usual(memory, weights, part);
        };
        const int parts = course.parts;
        ASSERT_GT(parts, 2);
        Trainer trainer(std::move(course), threads);
        for (int part = 0; part < parts; ++part) {
            *refused = part;
            EXPECT_THROW(trainer.step(), std::bad_alloc) << part << " of " << parts << ", " << threads << " threads";
        }
        *refused = -1;
        EXPECT_GT(trainer.step().loss, 0);
    }
}

/// The result of training is a model: its files have the same bytes for any number of threads, and the engine computes
/// with it what training measured.
TEST(Training, GivesAReproducibleModelForTheEngine) {
    ModelFiles made[2];
    for (const int threads : {1, 3}) {
        Trainer trainer(questions_course(short_course()), threads);
        while (!trainer.finished()) trainer.step();
        made[threads / 2] = model_files(questions_model("made", short_course(), trainer.weights()));
    }
    EXPECT_EQ(made[0].tensors, made[1].tensors);
    EXPECT_EQ(made[0].config, made[1].config);
    EXPECT_EQ(made[0].vocabulary, made[1].vocabulary);
    const auto model = read_model(made[0]);
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    doc.text = "the tired cat sat down";
    take_model(doc, *model);
    const attn::Run run = run_valid(doc);
    const auto weights = questions_weights(**model);
    ASSERT_TRUE(weights) << weights.error().text();
    const std::vector<Matrix> expected = questions_attention(*weights, {"the", "tired", "cat", "sat", "down"}, false);
    for (int h = 0; h < kQuestionsHeads; ++h)
        EXPECT_TRUE(close(find(run.trace, {Role::Weights, h})->value, expected[static_cast<std::size_t>(h)], 1e-5)) << h;
}

/// The shipped layer's weights reproduce the figures in its description, and its heads attend where they should.
TEST(Training, TheShippedLayerPerformsAsDescribed) {
    const ModelPtr model = shipped_model("questions");
    ASSERT_TRUE(model);
    const auto weights = questions_weights(*model);
    ASSERT_TRUE(weights) << weights.error().text();
    QuestionOptions options;
    options.seed = model->training->seed;
    const Model again = questions_model("questions", options, *weights);
    ASSERT_EQ(again.measured.size(), model->measured.size());
    for (std::size_t s = 0; s < again.measured.size(); ++s) EXPECT_EQ(again.measured[s].figures, model->measured[s].figures);
    EXPECT_EQ(again.words, model->words);
    EXPECT_TRUE(same_bits(again.embeddings, model->embeddings));
    EXPECT_EQ(again.training->steps, model->training->steps);
    const HeadFigures words = measure_questions(*weights, kMeasureSeed, Unseen::Words, kMeasuredSentences, false);
    EXPECT_GT(words.worst(), 0.33);
    EXPECT_GT(words.mean(), 0.7);
    for (std::size_t h = 0; h < kQuestionsHeads; ++h) EXPECT_GT(words.right[h], words.right_off[h] + 0.4) << h;
}

TEST(Training, PausingDoesNotChangeTheResult) {
    Trainer whole(questions_course(short_course()), 2);
    while (!whole.finished()) whole.step();
    Trainer first(questions_course(short_course()), 1);
    for (int i = 0; i < 5; ++i) first.step();
    Trainer second(questions_course(short_course()), 2);
    const auto restored = second.restore(first.state());
    ASSERT_TRUE(restored) << restored.error().text();
    EXPECT_EQ(second.steps_taken(), 5);
    while (!second.finished()) second.step();
    EXPECT_EQ(whole.state(), second.state());
    QuestionOptions other = short_course();
    EXPECT_FALSE(Trainer(questions_course(other), 1).restore(tensor_file_bytes({}, {})));
}

TEST(Training, TheLossFallsAndSnapshotsStayWithinTheirMemory) {
    QuestionOptions options = short_course();
    options.first_steps = 60;
    Trainer trainer(questions_course(options), 2);
    trainer.keep_snapshots(10 * 5000);
    const double before = trainer.step().loss;
    double after = 0;
    while (trainer.steps_taken() < 60) after = trainer.step().loss;
    EXPECT_LT(after, 0.9 * before);
    std::size_t bytes = 0;
    for (const Snapshot& snapshot : trainer.snapshots())
        for (const Matrix& weight : snapshot.weights) bytes += static_cast<std::size_t>(weight.size()) * sizeof(float);
    EXPECT_LE(bytes, 10u * 5000u);
    EXPECT_EQ(trainer.snapshots().front().step, 0);
    EXPECT_EQ(trainer.snapshots().back().step, 60);
}

TEST(TrainingGrammar, EveryWordHasAMeaningAndEveryLinkAPlace) {
    for (const std::string& word : grammar_words()) EXPECT_TRUE(meaning_of(word)) << word;
    for (const Unseen unseen : {Unseen::None, Unseen::Words, Unseen::Shapes}) {
        Grammar grammar(3, unseen);
        int links = 0;
        for (int i = 0; i < 300; ++i) {
            const Sentence sentence = grammar.next();
            EXPECT_LE(static_cast<int>(sentence.tokens.size()), kLongestSentence);
            for (const Sentence::Link& link : sentence.links) {
                ++links;
                EXPECT_TRUE(link.from >= 0 && link.to >= 0 && link.from != link.to);
                EXPECT_LT(static_cast<std::size_t>(std::max(link.from, link.to)), sentence.tokens.size());
            }
        }
        EXPECT_GT(links, 600);
    }
}

}  // namespace
}  // namespace attn::train
