#pragma once
// Tasks that are trained on texts of other packages, as a table beside that of the tasks: what they need, and what of them
// works without. A row stands in the file of its task.

#include <string>
#include <string_view>
#include <vector>

#include "core/train/tasks.h"

namespace attn::train {

struct TaskTexts {
    std::string_view task;
    /// Debian's packages that these options (complete) need and that are not installed. Where one is missing, of the task
    /// only what asks for nothing but a model may be called: its weights, and untrained() here.
    std::vector<std::string> (*missing)(const TaskOptions&) = nullptr;
    /// A model of the task before its first step, by its own vocabulary.
    Result<Model> (*untrained)(const Model& trained) = nullptr;
};

/// Null: the task needs no texts.
const TaskTexts* texts_of(const Task& task);
/// The packages that must be installed before the task can be trained with these options (complete).
std::vector<std::string> missing(const Task& task, const TaskOptions& options);
/// The first of the task's sizes that needs nothing more; null: each does.
const TaskSize* size_without_packages(const Task& task);

}  // namespace attn::train
