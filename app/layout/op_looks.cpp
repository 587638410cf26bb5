#include "app/layout/op_looks.h"

#include <iterator>

#include "app/layout/parts.h"

namespace app {
namespace {

void lay_out_product_or_cube(stage::Builder& b) {
    b.in.cube && can_be_cube(b.trace(), b.in.pose.step) ? stage::lay_out_cube(b) : stage::lay_out_product(b);
}

constexpr OpLook kOpLooks[] = {
#define OP_LOOK(name, seconds, lay_out, folds, in_reverse, of_nothing) {attn::Op::name, [](stage::Builder& b) { lay_out(b); }},
#include "app/timeline/op_looks.inc"
#undef OP_LOOK
};

constexpr bool op_looks_in_order() {
    for (std::size_t i = 0; i < std::size(kOpLooks); ++i)
        if (static_cast<std::size_t>(kOpLooks[i].op) != i) return false;
    return true;
}
static_assert(std::size(kOpLooks) == attn::kOpCount && op_looks_in_order(),
              "op_looks.inc has one line for each of core/trace/ops.inc");

}  // namespace

const OpLook& look_of(attn::Op op) { return kOpLooks[static_cast<std::size_t>(op)]; }

}  // namespace app
