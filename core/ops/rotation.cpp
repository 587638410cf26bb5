// Pairs of features rotated by the row's position.
#include <cassert>
#include <cmath>

#include "core/kernels/kernels.h"
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId rotate(Trace& t, StepId from, int first_position, bool half_pairs, Tag tag, float base, bool back,
              RotarySlowing slowing) {
    assert(t[from].value.cols() % 2 == 0);
    Step& step = begin(t, Op::Rotate, tag, {from}, t[from].rows, t[from].cols);
    step.params = RotateParams{.base = base, .first = first_position, .half_pairs = half_pairs, .backward = back, .slowing = slowing};
    return record(t);
}

namespace {

using buffers::Call;
using buffers::View;

Matrix rotate_value(const Reading& r) { return kernel::rotated(r.in(0), r.step.as<RotateParams>()); }

/// x cos(pθ) ∓ y sin(pθ)
Node derive_rotate(const Trace& t, const Step& step, Explanation& e) {
    const auto width = static_cast<int>(step.value.cols());
    const auto& params = step.as<RotateParams>();
    const kernel::Pairing pair = kernel::pairing(e.cell.col, width, params.half_pairs);
    const int position = params.first + e.cell.row;
    const double theta = (params.backward ? -1 : 1) * kernel::rotation_angle(params, 1, pair.pair, width), turn = position * theta;
    const Node angle = named(number(position, Name::Position) * number(theta), Name::Angle, turn, Written::Value);
    const Node here = cell_node(t, {step.inputs[0], e.cell.row, e.cell.col}), other = cell_node(t, {step.inputs[0], e.cell.row, pair.other});
    const auto cosine = static_cast<float>(std::cos(turn)), sine = static_cast<float>(std::sin(turn));
    e.terms.push_back({here.cell, std::nullopt, static_cast<float>(*here.value) * cosine});
    e.terms.push_back({other.cell, std::nullopt, static_cast<float>(*other.value) * (pair.first ? -sine : sine)});
    const Node kept = here * of_one(Node::Kind::Cosine, angle), added = other * of_one(Node::Kind::Sine, angle);
    return pair.first ? kept - added : kept + added;
}

void rotate_gradient(const Rule& r) {
    const auto& own = r.step.as<RotateParams>();
    r.put(0, rotate(r.t(), r.g, own.first, own.half_pairs, r.use(0), own.base, !own.backward, own.slowing));
}

void train_rotate(const Call& c) {
    const View& x = c.inputs[0];
    const auto& own = c.as<RotateParams>();
    const std::shared_ptr<const kernel::Rotations> by = kernel::rotations_of(own, c.rows, c.cols);
    const int half = c.cols / 2;
    const float way = own.backward ? -1.0f : 1.0f;
    for (int r = 0; r < c.rows; ++r) {
        const double *cosine = by->cosines(own.first + r), *sine = by->sines(own.first + r);
        for (int p = 0; p < half; ++p) {
            const int a = own.half_pairs ? p : 2 * p, b = own.half_pairs ? p + half : 2 * p + 1;
            const float co = static_cast<float>(cosine[p]), si = way * static_cast<float>(sine[p]);
            c.out[r * c.cols + a] = x(r, a) * co - x(r, b) * si;
            c.out[r * c.cols + b] = x(r, b) * co + x(r, a) * si;
        }
    }
}

void rotate_from_row(Params& params, Eigen::Index first) { std::get<RotateParams>(params).first += static_cast<int>(first); }

}  // namespace

constexpr Operation operations::kRotate = {
    .shape = same_shape, .work = two_a_cell, .value = rotate_value, .derive = derive_rotate,
    .has_slope = slopes_everywhere, .gradient = rotate_gradient, .trained = train_rotate,
    .noted = kMakesOthers, .remade = Remade{Evicted::Between, rotate_from_row},
};

}  // namespace attn
