#pragma once
// Heads read what is common to all, and nothing of each other. Their steps are recorded one after the other, as all steps
// are, but computed side by side, a head a thread: a head's matrices are often too small to be shared by threads, and what
// is made of one stays in the cache of the thread that goes on with it. The numbers are the same.

#include "core/trace/trace.h"

namespace attn {

/// From now on a step of a head is recorded with its shape alone, until compute_heads() or until a step that is not of that
/// head reads it; whoever records may ask for shapes, not for numbers. Does nothing where they have begun, where nobody would
/// share the work, or where it is small: `multiply_adds` is about what all heads take.
void begin_heads(Trace& t, int heads, double multiply_adds);
/// Computes what waits, and ends it. Throws Cancelled.
void compute_heads(Trace& t);

}  // namespace attn
