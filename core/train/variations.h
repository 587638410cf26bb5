#pragma once
// Variations of a task: the same course on the same seed with one thing other, to see what that thing does. A table: what
// a row changes in the form's settings, where it applies, and a sentence on it.

#include <span>
#include <string>
#include <string_view>

#include "core/base/catalogue.h"
#include "core/train/form.h"
#include "core/train/tasks.h"

namespace attn::train {

struct Variation {
    std::string_view id;  ///< "unscaled"
    TaskText name;        ///< "without scaling"
    TaskText about;       ///< what it changes, in a sentence
    /// Whether there is anything to change in a form of these settings.
    bool (*applies)(const FormTask&) = nullptr;
    /// What is written over the settings, as JSON; a null takes a field away.
    std::string (*changes)(const FormTask&) = nullptr;
    TaskText otherwise = {};  ///< why a task has it not, in a few words
    /// Measured as the task is, without the change: a model that could look ahead while it trained cannot where it goes on.
    bool measured_unchanged = false;
    bool one_matrix = false;  ///< queries and keys are made by the same one
};

Catalogue<Variation>& variation_catalogue();
std::span<const Variation> variations();
const Variation* find_variation(std::string_view id);

/// Whether the task has this variation with these options (complete).
bool applies(const Task& task, const TaskOptions& options, const Variation& variation);
/// The variation that a model or options name; null: none.
inline const Variation* variation_of(const TaskOptions& options) { return find_variation(options.variation); }

}  // namespace attn::train
