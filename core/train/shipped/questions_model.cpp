#include "core/train/shipped/questions_model.h"

#include <fmt/format.h>

#include <cmath>

#include "core/text/meaning.h"

namespace attn::train {
namespace {

MeasuredSet measured_set(std::string id, const HeadFigures& figures) {
    MeasuredSet out{std::move(id), {}};
    const auto add = [&](std::string key, double value) { out.figures.emplace_back(std::move(key), three_digits(value)); };
    for (const HeadFigures::Row& row : figures.rows)
        if (row.count > 0) add(std::string(relation_id(row.relation)), row.share);
    add("previous", figures.previous);
    for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
        add("answers_" + std::string(questions()[h].id), figures.right[h]);
        add("answers_" + std::string(questions()[h].id) + "_head_off", figures.right_off[h]);
    }
    return out;
}

JsonValue text_value(std::string text) {
    JsonValue out;
    out.kind = JsonKind::String;
    out.string = std::move(text);
    return out;
}
JsonValue count_value(int count) {
    JsonValue out;
    out.kind = JsonKind::Number;
    out.is_integer = true;
    out.integer = count;
    out.number = count;
    out.number32 = static_cast<float>(count);
    return out;
}

std::vector<std::string> column_names(bool placed) {
    std::vector<std::string> out(meaning_features().begin(), meaning_features().end());
    for (const float length : questions_waves().wavelengths)
        for (const char* wave : {"sin", "cos"})
            out.push_back(placed ? fmt::format("{}{}", wave, length) : std::to_string(out.size() + 1));
    return out;
}

}  // namespace

Model questions_model(std::string name, const QuestionOptions& options, const std::vector<Weight>& weights, bool figures) {
    Model model;
    model.name = std::move(name);
    model.about = {"One layer of four heads over the table of meanings. Each head was asked one question about sentences of a "
                   "small grammar in English and Chinese; its answers were marked, never where it looks. Words without an "
                   "answer are asked for themselves.",
                   "一层四个头，建立在词义表之上。用一个英汉小语法造出的句子训练：每个头只被问一个问题，"
                   "只批改答案，从不规定它看哪里。没有答案的词，问的就是它自己。"};
    model.settings = {{"tokenizer", text_value("words")}, {"variant", text_value("multi_head")}, {"heads", count_value(kQuestionsHeads)}, {"position", text_value(options.placed ? "learned" : "none")}};
    if (!options.scaled) model.settings.emplace_back("score", text_value("dot"));
    model.columns = column_names(options.placed);
    if (options.placed) model.waves = questions_waves();
    model.other_words = true;
    for (const std::string_view word : meaning_words()) model.words.emplace_back(word);
    for (std::size_t i = 0; i < model.words.size(); ++i) model.rows.emplace(model.words[i], static_cast<int>(i));
    model.embeddings = questions_vectors(model.words);
    for (const Weight& weight : weights)
        if (weight.name != kAnswerScale) model.weights.emplace(weight.name, weight.value);
    for (const Question& question : questions())
        model.questions.push_back({std::string(question.id), {std::string(question.english), std::string(question.chinese)}});
    model.training = ModelTraining{std::string(kQuestionsTask), options.seed, options.first_steps + options.second_steps, options.batch};
    if (!figures) return model;
    const HeadFigures words = measure_questions(weights, kMeasureSeed, Unseen::Words, kMeasuredSentences, false, options);
    const HeadFigures shapes = measure_questions(weights, kMeasureSeed, Unseen::Shapes, kMeasuredSentences, false, options);
    model.measured = {measured_set("unseen_words", words), measured_set("unseen_shapes", shapes)};
    for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
        Surety both = words.sure[h];
        both.add(shapes.sure[h]);
        model.questions[h].sure = both.rows();
    }
    return model;
}

std::vector<MeasuredSet> measured_questions(const std::vector<Weight>& weights, int sentences, const QuestionOptions& options) {
    const auto set = [&](std::string id, Unseen unseen) {
        return measured_set(std::move(id), measure_questions(weights, kMeasureSeed, unseen, sentences, false, options));
    };
    return {set("unseen_words", Unseen::Words), set("unseen_shapes", Unseen::Shapes)};
}

Result<std::vector<Weight>> questions_weights(const Model& model) {
    if (!model.training || model.training->task != kQuestionsTask)
        return Error{fmt::format("the model \"{}\" was not trained on these questions", model.name), "", "", 0};
    std::vector<Weight> out;
    for (const char* name : {"query_weight", "key_weight", "value_weight", "output_weight"}) {
        const std::optional<FrozenMatrix> tensor = model.matrix(name);
        if (!tensor || tensor->rows() != kQuestionsWidth || tensor->cols() != kQuestionsWidth)
            return Error{fmt::format("it must be {} × {}", kQuestionsWidth, kQuestionsWidth), model.name, name, 0};
        out.push_back({name, tensor->matrix(), 0});
    }
    return out;
}

std::string figures_table(const HeadFigures& figures) {
    std::string out = fmt::format("{:<22}{:<10}{:>8}{:>8}\n", "relation", "head", "share", "chance");
    for (const HeadFigures::Row& row : figures.rows)
        if (row.count > 0)
            out += fmt::format("{:<22}{:<10}{:>8.2f}{:>8.2f}\n", relation_id(row.relation),
                               questions()[static_cast<std::size_t>(row.head)].id, row.share, row.chance);
    out += fmt::format("{:<22}{:<10}{:>8.2f}\n\n", "word before", questions().back().id, figures.previous);
    out += fmt::format("{:<10}{:>8}{:>10}{:>10}  asked\n", "head", "right", "head off", "resting");
    for (std::size_t h = 0; h < kQuestionsHeads; ++h)
        out += fmt::format("{:<10}{:>8.2f}{:>10.2f}{:>10.2f}  {}\n", questions()[h].id, figures.right[h], figures.right_off[h],
                           figures.resting[h], questions()[h].english);
    return out;
}

}  // namespace attn::train
