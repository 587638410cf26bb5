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

/// Before a context is made. Mesa's software renderer makes a thread a processor and waits for the work of each, also of those that
/// the system refused it: it would wait for ever. Where so many are not to be had it is asked to draw by itself.
void draw_alone_where_threads_are_refused();

/// White, and as opaque as `coverage` says: a byte a pixel, tightly packed.
TextureHandle make_coverage_texture(const unsigned char* coverage, int width, int height);

}  // namespace app::gfx
