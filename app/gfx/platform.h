#pragma once
// Where OpenGL 3.3 core and the OpenGL ES 3.0 of browsers differ. Implemented in app/gfx/platform.cpp for desktops and
// in app/shell/web/graphics.cpp for pages (which create their context themselves: what comes before it is for desktops).

#include <string>
#include <string_view>

#include "app/gfx/handle.h"

namespace app::gfx {

/// The first line of a shader.
const char* shader_version();
/// Converts one of our shaders, written for OpenGL 3.3, for the context.
std::string shader_text(std::string_view text);

/// Call this before a context is made. Mesa's software renderer starts a thread per processor and waits for all of them, even for
/// those that the system refused, which never ends. If the system refuses threads, this makes it draw without any.
void draw_alone_where_threads_are_refused();

/// White, with `coverage` as its opacity: one byte per pixel, tightly packed.
TextureHandle make_coverage_texture(const unsigned char* coverage, int width, int height);

}  // namespace app::gfx
