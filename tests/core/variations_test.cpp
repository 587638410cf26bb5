// Variations of a task: each changes one thing, starts from the same weights and examples, and describes itself.
#include "core/model/files/model_files.h"
#include "core/train/variations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/support.h"

namespace attn::train {
namespace {

/// Tasks to which the variation applies.
std::vector<const Task*> tasks_with(const Variation& variation) {
    std::vector<const Task*> out;
    for (const Task& task : tasks())
        if (applies(task, complete(task, {}), variation)) out.push_back(&task);
    return out;
}

TaskOptions few_steps(const Task& task, std::string_view variation) {
    TaskOptions out = complete(task, {.seed = 3, .size = "", .steps = 4});
    out.batch = 8;
    out.variation = variation;
    return out;
}

class EveryVariation : public testing::TestWithParam<std::string> {
protected:
    const Variation& row() const { return *find_variation(GetParam()); }
};

TEST_P(EveryVariation, IsDescribedInBothLanguagesAndHasATask) {
    for (const TaskText& text : {row().name, row().about}) {
        EXPECT_FALSE(text.english.empty());
        EXPECT_FALSE(text.chinese.empty());
    }
    EXPECT_FALSE(tasks_with(row()).empty());
}

/// A few steps on every task that it applies to give a model that records the variation and reads back to the bit.
TEST_P(EveryVariation, TrainsWhereItApplies) {
    const std::vector<const Task*> all = tasks_with(row());
    const auto share = static_cast<std::size_t>(test::table_share());
    for (std::size_t i = row().id.size() % std::min(share, all.size()); i < all.size(); i += share) {
        const Task* const task = all[i];
        const TaskOptions options = few_steps(*task, row().id);
        Trainer trainer(task->course(options), 1);
        while (!trainer.finished()) EXPECT_TRUE(std::isfinite(trainer.step().loss)) << task->id;
        const auto read = read_model(model_files(task->model("made", options, trainer.weights())));
        ASSERT_TRUE(read) << task->id << " " << read.error().text();
        EXPECT_EQ(options_of(*task, **read).variation, row().id);
        EXPECT_NE((*read)->about.english.find(row().about.english), std::string::npos);
        const auto weights = task->weights(**read);
        ASSERT_TRUE(weights) << task->id << " " << weights.error().text();
        for (std::size_t w = 0; w < weights->size(); ++w) EXPECT_TRUE(test::same_bits((*weights)[w].value, trainer.weights()[w].value));
        for (const TaskExample& example : task->examples) {
            const auto shown = run(task_document(example, *read));
            ASSERT_TRUE(shown) << task->id << " " << example.id << ": " << shown.error().text();
        }
        const TaskMeasure measured = task->measure(options, trainer.weights(), 8);
        EXPECT_TRUE(measured.right >= 0 && measured.right <= 1 && measured.off >= 0 && measured.off <= 1) << task->id;
    }
}

/// Only one thing differs: training starts from the task's own weights, as far as both have them, and ends with others.
TEST_P(EveryVariation, StartsFromTheTasksWeights) {
    const Task& task = *tasks_with(row()).front();
    const auto plain = task.course(few_steps(task, "")).weights;
    Course course = task.course(few_steps(task, row().id));
    int same = 0;
    const auto begins_as_another = [&](const Weight& weight) {  // that it is one with
        return std::ranges::any_of(course.shared, [&](const auto& pair) { return &course.weights[pair.second] == &weight; });
    };
    for (const Weight& weight : course.weights)
        for (const Weight& own : plain) {
            if (own.name != weight.name || begins_as_another(weight)) continue;
            EXPECT_TRUE(test::same_bits(own.value, weight.value)) << own.name;
            ++same;
        }
    EXPECT_GE(same, 4);
    Trainer one(task.course(few_steps(task, "")), 1), other(std::move(course), 1);
    EXPECT_NE(one.step().loss, other.step().loss);
}

TEST_P(EveryVariation, HasTheSameBytesWithAnyNumberOfThreads) {
    const Task& task = *tasks_with(row()).front();
    std::string states[2];
    for (const int threads : {1, 3}) {
        Trainer trainer(task.course(few_steps(task, row().id)), threads);
        while (!trainer.finished()) trainer.step();
        states[threads / 2] = trainer.state();
    }
    EXPECT_EQ(states[0], states[1]);
}

std::vector<std::string> ids() {
    std::vector<std::string> out;
    for (const Variation& row : variations()) out.emplace_back(row.id);
    return out;
}
INSTANTIATE_TEST_SUITE_P(Rows, EveryVariation, testing::ValuesIn(ids()), [](const auto& one) { return one.param; });

/// A variation does not apply where it has nothing to change.
TEST(Variations, ApplyWhereThereIsSomethingToChange) {
    const auto has = [](const char* task, const char* variation) {
        const Task& row = *find_task(task);
        return applies(row, complete(row, {}), *find_variation(variation));
    };
    EXPECT_FALSE(has("sort", "no_position")) << "it has none";
    EXPECT_TRUE(has("copy", "no_position"));
    EXPECT_FALSE(has("copy", "one_head")) << "it has but one";
    EXPECT_TRUE(has("brackets", "one_head"));
    EXPECT_TRUE(has("induction", "no_mask"));
    EXPECT_FALSE(has("sort", "no_mask")) << "without positions, what stands behind says nothing of which letter is next";
    EXPECT_FALSE(has("alignment", "four_heads")) << "its form has none";
    EXPECT_FALSE(has("reverse", "no_mask")) << "its encoder has none";
    EXPECT_FALSE(has("modular", "no_mask")) << "it is asked at its end alone, where nothing stands behind";
    EXPECT_TRUE(has("questions", "unscaled"));
    EXPECT_FALSE(has("questions", "one_head")) << "each head has a question of its own";
    EXPECT_FALSE(has("brackets", "not_itself")) << "what stands behind is hidden there already";
    EXPECT_FALSE(has("questions", "not_itself")) << "its texts are of many lengths: no pattern fits all";
    EXPECT_FALSE(has("translation", "one_matrix")) << "its decoder's keys are another text's";
    EXPECT_FALSE(has("language", "unscaled")) << "it is a checkpoint of others' layout";
    EXPECT_EQ(find_variation("no such"), nullptr);
}

struct TwoTrained {
    std::vector<Weight> plain, other;
    TaskMeasure plain_measure, other_measure;
};
TwoTrained reversing_beside(std::string_view variation, int steps) {
    const Task& task = *find_task("reverse");
    const TaskOptions options = complete(task, {.seed = 0, .size = "", .steps = steps});
    TaskOptions changed = options;
    changed.variation = variation;
    const auto trained = [&](const TaskOptions& with) {
        Trainer trainer(task.course(with), 2);
        while (!trainer.finished()) trainer.step();
        return trainer.weights();
    };
    TwoTrained out{trained(options), trained(changed), {}, {}};
    out.plain_measure = task.measure(options, out.plain, 100);
    out.other_measure = task.measure(changed, out.other, 100);
    return out;
}

/// What a page of the course says of it: with one matrix a token fits itself, and the weight is shared between the two.
TEST(Variations, WithOneMatrixQueriesEqualKeysAndItLearnsLess) {
    const TwoTrained two = reversing_beside("one_matrix", 128);
    const auto weight = [](const std::vector<Weight>& weights, std::string_view name) {
        for (const Weight& one : weights)
            if (one.name.ends_with(name)) return one.value;
        return Matrix();
    };
    ASSERT_GT(weight(two.other, "query_weight").size(), 0);
    EXPECT_TRUE(test::same_bits(weight(two.other, "query_weight"), weight(two.other, "key_weight"))) << "after 128 steps still one";
    EXPECT_FALSE(test::same_bits(weight(two.plain, "query_weight"), weight(two.plain, "key_weight")));
    EXPECT_GT(two.plain_measure.role, 0.9);
    EXPECT_LT(two.other_measure.role, 0.6) << "at most about half of the weight is for the other one";
    EXPECT_LT(two.other_measure.right, two.plain_measure.right - 0.1);
}

/// Hidden from the first step on, in training and in the model that comes of it; and nothing is lost, since it is added again.
TEST(Variations, AHiddenDiagonalIsNeverVisible) {
    const Task& task = *find_task("reverse");
    const TwoTrained two = reversing_beside("not_itself", 128);
    EXPECT_GT(two.plain_measure.right, 0.99);
    EXPECT_GT(two.other_measure.right, 0.99);
    TaskOptions options = complete(task, {.seed = 0, .size = "", .steps = 128});
    options.variation = "not_itself";
    const auto shown = run(task_document(task.examples.front(), std::make_shared<const Model>(task.model("made", options, two.other))));
    ASSERT_TRUE(shown) << shown.error().text();
    int seen = 0;
    for (StepId id = 0; id < shown->trace.size(); ++id) {
        if (shown->trace[id].tag.role != Role::Weights) continue;
        ++seen;
        EXPECT_EQ(shown->trace[id].value.matrix().diagonal().cwiseAbs().maxCoeff(), 0.0f);
        EXPECT_NEAR(shown->trace[id].value.matrix().row(0).sum(), 1.0f, 1e-5f);
    }
    EXPECT_EQ(seen, 1);
}
/// A model that sees the answers during training learns to copy them, and fails when it generates on its own.
TEST(Variations, WithoutAMaskItCopiesTheAnswers) {
    const Task& task = *find_task("induction");
    TaskOptions options = complete(task, {.seed = 0, .size = "", .steps = 150});
    options.batch = 32;
    options.variation = "no_mask";
    Trainer trainer(task.course(options), 2);
    while (!trainer.finished()) trainer.step();
    const TaskMeasure measured = task.measure(options, trainer.weights(), 64);
    double answers = 1;
    for (const TaskFigure& figure : measured.figures)
        if (figure.id == "answers_right") answers = figure.value;
    EXPECT_GT(trainer.last_report().accuracy, 0.9);
    EXPECT_LT(answers, 0.4);
}

}  // namespace
}  // namespace attn::train
