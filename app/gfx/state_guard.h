#pragma once
// Leaves GL as it was: our drawing runs between, or inside, frames whose GL state belongs to someone else.

#include <glad/gl.h>

#include <array>

namespace app::gfx {

/// Saves on construction, sets the plain state that our drawing assumes (no blending, tests or masks; tightly
/// packed pixel transfers; no pixel buffers), and restores on destruction.
class StateGuard {
public:
    StateGuard();
    ~StateGuard();
    StateGuard(const StateGuard&) = delete;
    StateGuard& operator=(const StateGuard&) = delete;

private:
    static constexpr int kUnits = 3;     // texture units that our shaders use
    static constexpr int kToggles = 7;   // glEnable / glDisable switches
    static constexpr int kTransfer = 8;  // pixel store parameters

    struct Unit {
        GLint texture_2d = 0;
        GLint texture_array = 0;
        GLint sampler = 0;
    };

    GLint draw_framebuffer_ = 0;
    GLint read_framebuffer_ = 0;
    GLint program_ = 0;
    GLint vertex_array_ = 0;
    GLint active_unit_ = 0;
    GLint pack_buffer_ = 0;
    GLint unpack_buffer_ = 0;
    std::array<GLint, 2> polygon_mode_{};
    std::array<GLint, 4> viewport_{};
    std::array<GLboolean, 4> color_mask_{};
    std::array<Unit, kUnits> units_{};
    std::array<bool, kToggles> toggles_{};
    std::array<GLint, kTransfer> transfer_{};
};

/// Discards errors left by others, so that the next glGetError() is about our own calls.
void discard_gl_errors();

}  // namespace app::gfx
