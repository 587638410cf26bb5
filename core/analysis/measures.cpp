#include "core/analysis/measures.h"

#include <algorithm>
#include <array>
#include <limits>

namespace attn {
namespace {

constexpr std::array<std::string_view, 3> kMeasureIds = {"weight", "norm", "part"};

/// The path of a head's weights: the values they mix, the step that joins all heads, the head's first column in it, and
/// the output matrix, if there is one.
struct HeadPath {
    StepId values = kNoStep, joined = kNoStep, output = kNoStep;
    int first = 0;
    bool off = false;  ///< the head is switched off: it has no effect
};

/// The first step after `from` that takes it as input and satisfies `wanted`.
template <class Wanted>
StepId taker_of(const Trace& t, StepId from, Wanted wanted) {
    for (StepId id = from + 1; id < t.size(); ++id)
        for (const StepId input : t[id].inputs)
            if (input == from && wanted(t[id])) return id;
    return kNoStep;
}

std::optional<HeadPath> path_of(const Trace& t, StepId weights) {
    const StepId mixed = taker_of(t, weights, [&](const Step& s) {
        return s.op == Op::MatMul && s.inputs[0] == weights && s.tag.role == Role::HeadOutput;
    });
    if (mixed == kNoStep) return std::nullopt;
    const StepId switched = taker_of(t, mixed, [](const Step& s) { return s.op == Op::Scale && s.tag.role == Role::HeadSwitched; });
    const StepId given = switched == kNoStep ? mixed : switched;
    HeadPath out{t[mixed].inputs[1], given, kNoStep, 0, switched != kNoStep};
    const StepId joined = taker_of(t, given, [](const Step& s) { return s.op == Op::Concat && s.tag.role == Role::Joined; });
    if (joined != kNoStep) {
        out.joined = joined;
        for (const StepId head : t[joined].inputs) {
            if (head == given) break;
            out.first += static_cast<int>(t[head].value.cols());
        }
    }
    const StepId product = taker_of(t, out.joined, [&](const Step& s) {
        return s.op == Op::MatMul && s.inputs[0] == out.joined && t[s.inputs[1]].tag.role == Role::OutputWeight;
    });
    if (product != kNoStep) out.output = t[product].inputs[1];
    return out;
}

Eigen::MatrixXd through_output(const Trace& t, const HeadPath& path, const Eigen::MatrixXd& rows, int first) {
    if (path.output != kNoStep) return rows * t[path.output].value.matrix().cast<double>().middleRows(first, rows.cols());
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(rows.rows(), t[path.joined].value.cols());
    out.middleCols(first, rows.cols()) = rows;
    return out;
}

/// One step of weights, queries × keys.
std::optional<Eigen::MatrixXd> step_in(const Trace& t, StepId weights, Measure measure) {
    const auto path = path_of(t, weights);
    if (!path) return std::nullopt;
    if (path->off) return Eigen::MatrixXd::Zero(t[weights].value.rows(), t[weights].value.cols());
    const Eigen::MatrixXd alpha = t[weights].value.matrix().cast<double>();
    const Eigen::MatrixXd f = through_output(t, *path, t[path->values].value.matrix().cast<double>(), path->first);
    if (measure == Measure::Norm) return alpha.cwiseAbs() * f.rowwise().norm().asDiagonal();
    const Eigen::MatrixXd y = through_output(t, *path, t[path->joined].value.matrix().cast<double>(), 0);
    Eigen::MatrixXd out = alpha.cwiseProduct(y * f.transpose());
    for (Eigen::Index r = 0; r < out.rows(); ++r) {
        const double length = y.row(r).squaredNorm();
        if (length > 0)
            out.row(r) /= length;
        else
            out.row(r).setZero();
    }
    return out;
}

}  // namespace

std::string_view measure_id(Measure measure) { return kMeasureIds[static_cast<std::size_t>(measure)]; }

std::optional<Measure> find_measure(std::string_view id) {
    for (std::size_t i = 0; i < kMeasureIds.size(); ++i)
        if (kMeasureIds[i] == id) return static_cast<Measure>(i);
    return std::nullopt;
}

bool has_measures(const Trace& trace, const AttentionMap& map) {
    StepId seen = kNoStep;
    return std::all_of(map.places.begin(), map.places.end(), [&](const Cell& place) {
        if (place.step == seen) return true;
        seen = place.step;
        return path_of(trace, seen).has_value();
    });
}

std::optional<Matrix> map_in(const Trace& trace, const AttentionMap& map, Measure measure) {
    if (measure == Measure::Weight) return weights_of(trace, map);
    Matrix out = Matrix::Constant(map.rows(), map.cols, std::numeric_limits<float>::quiet_NaN());
    StepId step = kNoStep;
    Eigen::MatrixXd values;
    for (int r = 0; r < map.rows(); ++r) {
        const Cell place = map.places[static_cast<std::size_t>(r)];
        if (place.step != step) {
            step = place.step;
            auto made = step_in(trace, step, measure);
            if (!made) return std::nullopt;
            values = std::move(*made);
        }
        out.row(r).head(values.cols()) = values.row(place.row).cast<float>();
    }
    return out;
}

}  // namespace attn
