// Pairs of features turned by the row's place.
#include <fmt/format.h>

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
    step.params.first = first_position;
    step.params.half_pairs = half_pairs;
    step.params.factor = base;
    step.params.backward = back;
    step.params.slowing = slowing;
    return record(t);
}

namespace {

using buffers::Call;
using buffers::View;

Matrix rotate_value(const Reading& r) { return kernel::rotated(r.in(0), r.step.params); }

void explain_rotate(const Trace& t, const Step& step, Explanation& e) {
    const auto width = static_cast<int>(step.value.cols());
    const kernel::Pairing pair = kernel::pairing(e.cell.col, width, step.params.half_pairs);
    const int position = step.params.first + e.cell.row;
    e.position = static_cast<float>(position);
    e.angle = (step.params.backward ? -1 : 1) * kernel::rotation_angle(step.params, position, pair.pair, width);
    const Cell own{step.inputs[0], e.cell.row, e.cell.col}, other{step.inputs[0], e.cell.row, pair.other};
    const auto cosine = static_cast<float>(std::cos(e.angle)), sine = static_cast<float>(std::sin(e.angle));
    e.terms.push_back({own, std::nullopt, number_in(t, own) * cosine});
    e.terms.push_back({other, std::nullopt, number_in(t, other) * (pair.first ? -sine : sine)});
}

std::string rotate_text(const Trace& t, const Explanation& e, Convention) {
    const bool minus = e.terms[1].value != number_in(t, e.terms[1].left) * static_cast<float>(std::sin(e.angle));
    return fmt::format("{:g}*cos({:g}) {} {:g}*sin({:g})", number_in(t, e.terms[0].left), e.angle, minus ? "-" : "+",
                       number_in(t, e.terms[1].left), e.angle);
}

void rotate_gradient(const Rule& r) {
    const Params& p = r.step.params;
    r.put(0, rotate(r.t(), r.g, p.first, p.half_pairs, r.use(0), p.factor, !p.backward, p.slowing));
}

void train_rotate(const Call& c) {
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

void rotate_from_row(Params& params, Eigen::Index first) { params.first += static_cast<int>(first); }

}  // namespace

constexpr Operation operations::kRotate = {
    .shape = same_shape, .work = two_a_cell, .value = rotate_value,
    .explain = explain_rotate, .text = rotate_text, .recompute = sum_of_terms,
    .has_slope = slopes_everywhere, .gradient = rotate_gradient, .trained = train_rotate,
    .noted = kMakesOthers, .remade = Remade{Evicted::Between, rotate_from_row},
};

}  // namespace attn
