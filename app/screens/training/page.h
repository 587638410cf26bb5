#pragma once
// Trainings of chapters: what their expressions see of one, and a page's own, trained at once.

#include <optional>

#include "app/chapters/format/expression.h"
#include "app/screens/training/data.h"
#include "app/screens/training/training.h"

namespace app {

/// Of the snapshot that is shown; none: nothing has been trained or measured yet.
std::optional<TrainedNow> trained_now(const TrainingData& data);

/// Takes the steps that a page asks for (TrainingLook::until) and waits for them: for checks, which show no window.
/// Nothing where the task is none of the program's, or more than kMostPageSteps are asked for.
std::optional<TrainedNow> train_for_page(const TrainingLook& look);

/// A page is there at once: the largest training that one may ask for. 400 steps of the smaller tasks take a second.
inline constexpr std::int64_t kMostPageSteps = 400;

}  // namespace app
