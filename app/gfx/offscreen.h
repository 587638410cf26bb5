#pragma once
// An OpenGL 3.3 core context with no window, no display and, with Mesa's software renderer, no graphics card.

#include <memory>
#include <string>

#include "core/base/result.h"

namespace app::gfx {

struct OffscreenOptions {
    std::string library = "libEGL.so.1";  // opened at run time: the program starts without it
    bool debug = false;                   // asks for a debug context (see GlDebug)
};

/// A context that is current on the thread that opened it, until it goes. Draw into a Target. Everything made in
/// it must go before it goes.
class Offscreen {
public:
    Offscreen(Offscreen&&) noexcept;
    Offscreen& operator=(Offscreen&&) noexcept;
    ~Offscreen();

    /// Makes it the current context of this thread again, after another one was.
    attn::Result<attn::Done> make_current();

    /// Which of the three ways worked: "surfaceless", "device" or "default display".
    const std::string& way() const;

private:
    friend attn::Result<Offscreen> open_offscreen(const OffscreenOptions&);
    struct Impl;
    explicit Offscreen(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Tries Mesa's surfaceless platform, then EGL devices, then the default display; with robust access (the loss of
/// the context is told) where it is granted. The error says which package to install and what works without.
attn::Result<Offscreen> open_offscreen(const OffscreenOptions& options = {});

}  // namespace app::gfx
