#include "app/frame/nothing.h"

#include "core/document/take.h"

namespace app {

Str nothing_yet(const Frame& f) { return attn::wants_picture(f.state.document) ? Str::no_picture : Str::no_tokens; }

}  // namespace app
