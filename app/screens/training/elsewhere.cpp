#include "app/screens/training/elsewhere.h"

namespace app {

std::unique_ptr<TrainingElsewhere> training_elsewhere() { return nullptr; }

}  // namespace app
