// app/gfx/offscreen.h on systems without EGL (Windows, macOS): the context of a hidden window.

#include "app/gfx/offscreen.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/gfx/window.h"

namespace app::gfx {

struct Offscreen::Impl {
    std::string way = "hidden window";
    Window window;
};
Offscreen::Offscreen(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Offscreen::Offscreen(Offscreen&&) noexcept = default;
Offscreen& Offscreen::operator=(Offscreen&&) noexcept = default;
Offscreen::~Offscreen() = default;
const std::string& Offscreen::way() const { return impl_->way; }

attn::Result<attn::Done> Offscreen::make_current() {
    glfwMakeContextCurrent(impl_->window.handle());
    return attn::Done{};
}

attn::Result<Offscreen> open_offscreen(const OffscreenOptions& options) {
    auto window = open_window({.visible = false, .debug = options.debug});
    if (!window) return window.error();
    return Offscreen(std::unique_ptr<Offscreen::Impl>(new Offscreen::Impl{.window = std::move(*window)}));
}

}  // namespace app::gfx
