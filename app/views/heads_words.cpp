// What a link in a chapter's text means on the heads screen.

#include "app/views/heads.h"

namespace app {

int query_in_words(const Frame& f) {
    const auto& lit = f.view().study.lit;
    if (!lit) return -1;
    if (lit->token >= 0) return lit->token;
    const attn::StepId id = attn::find_id(f.trace(), lit->tag);
    if (id == attn::kNoStep) return -1;
    const attn::Axis& keys = f.trace()[id].cols;
    const bool of_keys = keys.kind == attn::Axis::Kind::Tokens || keys.kind == attn::Axis::Kind::SourceTokens;
    return of_keys ? lit->row : -1;
}

}  // namespace app
