#pragma once
// A GL program from two source texts.

#include <string>
#include <string_view>

#include "app/gfx/handle.h"
#include "core/base/result.h"

namespace app::gfx {

struct ShaderSource {
    std::string_view name;  // the file's path, for error messages
    std::string_view text;
};

class Program {
public:
    GLuint id() const { return handle_.id(); }
    void use() const { glUseProgram(handle_.id()); }

    /// -1 if the program has no such uniform; setting uniform -1 is a no-op in GL.
    GLint uniform(const char* name) const { return glGetUniformLocation(handle_.id(), name); }

private:
    friend attn::Result<Program> build_program(ShaderSource, ShaderSource);
    explicit Program(ProgramHandle handle) : handle_(std::move(handle)) {}
    ProgramHandle handle_;
};

/// Compiles and links. The error holds the file's name, the line if the driver reports it, and the driver's log.
attn::Result<Program> build_program(ShaderSource vertex, ShaderSource fragment);

}  // namespace app::gfx
