#include "app/gfx/heatmap.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gfx/state_guard.h"

namespace app::gfx {
namespace {

GLint limit(GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

int pieces(int cells, int largest) { return cells > 0 ? (cells - 1) / largest + 1 : 1; }

attn::Error too_large(int rows, int cols) {
    return {fmt::format("a matrix of {}×{} is too large for this graphics driver's memory", rows, cols), {}, {}, 0};
}

void set_nearest(GLenum kind) {
    glTexParameteri(kind, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(kind, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(kind, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(kind, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(kind, GL_TEXTURE_MAX_LEVEL, 0);
}

void set_color(GLint uniform, Rgb c) { glUniform3f(uniform, c.r, c.g, c.b); }

/// A shader's integers have 32 bits; a view this far out shows nothing anyway.
int whole_cell(double at) { return static_cast<int>(std::clamp(std::floor(at), -1e9, 1e9)); }

bool drawable(const ViewRect& view) {
    return std::isfinite(view.x) && std::isfinite(view.y) && std::isfinite(view.width) && std::isfinite(view.height) &&
           view.width > 0 && view.height > 0;
}

}  // namespace

HeatmapStyle heatmap_style(Backdrop backdrop) {
    HeatmapStyle style;
    if (backdrop == Backdrop::Light) return style;
    style.masked_back = rgb(0x1C2130);
    style.masked_line = rgb(0x3B4357);
    style.broken_back = rgb(0x3A1534);
    style.broken_line = rgb(0xF25BD0);
    return style;
}

HeatmapRenderer::HeatmapRenderer(Program program)
    : program_(std::move(program)),
      uniforms_{
          program_.uniform("u_values"),       program_.uniform("u_ramp"),        program_.uniform("u_pages"),
          program_.uniform("u_paged"),        program_.uniform("u_size"),        program_.uniform("u_tile"),
          program_.uniform("u_tile_columns"), program_.uniform("u_first"),       program_.uniform("u_fraction"),
          program_.uniform("u_cells_per_px"), program_.uniform("u_range"),       program_.uniform("u_gap"),
          program_.uniform("u_radius"),       program_.uniform("u_maximum"),     program_.uniform("u_hatch_period"),
          program_.uniform("u_masked_back"),  program_.uniform("u_masked_line"), program_.uniform("u_broken_back"),
          program_.uniform("u_broken_line")},
      empty_(make_vertex_array()),
      ramp_(make_texture()) {
    const StateGuard guard;
    glBindTexture(GL_TEXTURE_2D, ramp_.id());
    set_nearest(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kLutSize, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
}

/// Leaves the ramp bound to the active unit.
void HeatmapRenderer::set_ramp(const Lut& lut) {
    glBindTexture(GL_TEXTURE_2D, ramp_.id());
    if (ramp_held_ == lut) return;
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kLutSize, 1, GL_RGBA, GL_UNSIGNED_BYTE, lut.data());
    ramp_held_ = lut;
}

void HeatmapRenderer::set_uniforms(const CellGrid& grid, const HeatmapLook& look) const {
    const Uniforms& u = uniforms_;
    const HeatmapStyle& style = look.style;
    // The integer part is passed separately: a single float would jitter in a view deep inside a large matrix.
    const int first_x = whole_cell(look.view.x), first_y = whole_cell(look.view.y);
    const auto per_px_x = static_cast<float>(look.view.width / look.width);
    const auto per_px_y = static_cast<float>(look.view.height / look.height);
    const bool roomy = per_px_x * style.min_cell <= 1 && per_px_y * style.min_cell <= 1;
    glUniform1i(u.values, 0);
    glUniform1i(u.ramp, 1);
    glUniform1i(u.pages, kPagesUnit);
    glUniform1i(u.paged, grid.paged ? 1 : 0);
    glUniform2i(u.size, grid.cols, grid.rows);
    glUniform2i(u.tile, grid.tile_width, grid.tile_height);
    glUniform1i(u.tile_columns, grid.across);
    glUniform2i(u.first, first_x, first_y);
    glUniform2f(u.fraction, static_cast<float>(look.view.x - first_x), static_cast<float>(look.view.y - first_y));
    glUniform2f(u.cells_per_px, per_px_x, per_px_y);
    glUniform2f(u.range, look.range.lo, look.range.hi);
    glUniform1f(u.gap, roomy ? std::max(style.gap, 0.0f) : 0.0f);
    glUniform1f(u.radius, roomy ? std::max(style.radius, 0.0f) : 0.0f);
    glUniform1i(u.maximum, style.pooling == Pooling::Maximum ? 1 : 0);
    glUniform1f(u.hatch_period, std::max(style.hatch_period, 2.0f));
    set_color(u.masked_back, style.masked_back);
    set_color(u.masked_line, style.masked_line);
    set_color(u.broken_back, style.broken_back);
    set_color(u.broken_line, style.broken_line);
}

void HeatmapRenderer::draw(const CellGrid& grid, GLuint values, const HeatmapLook& look) {
    if (values == 0 || grid.rows <= 0 || grid.cols <= 0 || !drawable(look.view)) return;
    program_.use();
    set_uniforms(grid, look);
    glActiveTexture(GL_TEXTURE1);
    set_ramp(look.lut);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, values);
    glBindVertexArray(empty_.id());
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

attn::Result<HeatmapRenderer> make_heatmap_renderer(ShaderSource vertex, ShaderSource fragment) {
    auto program = build_program(vertex, fragment);
    if (!program) return program.error();
    return HeatmapRenderer(std::move(*program));
}

attn::Result<Heatmap::Tiling> Heatmap::tiling_for(int rows, int cols) const {
    int largest = limit(GL_MAX_TEXTURE_SIZE);
    if (max_tile_ > 0) largest = std::min(largest, max_tile_);
    Tiling tiling;
    tiling.across = pieces(cols, largest);
    tiling.down = pieces(rows, largest);
    // Tiles of equal size, so that the last one of each line is not mostly empty.
    tiling.width = pieces(cols, tiling.across);
    tiling.height = pieces(rows, tiling.down);
    const long layers = static_cast<long>(tiling.across) * tiling.down;
    if (layers > limit(GL_MAX_ARRAY_TEXTURE_LAYERS)) return too_large(rows, cols);
    return tiling;
}

attn::Result<attn::Done> Heatmap::upload(const float* data, int rows, int cols, std::uint64_t generation) {
    rows = std::max(rows, 0);
    cols = std::max(cols, 0);
    if (holds(rows, cols, generation)) return attn::Done{};
    auto tiling = tiling_for(rows, cols);
    if (!tiling) return tiling.error();

    const StateGuard guard;
    discard_gl_errors();
    TextureHandle values = make_texture();
    glBindTexture(GL_TEXTURE_2D_ARRAY, values.id());
    set_nearest(GL_TEXTURE_2D_ARRAY);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32F, tiling->width, tiling->height, tiling->across * tiling->down, 0,
                 GL_RED, GL_FLOAT, nullptr);
    if (glGetError() != GL_NO_ERROR) return too_large(rows, cols);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, cols);
    for (int down = 0; down < tiling->down; ++down)
        for (int across = 0; across < tiling->across; ++across) {
            const int row = down * tiling->height, col = across * tiling->width;
            const int height = std::min(tiling->height, rows - row), width = std::min(tiling->width, cols - col);
            if (height <= 0 || width <= 0) continue;
            glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, down * tiling->across + across, width, height, 1, GL_RED,
                            GL_FLOAT, data + static_cast<std::ptrdiff_t>(row) * cols + col);
        }
    if (glGetError() != GL_NO_ERROR) return too_large(rows, cols);

    values_ = std::move(values);
    tiling_ = *tiling;
    rows_ = rows;
    cols_ = cols;
    generation_ = generation;
    drawn_.reset();
    ++uploads_;
    return attn::Done{};
}

attn::Result<attn::Done> Heatmap::render(HeatmapRenderer& renderer, const HeatmapLook& look) {
    if (look.width <= 0 || look.height <= 0 || drawn_ == look) return attn::Done{};
    if (!target_ || target_->width() != look.width || target_->height() != look.height) {
        auto target = make_target(look.width, look.height);
        if (!target) return target.error();
        target_ = std::move(*target);
    }
    const StateGuard guard;
    target_->clear({}, 0.0f);
    renderer.draw({cols_, rows_, tiling_.width, tiling_.height, tiling_.across, false}, values_.id(), look);
    drawn_ = look;
    ++renders_;
    return attn::Done{};
}

}  // namespace app::gfx
