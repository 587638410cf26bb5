#pragma once
// The forms of attention: one row a file, named in variants.inc.

#include "core/attention.h"

namespace attn::variant {

#define VARIANT(name) extern const Variant name;
#include "core/variants/variants.inc"
#undef VARIANT

}  // namespace attn::variant
