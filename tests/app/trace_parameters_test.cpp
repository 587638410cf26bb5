// A step in a trace has all parameters of its operation: two steps that compute differently are written differently.
#include <gtest/gtest.h>

#include "app/export/trace_json.h"
#include "core/io/json_writer.h"

namespace app {
namespace {

std::string written(attn::Op op, attn::Params params) {
    attn::Step step;
    step.op = op;
    step.params = params;
    attn::JsonWriter out;
    out.begin_object();
    write_step_parameters(out, step);
    out.end_object();
    return out.take();
}

TEST(TraceParameters, NoneIsLeftOut) {
    using namespace attn;
    constexpr RotarySlowing kLlama{.factor = 8, .low = 1, .high = 4, .original = 64};
    constexpr RotarySlowing kYarn{.factor = 4, .pair_low = 1, .pair_high = 3};
    const auto slowed = [](RotarySlowing by) { return RotateParams{.base = 100, .slowing = by}; };
    const auto changed = [](auto params, auto change) {
        change(params);
        return params;
    };
    const std::tuple<Op, Params, std::vector<Params>> rows[] = {
        {Op::Scale, ScaleParams{2}, {ScaleParams{3}}},
        {Op::LayerNorm, NormParams{1e-5f}, {NormParams{1e-6f}}},
        {Op::NormGradient, NormGradientParams{1e-5f, true}, {NormGradientParams{1e-6f, true}, NormGradientParams{1e-5f, false}}},
        {Op::Rotate, RotateParams{.base = 100}, {RotateParams{.base = 200}, RotateParams{.base = 100, .first = 2}, RotateParams{.base = 100, .half_pairs = true},
                                                 RotateParams{.base = 100, .backward = true}, slowed(kLlama)}},
        {Op::Rotate, slowed(kLlama), {slowed(changed(kLlama, [](auto& p) { p.factor = 4; })), slowed(changed(kLlama, [](auto& p) { p.low = 2; })),
                                      slowed(changed(kLlama, [](auto& p) { p.high = 5; })), slowed(changed(kLlama, [](auto& p) { p.original = 32; }))}},
        {Op::Rotate, slowed(kYarn), {slowed(changed(kYarn, [](auto& p) { p.pair_low = 2; })), slowed(changed(kYarn, [](auto& p) { p.pair_high = 2; }))}},
        {Op::Spread, SpreadParams{.clip = 2, .keys = 5}, {SpreadParams{.clip = 3, .keys = 5}, SpreadParams{.clip = 2, .first = 1, .keys = 5}}},
        {Op::Collect, CollectParams{.clip = 2}, {CollectParams{.clip = 3}, CollectParams{.clip = 2, .first = 1}}},
        {Op::Window, WindowParams{.reach = 2}, {WindowParams{.reach = 3}}},
        {Op::Gaussian, GaussianParams{.sigma = 2}, {GaussianParams{.sigma = 3}}},
        {Op::TopK, TopKParams{2}, {TopKParams{3}}},
        {Op::TopP, TopPParams{0.5f, 1}, {TopPParams{0.6f, 1}, TopPParams{0.5f, 2}}},
        {Op::Softmax, SoftmaxParams{1}, {SoftmaxParams{2}}},
        {Op::Draw, DrawParams{.draws = 2, .first = 0, .seed = 1}, {DrawParams{.draws = 3, .first = 0, .seed = 1}, DrawParams{.draws = 2, .first = 1, .seed = 1},
                                                                   DrawParams{.draws = 2, .first = 0, .seed = 2}}},
        {Op::Penalty, PenaltyParams{1}, {PenaltyParams{2}}},
        {Op::Slice, SliceParams{.first = 0, .count = 2}, {SliceParams{.first = 1, .count = 2}}},
        {Op::SliceRows, SliceParams{.first = 0, .count = 2}, {SliceParams{.first = 1, .count = 2}}},
    };
    for (const auto& [op, one, others] : rows)
        for (const Params& other : others) EXPECT_NE(written(op, one), written(op, other)) << written(op, one);
}

}  // namespace
}  // namespace app
