#pragma once
// An OpenGL 3.3 core context without a window or a display; with Mesa's software renderer also without a graphics card.

#include <memory>
#include <string>

#include "core/base/result.h"

namespace app::gfx {

struct OffscreenOptions {
    std::string library = "libEGL.so.1";  // opened at run time: the program starts without it
    bool debug = false;                   // request a debug context (see GlDebug)
};

/// A context that is current on the thread that opened it, until it is destroyed. Draw into a Target. Everything made
/// in the context must be destroyed before it.
class Offscreen {
public:
    Offscreen(Offscreen&&) noexcept;
    Offscreen& operator=(Offscreen&&) noexcept;
    ~Offscreen();

    /// Makes it this thread's current context again, after another one was.
    attn::Result<attn::Done> make_current();

    /// Which way worked: "surfaceless", "device" or "default display".
    const std::string& way() const;

private:
    friend attn::Result<Offscreen> open_offscreen(const OffscreenOptions&);
    struct Impl;
    explicit Offscreen(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Tries Mesa's surfaceless platform, then EGL devices, then the default display; with robust access (which reports the
/// loss of the context) if that is granted. The error says which package to install and what works without.
attn::Result<Offscreen> open_offscreen(const OffscreenOptions& options = {});

}  // namespace app::gfx
