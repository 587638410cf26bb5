#pragma once
// What the chosen training lacks on this machine.

#include <string>
#include <vector>

#include "app/screens/training/training.h"

namespace app {

/// The packages whose texts the chosen size needs and does not find. options_of() then takes a size that needs none.
std::vector<std::string> missing_texts(const TrainingLook& look);

}  // namespace app
