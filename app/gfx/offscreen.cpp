#include "app/gfx/offscreen.h"

#include <fmt/core.h>
#include <glad/gl.h>

#include <array>
#include <utility>

#include "app/gfx/egl.h"

namespace app::gfx {
namespace {

constexpr const char* kFix =
    "Pictures without a window need Mesa's EGL: install it with "
    "`sudo apt install libegl1 libgl1 libgl1-mesa-dri`. The numbers need no graphics: `attenscope trace`.";

attn::Error failure(const std::string& reason) {
    return {"no off-screen graphics: " + reason + ". " + kFix, {}, {}, 0};
}

EGLConfig any_config(const Egl& egl, EGLDisplay display) {
    const std::array<EGLint, 13> wanted = {EGL_SURFACE_TYPE,
                                           EGL_PBUFFER_BIT,
                                           EGL_RENDERABLE_TYPE,
                                           EGL_OPENGL_BIT,
                                           EGL_RED_SIZE,
                                           8,
                                           EGL_GREEN_SIZE,
                                           8,
                                           EGL_BLUE_SIZE,
                                           8,
                                           EGL_ALPHA_SIZE,
                                           8,
                                           EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (egl.choose_config(display, wanted.data(), &config, 1, &count) != EGL_TRUE || count == 0) return nullptr;
    return config;
}

/// 3.3 core; with robust access, or without it if the driver refuses.
EGLContext create_context(const Egl& egl, EGLDisplay display, EGLConfig config, bool debug) {
    const EGLint want_debug = debug ? EGL_TRUE : EGL_FALSE;
    const std::array<EGLint, 13> robust = {EGL_CONTEXT_MAJOR_VERSION,
                                           3,
                                           EGL_CONTEXT_MINOR_VERSION,
                                           3,
                                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                           EGL_CONTEXT_OPENGL_DEBUG,
                                           want_debug,
                                           EGL_CONTEXT_OPENGL_ROBUST_ACCESS,
                                           EGL_TRUE,
                                           EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                                           EGL_LOSE_CONTEXT_ON_RESET,
                                           EGL_NONE};
    if (EGLContext context = egl.create_context(display, config, EGL_NO_CONTEXT, robust.data())) return context;
    std::array<EGLint, 13> plain = robust;
    plain[8] = EGL_NONE;
    return egl.create_context(display, config, EGL_NO_CONTEXT, plain.data());
}

}  // namespace

struct Offscreen::Impl {
    Egl egl;
    std::string way;
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;  // only if a context cannot be current without a surface

    explicit Impl(const Egl& functions) : egl(functions) {}
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() { release(); }

    void release() {
        if (context != EGL_NO_CONTEXT) {
            if (egl.current_context() == context)
                egl.make_current(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
            egl.destroy_context(display, context);
        }
        if (surface != EGL_NO_SURFACE) egl.destroy_surface(display, surface);
        context = EGL_NO_CONTEXT;
        surface = EGL_NO_SURFACE;
    }

    bool make_current() {
        // The API is a per-thread setting, and OpenGL ES is its default.
        return egl.bind_api(EGL_OPENGL_API) == EGL_TRUE &&
               egl.make_current(display, surface, surface, context) == EGL_TRUE;
    }

    /// Empty if the context is current and complete; else what failed.
    std::string open(const EglCandidate& candidate, bool debug);
};

std::string Offscreen::Impl::open(const EglCandidate& candidate, bool debug) {
    display = candidate.display;
    way = candidate.way;
    if (display == EGL_NO_DISPLAY) return "no such display";
    if (egl.initialize(display, nullptr, nullptr) != EGL_TRUE) return fmt::format("EGL error 0x{:04X}", egl.error());
    if (egl.bind_api(EGL_OPENGL_API) != EGL_TRUE) return "no desktop OpenGL";
    const EGLConfig config = any_config(egl, display);
    if (config == nullptr) return "no RGBA configuration";
    context = create_context(egl, display, config, debug);
    if (context == EGL_NO_CONTEXT) return "OpenGL 3.3 core is not supported";
    if (!has_extension(egl.query_string(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context")) {
        const std::array<EGLint, 5> size = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        surface = egl.create_pbuffer(display, config, size.data());
    }
    if (!make_current()) return "the context cannot be made current";
    if (gladLoadGL(reinterpret_cast<GLADloadfunc>(egl.get_proc_address)) == 0) return "OpenGL functions are missing";
    return {};
}

Offscreen::Offscreen(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Offscreen::Offscreen(Offscreen&&) noexcept = default;
Offscreen& Offscreen::operator=(Offscreen&&) noexcept = default;
Offscreen::~Offscreen() = default;

const std::string& Offscreen::way() const { return impl_->way; }

attn::Result<attn::Done> Offscreen::make_current() {
    if (!impl_->make_current()) return attn::Error{"the off-screen context cannot be made current", {}, {}, 0};
    return attn::Done{};
}

attn::Result<Offscreen> open_offscreen(const OffscreenOptions& options) {
    auto egl = load_egl(options.library);
    if (!egl) return failure(egl.error().message);
    std::string reasons;
    for (const EglCandidate& candidate : egl_candidates(*egl)) {
        auto impl = std::make_unique<Offscreen::Impl>(*egl);
        const std::string reason = impl->open(candidate, options.debug);
        if (reason.empty()) return Offscreen(std::move(impl));
        reasons += (reasons.empty() ? "" : "; ") + candidate.way + ": " + reason;
    }
    return failure(reasons);
}

}  // namespace app::gfx
