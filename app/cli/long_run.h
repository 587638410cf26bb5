#pragma once
// A computation on the command line: announced if it is long, with progress reports, and stopped by Ctrl+C.

#include "app/cli/command.h"
#include "core/document/document.h"

namespace app {

/// Runs the document. A long run is announced with an estimate of its duration and reports every tenth; SIGINT, SIGTERM
/// and SIGHUP stop it within a fraction of a second, and then end the program as usual. `others`: as for attn::run.
attn::Result<attn::Run> run_watched(const attn::Document& document, Streams& streams, const attn::OtherRuns& others = {});
/// Announces matrix products with this many multiply-adds, if they take long.
void announce_products(double multiply_adds, Streams& streams);
/// Announces the document's computation, if it is long.
void announce(const attn::Document& document, Streams& streams);

}  // namespace app
