#pragma once
// Eigen asks for it beside the headers of SSE2, which Emscripten has in WebAssembly's vectors. Of MMX there is nothing, and
// nothing is used.
