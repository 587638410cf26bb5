#include "core/analysis/ablation.h"

#include "core/remake/remake.h"

namespace attn {

std::vector<StepId> head_outputs(const Trace& trace) {
    std::vector<StepId> out;
    for (StepId id = 0; id < trace.size(); ++id)
        if (trace[id].tag.role == Role::HeadOutput && trace[id].tag.pass == 0) out.push_back(id);
    return out;
}

Document without_head(Document document, const Run& run, StepId head_output, Ablation by) {
    const Looking looking;
    const Step& step = run.trace[head_output];
    const Eigen::RowVectorXd mean = step.value.matrix().cast<double>().colwise().mean();
    for (int r = 0; r < static_cast<int>(step.value.rows()); ++r)
        for (int c = 0; c < static_cast<int>(step.value.cols()); ++c)
            document.edits.push_back({step.tag, r, c, by == Ablation::Zero ? 0.0F : static_cast<float>(mean(c))});
    return document;
}

}  // namespace attn
