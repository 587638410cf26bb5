#include "app/gfx/platform.h"

#include <array>

#include "app/gfx/state_guard.h"

namespace app::gfx {

const char* shader_version() { return "#version 330 core"; }
std::string shader_text(std::string_view text) { return std::string(text); }

/// One byte per pixel, a quarter of RGBA.
TextureHandle make_coverage_texture(const unsigned char* coverage, int width, int height) {
    const StateGuard guard;  // rows are tightly packed
    TextureHandle texture = make_texture();
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    constexpr std::array<GLint, 4> kWhite = {GL_ONE, GL_ONE, GL_ONE, GL_RED};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, kWhite.data());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, coverage);
    return texture;
}

}  // namespace app::gfx
