#include "app/layout/stage.h"

#include "app/layout/op_looks.h"
#include "app/layout/parts.h"

namespace app {

StageStyle StageStyle::scaled(float factor) const {
    StageStyle s = *this;
    for (float StageStyle::*length :
         {&StageStyle::scale, &StageStyle::cell_max, &StageStyle::gap, &StageStyle::ribbon, &StageStyle::between,
          &StageStyle::label, &StageStyle::label_width, &StageStyle::caption, &StageStyle::aside,
          &StageStyle::aside_gap, &StageStyle::line, &StageStyle::chip_w, &StageStyle::chip_h, &StageStyle::legend_w,
          &StageStyle::legend_h, &StageStyle::figure, &StageStyle::digit, &StageStyle::small_figure, &StageStyle::small_digit})
        s.*length *= factor;
    return s;
}

namespace {

/// What is omitted takes no room.
StageInput with_omitted(const StageInput& in) {
    constexpr float kNoFunnel = 0.3f;  // share of a label's height, between a name and its row
    StageInput out = in;
    if (in.folding && in.folding->omitted.count > in.style.omitted.count) out.style.omitted = in.folding->omitted;
    if (!out.style.omitted.shows(Omittable::Funnels)) out.style.ribbon = std::min(out.style.ribbon, kNoFunnel * out.style.label);
    return out;
}

}  // namespace

void lay_out(const StageInput& in, Scene& scene) {
    scene.clear();
    scene.area = in.area;
    scene.convention = in.convention;
    if (in.pose.step == attn::kNoStep || in.trace[in.pose.step].value.size() == 0) return;
    const StageInput input = with_omitted(in);
    stage::Builder b{input, scene, input.folding ? &*input.folding : nullptr};
    if (in.folding && in.folding->alone)
        stage::lay_out_input(b);
    else
        look_of(in.trace[in.pose.step].op).lay_out(b);
}

}  // namespace app
