#pragma once
// What the system does of itself with a process, where it is in the way.

namespace app {

/// A file beyond the limit (SIGXFSZ), and output whose reader has gone (SIGPIPE): the write fails instead, and what
/// wrote says so in a sentence and leaves nothing half-done behind. For the whole program, before anything is written.
/// Where text and bytes are two kinds of output, and names are not in UTF-8, they are made so.
void begin_process();

}  // namespace app
