#include "app/gfx/egl.h"

#include <dlfcn.h>

#include <array>

namespace app::gfx {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& out) {
    out = reinterpret_cast<Function>(dlsym(library, name));
    return out != nullptr;
}

bool find_all(void* library, Egl& egl) {
    return find(library, "eglGetProcAddress", egl.get_proc_address) &&
           find(library, "eglQueryString", egl.query_string) && find(library, "eglGetDisplay", egl.get_display) &&
           find(library, "eglInitialize", egl.initialize) && find(library, "eglBindAPI", egl.bind_api) &&
           find(library, "eglChooseConfig", egl.choose_config) &&
           find(library, "eglCreateContext", egl.create_context) &&
           find(library, "eglDestroyContext", egl.destroy_context) &&
           find(library, "eglCreatePbufferSurface", egl.create_pbuffer) &&
           find(library, "eglDestroySurface", egl.destroy_surface) &&
           find(library, "eglMakeCurrent", egl.make_current) &&
           find(library, "eglGetCurrentContext", egl.current_context) && find(library, "eglGetError", egl.error);
}

void add_devices(const Egl& egl, std::vector<EglCandidate>& out) {
    constexpr EGLint kMaxDevices = 16;
    std::array<EGLDeviceEXT, kMaxDevices> devices{};
    EGLint count = 0;
    if (egl.query_devices(kMaxDevices, devices.data(), &count) != EGL_TRUE) return;
    for (EGLint i = 0; i < count; ++i)
        out.push_back({egl.get_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr),
                       "device"});
}

}  // namespace

bool has_extension(const char* list, std::string_view name) {
    std::string_view rest = list == nullptr ? std::string_view() : std::string_view(list);
    while (!rest.empty()) {
        const std::size_t end = rest.find(' ');
        if (rest.substr(0, end) == name) return true;
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return false;
}

attn::Result<Egl> load_egl(const std::string& library) {
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return attn::Error{library + " cannot be loaded", {}, {}, 0};
    Egl egl;
    if (!find_all(handle, egl)) return attn::Error{library + " is not a usable EGL", {}, {}, 0};

    const char* extensions = egl.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (has_extension(extensions, "EGL_EXT_platform_base"))
        egl.get_platform_display =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(egl.get_proc_address("eglGetPlatformDisplayEXT"));
    if (has_extension(extensions, "EGL_EXT_device_enumeration") || has_extension(extensions, "EGL_EXT_device_base"))
        egl.query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(egl.get_proc_address("eglQueryDevicesEXT"));
    return egl;
}

std::vector<EglCandidate> egl_candidates(const Egl& egl) {
    const char* extensions = egl.query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    std::vector<EglCandidate> out;
    if (egl.get_platform_display != nullptr && has_extension(extensions, "EGL_MESA_platform_surfaceless"))
        out.push_back(
            {egl.get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr), "surfaceless"});
    if (egl.get_platform_display != nullptr && egl.query_devices != nullptr &&
        has_extension(extensions, "EGL_EXT_platform_device"))
        add_devices(egl, out);
    out.push_back({egl.get_display(EGL_DEFAULT_DISPLAY), "default display"});
    return out;
}

}  // namespace app::gfx
