#pragma once
// What OpenGL 3.3 core and the OpenGL ES 3.0 of browsers do not share. On a desktop it is app/gfx/platform.cpp, in a page
// app/shell/web/graphics.cpp.

#include <string>
#include <string_view>

#include "app/gfx/handle.h"

namespace app::gfx {

/// The first line of a shader.
const char* shader_version();
/// A shader of ours, written for OpenGL 3.3, as the context takes it.
std::string shader_text(std::string_view text);

/// White, and as opaque as `coverage` says: a byte a pixel, tightly packed.
TextureHandle make_coverage_texture(const unsigned char* coverage, int width, int height);

}  // namespace app::gfx
