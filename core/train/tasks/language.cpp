// A small language model of English and Chinese that predicts the next token.
#include <fmt/format.h>

#include <array>
#include <cassert>

#include "core/io/json.h"
#include "core/tokenizers/tokenizer_model.h"
#include "core/train/drills.h"
#include "core/train/shipped/language.h"
#include "core/train/task_texts.h"

namespace attn::train::task::language {

extern const Task row;
extern const TaskTexts texts;

namespace {

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 4950, 0.004f, 32, 128, 4, 4},
    TaskSize{kGrammarSize, {"own grammar alone", "只用自带语法"}, 1200, 0.006f, 16, 64, 4, 2},
};
constexpr std::array kExamples = {
    TaskExample{"beginning", "In the beginning God created the", "", {"What comes next?", "接下来是什么？"}},
    TaskExample{"moon", "床前明月", "", {"The next character of a poem", "诗的下一个字"}},
    TaskExample{"cat", "The tired cat sat", "", {"What comes next?", "接下来是什么？"}},
};

/// Requires that no package is missing.
const LanguageTexts& texts_of(const TaskSize& size) {
    const auto read = language_texts(size);
    assert(read);
    return **read;
}

std::vector<std::string> missing_for(const TaskOptions& options) {
    return chosen_size(kSizes, options).id == kGrammarSize ? std::vector<std::string>{} : missing_packages();
}

Course course(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    return language_course(size, texts_of(size), options);
}

Model model(std::string name, const TaskOptions& options, const std::vector<Weight>& weights) {
    const TaskSize& size = chosen_size(kSizes, options);
    const LanguageTexts& read = texts_of(size);
    Model out = language_model(size, read.corpus->tokenizer, weights);
    out.name = std::move(name);
    out.about = {std::string(row.about.english), std::string(row.about.chinese)};
    out.training = ModelTraining{std::string(row.id), options.seed, options.steps, options.batch, options.size};
    if (options.figures) out.measured = language_measure(size, read, weights, 0).sets;
    return out;
}

TaskMeasure measure(const TaskOptions& options, const std::vector<Weight>& weights, int examples) {
    const TaskSize& size = chosen_size(kSizes, options);
    return language_measure(size, texts_of(size), weights, examples);
}

std::string table(const TaskOptions& options, const std::vector<Weight>& weights) {
    return language_table(measure(options, weights, 0));
}

Result<std::vector<Weight>> weights_of(const Model& model) {
    if (!model.tokenizer) return Error{"it has no tokenizer; a language model of this program has one", model.name, "", 0};
    const FormTask form = language_form(chosen_size(kSizes, options_of(row, model)), static_cast<int>(model.embeddings.rows()), nullptr);
    std::vector<Weight> out = TrainedForm::make(form, 1)->weights(0);
    for (Weight& weight : out) {
        const bool first = &weight == &out.front();
        const std::optional<FrozenMatrix> tensor = first ? std::optional(model.word_vectors()) : model.matrix(weight.name);
        if (!tensor || tensor->rows() != weight.value.rows() || tensor->cols() != weight.value.cols())
            return Error{fmt::format("it must be {} × {}", weight.value.rows(), weight.value.cols()), model.name, weight.name, 0};
        weight.value = tensor->matrix();
    }
    return out;
}

/// Uses the trained model's vocabulary, so no text is read.
Result<Model> untrained(const Model& trained) {
    if (!trained.tokenizer || trained.tokenizer->file().empty()) return Error{"it has no tokenizer; a language model of this program has one", trained.name, "", 0};
    const TaskOptions options = options_of(row, trained);
    const TaskSize& size = chosen_size(kSizes, options);
    const FormTask form = language_form(size, static_cast<int>(trained.embeddings.rows()), nullptr);
    Model out = language_model(size, trained.tokenizer, TrainedForm::make(form, 1)->weights(options.seed));
    out.training = trained.training;
    return out;
}

}  // namespace

constinit const Task row = {
    .id = "language",
    .name = {"Language", "语言模型"},
    .about = {"Continues any English or Chinese text with what may come next. It has read some ten million tokens: "
              "dictionary definitions, the King James Bible, classical poems and sentences of the program's own grammar. "
              "It finishes words and phrases in their manner and has some of the poems by heart; but it knows nothing of "
              "the world, soon loses the thread, and guesses a poem that it never saw worse than counting characters does.",
              "能接着任何中英文文本往下写。它只读过约一千万个词元：词典释义、英王钦定本《圣经》、古诗，以及程序自带语法造的句子。它"
              "会照这些文字的样子补全词语和短语，也背得出其中一些诗；但它不懂世事，写长了就前言不搭后语，没读过的诗猜得还不如只数字"
              "频准。"},
    .look_for = {"First the most frequent pieces, then words that are whole, then phrases; a head that looks at the token before "
                 "comes early.",
                 "先学会最常见的片段，再写得出完整的词，然后是短语；看前一个词元的头很早就出现。"},
    .sizes = kSizes,
    .course = course,
    .model = model,
    .examples = kExamples,
    .measure = measure,
    .weights = weights_of,
    .table = table,
};

constinit const TaskTexts texts = {.task = "language", .missing = missing_for, .untrained = untrained};

}  // namespace attn::train::task::language
