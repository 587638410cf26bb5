#pragma once
// Variations of a task: the same course and seed with one change, to see its effect. A table: what a row changes in the
// form's settings, where it applies, and a sentence about it.

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
    /// Whether a form with these settings has anything to change.
    bool (*applies)(const FormTask&) = nullptr;
    /// The overrides of the settings, as JSON; null removes a field.
    std::string (*changes)(const FormTask&) = nullptr;
    TaskText otherwise = {};  ///< why a task does not have it, in a few words
    /// Measured without the change: a model that saw later tokens during training cannot see them when it generates.
    bool measured_unchanged = false;
};

Catalogue<Variation>& variation_catalogue();
std::span<const Variation> variations();
const Variation* find_variation(std::string_view id);

/// Whether the task has this variation with these options (complete).
bool applies(const Task& task, const TaskOptions& options, const Variation& variation);
/// The variation that a model or options name; null: none.
inline const Variation* variation_of(const TaskOptions& options) { return find_variation(options.variation); }

}  // namespace attn::train
