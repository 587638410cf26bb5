#pragma once
// A matrix as a picture, rendered on the graphics processor from the numbers themselves: one texture, however large the
// matrix is. Row 0 of the texture is the top row: draw it with texture coordinates (0,0) … (1,1) from the top left,
// nearest or 1:1, with ordinary (straight alpha) blending.

#include <cstdint>
#include <optional>

#include "app/gfx/palette.h"
#include "app/gfx/shader.h"
#include "app/gfx/target.h"

namespace app::gfx {

/// The visible part of the matrix, in cells: (0, 0) is the top left corner of cell [0][0]. It may reach beyond the
/// matrix; nothing is drawn there.
struct ViewRect {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    bool operator==(const ViewRect&) const = default;
};

/// What a pixel shows if it covers several cells: their mean, or the one farthest from 0. Up to 64 cells are read, 8×8,
/// or more along one side if there are few along the other; if there are more, they are sampled evenly.
enum class Pooling : std::uint8_t { Mean, Maximum };

struct HeatmapStyle {
    Pooling pooling = Pooling::Mean;
    float gap = 1.0f;           // pixels between cells, 0: none
    float radius = 3.0f;        // of the cells' corners, pixels, 0: square
    float min_cell = 6.0f;      // cells below this many pixels have neither gap nor radius
    float hatch_period = 7.0f;  // pixels along x between two lines
    Rgb masked_back = rgb(0xEEF0F5);
    Rgb masked_line = rgb(0xC4CAD6);
    Rgb broken_back = rgb(0xFBE3F4);  // NaN and +inf: must be conspicuous
    Rgb broken_line = rgb(0xC2189B);
    bool operator==(const HeatmapStyle&) const = default;
};

/// The style with hatches that suit the backdrop.
HeatmapStyle heatmap_style(Backdrop backdrop);

/// Everything but the numbers that the picture depends on.
struct HeatmapLook {
    Lut lut{};
    Range range;
    ViewRect view;
    int width = 0;  // pixels
    int height = 0;
    HeatmapStyle style;
    bool operator==(const HeatmapLook&) const = default;
};

/// How a matrix is divided into the layers of an array texture. Without pages, the tile at row r and column c is layer
/// r · across + c; with pages, an integer texture holds the layer, or −1 if the tile is missing.
struct CellGrid {
    int cols = 0, rows = 0;
    int tile_width = 1, tile_height = 1;  // cells
    int across = 1;                       // tiles
    bool paged = false;
};

/// Shared by all heatmaps: the program and the ramp's texture.
class HeatmapRenderer {
public:
    /// The texture unit that the pages must be bound to.
    static constexpr GLenum kPagesUnit = 2;

    const Program& program() const { return program_; }
    /// Draws the cells of an array texture into the bound target. Call it under a StateGuard.
    void draw(const CellGrid& grid, GLuint values, const HeatmapLook& look);

private:
    friend attn::Result<HeatmapRenderer> make_heatmap_renderer(ShaderSource, ShaderSource);
    struct Uniforms {
        GLint values, ramp, pages, paged, size, tile, tile_columns, first, fraction, cells_per_px, range, gap, radius,
            maximum, hatch_period, masked_back, masked_line, broken_back, broken_line;
    };
    explicit HeatmapRenderer(Program program);
    void set_ramp(const Lut& lut);
    void set_uniforms(const CellGrid& grid, const HeatmapLook& look) const;

    Program program_;
    Uniforms uniforms_;
    VertexArrayHandle empty_;  // core profile draws nothing without one
    TextureHandle ramp_;
    std::optional<Lut> ramp_held_;
};

/// Takes the texts of shaders/heatmap.vert and shaders/heatmap.frag.
attn::Result<HeatmapRenderer> make_heatmap_renderer(ShaderSource vertex, ShaderSource fragment);

/// One matrix. All calls leave the GL state as they found it.
class Heatmap {
public:
    /// `max_tile` limits the side of a texture below the driver's own limit (for tests); 0: no limit.
    explicit Heatmap(int max_tile = 0) : max_tile_(max_tile) {}

    /// The last upload was this one, so another would do nothing.
    bool holds(int rows, int cols, std::uint64_t generation) const {
        return generation_ == generation && rows == rows_ && cols == cols_;
    }
    /// Row-major, `rows` × `cols` floats. Does nothing if `generation` and shape are those of the last upload. A matrix
    /// without cells is allowed. Error: larger than the driver can hold; the old numbers stay.
    attn::Result<attn::Done> upload(const float* data, int rows, int cols, std::uint64_t generation);

    /// Renders the picture; does nothing if it would not change. A picture without area is skipped.
    attn::Result<attn::Done> render(HeatmapRenderer& renderer, const HeatmapLook& look);

    /// The GL texture with the picture; 0 before the first one.
    unsigned texture() const { return target_ ? target_->texture() : 0; }
    int rows() const { return rows_; }
    int cols() const { return cols_; }

    /// The picture's pixels (empty before the first one).
    Image read() const { return target_ ? target_->read(RowOrder::TopFirst) : Image{}; }

    /// How often an upload or a render did anything.
    int uploads() const { return uploads_; }
    int renders() const { return renders_; }

private:
    /// How the matrix is divided into the layers of one array texture.
    struct Tiling {
        int width = 1;  // cells of one tile
        int height = 1;
        int across = 1;  // tiles
        int down = 1;
    };

    attn::Result<Tiling> tiling_for(int rows, int cols) const;

    int max_tile_ = 0;
    int rows_ = 0;
    int cols_ = 0;
    Tiling tiling_;
    std::optional<std::uint64_t> generation_;
    TextureHandle values_;
    std::optional<Target> target_;
    std::optional<HeatmapLook> drawn_;  // what target_ shows; none: it is outdated
    int uploads_ = 0;
    int renders_ = 0;
};

}  // namespace app::gfx
