#include "app/cli/version.h"

#include <fmt/format.h>

#include <Eigen/Core>

#include "app/gfx/gl_info.h"
#include "app/gfx/offscreen.h"
#include "app/ui/compat.h"

namespace app {
namespace {

std::string gl_text() {
    const auto context = gfx::open_offscreen();
    if (!context) return "none (" + context.error().text() + ")";
    const gfx::GlInfo info = gfx::gl_info();
    return fmt::format("{}, {}", info.version, info.renderer);
}

std::string compiler_text() {
#if defined(__clang__)
    return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "unknown";
#endif
}

}  // namespace

std::string version_text() {
    return fmt::format(
        "{}\n"
        "Dear ImGui {}\n"
        "OpenGL {}\n"
        "Eigen {}.{}.{}, SIMD in use: {}\n"
        "compiler {}\n",
        kProgram, gui::Backend::version(), gl_text(), EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION,
        Eigen::SimdInstructionSetsInUse(), compiler_text());
}

}  // namespace app
