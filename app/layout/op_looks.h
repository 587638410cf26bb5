#pragma once
// How operations are drawn: a table (app/timeline/op_looks.inc).

#include "core/trace/trace.h"

namespace app {

namespace stage {
struct Builder;
}

struct OpLook {
    attn::Op op;
    void (*lay_out)(stage::Builder&);
};
const OpLook& look_of(attn::Op op);

}  // namespace app
