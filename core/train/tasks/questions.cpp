// Four heads, each trained on one question about sentences of a small grammar: the layer that the program opens with.
#include <array>

#include "core/train/shipped/grammar.h"
#include "core/train/shipped/questions_model.h"
#include "core/train/tasks.h"
#include "core/train/variations.h"

namespace attn::train::task::questions {
namespace {

constexpr std::array kSizes = {TaskSize{"usual", {"usual", "通常"}, 4800, 0.02f, 48, kQuestionsWidth, kQuestionsHeads, 1}};

constexpr std::array kExamples = {
    TaskExample{"cat", "the tired cat sat down", "", {"Which word does each head look at?", "每个头看哪个词？"}},
    TaskExample{"it", "the cat was hungry and it ran", "", {"What does \"it\" stand for?", "it 指谁？"}},
    TaskExample{"cat_zh", "一 只 小猫 累 了 , 它 睡 了", "", {"What does 它 stand for?", "“它”指谁？"}},
};

/// The variations of this layer.
constexpr std::string_view kUnscaled = "unscaled", kUnplaced = "no_position";

/// The two phases of the course, in proportion to the requested number of steps.
QuestionOptions questions_of(const TaskOptions& options) {
    QuestionOptions out;
    out.seed = options.seed;
    const int all = out.first_steps + out.second_steps;
    out.second_steps = static_cast<int>(std::int64_t{options.steps} * out.second_steps / all);
    out.first_steps = options.steps - out.second_steps;
    out.rate = options.rate;
    out.scaled = options.variation != kUnscaled;
    out.placed = options.variation != kUnplaced;
    out.batch = std::max(1, (options.batch + out.parts - 1) / out.parts) * out.parts;
    return out;
}

Course course(const TaskOptions& options) { return questions_course(questions_of(options)); }

Model model(std::string name, const TaskOptions& options, const std::vector<Weight>& weights) {
    Model out = questions_model(std::move(name), questions_of(options), weights, options.figures);
    out.training->variation = options.variation;
    if (const Variation* variation = variation_of(options)) {
        out.about.english += " Here " + std::string(variation->name.english) + ": " + std::string(variation->about.english);
        out.about.chinese += "这里" + std::string(variation->name.chinese) + "：" + std::string(variation->about.chinese);
    }
    return out;
}

TaskMeasure measure(const TaskOptions& options, const std::vector<Weight>& weights, int examples) {
    const int sentences = examples > 0 ? examples : kMeasuredSentences;
    const QuestionOptions settings = questions_of(options);
    const HeadFigures words = measure_questions(weights, kMeasureSeed, Unseen::Words, sentences, false, settings);
    const HeadFigures shapes = measure_questions(weights, kMeasureSeed, Unseen::Shapes, sentences, false, settings);
    TaskMeasure out;
    out.role_name = {"weight on the word that answers", "落在答案上的权重"};
    double relations = 0;
    for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
        out.right += (words.right[h] + shapes.right[h]) / (2 * kQuestionsHeads);
        out.off += (words.right_off[h] + shapes.right_off[h]) / (2 * kQuestionsHeads);
    }
    for (const HeadFigures* one : {&words, &shapes})
        for (const HeadFigures::Row& row : one->rows)
            if (row.count > 0) out.chance += row.chance, ++relations;
    out.chance /= std::max(relations, 1.0);
    out.role = out.score = (words.mean() + shapes.mean()) / 2;
    for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
        const Question& question = train::questions()[h];
        const BothLanguages text = {std::string(question.english), std::string(question.chinese)};
        const std::string head = step_name({Role::Weights, static_cast<int>(h)});
        out.figures.push_back({"answers_" + std::string(question.id), text, (words.right[h] + shapes.right[h]) / 2, head});
        out.figures.push_back({"answers_" + std::string(question.id) + "_head_off", text,
                               (words.right_off[h] + shapes.right_off[h]) / 2, head});
    }
    out.sets = measured_questions(weights, sentences, settings);
    return out;
}

std::string table(const TaskOptions& options, const std::vector<Weight>& weights) {
    const auto one = [&](Unseen unseen, bool causal) {
        return figures_table(measure_questions(weights, kMeasureSeed, unseen, kMeasuredSentences, causal, questions_of(options)));
    };
    return "On sentences with unseen words:\n" + one(Unseen::Words, false) + "\nOn sentences of unseen shapes:\n" +
           one(Unseen::Shapes, false) + "\nOn sentences with unseen words, under a causal mask:\n" + one(Unseen::Words, true);
}

}  // namespace

extern const Task row;
const Task row = {
    .id = kQuestionsTask,
    .name = {"Four questions", "四个问题"},
    .about = {"One layer of four heads; each is asked one question about sentences of a small grammar in English and "
              "Chinese, and only its answer is marked, never where it looks.",
              "一层四个头；用一个英汉小语法造出的句子训练，每个头只被问一个问题，只批改答案，从不规定它看哪里。"},
    .look_for = {"Each head's weight gathers on the word that answers its question.", "每个头的权重会聚到能回答它的问题的词上。"},
    .sizes = kSizes,
    .course = course,
    .model = model,
    .examples = kExamples,
    .measure = measure,
    .weights = questions_weights,
    .table = table,
    .varies = [](const TaskOptions&, const Variation& variation) { return variation.id == kUnscaled || variation.id == kUnplaced; },
    .longest = [](const TaskOptions&) { return Longest{kLongestSentence, 0}; },
};

}  // namespace attn::train::task::questions
