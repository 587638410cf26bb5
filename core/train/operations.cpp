#include "core/train/operations.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace attn::train::operation {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();
using Array = Eigen::Map<Eigen::ArrayXf>;
using ConstArray = Eigen::Map<const Eigen::ArrayXf>;

ConstArray whole(const View& v) { return {v.data, static_cast<Eigen::Index>(v.rows) * v.cols}; }
Array whole(const Call& c) { return {c.out, static_cast<Eigen::Index>(c.rows) * c.cols}; }
ConstArray row_of(const View& v, int r) { return {v.row(r), v.cols}; }
Array row_of(const Call& c, int r) { return {c.out + static_cast<std::ptrdiff_t>(r) * c.cols, c.cols}; }

void activate(const Call& c) {
    const ConstArray x = whole(c.inputs[0]);
    Array y = whole(c);
    switch (c.params->activation) {
        case Activation::Relu:
            y = x.max(0.0f);
            return;
        case Activation::ReluSlope:
            y = (x > 0.0f).cast<float>();
            return;
        case Activation::LeakyRelu:
            y = x.max(0.2f * x);
            return;
        case Activation::LeakyReluSlope:
            y = (x > 0.0f).select(Eigen::ArrayXf::Ones(x.size()), 0.2f);
            return;
        case Activation::Tanh:
            y = x.tanh();
            return;
        case Activation::TanhSlope:
            y = 1 - x.tanh().square();
            return;
        case Activation::Sigmoid:
            y = 1 / (1 + (-x).exp());
            return;
        case Activation::SigmoidSlope:
            y = 1 / (1 + (-x).exp());
            y *= 1 - y;
            return;
        case Activation::Silu:
            y = x / (1 + (-x).exp());
            return;
        case Activation::SiluSlope:
            y = 1 / (1 + (-x).exp());
            y = y * (1 + x * (1 - y));
            return;
        case Activation::GeluTanh:
            y = 0.5f * x * (1 + (0.7978845608f * (x + 0.044715f * x.cube())).tanh());
            return;
        case Activation::GeluTanhSlope:
            y = (0.7978845608f * (x + 0.044715f * x.cube())).tanh();
            y = 0.5f * (1 + y) + 0.5f * x * (1 - y.square()) * 0.7978845608f * (1 + 3 * 0.044715f * x.square());
            return;
        default:
            for (Eigen::Index i = 0; i < x.size(); ++i)
                y[i] = static_cast<float>(activated(c.params->activation, static_cast<double>(x[i])));
    }
}

void softmax(const Call& c) {
    const float by = 1.0f / c.params->temperature;
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray x = row_of(c.inputs[0], r);
        Array y = row_of(c, r);
        const float most = x.maxCoeff();
        if (most == kHidden) {
            y.setZero();
            continue;
        }
        // Below −87 the vectorised exp is not exact; what is masked is exactly 0.
        y = ((x - most) * by).max(-87.0f).exp();
        y = (x == kHidden).select(0.0f, y);
        y *= 1.0f / y.sum();
    }
}

void softmax_gradient(const Call& c) {
    const float by = 1.0f / c.params->temperature;
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray p = row_of(c.inputs[0], r), g = row_of(c.inputs[1], r);
        const float mean = (p * g).sum();
        row_of(c, r) = p * (g - mean) * by;
    }
}

void norm(const Call& c) {
    const bool centred = c.op == Op::LayerNorm;
    const ConstArray gain = row_of(c.inputs[1], 0);
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray x = row_of(c.inputs[0], r);
        Array y = row_of(c, r);
        const float mean = centred ? x.mean() : 0.0f;
        y = x - mean;
        const float by = 1.0f / std::sqrt(y.square().mean() + c.params->factor);
        y *= by * gain;
        if (centred) y += row_of(c.inputs[2], 0);
    }
}

void norm_gradient(const Call& c) {
    const bool centred = c.params->centred;
    const ConstArray gain = row_of(c.inputs[1], 0);
    Array unit(c.room, c.cols);
    for (int r = 0; r < c.rows; ++r) {
        const ConstArray x = row_of(c.inputs[0], r), g = row_of(c.inputs[2], r);
        Array y = row_of(c, r);
        unit = x - (centred ? x.mean() : 0.0f);
        const float by = 1.0f / std::sqrt(unit.square().mean() + c.params->factor);
        unit *= by;
        y = g * gain;
        const float along = (y * unit).mean();
        y = (y - (centred ? y.mean() : 0.0f) - unit * along) * by;
    }
}

void rotate(const Call& c) {
    const View& x = c.inputs[0];
    const std::shared_ptr<const kernel::Rotations> by = kernel::rotations_of(*c.params, c.rows, c.cols);
    const int half = c.cols / 2;
    const float way = c.params->backward ? -1.0f : 1.0f;
    for (int r = 0; r < c.rows; ++r) {
        const double *cosine = by->cosines(c.params->first + r), *sine = by->sines(c.params->first + r);
        for (int p = 0; p < half; ++p) {
            const int a = c.params->half_pairs ? p : 2 * p, b = c.params->half_pairs ? p + half : 2 * p + 1;
            const float co = static_cast<float>(cosine[p]), si = way * static_cast<float>(sine[p]);
            c.out[r * c.cols + a] = x(r, a) * co - x(r, b) * si;
            c.out[r * c.cols + b] = x(r, b) * co + x(r, a) * si;
        }
    }
}

void pairs(const Call& c) {
    const View &a = c.inputs[0], &b = c.inputs[1];
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < b.rows; ++j) {
            Array y = row_of(c, i * b.rows + j);
            if (c.op == Op::PairSum) {
                y = row_of(a, i) + row_of(b, j);
            } else {
                y.head(a.cols) = row_of(a, i);
                y.tail(b.cols) = row_of(b, j);
            }
        }
}

/// A right operand of one column serves every column.
void number_by_number(const Call& c) {
    const View &a = c.inputs[0], &b = c.inputs[1];
    const auto make = [&c](auto y, auto x, auto z) {
        switch (c.op) {
            case Op::Multiply:
                y = x * z;
                return;
            case Op::Divide:
                y = (z == 0.0f).select(0.0f, x / z);
                return;
            case Op::ExpShift:
                y = (x == kHidden).select(0.0f, (x - z).exp());
                return;
            case Op::Mask:
                y = (z == 0.0f).select(kHidden, x);
                return;
            default:
                y = x + z;
        }
    };
    if (a.cols == b.cols) return make(whole(c), whole(a), whole(b));
    for (int r = 0; r < c.rows; ++r) make(row_of(c, r), row_of(a, r), Eigen::ArrayXf::Constant(a.cols, b(r, 0)));
}

void multiply_by_column(const Call& c) {
    for (int r = 0; r < c.rows; ++r) row_of(c, r) = row_of(c.inputs[0], r) * c.inputs[1](r, 0);
}

int distance_at(const Call& c, int i, int j) { return kernel::distance_column(j - i - c.params->first, c.params->count); }

void spread_or_collect(const Call& c) {
    const View& x = c.inputs[0];
    if (c.op == Op::Spread) {
        for (int i = 0; i < c.rows; ++i)
            for (int j = 0; j < c.cols; ++j) c.out[i * c.cols + j] = x(i, distance_at(c, i, j));
        return;
    }
    std::fill(c.out, c.out + c.rows * c.cols, 0.0f);
    for (int i = 0; i < c.rows; ++i)
        for (int j = 0; j < x.cols; ++j) c.out[i * c.cols + distance_at(c, i, j)] += x(i, j);
}

void recur(const Call& c) {
    const View &z = c.inputs[0], &u = c.inputs[1];
    for (int step = 0; step < c.rows; ++step) {
        const int r = c.params->backward ? c.rows - 1 - step : step;
        Array y = row_of(c, r);
        y = row_of(z, r);
        if (step > 0) {
            const float* before = c.out + static_cast<std::ptrdiff_t>(c.params->backward ? r + 1 : r - 1) * c.cols;
            for (int f = 0; f < c.cols; ++f) y += before[f] * row_of(u, f);
        }
        y = y.tanh();
    }
}

void joined(const Call& c) {
    if (c.op == Op::Stack) {
        float* to = c.out;
        for (const View& part : c.inputs) to = std::copy(part.data, part.data + static_cast<std::ptrdiff_t>(part.rows) * part.cols, to);
        return;
    }
    int at = 0;
    for (const View& part : c.inputs) {
        for (int r = 0; r < c.rows; ++r) std::copy(part.row(r), part.row(r) + part.cols, c.out + static_cast<std::ptrdiff_t>(r) * c.cols + at);
        at += part.cols;
    }
}

void reduced(const Call& c) {
    const View& x = c.inputs[0];
    if (c.op == Op::ColumnSum) return sum_of_rows(x.data, x.rows, x.cols, c.out);
    for (int r = 0; r < c.rows; ++r) c.out[r] = row_of(x, r).sum();
}

}  // namespace

bool known(Op op) {
    switch (op) {
        case Op::Input:
        case Op::Window:
        case Op::Draw:
        case Op::TopK:
        case Op::TopP:
        case Op::Sparsemax:
        case Op::RowMax:
        case Op::Gaussian:
        case Op::Penalty:
            return false;
        default:
            return true;
    }
}

bool row_by_row(Op op) { return rows_of(op) != RowsOf::Whole && op != Op::MatMul && !counts_rows(op); }

void sum_of_rows(const float* in, int rows, int cols, float* out) {
    Array sum(out, cols);
    sum.setZero();
    for (int r = 0; r < rows; ++r) sum += ConstArray(in + static_cast<std::ptrdiff_t>(r) * cols, cols);
}

void compute(const Call& c) {
    const View& x = c.inputs[0];
    switch (c.op) {
        case Op::Transpose:
            for (int r = 0; r < c.rows; ++r)
                for (int k = 0; k < c.cols; ++k) c.out[static_cast<std::ptrdiff_t>(r) * c.cols + k] = x(k, r);
            return;
        case Op::Scale:
            whole(c) = whole(x) * c.params->factor;
            return;
        case Op::AddRow:
            for (int r = 0; r < c.rows; ++r) row_of(c, r) = row_of(x, r) + row_of(c.inputs[1], 0);
            return;
        case Op::Multiply:
            if (c.inputs[1].cols == 1 && x.cols != 1) return multiply_by_column(c);
            return number_by_number(c);
        case Op::Add:
        case Op::Divide:
        case Op::Mask:
        case Op::ExpShift:
            return number_by_number(c);
        case Op::Activate:
            return activate(c);
        case Op::Unit:
            for (int r = 0; r < c.rows; ++r) {
                const float length = std::sqrt(row_of(x, r).square().sum());
                row_of(c, r) = row_of(x, r) * (length == 0 ? 0.0f : 1.0f / length);
            }
            return;
        case Op::LayerNorm:
        case Op::RmsNorm:
            return norm(c);
        case Op::Rotate:
            return rotate(c);
        case Op::PairSum:
        case Op::PairConcat:
            return pairs(c);
        case Op::Fold:
            std::copy(x.data, x.data + static_cast<std::ptrdiff_t>(c.rows) * c.cols, c.out);
            return;
        case Op::Spread:
        case Op::Collect:
            return spread_or_collect(c);
        case Op::Softmax:
            return softmax(c);
        case Op::RowSum:
        case Op::ColumnSum:
            return reduced(c);
        case Op::Recur:
            return recur(c);
        case Op::Slice:
            for (int r = 0; r < c.rows; ++r)
                std::memcpy(c.out + static_cast<std::ptrdiff_t>(r) * c.cols, x.row(r) + c.params->first,
                            static_cast<std::size_t>(c.cols) * sizeof(float));
            return;
        case Op::SliceRows:
            std::copy(x.row(c.params->first), x.row(c.params->first) + static_cast<std::ptrdiff_t>(c.rows) * c.cols, c.out);
            return;
        case Op::Concat:
        case Op::Stack:
            return joined(c);
        case Op::SoftmaxGradient:
            return softmax_gradient(c);
        case Op::NormGradient:
            return norm_gradient(c);
        default:
            assert(false && "known() refused it");
    }
}

}  // namespace attn::train::operation
