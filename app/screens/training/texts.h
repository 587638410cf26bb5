#pragma once
// What the chosen training needs that is missing on this machine.

#include <string>
#include <vector>

#include "app/screens/training/training.h"

namespace app {

/// The packages with texts that the chosen size needs and that are not installed. options_of() then uses a size that
/// needs none.
std::vector<std::string> missing_texts(const TrainingLook& look);

}  // namespace app
