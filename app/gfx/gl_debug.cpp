#include "app/gfx/gl_debug.h"

#include <fmt/core.h>
#include <glad/gl.h>

#include <utility>

namespace app::gfx {
namespace {

constexpr std::size_t kMaxMessages = 1000;  // a broken frame repeats its messages

void GLAD_API_PTR collect(GLenum /*source*/, GLenum type, GLuint id, GLenum severity, GLsizei length,
                          const GLchar* text, const void* user) {
    if (severity != GL_DEBUG_SEVERITY_HIGH && severity != GL_DEBUG_SEVERITY_MEDIUM) return;
    if (type == GL_DEBUG_TYPE_PERFORMANCE) return;
    auto* messages = static_cast<std::vector<std::string>*>(const_cast<void*>(user));
    if (messages->size() >= kMaxMessages) return;
    const std::string_view said(text, static_cast<std::size_t>(length > 0 ? length : 0));
    messages->push_back(fmt::format("GL message {}: {}", id, said));
}

}  // namespace

GlDebug::GlDebug() : messages_(std::make_unique<std::vector<std::string>>()) {
    if (GLAD_GL_KHR_debug == 0) return;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);  // on the calling thread, so that the list needs no lock
    glDebugMessageCallback(collect, messages_.get());
}

GlDebug::~GlDebug() {
    if (GLAD_GL_KHR_debug == 0) return;
    glDebugMessageCallback(nullptr, nullptr);
    glDisable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDisable(GL_DEBUG_OUTPUT);
}

std::vector<std::string> GlDebug::take() {
    for (int i = 0; i < 16; ++i) {
        const GLenum error = glGetError();
        if (error == GL_NO_ERROR) break;
        messages_->push_back(fmt::format("glGetError: 0x{:04X}", error));
    }
    return std::exchange(*messages_, {});
}

}  // namespace app::gfx
