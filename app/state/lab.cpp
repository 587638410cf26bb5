#include "app/state/lab.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/document_origins.h"
#include "core/measure.h"
#include "core/parts/position.h"
#include "core/parts/rows.h"

namespace app {
namespace {

using attn::kNoStep;
using attn::Role;
using attn::StepId;
using attn::Tag;

constexpr std::array kWidths = {1, 2, 4, 8, 16, 32, 64, 128, 256, kWidestStudy};
constexpr int kStudyKeys = 16, kStudyDraws = 200, kBins = 61;
/// Draws that are followed one by one.
constexpr int kFollowedDraws = 5000;
/// Lengths of a text that the curves of cost span.
constexpr double kLongest = 65536;
constexpr double kKernel = 3;

void make_scaling(const LabInput& in, ScalingLab& lab) {
    if (lab.width == 0 || lab.seed != in.study_seed)
        lab.study = attn::study_scaling(in.study_seed, kWidths, kStudyKeys, kStudyDraws);
    lab.seed = in.study_seed;
    lab.width = in.study_width;
    const attn::Matrix scores = attn::drawn_scores(in.study_seed, in.study_width, kStudyKeys, kStudyDraws);
    lab.reach = std::max(3.0, 3.2 * std::sqrt(static_cast<double>(in.study_width)));
    lab.plain = attn::histogram(scores, 1, -lab.reach, lab.reach, kBins);
    lab.scaled =
        attn::histogram(scores, 1.0f / std::sqrt(static_cast<float>(in.study_width)), -lab.reach, lab.reach, kBins);
}

void make_cost(const LabInput& in, CostLab& lab) {
    lab = {};
    const attn::Trace& trace = in.run.trace;
    for (StepId id = 0; id < trace.size(); ++id) {
        const attn::Cost cost = attn::cost(trace, id);
        const Role role = trace[id].tag.role;
        auto row = std::find_if(lab.rows.begin(), lab.rows.end(), [&](const CostRow& r) { return r.role == role; });
        if (row == lab.rows.end()) row = lab.rows.insert(row, {role});
        ++row->steps;
        row->multiply_adds += cost.multiply_adds;
        row->bytes += cost.bytes;
        lab.multiply_adds += cost.multiply_adds;
        lab.bytes += cost.bytes;
    }
    std::stable_sort(lab.rows.begin(), lab.rows.end(),
                     [](const CostRow& a, const CostRow& b) { return a.multiply_adds > b.multiply_adds; });
    lab.size = {static_cast<double>(std::max(in.run.inputs.n(), 1)),
                static_cast<double>(std::max(in.run.inputs.d(), 1)), kKernel, 2.0 * in.document.config.window + 1};
    for (double n = 1; n <= kLongest; n *= 2) lab.lengths.push_back(n);
    for (const attn::LayerKind& kind : attn::layer_kinds()) {
        auto& curve = lab.work.emplace_back();
        for (const double n : lab.lengths)
            curve.push_back(kind.work({n, lab.size.d, lab.size.kernel, lab.size.window}));
    }
}

void make_position(const LabInput& in, PositionLab& lab) {
    const attn::Trace& trace = in.run.trace;
    const StepId added = attn::find_id(trace, {Role::Positions});
    lab.encoding = added == kNoStep ? attn::Matrix{} : trace[added].value.matrix();
    lab.reach = std::max(in.run.inputs.n() - 1, 8);
    const StepId queries = attn::find_step(trace, "rotated_queries");
    const int width = queries == kNoStep ? in.run.inputs.d() : static_cast<int>(trace[queries].value.cols());
    lab.lines = attn::distance_lines(in.document.config.position, width, in.document.config.heads, lab.reach);
}

void make_scene(const LabInput& in, SceneLab& lab) {
    const attn::Trace& trace = in.run.trace;
    lab.scene = attn::make_scene(in.document.scene_seed);
    const auto of = [&](Role role, int head) { return attn::find_id(trace, Tag{role, head}); };
    lab.weights = of(Role::Weights, in.head);
    lab.drawn = of(Role::Drawn, in.head);
    lab.gate = of(Role::Gate, attn::kNoHead);
    lab.coverage = of(Role::Coverage, in.head);
    lab.penalty = of(Role::Penalty, in.head);
}

constexpr std::array kTopics = {
    LabTopic{"scaling", [](const attn::Document&) { return true; }},
    LabTopic{"position",
             [](const attn::Document& d) {
                 const attn::Position* rule = attn::find_position(d.config.position);
                 return rule && rule->kind != attn::PositionKind::None;
             }},
    LabTopic{"draws", [](const attn::Document& d) { return attn::rows_read(d.config, "draws"); }},
    LabTopic{"scene", [](const attn::Document& d) { return attn::shows_scene(d); }},
    LabTopic{"cache", [](const attn::Document& d) { return attn::has(attn::find_variant(d.config.variant)->uses, attn::Uses::Generate); }},
    LabTopic{"paths", [](const attn::Document&) { return true; }},
    LabTopic{"cost", [](const attn::Document&) { return true; }},
};

}  // namespace

std::span<const LabTopic> lab_topics() { return kTopics; }

bool lab_applies(std::string_view page, const attn::Document& document) {
    for (const LabTopic& topic : kTopics)
        if (topic.id == page) return topic.applies(document);
    return false;
}

std::string_view shown_lab_page(std::string_view asked, const attn::Document& document) {
    std::string_view first;
    for (const LabTopic& topic : kTopics) {
        if (!topic.applies(document)) continue;
        if (topic.id == asked) return topic.id;
        if (first.empty()) first = topic.id;
    }
    return first;
}

void make_lab(const LabInput& in, LabData& lab) {
    if (in.page == "scaling") make_scaling(in, lab.scaling);
    if (in.page == "cost") make_cost(in, lab.cost);
    if (in.page == "position") make_position(in, lab.position);
    if (in.page == "draws") lab.draws = attn::study_draws(in.run.trace, {Role::Drawn, in.head}, in.row, kFollowedDraws);
    if (in.page == "cache") lab.cache = attn::cached_passes(in.run.trace);
    if (in.page == "scene") make_scene(in, lab.scene);
    if (in.page == "paths") make_paths(in.run.trace, in.document.weight_seed, in.paths, lab.paths, in.stop);
}

}  // namespace app
