#pragma once
// How large models are: the document's own beside published ones, counted alike.

#include <string>
#include <vector>

#include "app/screens/experiments/model_sizes.h"
#include "core/document/document.h"

namespace app {

struct ScaledModel {
    std::string name;  ///< empty: the document's own
    double layers = 0, heads = 0, width = 0;
    double weights = 0;
    WeightCount parts{};                      ///< of a published one
    const PublishedModel* published = nullptr;
};

struct ScaleExperiment {
    std::vector<ScaledModel> models;  ///< the document's own first, then the published ones, the smallest first
};
/// The numbers that this run multiplies with and that a training can change: of a model all that it has.
double weights_of(const attn::Run& run);
ScaleExperiment make_scale(const attn::Run& run);

}  // namespace app
