#pragma once
// Heads read only shared inputs, and nothing of each other. Their steps are recorded one after the other, as all steps
// are, but computed in parallel, one head per thread: a head's matrices are often too small to be split between
// threads, and its results stay in its thread's cache. The numbers are the same.

#include "core/trace/trace.h"

namespace attn {

/// From now on a head's step is recorded with only its shape, until compute_heads() or until a step outside that head
/// reads it; code that records meanwhile may use shapes but no numbers. Does nothing if already begun, if there is one
/// thread or one head, or if the work is small: `multiply_adds` is roughly the work of all heads.
void begin_heads(Trace& t, int heads, double multiply_adds);
/// Computes all deferred steps and ends deferring. Throws Cancelled.
void compute_heads(Trace& t);

}  // namespace attn
