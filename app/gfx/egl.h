#pragma once
// libEGL, opened at run time. Only offscreen.cpp needs it.

#define EGL_NO_X11
#define MESA_EGL_NO_X11_HEADERS
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace app::gfx {

/// The functions that we call. The library is never closed and displays are never terminated: a display belongs to the
/// process (all its contexts share it), and Mesa cleans up at exit.
struct Egl {
    decltype(&::eglGetProcAddress) get_proc_address = nullptr;
    decltype(&::eglQueryString) query_string = nullptr;
    decltype(&::eglGetDisplay) get_display = nullptr;
    decltype(&::eglInitialize) initialize = nullptr;
    decltype(&::eglBindAPI) bind_api = nullptr;
    decltype(&::eglChooseConfig) choose_config = nullptr;
    decltype(&::eglCreateContext) create_context = nullptr;
    decltype(&::eglDestroyContext) destroy_context = nullptr;
    decltype(&::eglCreatePbufferSurface) create_pbuffer = nullptr;
    decltype(&::eglDestroySurface) destroy_surface = nullptr;
    decltype(&::eglMakeCurrent) make_current = nullptr;
    decltype(&::eglGetCurrentContext) current_context = nullptr;
    decltype(&::eglGetError) error = nullptr;

    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = nullptr;  // null: the extension is missing
    PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;               // null: the extension is missing
};

/// Error: the library or one of its functions is missing.
attn::Result<Egl> load_egl(const std::string& library);

/// Whether the space-separated list contains exactly this word.
bool has_extension(const char* list, std::string_view name);

struct EglCandidate {
    EGLDisplay display = EGL_NO_DISPLAY;
    std::string way;
};

/// The displays worth trying, best first; not initialised yet.
std::vector<EglCandidate> egl_candidates(const Egl& egl);

}  // namespace app::gfx
