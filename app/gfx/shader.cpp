#include "app/gfx/shader.h"

#include <charconv>
#include <vector>

#include "app/gfx/platform.h"

namespace app::gfx {
namespace {

std::string shader_log(GLuint shader) {
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
    if (length > 0) glGetShaderInfoLog(shader, length, nullptr, log.data());
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    return log;
}

std::string program_log(GLuint program) {
    GLint length = 0;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
    if (length > 0) glGetProgramInfoLog(program, length, nullptr, log.data());
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    return log;
}

/// The line number in a driver's log: "0:12(5): error" (Mesa) or "0(12) : error" (NVIDIA), after the source's number 0.
int first_line(std::string_view log) {
    const std::size_t at = log.find_first_of(":(");
    if (at == std::string_view::npos || at == 0 || log[at - 1] != '0') return 0;
    int line = 0;
    std::from_chars(log.data() + at + 1, log.data() + log.size(), line);
    return line;
}

attn::Result<ShaderHandle> compile(GLenum kind, ShaderSource source) {
    ShaderHandle shader(glCreateShader(kind));
    const std::string here = shader_text(source.text);
    const GLchar* text = here.data();
    const auto length = static_cast<GLint>(here.size());
    glShaderSource(shader.id(), 1, &text, &length);
    glCompileShader(shader.id());
    GLint ok = GL_FALSE;
    glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) return shader;
    const std::string log = shader_log(shader.id());
    return attn::Error{"the shader does not compile: " + log, std::string(source.name), {}, first_line(log)};
}

}  // namespace

attn::Result<Program> build_program(ShaderSource vertex, ShaderSource fragment) {
    auto first = compile(GL_VERTEX_SHADER, vertex);
    if (!first) return first.error();
    auto second = compile(GL_FRAGMENT_SHADER, fragment);
    if (!second) return second.error();

    ProgramHandle program(glCreateProgram());
    glAttachShader(program.id(), first->id());
    glAttachShader(program.id(), second->id());
    glLinkProgram(program.id());
    glDetachShader(program.id(), first->id());
    glDetachShader(program.id(), second->id());
    GLint ok = GL_FALSE;
    glGetProgramiv(program.id(), GL_LINK_STATUS, &ok);
    if (ok == GL_TRUE) return Program(std::move(program));
    return attn::Error{"the shaders do not link: " + program_log(program.id()),
                       std::string(vertex.name) + " + " + std::string(fragment.name),
                       {},
                       0};
}

}  // namespace app::gfx
