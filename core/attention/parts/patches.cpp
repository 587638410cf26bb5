#include "core/attention/parts/patches.h"

#include "core/attention/parts/parameter.h"
#include "core/model/model.h"
#include "core/ops/ops.h"

namespace attn {

StepId embed_patches(Trace& t, const Inputs& in, Tag tag) {
    // The projection is always the picture model's, wherever the other weights come from: it defines a patch's vector.
    Inputs own;
    own.model = in.picture_model;
    own.parameters = in.parameters;
    const int before = in.n() - static_cast<int>(in.pixels.rows());
    const Axis patches{Axis::Kind::Tokens, before}, features{Axis::Kind::Features};
    const int width = in.d();
    const StepId pixels = input(t, in.pixels, tag.as(Role::Pixels), patches, {}, {Source::Picture});
    const StepId made = project_biased(t, own, pixels, tag, width, {Role::PatchWeight, Role::PatchProducts, Role::PatchBias, Role::Patches});
    if (before == 0) return made;
    const StepId first = parameter(t, own, tag.as(Role::ClassToken), 1, width, {Axis::Kind::Tokens}, features, Fill::Zeros);
    if (const int registers = in.picture_model->picture->registers; registers > 0) {
        const StepId others = parameter(t, own, tag.as(Role::RegisterTokens), registers, width, {Axis::Kind::Tokens, 1}, features, Fill::Zeros);
        return stack(t, {first, others, made}, tag);
    }
    if (before == 1) return stack(t, {first, made}, tag);
    const StepId second = parameter(t, own, tag.as(Role::DistillationToken), 1, width, {Axis::Kind::Tokens, 1}, features, Fill::Zeros);
    return stack(t, {first, second, made}, tag);
}

}  // namespace attn
