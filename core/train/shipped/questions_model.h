#pragma once
// The trained layer of questions as what others read: a model, a document, a table.

#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.h"
#include "core/train/shipped/questions.h"

namespace attn::train {

/// The task's id, in config.json and on the command line.
inline constexpr std::string_view kQuestionsTask = "questions";
/// Where figures are measured: so many sentences of this seed.
inline constexpr std::uint64_t kMeasureSeed = 99;
inline constexpr int kMeasuredSentences = 600;

/// The layer, what each head was asked, how it was trained, and what was measured on unseen words and unseen shapes;
/// `figures` false: nothing is measured.
Model questions_model(std::string name, const QuestionOptions& options, const std::vector<Weight>& weights,
                      bool figures = true);
/// Of a model that says it was trained on these questions: its weights as the course names them, to be measured again.
/// Error: it was trained on something else, or lacks a tensor.
Result<std::vector<Weight>> questions_weights(const Model& model);

/// What is measured on unseen words and on unseen shapes, as a model records it.
std::vector<MeasuredSet> measured_questions(const std::vector<Weight>& weights, int sentences, const QuestionOptions& options = {});

/// A table for people: each relation's share of weight on its own head beside chance, and each question's answers with
/// its head and without.
std::string figures_table(const HeadFigures& figures);

}  // namespace attn::train
