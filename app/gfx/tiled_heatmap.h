#pragma once
// The picture of a large matrix: its visible part, in tiles, from the pyramid level that is nearest to the picture's
// resolution.

#include <span>
#include <vector>

#include "app/gfx/heatmap.h"
#include "app/gfx/tile_pool.h"

namespace app::gfx {

/// One level of a pyramid, row-major without gaps: the matrix itself, or a reduced one.
struct LevelData {
    const float* data = nullptr;
    int rows = 0, cols = 0;
};

/// The matrix and its levels, each half as large as the previous one (rounded up). `picture` identifies these numbers.
/// Levels before `finest` have no data: `finest` is drawn instead.
struct TiledSource {
    std::uint64_t picture = 0;
    std::span<const LevelData> levels;
    int finest = 0;
};

class TiledHeatmap {
public:
    /// Renders the picture; does nothing if it would not change. Tiles that are not on the graphics processor yet are
    /// drawn from the smallest level, which is always uploaded first; `pool.waiting()` then says that another frame
    /// should follow. The view is in cells of the matrix.
    attn::Result<attn::Done> render(HeatmapRenderer& renderer, TilePool& pool, const TiledSource& source,
                                    const HeatmapLook& look);

    /// The level for a picture: its cells are at most as large as a pixel, and more than half as large.
    static int level_for(const HeatmapLook& look, int levels);

    unsigned texture() const { return target_ ? target_->texture() : 0; }
    Image read() const { return target_ ? target_->read(RowOrder::TopFirst) : Image{}; }
    bool complete() const { return complete_; }
    int renders() const { return renders_; }

private:
    bool draw_level(HeatmapRenderer& renderer, TilePool& pool, const TiledSource& source, const HeatmapLook& look,
                    int level);
    bool gather(TilePool& pool, const TiledSource& source, const ViewRect& view, int level);

    std::optional<Target> target_;
    TextureHandle page_texture_;
    std::vector<std::int16_t> pages_;  ///< the layer of each tile of a level; −1: not there
    std::optional<HeatmapLook> drawn_;
    std::uint64_t drawn_picture_ = 0;
    int drawn_finest_ = 0;
    bool complete_ = false;
    int renders_ = 0;
};

}  // namespace app::gfx
