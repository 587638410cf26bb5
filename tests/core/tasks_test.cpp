// The table of training tasks: what each row must contain, and that its parts fit together.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "core/analysis/prediction.h"
#include "core/document/take.h"
#include "core/model/files/model_files.h"
#include "core/text/meaning.h"
#include "core/train/shipped/lexicon.h"
#include "core/train/task_texts.h"
#include "core/train/tasks.h"
#include "tests/core/support.h"

namespace attn::train {
namespace {

void expect_said(TaskText text, std::string_view what) {
    EXPECT_FALSE(text.english.empty()) << what;
    EXPECT_FALSE(text.chinese.empty()) << what;
}

class EveryTask : public testing::TestWithParam<std::string> {};

TEST_P(EveryTask, IsDescribedInBothLanguages) {
    const Task& task = *find_task(GetParam());
    for (const TaskText& text : {task.name, task.about, task.look_for}) expect_said(text, task.id);
    ASSERT_FALSE(task.sizes.empty());
    for (const TaskSize& size : task.sizes) {
        expect_said(size.name, size.id);
        EXPECT_EQ(size_of(task, {.seed = 0, .size = std::string(size.id)}), &size);
        EXPECT_TRUE(size.steps > 0 && size.rate > 0 && size.batch > 0 && size.width > 0 && size.heads > 0 && size.layers > 0);
    }
    EXPECT_EQ(size_of(task, {.seed = 0, .size = "no such"}), nullptr);
    for (const TaskExample& example : task.examples) expect_said(example.shows, example.id);
}

/// A few steps give a model that reads back, shows each example, and can be measured.
TEST_P(EveryTask, GivesAModelThatShowsItsExamples) {
    const Task& task = *find_task(GetParam());
    TaskOptions options = complete(task, {.seed = 3, .size = std::string(task.sizes.back().id), .steps = 4});
    options.batch = 8;
    Trainer trainer(task.course(options), 1);
    while (!trainer.finished()) EXPECT_TRUE(std::isfinite(trainer.step().loss));
    const auto read = read_model(model_files(task.model("made", options, trainer.weights())));
    ASSERT_TRUE(read) << read.error().text();
    const Model& model = **read;
    EXPECT_EQ(task_of(model), &task);
    EXPECT_EQ(options_of(task, model).seed, options.seed);
    EXPECT_EQ(options_of(task, model).steps, options.steps);
    const auto weights = task.weights(model);
    ASSERT_TRUE(weights) << weights.error().text();
    for (std::size_t w = 0; w < weights->size(); ++w) {
        EXPECT_EQ((*weights)[w].name, trainer.weights()[w].name);
        EXPECT_TRUE(test::same_bits((*weights)[w].value, trainer.weights()[w].value));
    }
    for (const TaskExample& example : task.examples) {
        const Document document = task_document(example, *read);
        const auto shown = run(document);
        ASSERT_TRUE(shown) << task.id << " " << example.id << ": " << shown.error().text();
        EXPECT_TRUE(shown->unknown.empty()) << task.id << " " << example.id << ": " << (shown->unknown.empty() ? "" : shown->unknown.front());
    }
    const TaskMeasure measured = task.measure(options, trainer.weights(), 8);
    for (const double share : {measured.right, measured.chance, measured.role, measured.off})
        EXPECT_TRUE(share >= 0 && share <= 1) << task.id << " " << share;
    EXPECT_FALSE(measured.sets.empty());
    EXPECT_FALSE(measured.figures.empty());
}

/// Each example's expected word is what its task trains: the shipped model predicts it at every position that expects
/// one, and after the text where it generates.
TEST(ShippedTask, PredictsTheExpectedWordsOfItsExamples) {
    int checked = 0, tasks_with_rules = 0;
    for (const ModelPtr& model : shipped_models()) {
        const Task* task = task_of(*model);
        if (!task || !task->targets) continue;
        ++tasks_with_rules;
        const TaskOptions options = options_of(*task, *model);
        for (const TaskExample& example : task->examples) {
            const auto shown = run(task_document(example, model));
            ASSERT_TRUE(shown) << shown.error().text();
            const auto answers = answers_of(*task, options, *shown);
            ASSERT_FALSE(answers.empty()) << task->id;
            for (const PlaceAnswer& one : answers) {
                SCOPED_TRACE(std::string(task->id) + " " + std::string(example.id) + " place " + std::to_string(one.place));
                EXPECT_TRUE(one.share > 0 && one.share <= 1);
                if (one.target.empty()) continue;
                ++checked;
                EXPECT_EQ(one.said, one.target);
                EXPECT_TRUE(one.right());
            }
        }
    }
    EXPECT_GE(tasks_with_rules, 2);
    EXPECT_GE(checked, 15);
}

/// Known answers: reversed, brackets closed, sorted, repeated.
TEST(Task, ExpectsWhatItsRuleSays) {
    const auto targets = [](std::string_view id, std::vector<std::string> text, std::vector<std::string> source, int places) {
        const Task& task = *find_task(id);
        return task.targets(text, source, places, complete(task, {}));
    };
    using Words = std::vector<std::string>;
    EXPECT_EQ(targets("reverse", {"a", "b", "c", "d", "e", "f", "g", "h"}, {}, 8), (Words{"h", "g", "f", "e", "d", "c", "b", "a"}));
    EXPECT_EQ(targets("reverse", {"a", "b"}, {}, 2), (Words{"", ""})) << "no example is so short";
    EXPECT_EQ(targets("brackets", {"(", "[", "]", ")"}, {}, 4), (Words{")", "]", ")", "."}));
    EXPECT_EQ(targets("brackets", {"(", "]", ")"}, {}, 3), (Words{")", "", ""})) << "nothing goes on so";
    EXPECT_EQ(targets("sort", {"c", "a", "b", ">"}, {}, 7), (Words{"", "", "", "a", "b", "c", "."}));
    EXPECT_EQ(targets("sort", {"c", "a", "b"}, {}, 3), (Words{"", "", ""})) << "nothing is asked for before the arrow";
    EXPECT_EQ(targets("copy", {">", "c", "a"}, {"c", "a", "b"}, 3), (Words{"c", "a", "b"}));
    EXPECT_EQ(targets("induction", {"a", "b", "c", "a"}, {}, 6), (Words{"", "", "", "b", "c", "a"}));
    EXPECT_EQ(targets("modular", {"17", "+", "20", "="}, {}, 4), (Words{"", "", "", "6"}));
}

/// Its recorded results are for sentences about nouns that never train: none of them has a row in the model.
TEST(ShippedTask, NounsThatAreHeldBackNeverTrain) {
    const Model& model = *shipped_model("it");
    int held = 0;
    for (const bool chinese : {false, true})
        for (const Class of : {Class::Animals, Class::Birds, Class::Ways, Class::Places, Class::Food, Class::Objects, Class::Texts, Class::Machines}) {
            const ClassWords& words = lexicon(chinese)[static_cast<std::size_t>(of)];
            for (const auto* list : {&words.held, &words.more_held})
                for (const std::string& word : *list) {
                    ++held;
                    EXPECT_FALSE(model.rows.contains(word)) << word;
                }
        }
    EXPECT_GT(held, 100);
    for (const char* word : {"trophy", "suitcase", "奖杯", "箱子", "行李箱"}) EXPECT_FALSE(model.rows.contains(word)) << word;
}

/// A word is known with a capital, too, and with the apostrophe of word processors; a learned row is not a meaning.
TEST(ShippedTask, ATrainedWordIsKnownInEverySpelling) {
    const Model& model = *shipped_model("it");
    std::vector<Source> sources;
    const Matrix rows = model.vectors({"the", "The", "didn't", "didn\u2019t", "trophy", "Trophy"}, sources);
    for (const Eigen::Index at : {0, 2, 4}) EXPECT_EQ(rows.row(at), rows.row(at + 1)) << at;
    EXPECT_GT(rows.row(0).tail(model.width() - kMeaningWidth).norm(), 0);
    EXPECT_EQ(rows.row(4).tail(model.width() - kMeaningWidth).norm(), 0);
    EXPECT_EQ(sources[0], Source::Model);
    EXPECT_EQ(sources[3], Source::Model);
    EXPECT_EQ(sources[4], Source::Meaning);
}

/// A shipped model performs as its description says, measured now; its examples contain only words that it knows.
TEST(ShippedTask, PerformsAsDescribed) {
    int found = 0;
    for (const ModelPtr& model : shipped_models()) {
        const Task* task = task_of(*model);
        ASSERT_TRUE(task) << model->name;
        if (texts_of(*task)) continue;  // measured on texts that may be missing here: language_test.cpp
        const auto weights = task->weights(*model);
        ASSERT_TRUE(weights) << weights.error().text();
        const TaskOptions options = options_of(*task, *model);
        EXPECT_EQ(options.steps, complete(*task, {.seed = 0, .size = options.size}).steps) << model->name;
        const TaskMeasure measured = task->measure(options, *weights, 0);
        ASSERT_EQ(measured.sets.size(), model->measured.size()) << model->name;
        for (std::size_t s = 0; s < measured.sets.size(); ++s)
            EXPECT_EQ(measured.sets[s].figures, model->measured[s].figures) << model->name;
        if (model->name != "questions") {  // its figures are per question, and it has its own description
            EXPECT_EQ(model->about.english, task->about.english) << model->name;
            // A model that reads words by meaning is measured on things that never trained.
            EXPECT_GT(measured.right, model->other_words ? 0.96 : 0.98) << model->name;
            // Annotations hold their neighbours, too, so a recurrent decoder need not attend to the word itself.
            EXPECT_GT(measured.role, model->name == "alignment" ? 0.55 : 0.65) << model->name;
            EXPECT_LT(measured.off, std::max(0.2, measured.chance)) << model->name;
        }
        ++found;
    }
    EXPECT_GE(found, 7);
}

/// The taught spellings of a date are recognized, and other common ones are not.
TEST(Task, RecognizesUntaughtDateFormats) {
    const Task& dates = *find_task("dates");
    ASSERT_NE(dates.has_shape, nullptr);
    for (const char* taught : {"3 may 2021", "27 oct 1998", "may 3, 2021", "27th of october 1998", "3.5.2021", "03.05.2021", "2021/05/03",
                               "2021年5月3日", "二〇二一年五月三日", "一九九八年十二月三十一日"})
        EXPECT_TRUE(dates.has_shape(taught)) << taught;
    for (const char* other : {"march 3 1999", "May 3, 2021", "3/5/2021", "2021-05-03", "may 3", "3 may 21", "", "sunday"})
        EXPECT_FALSE(dates.has_shape(other)) << other;
    for (const TaskExample& example : dates.examples) EXPECT_TRUE(dates.has_shape(example.source)) << example.source;
}

/// The sorter is right on every set of three letters; one order each is enough for a model without positions.
TEST(ShippedTask, SortsEverySetOfThreeLetters) {
    Document doc;
    take_model(doc, shipped_model("sort"));
    doc.config.generate = 4;
    int wrong = 0;
    for (char a = 'a'; a <= 'z'; ++a)
        for (char b = static_cast<char>(a + 1); b <= 'z'; ++b)
            for (char c = static_cast<char>(b + 1); c <= 'z'; ++c) {
                doc.text = std::string{c, ' ', b, ' ', a, ' ', '>'};
                auto run = attn::run(doc);
                ASSERT_TRUE(run) << run.error().text();
                std::string said;
                for (const SampledWord& one : sampled_words(run->trace, 4)) said += one.word.text;
                if (said != std::string{a, b, c, '.'}) ++wrong;
            }
    EXPECT_EQ(wrong, 0);
}

/// Every shipped model states the longest texts that its task trains on; a model without a record of a task states 0.
TEST(Task, StatesTheLongestTrainedText) {
    for (const ModelPtr& model : shipped_models()) EXPECT_GT(longest_trained(*model).text, 0) << model->name;
    EXPECT_EQ(longest_trained(*shipped_model("questions")).source, 0);
    EXPECT_EQ(longest_trained(*shipped_model("alignment")).source, longest_trained(*shipped_model("translation")).source);
    EXPECT_EQ(longest_trained(*shipped_model("alignment")).text, longest_trained(*shipped_model("translation")).text + 1);
    EXPECT_EQ(longest_trained(Model{}).text, 0) << "nobody says what it was trained on";
}

std::vector<std::string> ids() {
    std::vector<std::string> out;
    for (const Task& task : tasks()) out.emplace_back(task.id);
    return out;
}

INSTANTIATE_TEST_SUITE_P(Rows, EveryTask, testing::ValuesIn(ids()), [](const auto& one) { return one.param; });

}  // namespace
}  // namespace attn::train
