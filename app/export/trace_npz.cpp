#include "app/export/trace_npz.h"

#include <vector>

#include "app/export/trace_json.h"
#include "core/io/npz.h"
#include "core/remake/remake.h"

namespace app {

attn::Result<std::string> trace_npz(const TraceSource& source) {
    std::vector<attn::NpzFile> files;
    for (const attn::StepId id : source.steps) {
        const attn::Step& step = source.run.trace[id];
        const attn::PinScope pins;
        files.push_back({attn::step_name(step.tag) + ".npy", attn::npy_bytes(step.value)});
    }
    files.push_back({"trace.json", trace_json(source, TraceValues::LeftOut)});
    return attn::npz_bytes(files, attn::NpzPacking::Deflated);
}

}  // namespace app
