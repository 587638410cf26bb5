#pragma once
// What the experiments' pages show, computed here and never in a view. Remade when the page, its dials or the run change.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/screens/experiments/paths.h"
#include "app/screens/experiments/scale.h"
#include "core/analysis/cache.h"
#include "core/analysis/distance.h"
#include "core/analysis/draws.h"
#include "core/analysis/layer_cost.h"
#include "core/analysis/scaling.h"
#include "core/document/document.h"
#include "core/document/scene.h"

namespace app {

inline constexpr int kWidestScaling = 512;

/// √d: measured over all widths, and the spread of the scores at the chosen one.
struct ScalingExperiment {
    attn::ScalingRuns course;
    std::uint64_t seed = 0;  ///< of its draws
    int width = 0;
    std::vector<double> plain, scaled;  ///< shares of the scores in equal parts of −reach … reach
    double reach = 0;
};

/// One line of the bill: all steps of one role together.
/// Of the columns those that change most from row to row, at most so many, in their order.
std::vector<int> features_that_change(const attn::Matrix& encoding, int most);

struct CostRow {
    attn::Role role;
    int steps = 0, working = 0;  ///< all of them, and those that multiply or add: a part that is cut out of a product is no product
    int products() const { return working > 0 ? working : steps; }
    double multiply_adds = 0, bytes = 0;
};

struct CostExperiment {
    std::vector<CostRow> rows;  ///< the dearest first
    double multiply_adds = 0, bytes = 0;
    attn::LayerSize size;
    std::vector<double> lengths;            ///< n of the curves
    std::vector<std::vector<double>> work;  ///< one curve for each of layer_kinds()
};

struct PositionExperiment {
    attn::Matrix encoding;  ///< n×d, of positions that are added
    std::vector<attn::DistanceLine> lines;
    int reach = 0;
};

/// What a word makes of the scene: a weight for each region, the gate, how much each region got in all.
struct SceneExperiment {
    attn::Scene scene;
    attn::StepId weights = attn::kNoStep, drawn = attn::kNoStep, gate = attn::kNoStep, coverage = attn::kNoStep,
                 penalty = attn::kNoStep;
};

struct ExperimentData {
    int revision = 0;        ///< changes whenever anything of it does
    bool computing = false;  ///< something newer is on its way
    ScalingExperiment scaling;
    CostExperiment cost;
    PositionExperiment position;
    attn::DrawCourse draws;
    SceneExperiment scene;
    std::vector<attn::CachedPass> cache;
    PathsExperiment paths;
    ScaleExperiment scale;
};

/// The pages, in the order of the switch, and whether a document has what a page is about.
struct ExperimentTopic {
    std::string_view id;
    bool (*applies)(const attn::Document&);
};
std::span<const ExperimentTopic> experiment_topics();
bool experiment_applies(std::string_view page, const attn::Document& document);
/// The page asked for, where it applies; else the first that does; "" where none does.
std::string_view shown_experiment_page(std::string_view asked, const attn::Document& document);

/// What a page is made from: nothing else may change it.
struct ExperimentInput {
    std::string_view page;
    const attn::Run& run;
    const attn::Document& document;
    int head = attn::kNoHead;
    int row = 0;  ///< of the query that is looked at
    int scaling_width = 64;
    std::uint64_t scaling_seed = 1;
    PathsLook paths = {};
    std::stop_token stop = {};
};
/// Fills in the part of `data` that the page shows; the others keep what they have.
void make_experiments(const ExperimentInput& in, ExperimentData& experiments);

}  // namespace app
