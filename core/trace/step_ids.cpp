#include "core/trace/step_ids.h"

namespace attn {

void StepIds::add_to_many(const StepId* first, const StepId* past) {
    if (count_ <= kHere) many_.assign(begin(), end());
    many_.insert(many_.end(), first, past);
    count_ = many_.size();
}

}  // namespace attn
