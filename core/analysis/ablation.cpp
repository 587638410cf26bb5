#include "core/analysis/ablation.h"

namespace attn {

std::vector<StepId> head_outputs(const Trace& trace) {
    std::vector<StepId> out;
    for (StepId id = 0; id < trace.size(); ++id)
        if (trace[id].tag.role == Role::HeadOutput && trace[id].tag.pass == 0) out.push_back(id);
    return out;
}

Document without_head(Document document, const Run& run, StepId head_output, PutBy by) {
    document.interventions.push_back(at_head(run.trace[head_output].tag, by));
    return document;
}

}  // namespace attn
