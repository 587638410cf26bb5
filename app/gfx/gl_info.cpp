#include "app/gfx/gl_info.h"

#include <glad/gl.h>

namespace app::gfx {
namespace {

std::string text(GLenum name) {
    const GLubyte* value = glGetString(name);
    return value == nullptr ? std::string() : std::string(reinterpret_cast<const char*>(value));
}

/// The core name comes with KHR_robustness, the suffixed one with ARB_robustness.
PFNGLGETGRAPHICSRESETSTATUSPROC reset_status() {
    if (glGetGraphicsResetStatus != nullptr) return glGetGraphicsResetStatus;
    return glGetGraphicsResetStatusARB;
}

bool tells_resets() {
    if (reset_status() == nullptr) return false;
    GLint strategy = GL_NO_RESET_NOTIFICATION;
    glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY, &strategy);
    return strategy == GL_LOSE_CONTEXT_ON_RESET;
}

}  // namespace

GlInfo gl_info() {
    GlInfo info{text(GL_VERSION), text(GL_RENDERER), 0, tells_resets()};
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &info.max_texture);
    return info;
}

bool context_lost() {
    const auto status = reset_status();
    return status != nullptr && status() != GL_NO_ERROR;
}

}  // namespace app::gfx
