#pragma once
// Where OpenGL 3.3 core and the OpenGL ES 3.0 of browsers differ. Implemented in app/gfx/platform.cpp for desktops and
// in app/shell/web/graphics.cpp for pages.

#include <string>
#include <string_view>

#include "app/gfx/handle.h"

namespace app::gfx {

/// The first line of a shader.
const char* shader_version();
/// Converts one of our shaders, written for OpenGL 3.3, for the context.
std::string shader_text(std::string_view text);

/// A white texture with `coverage` as its alpha: one byte per pixel, tightly packed.
TextureHandle make_coverage_texture(const unsigned char* coverage, int width, int height);

}  // namespace app::gfx
