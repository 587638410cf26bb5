#pragma once
// A computation on the command line: announced when it is long, told of while it runs, and stopped by Ctrl+C.

#include "app/cli/command.h"
#include "core/document/document.h"

namespace app {

/// Runs the document. A long run says beforehand about how long it takes, and every tenth of it; SIGINT, SIGTERM and
/// SIGHUP stop it within a fraction of a second, and then end the program as they always do. `others`: as of attn::run.
attn::Result<attn::Run> run_watched(const attn::Document& document, Streams& streams, const attn::OtherRuns& others = {});
/// Says so where products of so many multiply-adds take long.
void announce_products(double multiply_adds, Streams& streams);
/// Says so where the document's computation is a long one.
void announce(const attn::Document& document, Streams& streams);

}  // namespace app
