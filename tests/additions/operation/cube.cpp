// An operation that the engine does not have, added the way docs/adding.md describes: the test copies this file to
// core/ops/cube.cpp and adds one line to core/trace/ops.inc.
#include "core/ops/operation.h"
#include "core/ops/record.h"

namespace attn {

StepId cube(Trace& t, StepId from, Tag tag) { return record(t, Op::Cube, tag, {from}, t[from].rows, t[from].cols); }

namespace {

Matrix cube_value(const Reading& r) { return r.in(0).array().cube().matrix(); }

Node derive_cube(const Trace& t, const Step& step, Explanation& e) {
    const Node x = own(carried(t, e, {step.inputs[0], e.cell.row, e.cell.col}));
    e.terms[0].value *= e.terms[0].value * e.terms[0].value;
    return x * x * x;
}

void cube_gradient(const Rule& r) {
    const StepId square = multiply(r.t(), r.in(0), r.in(0), r.way(0));
    r.put(0, multiply(r.t(), r.g, scale(r.t(), square, 3, r.way(0)), r.use(0)));
}

void train_cube(const buffers::Call& c) { whole(c) = whole(c.inputs[0]).cube(); }

}  // namespace

constexpr Operation operations::kCube = {
    .shape = same_shape, .work = two_a_cell, .value = cube_value, .derive = derive_cube,
    .has_slope = slopes_everywhere, .gradient = cube_gradient, .trained = train_cube,
    .noted = kMakesOthers, .remade = kRemadeByRows,
};

}  // namespace attn
