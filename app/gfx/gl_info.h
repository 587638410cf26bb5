#pragma once
// What the current context is, and whether it still lives.

#include <string>

namespace app::gfx {

struct GlInfo {
    std::string version;   // "4.5 (Core Profile) Mesa 22.3.6"
    std::string renderer;  // "llvmpipe (LLVM 15.0.6, 256 bits)"
    int max_texture = 0;   // pixels on a side
    bool robust = false;   // the context tells when it is lost
};

/// Of the context that is current.
GlInfo gl_info();

/// True when the driver reset the graphics processor and all GL objects are gone; always false where the context
/// is not robust. Cheap: once a frame is fine.
bool context_lost();

}  // namespace app::gfx
