#pragma once
// Exports the trained layer of questions: a model, a document, a table.

#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.h"
#include "core/train/shipped/questions.h"

namespace attn::train {

/// The task's id, in config.json and on the command line.
inline constexpr std::string_view kQuestionsTask = "questions";
/// Seed and number of the sentences used for measuring.
inline constexpr std::uint64_t kMeasureSeed = 99;
inline constexpr int kMeasuredSentences = 600;

/// The layer, each head's question, how it was trained, and measurements on held-out words and shapes; `figures` false:
/// without measurements.
Model questions_model(std::string name, const QuestionOptions& options, const std::vector<Weight>& weights,
                      bool figures = true);
/// The weights of a model that records training on these questions, with the course's names, to be measured again.
/// Error: it was trained on something else, or lacks a tensor.
Result<std::vector<Weight>> questions_weights(const Model& model);

/// The measurements on held-out words and shapes, as a model records them.
std::vector<MeasuredSet> measured_questions(const std::vector<Weight>& weights, int sentences, const QuestionOptions& options = {});

/// A table for people: each relation's weight on its own head next to chance, and the right answers to each question
/// with its head and without.
std::string figures_table(const HeadFigures& figures);

}  // namespace attn::train
