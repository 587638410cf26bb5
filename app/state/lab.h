#pragma once
// What the lab's pages show, computed here and never in a view. Remade when the page, its dials or the run change.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/lab_paths.h"
#include "core/cache.h"
#include "core/document.h"
#include "core/scene.h"
#include "core/study/distance.h"
#include "core/study/draws.h"
#include "core/study/layer_cost.h"
#include "core/study/scaling.h"

namespace app {

inline constexpr int kWidestStudy = 512;

/// √d: measured over all widths, and the spread of the scores at the chosen one.
struct ScalingLab {
    attn::ScalingStudy study;
    std::uint64_t seed = 0;  ///< of its draws
    int width = 0;
    std::vector<double> plain, scaled;  ///< shares of the scores in equal parts of −reach … reach
    double reach = 0;
};

/// One line of the bill: all steps of one role together.
struct CostRow {
    attn::Role role;
    int steps = 0;
    double multiply_adds = 0, bytes = 0;
};

struct CostLab {
    std::vector<CostRow> rows;  ///< the dearest first
    double multiply_adds = 0, bytes = 0;
    attn::LayerSize size;
    std::vector<double> lengths;            ///< n of the curves
    std::vector<std::vector<double>> work;  ///< one curve for each of layer_kinds()
};

struct PositionLab {
    attn::Matrix encoding;  ///< n×d, of positions that are added
    std::vector<attn::DistanceLine> lines;
    int reach = 0;
};

/// What a word makes of the scene: a weight for each region, the gate, how much each region got in all.
struct SceneLab {
    attn::Scene scene;
    attn::StepId weights = attn::kNoStep, drawn = attn::kNoStep, gate = attn::kNoStep, coverage = attn::kNoStep,
                 penalty = attn::kNoStep;
};

struct LabData {
    int revision = 0;        ///< changes whenever anything of it does
    bool computing = false;  ///< something newer is on its way
    ScalingLab scaling;
    CostLab cost;
    PositionLab position;
    attn::DrawStudy draws;
    SceneLab scene;
    std::vector<attn::CachedPass> cache;
    PathsLab paths;
};

/// The pages, in the order of the switch, and whether a document has what a page is about.
struct LabTopic {
    std::string_view id;
    bool (*applies)(const attn::Document&);
};
std::span<const LabTopic> lab_topics();
bool lab_applies(std::string_view page, const attn::Document& document);
/// The page asked for, where it applies; else the first that does; "" where none does.
std::string_view shown_lab_page(std::string_view asked, const attn::Document& document);

/// What a page is made from: nothing else may change it.
struct LabInput {
    std::string_view page;
    const attn::Run& run;
    const attn::Document& document;
    int head = attn::kNoHead;
    int row = 0;  ///< of the query that is looked at
    int study_width = 64;
    std::uint64_t study_seed = 1;
    PathsLook paths = {};
    std::stop_token stop = {};
};
/// Fills in the part of `lab` that the page shows; the others keep what they have.
void make_lab(const LabInput& in, LabData& lab);

}  // namespace app
