#pragma once
// The data of the experiments' pages, computed here and never in a view. Recomputed when the page, its controls or the
// run change.

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

/// √d: the spread of the scores measured over all widths, and their distribution at the chosen one.
struct ScalingExperiment {
    attn::ScalingRuns course;
    std::uint64_t seed = 0;  ///< of its random draws
    int width = 0;
    std::vector<double> plain, scaled;  ///< histogram of the scores: shares in equal bins of −reach … reach
    double reach = 0;
};

/// The columns that change most from row to row, at most `most`, in ascending order.
std::vector<int> features_that_change(const attn::Matrix& encoding, int most);

/// One line of the cost table: all steps of one role together.
struct CostRow {
    attn::Role role;
    int steps = 0, working = 0;  ///< all, and those that multiply or add: not parts cut out of a product
    int products() const { return working > 0 ? working : steps; }
    double multiply_adds = 0, bytes = 0;
};

struct CostExperiment {
    std::vector<CostRow> rows;  ///< the most expensive first
    double multiply_adds = 0, bytes = 0;
    attn::LayerSize size;
    std::vector<double> lengths;            ///< n along the curves
    std::vector<std::vector<double>> work;  ///< one curve for each of layer_kinds()
};

struct PositionExperiment {
    attn::Matrix encoding;  ///< n×d, of positions that are added
    std::vector<attn::DistanceLine> lines;
    int reach = 0;
};

/// What a word makes of the scene: a weight for each region, the gate, the total that each region received.
struct SceneExperiment {
    attn::Scene scene;
    attn::StepId weights = attn::kNoStep, drawn = attn::kNoStep, gate = attn::kNoStep, coverage = attn::kNoStep,
                 penalty = attn::kNoStep;
};

struct ExperimentData {
    int revision = 0;        ///< changes whenever any of it does
    bool computing = false;  ///< newer data is being computed
    ScalingExperiment scaling;
    CostExperiment cost;
    PositionExperiment position;
    attn::DrawCourse draws;
    int draws_row = 0;       ///< the row that `draws` is of
    SceneExperiment scene;
    std::vector<attn::CachedPass> cache;
    PathsExperiment paths;
    ScaleExperiment scale;
};

/// The pages, in the order of the switch, and whether a document has what a page needs.
struct ExperimentTopic {
    std::string_view id;
    bool (*applies)(const attn::Document&);
};
std::span<const ExperimentTopic> experiment_topics();
bool experiment_applies(std::string_view page, const attn::Document& document);
/// The requested page if it applies, else the first that does; "" if none does.
std::string_view shown_experiment_page(std::string_view requested, const attn::Document& document);

/// All that a page depends on.
struct ExperimentInput {
    std::string_view page;
    const attn::Run& run;
    const attn::Document& document;
    int head = attn::kNoHead;
    int row = 0;  ///< the query that is shown
    int scaling_width = 64;
    std::uint64_t scaling_seed = 1;
    PathsLook paths = {};
    std::stop_token stop = {};
};
/// Fills in the part of `experiments` for the shown page; the other parts are left alone.
void make_experiments(const ExperimentInput& in, ExperimentData& experiments);

}  // namespace app
