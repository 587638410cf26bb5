// Converts a trained form to a model, and back.
#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "core/io/json.h"
#include "core/text/meaning.h"
#include "core/train/form.h"
#include "core/train/variations.h"

namespace attn::train {

Model form_model(const Task& row, const FormTask& task, std::string name, const TaskOptions& options,
                 const std::vector<Weight>& weights) {
    Model model;
    model.name = std::move(name);
    model.about = {std::string(row.about.english), std::string(row.about.chinese)};
    if (const Variation* variation = variation_of(options)) {
        model.about.english += fmt::format(" Here {}: {}", variation->name.english, variation->about.english);
        model.about.chinese += fmt::format("这里{}：{}", variation->name.chinese, variation->about.chinese);
    }
    for (const JsonMember& one : settings_in(task)) model.settings.emplace_back(one.key, one.value);
    model.words = task.words;
    for (std::size_t i = 0; i < model.words.size(); ++i) model.rows.emplace(model.words[i], static_cast<int>(i));
    model.embeddings = Matrix(weights.front().value);
    model.other_words = task.by_meaning;
    if (task.by_meaning) {
        model.columns.assign(meaning_features().begin(), meaning_features().end());
        for (int column = kMeaningWidth; column < task.width; ++column) model.columns.push_back(std::to_string(column + 1));
    }
    for (std::size_t w = 1; w < weights.size(); ++w) model.weights.emplace(weights[w].name, weights[w].value);
    model.training = ModelTraining{std::string(row.id), options.seed, options.steps, options.batch, options.size, options.variation};
    if (!options.figures) return model;
    TaskMeasure measured = form_measure(task, weights, 0);
    model.measured = std::move(measured.sets);
    if (task.by_meaning) model.sure = std::move(measured.sure);
    return model;
}

Result<std::vector<Weight>> form_weights(const FormTask& task, const Model& model) {
    std::vector<Weight> out = TrainedForm::make(task, 1)->weights(0);
    if (model.words != task.words) return Error{"its vocabulary is not this task's", model.name, "", 0};
    for (Weight& weight : out) {
        const bool first = &weight == &out.front();
        const std::optional<FrozenMatrix> tensor = first ? std::optional(model.embeddings) : model.matrix(weight.name);
        if (!tensor || tensor->rows() != weight.value.rows() || tensor->cols() != weight.value.cols())
            return Error{fmt::format("it must be {} × {}", weight.value.rows(), weight.value.cols()), model.name, weight.name, 0};
        weight.value = tensor->matrix();
    }
    return out;
}

}  // namespace attn::train
