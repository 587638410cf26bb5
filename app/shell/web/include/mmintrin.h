#pragma once
// Eigen includes this with the SSE2 headers, which Emscripten implements with WebAssembly vectors. MMX does not exist
// there, and nothing uses it.
