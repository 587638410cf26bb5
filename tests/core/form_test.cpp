// Training computes what the engine computes: a form's training plan against the trace of the model that it produces.
#include <gtest/gtest.h>

#include <memory>

#include "core/document/take.h"
#include "core/text/meaning.h"
#include "core/train/form.h"
#include "tests/core/support.h"

namespace attn::train {
namespace {

/// Random words, up to the longest length, in one text or two.
FormTask random_task(std::string settings, bool two) {
    FormTask task;
    task.settings = std::move(settings);
    task.words = {"a", "b", "c", "d", "e", "f", "g"};
    task.width = 8;
    task.longest = 6;
    task.longest_source = two ? 5 : 0;
    task.drill = [two](Random& random) {
        Drill out;
        const auto text = [&](int longest) {
            std::vector<int> words(1 + static_cast<std::size_t>(random.uniform() * longest));
            for (int& word : words) word = static_cast<int>(random.uniform() * 7);
            return words;
        };
        out.text = out.targets = text(6);
        if (two) out.source = text(5);
        for (const int word : out.text) out.key += std::to_string(word);
        out.looks = {{0, 0, {0}}};
        return out;
    };
    task.jobs = {{"first", {"looks at the first", "看第一个"}, two ? Part::Cross : Part::Main, -1}};
    return task;
}

std::string spaced(const FormTask& task, const std::vector<int>& words) {
    std::string out;
    for (const int word : words) out += task.words[static_cast<std::size_t>(word)] + " ";
    return out;
}

struct Form_ {
    const char* settings;
    bool two;
};
class FormPlan : public testing::TestWithParam<Form_> {};

TEST_P(FormPlan, ComputesTheTraceOfItsModel) {
    const FormTask task = random_task(GetParam().settings, GetParam().two);
    constexpr int kBatch = 4;
    const auto form = TrainedForm::make(task, kBatch);
    std::vector<Weight> weights = form->weights(3);
    Random noise(8);
    for (Weight& weight : weights)  // gains and biases, too
        for (Eigen::Index i = 0; i < weight.value.size(); ++i) weight.value.data()[i] += 0.2f * noise.normal();
    const auto model = std::make_shared<Model>(
        form_model(tasks().front(), task, "made", {.seed = 3, .size = "", .steps = 1, .rate = 1, .batch = 4}, weights));
    PlanMemory memory = form->plan().memory();
    for (std::size_t w = 0; w < weights.size(); ++w)
        if (form->weight_steps()[w] != kNoStep) form->plan().place_weight(memory, form->weight_steps()[w], weights[w].value.data());
    Random random(5);
    std::vector<Drill> drills;
    for (int i = 0; i < kBatch; ++i) {
        drills.push_back(next_drill(task, random, false));
        form->fill(memory, i, drills.back(), weights.front().value);
    }
    form->plan().forward(memory);
    for (int i = 0; i < kBatch; ++i) {
        Document doc;
        doc.text = spaced(task, drills[static_cast<std::size_t>(i)].text);
        if (GetParam().two) doc.source = spaced(task, drills[static_cast<std::size_t>(i)].source);
        take_model(doc, model);
        const attn::Run run = test::run_valid(doc);
        const auto at = std::find_if(run.trace.steps.begin(), run.trace.steps.end(), [](const Step& s) { return s.tag.role == Role::Logits; });
        ASSERT_NE(at, run.trace.steps.end());
        // A generating form predicts only the word after its last one.
        const auto rows = at->value.rows(), length = static_cast<Eigen::Index>(drills[static_cast<std::size_t>(i)].text.size());
        const Matrix said = form->logits(memory, i).middleRows(length - rows, rows);
        EXPECT_TRUE(test::close(said, at->value, 1e-4)) << i;
        for (const TrainedForm::Map& map : form->maps()) {
            Tag tag = map.tag;
            const Step* own = find(run.trace, tag);
            if (!own) tag.time = 0, own = find(run.trace, tag);
            ASSERT_TRUE(own) << step_name(map.tag);
            EXPECT_TRUE(test::close(form->weights_of(memory, map, i).topLeftCorner(own->value.rows(), own->value.cols()), own->value, 1e-4))
                << step_name(map.tag);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, FormPlan,
    testing::Values(
        Form_{R"({"variant": "encoder", "tokenizer": "words", "heads": 2, "layers": 2, "block": "pre_norm", "position": "learned", "unembedding": "tied"})", false},
        Form_{R"({"variant": "encoder", "tokenizer": "words", "position": "sinusoidal", "unembedding": "own"})", false},
        Form_{R"({"variant": "encoder", "tokenizer": "words", "heads": 2, "mask": "causal", "position": "alibi", "unembedding": "own"})", false},
        Form_{R"({"variant": "generate", "tokenizer": "words", "heads": 2, "layers": 2, "block": "pre_norm", "generate": 1})", false},
        Form_{R"({"variant": "decoder", "tokenizer": "words", "heads": 2, "layers": 2, "position": "learned"})", true},
        Form_{R"({"variant": "decoder", "tokenizer": "words", "block": "pre_norm", "norm": "rms_norm", "activation": "swiglu", "unembedding": "own"})", true},
        Form_{R"({"variant": "bahdanau", "tokenizer": "words", "unit": "gru", "score_width": 5, "unembedding": "own"})", true},
        Form_{R"({"variant": "bahdanau", "tokenizer": "words", "unembedding": "tied"})", true}));

/// A task by meaning chooses among the words of the text, some of which never train; so does a document with its model.
TEST(FormTask, ByMeaningAnswersWithAWordOfTheText) {
    FormTask task = random_task(R"({"variant": "encoder", "tokenizer": "words", "layers": 2, "block": "pre_norm", "position": "learned", "unembedding": "tied"})", false);
    task.words = {"the", "cat", "saw", "dog"};
    task.others = {"trophy", "camel"};
    task.by_meaning = true;
    task.rivals = 3;
    task.width = 16;
    task.longest = 7;
    task.drill = [](Random&) { return Drill{.text = {0, 1, 2, 4, 5}, .source = {}, .targets = {-1, -1, 3, -1, -1}, .rivals = {3, 5, 1}, .looks = {}, .key = "k"}; };
    const auto form = TrainedForm::make(task, 1);
    std::vector<Weight> weights = form->weights(3);
    const auto model = std::make_shared<Model>(
        form_model(tasks().front(), task, "made", {.seed = 3, .size = "", .steps = 1, .rate = 1, .batch = 1, .figures = false}, weights));
    EXPECT_EQ(model->words, task.words);
    PlanMemory memory = form->plan().memory();
    for (std::size_t w = 0; w < weights.size(); ++w)
        if (form->weight_steps()[w] != kNoStep) form->plan().place_weight(memory, form->weight_steps()[w], weights[w].value.data());
    Random random(1);
    const Drill drill = next_drill(task, random, true);  // contains words that never train
    form->fill(memory, 0, drill, weights.front().value);
    form->plan().forward(memory);
    Document doc;
    doc.text = "the cat saw trophy camel";
    take_model(doc, model);
    const attn::Run run = test::run_valid(doc);
    EXPECT_TRUE(run.unknown.empty());
    const Step* said = find(run.trace, {Role::Logits});
    ASSERT_TRUE(said);
    EXPECT_EQ(run.trace.words.size(), 5u);
    EXPECT_TRUE(test::close(form->logits(memory, 0).topLeftCorner(5, 5), said->value, 1e-4));

    const Tally tally = form->judge(memory, 0, drill, 1);
    EXPECT_EQ(tally.targets, 1);
    form->plan().backward(memory);
    Matrix moved = Matrix::Zero(4, 16);
    form->look_back(memory, 0, drill, moved.data());
    EXPECT_EQ(moved.leftCols(kMeaningWidth).norm(), 0) << "a meaning never trains";
    EXPECT_GT(moved.row(1).norm(), 0) << "of the text";
    EXPECT_GT(moved.row(3).norm(), 0) << "a rival";
}

/// No training example contains a key that is reserved for testing.
TEST(FormTask, KeepsSomeExamplesFromTraining) {
    const FormTask task = random_task(R"({"variant": "encoder", "tokenizer": "words"})", false);
    Random random(1);
    int kept = 0;
    for (int i = 0; i < 500; ++i) {
        EXPECT_FALSE(is_unseen(task, next_drill(task, random, false).key));
        EXPECT_TRUE(is_unseen(task, next_drill(task, random, true).key));
        kept += is_unseen(task, task.drill(random).key) ? 1 : 0;
    }
    EXPECT_NEAR(kept / 500.0, task.unseen, 0.06);
}

/// The measures find the head that does the job: it looks at the right token, and without it the answers are lost.
TEST(FormTask, FindsTheHeadThatSolvesTheTask) {
    FormTask task = random_task(R"({"variant": "encoder", "tokenizer": "words", "block": "pre_norm", "position": "learned", "unembedding": "own"})", false);
    const auto any = task.drill;
    task.drill = [any](Random& random) {  // every position answers with the first letter
        Drill out = any(random);
        out.targets.assign(out.text.size(), out.text.front());
        out.looks.clear();
        for (std::size_t i = 1; i < out.text.size(); ++i) out.looks.push_back({0, static_cast<int>(i), {0}});
        return out;
    };
    TaskOptions options{.seed = 1, .size = "", .steps = 250, .rate = 0.01f, .batch = 32};
    Trainer trainer(form_course(task, options), 1);
    const double before = trainer.step().loss;
    double after = before;
    while (!trainer.finished()) after = trainer.step().loss;
    EXPECT_LT(after, 0.1 * before);
    const TaskMeasure measured = form_measure(task, trainer.weights(), 100);
    EXPECT_GT(measured.right, 0.95);
    EXPECT_GT(measured.role, 0.7);
    EXPECT_LT(measured.off, 0.5);
}

}  // namespace
}  // namespace attn::train
