#pragma once
// An off-window render target: an RGBA8 texture with a framebuffer.

#include "app/gfx/color.h"
#include "app/gfx/handle.h"
#include "app/gfx/image.h"
#include "core/base/result.h"

namespace app::gfx {

/// GL counts rows from the bottom. What is drawn upright (a frame) has its bottom row first in memory; what a
/// shader writes as a table (a heatmap) has its top row first.
enum class RowOrder : std::uint8_t { BottomFirst, TopFirst };

class Target {
public:
    int width() const { return width_; }
    int height() const { return height_; }
    unsigned texture() const { return texture_.id(); }
    unsigned framebuffer() const { return framebuffer_.id(); }

    /// Directs draw calls here, with the viewport covering all of it.
    void bind() const;

    /// Binds it and fills all of it, whatever the scissor and masks are (both are reset).
    void clear(Rgb color, float alpha = 1.0f) const;

    /// The pixels, top row first. Waits until they are drawn. Leaves bindings as they were.
    Image read(RowOrder stored = RowOrder::BottomFirst) const;

private:
    friend attn::Result<Target> make_target(int, int);
    Target() = default;

    int width_ = 0;
    int height_ = 0;
    TextureHandle texture_;
    FramebufferHandle framebuffer_;
};

/// The pixels of one of our textures, in stored order, which is top row first; empty if there is no such texture.
Image read_texture(unsigned texture);

/// In pixels. Error: no area, larger than the driver allows, or out of memory. Leaves bindings as they were.
attn::Result<Target> make_target(int width, int height);

}  // namespace app::gfx
