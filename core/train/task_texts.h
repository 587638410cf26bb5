#pragma once
// Tasks that are trained on texts from packages, as a table next to that of the tasks: what they need, and what works
// without it. A row is in its task's file.

#include <string>
#include <string_view>
#include <vector>

#include "core/train/tasks.h"

namespace attn::train {

/// Texts are read in windows of this many tokens.
inline constexpr int kLanguageContext = 64;

struct TaskTexts {
    std::string_view task;
    /// Debian packages that these options (complete) need and that are not installed. If one is missing, only functions
    /// of the task that need nothing but a model may be called: its weights, and untrained() here.
    std::vector<std::string> (*missing)(const TaskOptions&) = nullptr;
    /// A model of the task before its first step, with the trained model's vocabulary.
    Result<Model> (*untrained)(const Model& trained) = nullptr;
};

/// Null: the task needs no texts.
const TaskTexts* texts_of(const Task& task);
/// The packages that must be installed before the task can be trained with these options (complete).
std::vector<std::string> missing(const Task& task, const TaskOptions& options);
/// The first of the task's sizes that needs no other package; null: every size needs one.
const TaskSize* size_without_packages(const Task& task);

}  // namespace attn::train
