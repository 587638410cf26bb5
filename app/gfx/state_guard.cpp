#include "app/gfx/state_guard.h"

namespace app::gfx {
namespace {

constexpr std::array<GLenum, 7> kSwitches = {
    GL_BLEND, GL_SCISSOR_TEST, GL_DEPTH_TEST, GL_CULL_FACE, GL_STENCIL_TEST, GL_COLOR_LOGIC_OP, GL_FRAMEBUFFER_SRGB,
};

struct TransferParameter {
    GLenum name;
    GLint plain;  // the value that our transfers assume
};
constexpr std::array<TransferParameter, 8> kTransfers = {{{GL_PACK_ALIGNMENT, 1},
                                                          {GL_PACK_ROW_LENGTH, 0},
                                                          {GL_PACK_SKIP_ROWS, 0},
                                                          {GL_PACK_SKIP_PIXELS, 0},
                                                          {GL_UNPACK_ALIGNMENT, 1},
                                                          {GL_UNPACK_ROW_LENGTH, 0},
                                                          {GL_UNPACK_SKIP_ROWS, 0},
                                                          {GL_UNPACK_SKIP_PIXELS, 0}}};

GLint integer(GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

void set_switch(GLenum name, bool on) { on ? glEnable(name) : glDisable(name); }

}  // namespace

StateGuard::StateGuard()
    : draw_framebuffer_(integer(GL_DRAW_FRAMEBUFFER_BINDING)),
      read_framebuffer_(integer(GL_READ_FRAMEBUFFER_BINDING)),
      program_(integer(GL_CURRENT_PROGRAM)),
      vertex_array_(integer(GL_VERTEX_ARRAY_BINDING)),
      active_unit_(integer(GL_ACTIVE_TEXTURE)),
      pack_buffer_(integer(GL_PIXEL_PACK_BUFFER_BINDING)),
      unpack_buffer_(integer(GL_PIXEL_UNPACK_BUFFER_BINDING)) {
    static_assert(kSwitches.size() == kToggles && kTransfers.size() == kTransfer);
    glGetIntegerv(GL_POLYGON_MODE, polygon_mode_.data());
    glGetIntegerv(GL_VIEWPORT, viewport_.data());
    glGetBooleanv(GL_COLOR_WRITEMASK, color_mask_.data());
    for (std::size_t i = 0; i < kUnits; ++i) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        units_[i] = {integer(GL_TEXTURE_BINDING_2D), integer(GL_TEXTURE_BINDING_2D_ARRAY), integer(GL_SAMPLER_BINDING)};
        glBindSampler(static_cast<GLuint>(i), 0);
    }
    for (std::size_t i = 0; i < kToggles; ++i) {
        toggles_[i] = glIsEnabled(kSwitches[i]) == GL_TRUE;
        set_switch(kSwitches[i], false);
    }
    for (std::size_t i = 0; i < kTransfer; ++i) {
        transfer_[i] = integer(kTransfers[i].name);
        glPixelStorei(kTransfers[i].name, kTransfers[i].plain);
    }
    glActiveTexture(GL_TEXTURE0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
}

StateGuard::~StateGuard() {
    for (std::size_t i = 0; i < kUnits; ++i) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(i));
        glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(units_[i].texture_2d));
        glBindTexture(GL_TEXTURE_2D_ARRAY, static_cast<GLuint>(units_[i].texture_array));
        glBindSampler(static_cast<GLuint>(i), static_cast<GLuint>(units_[i].sampler));
    }
    glActiveTexture(static_cast<GLenum>(active_unit_));
    for (std::size_t i = 0; i < kToggles; ++i) set_switch(kSwitches[i], toggles_[i]);
    for (std::size_t i = 0; i < kTransfer; ++i) glPixelStorei(kTransfers[i].name, transfer_[i]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(pack_buffer_));
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, static_cast<GLuint>(unpack_buffer_));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_framebuffer_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_framebuffer_));
    glUseProgram(static_cast<GLuint>(program_));
    glBindVertexArray(static_cast<GLuint>(vertex_array_));
    glPolygonMode(GL_FRONT_AND_BACK, static_cast<GLenum>(polygon_mode_[0]));
    glViewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
    glColorMask(color_mask_[0], color_mask_[1], color_mask_[2], color_mask_[3]);
}

void discard_gl_errors() {
    // A lost context returns errors for ever: try a few times, not until there are none.
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
    }
}

}  // namespace app::gfx
