// app/gfx/platform.h and app/gfx/offscreen.h for a web page: WebGL 2.

#include <emscripten/html5.h>

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

/// A worker's canvas is nowhere on the screen. A worker has one context, and this is never opened in the page itself.
struct Offscreen::Impl {
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
    std::string way = "worker";

    Impl() = default;
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        if (context > 0) emscripten_webgl_destroy_context(context);
    }
};
Offscreen::Offscreen(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Offscreen::Offscreen(Offscreen&&) noexcept = default;
Offscreen& Offscreen::operator=(Offscreen&&) noexcept = default;
Offscreen::~Offscreen() = default;
const std::string& Offscreen::way() const { return impl_->way; }
attn::Result<attn::Done> Offscreen::make_current() {
    if (emscripten_webgl_make_context_current(impl_->context) == EMSCRIPTEN_RESULT_SUCCESS) return attn::Done{};
    return attn::Error{"the off-screen context cannot be made current", {}, {}, 0};
}

attn::Result<Offscreen> open_offscreen(const OffscreenOptions&) {
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.depth = wanted.stencil = wanted.antialias = false;
    auto impl = std::make_unique<Offscreen::Impl>();
    impl->context = emscripten_webgl_create_context("#canvas", &wanted);
    if (impl->context > 0)
        if (Offscreen open(std::move(impl)); open.make_current()) return open;
    return attn::Error{"this browser gives a page no WebGL 2 without a window; the program on a desktop makes pictures as files", {}, {}, 0};
}

}  // namespace app::gfx
