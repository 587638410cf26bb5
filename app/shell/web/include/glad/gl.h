#pragma once
// Replaces the loader's header in a web page: OpenGL ES 3.0, plus OpenGL 3.3 names that our drawing queries or sets and
// ES lacks. They are mapped to something that has the right value already, or to nothing.

#include <GLES3/gl3.h>

// Switches that must be off while we draw, like these two.
#define GL_COLOR_LOGIC_OP GL_SAMPLE_COVERAGE
#define GL_FRAMEBUFFER_SRGB GL_SAMPLE_ALPHA_TO_COVERAGE

// ES always fills polygons.
#define GL_POLYGON_MODE GL_CULL_FACE_MODE
#define GL_FILL 0x1B02
inline void glPolygonMode(GLenum, GLenum) {}

// A page is notified of a lost context by an event.
using PFNGLGETGRAPHICSRESETSTATUSPROC = GLenum (*)();
inline constexpr PFNGLGETGRAPHICSRESETSTATUSPROC glGetGraphicsResetStatus = nullptr, glGetGraphicsResetStatusARB = nullptr;
#define GL_RESET_NOTIFICATION_STRATEGY 0x8256
#define GL_LOSE_CONTEXT_ON_RESET 0x8252
#define GL_NO_RESET_NOTIFICATION 0x8261

// ES cannot read back a texture directly.
#define GL_TEXTURE_WIDTH 0x1000
#define GL_TEXTURE_HEIGHT 0x1001
inline void glGetTexLevelParameteriv(GLenum, GLint, GLenum, GLint* value) { *value = 0; }
inline void glGetTexImage(GLenum, GLint, GLenum, GLenum, void*) {}
