#include "app/gfx/target.h"

#include <fmt/core.h>

#include <algorithm>

#include "app/gfx/state_guard.h"

namespace app::gfx {
namespace {

int largest_texture() {
    GLint size = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &size);
    return size;
}

void flip_rows(Image& image) {
    const auto stride = static_cast<std::ptrdiff_t>(image.width) * 4;
    for (int top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom) {
        const auto a = image.rgba.begin() + top * stride;
        std::swap_ranges(a, a + stride, image.rgba.begin() + bottom * stride);
    }
}

}  // namespace

attn::Result<Target> make_target(int width, int height) {
    if (width <= 0 || height <= 0)
        return attn::Error{fmt::format("a picture of {}×{} pixels has no area", width, height), {}, {}, 0};
    if (const int limit = largest_texture(); width > limit || height > limit)
        return attn::Error{fmt::format("a picture of {}×{} pixels is too large: this graphics driver allows {}×{}",
                                       width, height, limit, limit),
                           {},
                           {},
                           0};
    const StateGuard guard;
    discard_gl_errors();
    Target target;
    target.width_ = width;
    target.height_ = height;
    target.texture_ = make_texture();
    glBindTexture(GL_TEXTURE_2D, target.texture_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    target.framebuffer_ = make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer_.id());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture_.id(), 0);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    if (!complete || glGetError() != GL_NO_ERROR)
        return attn::Error{
            fmt::format("the graphics driver has no memory for a picture of {}×{} pixels", width, height), {}, {}, 0};
    return target;
}

void Target::bind() const {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.id());
    glViewport(0, 0, width_, height_);
}

void Target::clear(Rgb color, float alpha) const {
    bind();
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    const float value[] = {color.r, color.g, color.b, alpha};
    glClearBufferfv(GL_COLOR, 0, value);
}

Image read_texture(unsigned texture) {
    if (texture == 0 || !glIsTexture(texture)) return {};
    const StateGuard guard;
    glBindTexture(GL_TEXTURE_2D, texture);
    GLint width = 0, height = 0;
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
    Image image = make_image(width, height);
    if (!image.empty()) glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    return image;
}

Image Target::read(RowOrder stored) const {
    const StateGuard guard;
    Image image = make_image(width_, height_);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.id());
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
    if (stored == RowOrder::BottomFirst) flip_rows(image);
    return image;
}

}  // namespace app::gfx
