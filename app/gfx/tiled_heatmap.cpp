#include "app/gfx/tiled_heatmap.h"

#include <algorithm>
#include <cmath>

#include "app/gfx/state_guard.h"

namespace app::gfx {
namespace {

int tiles_of(int cells) { return std::max(1, (cells + kTileSide - 1) / kTileSide); }

/// The tiles that a span of cells touches, as a half-open range.
struct Span {
    int first, end;
};
Span touched(double from, double length, int tiles) {
    const auto at = [&](double cell) { return static_cast<int>(std::clamp(cell / kTileSide, -1.0, double(tiles))); };
    return {std::clamp(at(std::floor(from)), 0, tiles), std::clamp(at(std::ceil(from + length)) + 1, 0, tiles)};
}

ViewRect in_level(const ViewRect& view, int level) {
    const double side = std::ldexp(1.0, level);
    return {view.x / side, view.y / side, view.width / side, view.height / side};
}

}  // namespace

int TiledHeatmap::level_for(const HeatmapLook& look, int levels) {
    const double cells = std::min(look.view.width / look.width, look.view.height / look.height);
    int level = 0;
    while (level + 1 < levels && cells >= std::ldexp(2.0, level)) ++level;
    return level;
}

/// Fills pages_ with the available tiles that the view touches; false: some are missing.
bool TiledHeatmap::gather(TilePool& pool, const TiledSource& source, const ViewRect& view, int level) {
    const LevelData& data = source.levels[static_cast<std::size_t>(level)];
    const int across = tiles_of(data.cols), down = tiles_of(data.rows);
    pages_.assign(static_cast<std::size_t>(across) * static_cast<std::size_t>(down), -1);
    const Span rows = touched(view.y, view.height, down), cols = touched(view.x, view.width, across);
    const int epoch = pool.epoch();
    bool all = true;
    for (int row = rows.first; row < rows.end; ++row)
        for (int col = cols.first; col < cols.end; ++col) {
            const int r = row * kTileSide, c = col * kTileSide;
            const auto layer =
                pool.layer({source.picture, level, row, col},
                           {data.data + static_cast<std::ptrdiff_t>(r) * data.cols + c,
                            std::min(kTileSide, data.rows - r), std::min(kTileSide, data.cols - c), data.cols});
            if (layer) pages_[static_cast<std::size_t>(row * across + col)] = static_cast<std::int16_t>(*layer);
            all &= layer.has_value();
        }
    // The pool grew meanwhile, which invalidated the layers. It cannot grow for ever.
    if (epoch != pool.epoch()) return gather(pool, source, view, level);
    return all;
}

bool TiledHeatmap::draw_level(HeatmapRenderer& renderer, TilePool& pool, const TiledSource& source,
                              const HeatmapLook& look, int level) {
    HeatmapLook here = look;
    here.view = in_level(look.view, level);
    const bool all = gather(pool, source, here.view, level);
    const LevelData& data = source.levels[static_cast<std::size_t>(level)];
    const StateGuard guard;
    target_->bind();
    if (!page_texture_) page_texture_ = make_texture();
    glActiveTexture(GL_TEXTURE0 + HeatmapRenderer::kPagesUnit);
    glBindTexture(GL_TEXTURE_2D, page_texture_.id());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R16I, tiles_of(data.cols), tiles_of(data.rows), 0, GL_RED_INTEGER, GL_SHORT,
                 pages_.data());
    glActiveTexture(GL_TEXTURE0);
    renderer.draw({data.cols, data.rows, kTileSide, kTileSide, tiles_of(data.cols), true}, pool.texture(), here);
    return all;
}

attn::Result<attn::Done> TiledHeatmap::render(HeatmapRenderer& renderer, TilePool& pool, const TiledSource& source,
                                              const HeatmapLook& look) {
    if (look.width <= 0 || look.height <= 0 || source.levels.empty()) return attn::Done{};
    if (complete_ && drawn_ == look && drawn_picture_ == source.picture && drawn_finest_ == source.finest) return attn::Done{};
    if (!target_ || target_->width() != look.width || target_->height() != look.height) {
        auto target = make_target(look.width, look.height);
        if (!target) return target.error();
        target_ = std::move(*target);
    }
    {
        const StateGuard guard;
        target_->clear({}, 0.0f);
    }
    const auto levels = static_cast<int>(source.levels.size());
    const int level = std::max(source.finest, level_for(look, levels));
    // Available tiles of the finer level cover the coarse picture; the smallest level is a single tile.
    if (level + 1 < levels) draw_level(renderer, pool, source, look, levels - 1);
    complete_ = draw_level(renderer, pool, source, look, level);
    drawn_ = look;
    drawn_picture_ = source.picture;
    drawn_finest_ = source.finest;
    ++renders_;
    return attn::Done{};
}

}  // namespace app::gfx
