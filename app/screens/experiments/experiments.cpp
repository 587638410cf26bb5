#include "app/screens/experiments/experiments.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/attention/parts/position.h"
#include "core/attention/parts/rows.h"
#include "core/document/origins.h"
#include "core/ops/measure.h"

namespace app {
namespace {

using attn::kNoStep;
using attn::Role;
using attn::StepId;
using attn::Tag;

constexpr std::array kWidths = {1, 2, 4, 8, 16, 32, 64, 128, 256, kWidestScaling};
constexpr int kScalingKeys = 16, kScalingDraws = 200, kBins = 61;
/// Draws that are simulated one by one.
constexpr int kFollowedDraws = 5000;
/// The longest text in the curves of cost.
constexpr double kLongest = 65536;
constexpr double kKernel = 3;

void make_scaling(const ExperimentInput& in, ScalingExperiment& experiments) {
    if (experiments.width == 0 || experiments.seed != in.scaling_seed)
        experiments.course = attn::run_scaling(in.scaling_seed, kWidths, kScalingKeys, kScalingDraws);
    experiments.seed = in.scaling_seed;
    experiments.width = in.scaling_width;
    const attn::Matrix scores = attn::drawn_scores(in.scaling_seed, in.scaling_width, kScalingKeys, kScalingDraws);
    experiments.reach = std::max(3.0, 3.2 * std::sqrt(static_cast<double>(in.scaling_width)));
    experiments.plain = attn::histogram(scores, 1, -experiments.reach, experiments.reach, kBins);
    experiments.scaled =
        attn::histogram(scores, 1.0f / std::sqrt(static_cast<float>(in.scaling_width)), -experiments.reach, experiments.reach, kBins);
}

void make_cost(const ExperimentInput& in, CostExperiment& experiments) {
    experiments = {};
    const attn::Trace& trace = in.run.trace;
    for (StepId id = 0; id < trace.size() && trace[id].tag.pass == 0; ++id) {
        const attn::Cost cost = attn::cost(trace, id);
        const Role role = trace[id].tag.role;
        auto row = std::find_if(experiments.rows.begin(), experiments.rows.end(), [&](const CostRow& r) { return r.role == role; });
        if (row == experiments.rows.end()) row = experiments.rows.insert(row, {role});
        ++row->steps;
        row->working += cost.multiply_adds > 0 ? 1 : 0;
        row->multiply_adds += cost.multiply_adds;
        row->bytes += cost.bytes;
        experiments.multiply_adds += cost.multiply_adds;
        experiments.bytes += cost.bytes;
    }
    std::stable_sort(experiments.rows.begin(), experiments.rows.end(),
                     [](const CostRow& a, const CostRow& b) { return a.multiply_adds > b.multiply_adds; });
    experiments.size = {static_cast<double>(std::max(in.run.inputs.n(), 1)),
                static_cast<double>(std::max(in.run.inputs.d(), 1)), kKernel, 2.0 * in.document.config.window + 1};
    for (double n = 1; n <= kLongest; n *= 2) experiments.lengths.push_back(n);
    for (const attn::LayerKind& kind : attn::layer_kinds()) {
        auto& curve = experiments.work.emplace_back();
        for (const double n : experiments.lengths)
            curve.push_back(kind.work({n, experiments.size.d, experiments.size.kernel, experiments.size.window}));
    }
}

void make_position(const ExperimentInput& in, PositionExperiment& experiments) {
    const attn::Trace& trace = in.run.trace;
    const StepId added = attn::find_id(trace, {Role::Positions});
    experiments.encoding = added == kNoStep ? attn::Matrix{} : trace[added].value.matrix();
    experiments.reach = std::max(in.run.inputs.n() - 1, 8);
    const StepId queries = attn::find_step(trace, "rotated_queries");
    const int width = queries == kNoStep ? in.run.inputs.d() : static_cast<int>(trace[queries].value.cols());
    experiments.lines = attn::distance_lines(in.document.config.position, width, in.document.config.heads, experiments.reach);
}

void make_scene(const ExperimentInput& in, SceneExperiment& experiments) {
    const attn::Trace& trace = in.run.trace;
    experiments.scene = attn::make_scene(in.document.scene_seed);
    const auto of = [&](Role role, int head) { return attn::find_id(trace, Tag{role, head}); };
    experiments.weights = of(Role::Weights, in.head);
    experiments.drawn = of(Role::Drawn, in.head);
    experiments.gate = of(Role::Gate, attn::kNoHead);
    experiments.coverage = of(Role::Coverage, in.head);
    experiments.penalty = of(Role::Penalty, in.head);
}

constexpr std::array kTopics = {
    ExperimentTopic{"scaling", [](const attn::Document&) { return true; }},
    ExperimentTopic{"position",
             [](const attn::Document& d) {
                 const attn::Position* rule = attn::find_position(d.config.position);
                 return rule && rule->kind != attn::PositionKind::None;
             }},
    ExperimentTopic{"draws", [](const attn::Document& d) { return attn::rows_read(d.config, "draws"); }},
    ExperimentTopic{"scene", [](const attn::Document& d) { return attn::shows_scene(d); }},
    ExperimentTopic{"cache", [](const attn::Document& d) { return attn::has(attn::find_form(d.config.form)->reads, attn::Reads::Generate); }},
    ExperimentTopic{"paths", [](const attn::Document&) { return true; }},
    ExperimentTopic{"cost", [](const attn::Document&) { return true; }},
    ExperimentTopic{"scale", [](const attn::Document&) { return true; }},
};

/// The row may be one of another step, which has more of them.
void make_draws(const ExperimentInput& in, ExperimentData& experiments) {
    const Tag tag{Role::Drawn, in.head};
    const attn::Step* drawn = attn::find(in.run.trace, tag);
    experiments.draws_row = drawn ? std::min(in.row, static_cast<int>(drawn->value.rows()) - 1) : 0;
    experiments.draws = attn::scaling_draws(in.run.trace, tag, experiments.draws_row, kFollowedDraws);
}

}  // namespace

std::span<const ExperimentTopic> experiment_topics() { return kTopics; }

bool experiment_applies(std::string_view page, const attn::Document& document) {
    for (const ExperimentTopic& topic : kTopics)
        if (topic.id == page) return topic.applies(document);
    return false;
}

std::string_view shown_experiment_page(std::string_view requested, const attn::Document& document) {
    std::string_view first;
    for (const ExperimentTopic& topic : kTopics) {
        if (document.attention || !topic.applies(document)) continue;  // weights from a file: there is nothing to vary
        if (topic.id == requested) return topic.id;
        if (first.empty()) first = topic.id;
    }
    return first;
}

void make_experiments(const ExperimentInput& in, ExperimentData& experiments) {
    if (in.page == "scaling") make_scaling(in, experiments.scaling);
    if (in.page == "cost") make_cost(in, experiments.cost);
    if (in.page == "position") make_position(in, experiments.position);
    if (in.page == "draws") make_draws(in, experiments);
    if (in.page == "cache") experiments.cache = attn::cached_passes(in.run.trace);
    if (in.page == "scale") experiments.scale = make_scale(in.run);
    if (in.page == "scene") make_scene(in, experiments.scene);
    if (in.page == "paths") make_paths(in.run.trace, in.document.weight_seed, in.paths, experiments.paths, in.stop);
}

std::vector<int> features_that_change(const attn::Matrix& encoding, int most) {
    std::vector<float> change;
    for (Eigen::Index c = 0; c < encoding.cols(); ++c) {
        const auto column = encoding.col(c).array();
        change.push_back(encoding.rows() > 0 ? (column - column.mean()).square().sum() : 0.0f);
    }
    std::vector<int> order(change.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return change[static_cast<std::size_t>(a)] > change[static_cast<std::size_t>(b)]; });
    order.resize(std::min(order.size(), static_cast<std::size_t>(most)));
    std::sort(order.begin(), order.end());
    return order;
}

}  // namespace app
