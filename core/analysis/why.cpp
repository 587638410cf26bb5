#include "core/analysis/why.h"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

using Wide = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

/// x W + b, of which a head may have a slice of the columns.
struct Projected {
    StepId of = kNoStep;
    Wide weight;  ///< features × columns; the bias is an extra row
};

std::optional<Projected> projection_behind(const Trace& trace, StepId id) {
    Matrix::Index first = 0, count = trace[id].value.cols();
    if (trace[id].op == Op::Slice) {
        first = trace[id].as<SliceParams>().first;
        id = trace[id].inputs[0];
    }
    StepId bias = kNoStep;
    if (trace[id].op == Op::AddRow) {
        bias = trace[id].inputs[1];
        id = trace[id].inputs[0];
    }
    const Step& product = trace[id];
    if (product.op != Op::MatMul || trace[product.inputs[1]].op != Op::Input) return std::nullopt;
    const Matrix& weight = trace[product.inputs[1]].value;
    if (first + count > weight.cols()) return std::nullopt;
    Projected out{product.inputs[0], Wide::Zero(weight.rows() + 1, count)};
    for (Matrix::Index c = 0; c < count; ++c) {
        for (Matrix::Index r = 0; r < weight.rows(); ++r)
            out.weight(r, c) = static_cast<double>(weight(static_cast<int>(r), static_cast<int>(first + c)));
        if (bias != kNoStep)
            out.weight(weight.rows(), c) = static_cast<double>(trace[bias].value(0, static_cast<int>(first + c)));
    }
    return out;
}

/// A row, extended by the 1 that its bias is multiplied by.
Eigen::VectorXd with_one(const Matrix& value, int row) {
    Eigen::VectorXd out(value.cols() + 1);
    for (Matrix::Index i = 0; i < value.cols(); ++i) out[i] = static_cast<double>(value(row, static_cast<int>(i)));
    out[value.cols()] = 1;
    return out;
}

}  // namespace

std::optional<ScoreReasons> reasons_of_score(const Trace& trace, Cell score, int most) {
    const Step& step = trace[score.step];
    if (step.op != Op::MatMul || trace[step.inputs[1]].op != Op::Transpose) return std::nullopt;
    const auto query = projection_behind(trace, step.inputs[0]),
               key = projection_behind(trace, trace[step.inputs[1]].inputs[0]);
    if (!query || !key) return std::nullopt;
    const Eigen::VectorXd asks = with_one(trace[query->of].value, score.row),
                          answers = with_one(trace[key->of].value, score.col);
    const Wide form = asks.asDiagonal() * (query->weight * key->weight.transpose()) * answers.asDiagonal();
    ScoreReasons out{query->of, key->of, {}, 0, 0};
    for (Eigen::Index a = 0; a < form.rows(); ++a)
        for (Eigen::Index b = 0; b < form.cols(); ++b) {
            if (form(a, b) == 0) continue;
            const auto feature = [](Eigen::Index at, Eigen::Index bias) {
                return at == bias ? ScoreReason::kBias : static_cast<int>(at);
            };
            out.largest.push_back({feature(a, form.rows() - 1), feature(b, form.cols() - 1), form(a, b)});
            out.score += form(a, b);
        }
    const auto count = std::min(out.largest.size(), static_cast<std::size_t>(std::max(0, most)));
    std::partial_sort(out.largest.begin(), out.largest.begin() + static_cast<std::ptrdiff_t>(count), out.largest.end(),
                      [](const ScoreReason& x, const ScoreReason& y) { return std::abs(x.value) > std::abs(y.value); });
    out.largest.resize(count);
    out.rest = out.score;
    for (const ScoreReason& reason : out.largest) out.rest -= reason.value;
    return out;
}

}  // namespace attn
