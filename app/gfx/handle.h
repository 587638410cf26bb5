#pragma once
// GL names that delete themselves. They must be destroyed before their context.

#include <glad/gl.h>

#include <utility>

namespace app::gfx {

/// Owns one GL name; `Kind` knows how to delete it. 0 is "none".
template <class Kind>
class Handle {
public:
    Handle() = default;
    explicit Handle(GLuint id) : id_(id) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    ~Handle() {
        if (id_ != 0) Kind::destroy(id_);
    }

    GLuint id() const { return id_; }
    explicit operator bool() const { return id_ != 0; }

private:
    GLuint id_ = 0;
};

struct TextureKind {
    static void destroy(GLuint id) { glDeleteTextures(1, &id); }
};
struct FramebufferKind {
    static void destroy(GLuint id) { glDeleteFramebuffers(1, &id); }
};
struct VertexArrayKind {
    static void destroy(GLuint id) { glDeleteVertexArrays(1, &id); }
};
struct ShaderKind {
    static void destroy(GLuint id) { glDeleteShader(id); }
};
struct ProgramKind {
    static void destroy(GLuint id) { glDeleteProgram(id); }
};

using TextureHandle = Handle<TextureKind>;
using FramebufferHandle = Handle<FramebufferKind>;
using VertexArrayHandle = Handle<VertexArrayKind>;
using ShaderHandle = Handle<ShaderKind>;
using ProgramHandle = Handle<ProgramKind>;

inline TextureHandle make_texture() {
    GLuint id = 0;
    glGenTextures(1, &id);
    return TextureHandle(id);
}
inline FramebufferHandle make_framebuffer() {
    GLuint id = 0;
    glGenFramebuffers(1, &id);
    return FramebufferHandle(id);
}
inline VertexArrayHandle make_vertex_array() {
    GLuint id = 0;
    glGenVertexArrays(1, &id);
    return VertexArrayHandle(id);
}

}  // namespace app::gfx
