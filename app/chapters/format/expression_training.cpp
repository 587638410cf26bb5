// Functions of the training on the screen, and of a trained model's recorded measurements.
#include <cmath>

#include "app/chapters/format/expression_parts.h"
#include "core/model/model.h"

namespace app {
namespace {

using Kind = ChapterValue::Kind;
using Arguments = std::span<const ChapterValue>;

ChapterValue trained(Arguments a, const ChapterContext& c) {
    if (a[0].kind != Kind::Text || !c.trained) return {};
    const TrainedNow& now = *c.trained;
    if (a[0].text == "step") return ChapterValue::of(now.step, true);
    if (a[0].text == "newest") return ChapterValue::of(now.newest, true);
    if (a[0].text == "loss") return std::isnan(now.loss) ? ChapterValue{} : ChapterValue::of(now.loss);
    if (a[0].text == "right") return ChapterValue::of(now.right);
    if (a[0].text == "role") return ChapterValue::of(now.role);
    if (a[0].text == "off") return ChapterValue::of(now.role_off);
    if (!now.beside) return {};
    if (a[0].text == "beside") return ChapterValue::of(now.beside->right);
    if (a[0].text == "beside_role") return ChapterValue::of(now.beside->role);
    return {};
}

/// A recorded figure of the document's model, from the first set that has it.
ChapterValue recorded(Arguments a, const ChapterContext& c) {
    if (a[0].kind != Kind::Text || !c.document.model) return {};
    for (const attn::MeasuredSet& set : c.document.model->measured)
        for (const auto& [id, value] : set.figures)
            if (id == a[0].text) return ChapterValue::of(value);
    return {};
}

constexpr ChapterFunction kTrainingFunctions[] = {{"trained", 1, 1, trained}, {"recorded", 1, 1, recorded}};

}  // namespace

std::span<const ChapterFunction> training_functions() { return kTrainingFunctions; }

}  // namespace app
