#pragma once
// Training in chapters: what their expressions can see of one, and a page's own training, run at once.

#include <optional>

#include "app/chapters/format/expression.h"
#include "app/screens/training/data.h"
#include "app/screens/training/training.h"

namespace app {

/// Of the shown snapshot; none: nothing has been trained or measured yet.
std::optional<TrainedNow> trained_now(const TrainingData& data);

/// Takes the steps that a page requests (TrainingLook::until) and waits for them; for checks without a window. Nothing
/// if there is no such task, or if more than kMostPageSteps are requested.
std::optional<TrainedNow> train_for_page(const TrainingLook& look);

/// The most steps that a page may request, so that it is ready at once: 400 steps of the smaller tasks take a second.
inline constexpr std::int64_t kMostPageSteps = 400;

}  // namespace app
