#pragma once
// Signals that end a process where an error would do.

namespace app {

/// A file beyond the limit (SIGXFSZ), and output whose reader has gone (SIGPIPE): the write fails instead, and what
/// wrote says so in a sentence and leaves nothing half-done behind. For the whole program, before anything is written.
void take_write_signals_as_errors();

}  // namespace app
