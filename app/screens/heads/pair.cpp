// One query against the keys: its scores taken apart, and the plane of its vectors.

#include <algorithm>
#include <cmath>

#include "app/explain/inspection_parts.h"
#include "app/screens/heads/parts.h"
#include "app/state/edits.h"
#include "core/analysis/projection.h"
#include "core/analysis/telling.h"

namespace app {
namespace {

using attn::Cell;
using attn::kNoStep;
using attn::Op;
using attn::StepId;
using attn::Trace;

/// Overwritten numbers are rounded to hundredths, as the cells show them.
constexpr double kGrain = 100;

QueryKey looked_at(const Trace& trace, const LookedAt& cells, const HeadsData& data) {
    for (const auto& cell : {cells.now, cells.rest})
        if (const auto found = cell ? query_key_of(trace, data.map(), *cell) : std::nullopt) return *found;
    return first_pair(trace, data);
}

float magnitude(const std::vector<float>& values) {
    float most = 0;
    for (const float v : values)
        if (std::isfinite(v)) most = std::max(most, std::abs(v));
    return most;
}

/// Whether all keys share one operand.
bool shared(const std::vector<NeuronRow>& rows, std::vector<Cell> attn::FeatureProducts::*cells) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const NeuronRow& row) { return (*row.products).*cells == (*rows[0].products).*cells; });
}

/// The step with the keys as rows, if the product reads it transposed.
StepId rows_of_keys(const Trace& trace, StepId right) {
    return trace[right].op == Op::Transpose ? trace[right].inputs[0] : kNoStep;
}

attn::Matrix both(const Trace& trace, const PlaneData& p, std::string_view shown) {
    const attn::Matrix &q = trace[p.queries].value, &k = trace[p.keys].value;
    attn::Matrix out;
    if (shown == "all") {
        out.resize(q.rows() + k.rows(), q.cols());
        out << q, k;
    } else {
        out.resize(2, q.cols());
        out << q.row(p.query), k.row(p.key);
    }
    return out;
}

attn::Plane plane_of(const attn::Matrix& vectors, int first, int second) {
    const auto d = static_cast<int>(vectors.cols());
    const bool features = first >= 0 && second >= 0 && first < d && second < d && first != second;
    return features ? attn::feature_plane(vectors, first, second) : attn::best_plane(vectors);
}

std::vector<attn::PlanePoint> tips(const attn::Plane& plane, const attn::Matrix& vectors) {
    std::vector<attn::PlanePoint> out;
    for (Eigen::Index r = 0; r < vectors.rows(); ++r) out.push_back(attn::in_plane(plane, vectors.row(r)));
    return out;
}

PlaneData::Side side_of(const Trace& trace, const HeadsChoice& choice, StepId vectors) {
    PlaneData::Side side;
    const auto map = attn::linear_map_behind(trace, vectors);
    if (!map) return side;
    const attn::Matrix &in = trace[map->input].value, &out = trace[map->output].value;
    if (!in.allFinite() || !out.allFinite() || !map->weight.allFinite()) return side;
    side.weight = map->step_of_weight;
    side.output = map->output;
    side.from = plane_of(in, choice.first, choice.second);
    side.to = plane_of(out, choice.first, choice.second);
    side.map = attn::map_of_plane(side.from, map->weight, map->bias, side.to);
    side.before = tips(side.from, in);
    side.after = tips(side.to, out);
    return side;
}

}  // namespace

QueryKey first_pair(const attn::Trace& trace, const HeadsData& data) {
    const attn::Matrix& weights = data.weights_of(*data.here(), data.head);
    QueryKey out;
    if (weights.size() == 0) return out;
    if (const auto telling = attn::telling_pair(trace, data.map()); telling && std::isfinite(weights(telling->query, telling->key)))
        return {telling->query, telling->key};
    for (int c = 0; c < static_cast<int>(weights.cols()); ++c)
        if (!(weights(0, out.key) >= weights(0, c)) && std::isfinite(weights(0, c))) out.key = c;
    return out;
}

Cell score_row(const Trace& trace, Cell weights) {
    const StepId root = score_root(trace, weights.step);
    return {root, weights.row, 0};
}

void make_neuron(const Trace& trace, const LookedAt& cells, HeadsData& out) {
    NeuronData& n = out.neuron;
    n = {};
    n.query = looked_at(trace, cells, out).query;
    if (out.map().places.empty()) return;
    const Cell weights = out.map().places[static_cast<std::size_t>(n.query)];
    const Cell scores = score_row(trace, weights);
    if (scores.step == kNoStep) return;
    n.path = score_path(trace, scores.step);
    for (int c = 0; c < static_cast<int>(trace[weights.step].value.cols()); ++c) {
        NeuronRow row;
        row.products = attn::products_behind(trace, {scores.step, scores.row, c});
        if (!row.products) {
            n.rows.clear();
            return;
        }
        for (const StepId step : n.path) row.values.push_back(trace[step].value(scores.row, c));
        n.left_most = std::max(n.left_most, magnitude(row.products->left_values));
        n.right_most = std::max(n.right_most, magnitude(row.products->right_values));
        n.product_most = std::max(n.product_most, magnitude(row.products->products));
        n.score_most = std::max(n.score_most, magnitude({row.values[0]}));
        n.cells.push_back({n.path.back(), scores.row, c});
        n.rows.push_back(std::move(row));
    }
    n.same_left = shared(n.rows, &attn::FeatureProducts::left_cells);
    n.same_right = shared(n.rows, &attn::FeatureProducts::right_cells);
}

void make_plane(const Trace& trace, const HeadsChoice& choice, const LookedAt& cells, HeadsData& out) {
    const attn::Plane before = out.plane.plane;
    PlaneData p;
    const QueryKey pair = looked_at(trace, cells, out);
    out.plane = {};
    if (out.map().places.empty()) return;
    const Cell weights = out.map().places[static_cast<std::size_t>(pair.query)];
    const Cell scores = score_row(trace, weights);
    if (scores.step == kNoStep || trace[scores.step].op != Op::MatMul) return;
    p.queries = trace[scores.step].inputs[0];
    p.keys = rows_of_keys(trace, trace[scores.step].inputs[1]);
    if (p.keys == kNoStep) return;
    p.query = scores.row;
    p.key = std::min(pair.key, static_cast<int>(trace[p.keys].value.rows()) - 1);
    const attn::Matrix vectors = both(trace, p, choice.plane);
    if (vectors.size() == 0 || !vectors.allFinite()) return;
    p.same = p.queries == p.keys;
    const bool stays = choice.held && before.width() == static_cast<int>(vectors.cols());
    p.plane = stays ? before : plane_of(vectors, choice.first, choice.second);
    const attn::RowVector q = trace[p.queries].value.row(p.query), k = trace[p.keys].value.row(p.key);
    p.measure = attn::measure_pair(q, k);
    p.left = {{trace[p.queries].tag, p.query, 0}, attn::in_plane(p.plane, q)};
    p.right = {{trace[p.keys].tag, p.key, 0}, attn::in_plane(p.plane, k)};
    const double along = p.measure.right_length > 0 ? p.measure.projection / p.measure.right_length : 0;
    p.foot = {p.right.tip[0] * along, p.right.tip[1] * along};
    p.query_tips = tips(p.plane, trace[p.queries].value);
    p.key_tips = tips(p.plane, trace[p.keys].value);
    if (choice.plane == "map") {
        p.query_side = side_of(trace, choice, p.queries);
        p.key_side = side_of(trace, choice, p.keys);
    }
    out.plane = std::move(p);
}

void move_tip(attn::Document& document, const Trace& trace, const attn::Plane& plane, const CellRef& at,
              attn::PlanePoint tip) {
    const attn::Step* step = attn::find(trace, at.tag);
    if (!step || at.row >= step->value.rows() || plane.width() != step->value.cols()) return;
    const attn::RowVector before = step->value.row(at.row), after = attn::moved_in_plane(plane, before, tip);
    for (int c = 0; c < static_cast<int>(after.size()); ++c) {
        const double moves = std::hypot(plane.axes(0, c), plane.axes(1, c));
        if (moves < 1e-9 || !std::isfinite(after[c])) continue;
        const auto value = static_cast<float>(std::round(static_cast<double>(after[c]) * kGrain) / kGrain);
        if (value != before[c]) type_over(document, {at.tag, at.row, c}, value);
    }
}

}  // namespace app
