#pragma once
// How operations are shown: a table (op_looks.inc).

#include "core/trace/trace.h"

namespace app {

namespace stage {
struct Builder;
}

struct OpLook {
    attn::Op op;
    double seconds;  ///< of its motion, at speed 1: one cell slowly, one row faster, the rest at once
    void (*lay_out)(stage::Builder&);
};
const OpLook& look_of(attn::Op op);

}  // namespace app
