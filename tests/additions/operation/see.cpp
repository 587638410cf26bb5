// Checks that the added operation is computed, explained and shown by the engine from its row alone.
#include <cmath>
#include <cstdio>
#include <string>

#include "core/gradient/gradient.h"
#include "core/ops/explain.h"
#include "core/ops/measure.h"
#include "core/ops/operation.h"
#include "core/ops/ops.h"

namespace attn {
StepId cube(Trace& t, StepId from, Tag tag);
}

using namespace attn;

namespace {

int wrong = 0;

void expect(bool holds, const char* what) {
    if (!holds) ++wrong, std::printf("not so: %s\n", what);
}

Trace cubed(const Matrix& x) {
    Trace t;
    const Axis rows{Axis::Kind::Tokens}, cols{Axis::Kind::Features};
    cube(t, input(t, x, {Role::Queries}, rows, cols, Source::Given), {Role::Scores});
    return t;
}

}  // namespace

int main() {
    Matrix x(2, 2);
    x << 0.5f, -2, 3, 1.5f;
    Trace t = cubed(x);
    expect(op_id(Op::Cube) == "cube", "it has its id");
    expect(t[1].value == x.array().cube().matrix(), "its value is computed and recorded");
    const Explanation e = explain(t, {1, 0, 1});
    expect(recompute(t, e) == -8 && e.result == -8, "an explanation is worked out again");
    expect(explain_text(t, e) == "scores[1, 2] = -2*-2*-2 = -8", "an explanation is written");
    expect(cost(t, 1).multiply_adds == 8, "its cost is counted");
    Matrix trained(2, 2);
    const buffers::View in{x.data(), 2, 2};
    operation_of(Op::Cube).trained->value({&t[1].params, {&in, 1}, trained.data(), 2, 2, nullptr});
    expect(trained == t[1].value, "training makes the same");
    const Objective of = objective_at(t, {1, 1, 0});
    const Gradients gradients = record_gradients(t, {&of, 1});
    const StepId slope = gradients.of[0];
    expect(slope != kNoStep && t[slope].value(1, 0) == 27 && t[slope].value(0, 0) == 0, "its gradient is recorded");
    const Explanation back = explain(t, {slope, 1, 0});
    expect(std::abs(recompute(t, back) - 27) < 1e-6, "its gradient is explained");
    return wrong == 0 ? 0 : 1;
}
