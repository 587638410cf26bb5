#pragma once
// Describes the current context, and reports its loss.

#include <string>

namespace app::gfx {

struct GlInfo {
    std::string version;   // "4.5 (Core Profile) Mesa 22.3.6"
    std::string renderer;  // "llvmpipe (LLVM 15.0.6, 256 bits)"
    int max_texture = 0;   // pixels per side
    bool robust = false;   // the context reports when it is lost
};

/// Describes the current context.
GlInfo gl_info();

/// True if the driver reset the graphics processor, so that all GL objects are gone; always false if the context is not
/// robust. Cheap enough for every frame.
bool context_lost();

}  // namespace app::gfx
