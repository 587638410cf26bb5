// app/gfx/platform.h and app/gfx/offscreen.h for a web page: WebGL 2.

#include <vector>

#include "app/gfx/offscreen.h"
#include "app/gfx/platform.h"
#include "app/gfx/state_guard.h"

namespace app::gfx {

const char* shader_version() { return "#version 300 es"; }

std::string shader_text(std::string_view text) {
    constexpr std::string_view kDesktop = "#version 330 core\n";
    constexpr std::string_view kPrecise =
        "precision highp float; precision highp int; precision highp sampler2D; precision highp sampler2DArray; "
        "precision highp isampler2D;\n";
    if (text.starts_with(kDesktop)) text.remove_prefix(kDesktop.size());
    // Compiler messages keep their line numbers.
    return std::string(shader_version()) + "\n" + std::string(kPrecise) + "#line 2\n" + std::string(text);
}

/// WebGL has no swizzles: two bytes per pixel, the first of which is white.
TextureHandle make_coverage_texture(const unsigned char* coverage, int width, int height) {
    const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    std::vector<unsigned char> white(2 * pixels, 0xFF);
    for (std::size_t i = 0; i < pixels; ++i) white[2 * i + 1] = coverage[i];
    const StateGuard guard;
    TextureHandle texture = make_texture();
    glBindTexture(GL_TEXTURE_2D, texture.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE_ALPHA, width, height, 0, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, white.data());
    return texture;
}

/// A page has a single context, that of its window.
struct Offscreen::Impl {
    std::string way;
};
Offscreen::Offscreen(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Offscreen::Offscreen(Offscreen&&) noexcept = default;
Offscreen& Offscreen::operator=(Offscreen&&) noexcept = default;
Offscreen::~Offscreen() = default;
const std::string& Offscreen::way() const { return impl_->way; }
attn::Result<attn::Done> Offscreen::make_current() { return attn::Done{}; }

attn::Result<Offscreen> open_offscreen(const OffscreenOptions&) {
    return attn::Error{"a page of a browser draws into its window only; pictures as files are made by the program on a desktop", {}, {}, 0};
}

}  // namespace app::gfx
