#pragma once
// Memory between one run and the next.

namespace attn {

/// Asks the C library to keep up to 256 MB that are freed rather than give them back to the system. A run's matrices go
/// when the next run is there, which then takes as many anew: given back, each page is paid for again, and of a run over
/// 512 tokens that is two thirds of the time. For the whole process, at its start; does nothing where the library cannot.
void keep_freed_memory();

}  // namespace attn
