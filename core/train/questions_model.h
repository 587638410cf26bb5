#pragma once
// The trained layer of questions as what others read: a model folder's files, and a document.

#include <string>
#include <vector>

#include "core/document.h"
#include "core/train/questions.h"

namespace attn::train {

/// config.json of the folder: what the layer is, what each head was asked, how it was trained and what was measured.
std::string questions_config(const QuestionOptions& options, const HeadFigures& unseen_words, const HeadFigures& unseen_shapes);
/// model.safetensors of the folder: query_weight, key_weight, value_weight, output_weight (16 × 16 each), answer_scale.
std::string questions_tensors(const std::vector<Weight>& weights);
/// A sentence in front of this layer: its vectors and positions as X, the four weights as W_Q, W_K, W_V and W_O.
Document questions_document(const std::vector<Weight>& weights, const std::vector<std::string>& tokens);

/// A table for people: each relation's share of weight on its own head beside chance, and each question's answers with
/// its head and without.
std::string figures_table(const HeadFigures& figures);

}  // namespace attn::train
