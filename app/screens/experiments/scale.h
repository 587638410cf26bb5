#pragma once
// The sizes of models: the document's own next to published ones, counted the same way.

#include <string>
#include <vector>

#include "app/screens/experiments/model_sizes.h"
#include "core/document/document.h"

namespace app {

struct ScaledModel {
    std::string name;  ///< empty: the document's own
    double layers = 0, heads = 0, width = 0;
    double weights = 0;
    WeightCount parts{};                      ///< for a published one
    const PublishedModel* published = nullptr;
};

struct ScaleExperiment {
    std::vector<ScaledModel> models;  ///< the document's own first, then the published ones, smallest first
};
/// The number of trainable weights that this run uses; with a model, all of the model's.
double weights_of(const attn::Run& run);
ScaleExperiment make_scale(const attn::Run& run);

}  // namespace app
