#pragma once
// Pieces of large matrices on the graphics processor: as many as the budget holds, the ones longest unused go first.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "app/gfx/handle.h"

namespace app::gfx {

/// Cells along a side of a tile.
inline constexpr int kTileSide = 256;

/// A piece of a level of a matrix's pyramid; `picture` tells matrices, runs and ways of pooling apart.
struct TileKey {
    std::uint64_t picture = 0;
    int level = 0, row = 0, col = 0;  ///< counted in tiles
    auto operator<=>(const TileKey&) const = default;
};

/// The numbers of a tile, row-major: `rows` × `cols` of them, each row `stride` after the one before.
struct TileData {
    const float* first = nullptr;
    int rows = 0, cols = 0, stride = 0;
};

class TilePool {
public:
    static constexpr std::size_t kTileBytes = std::size_t{kTileSide} * kTileSide * sizeof(float);
    static constexpr int kLayersAtFirst = 64;  ///< 16 MiB
    static constexpr int kMostLayers = 512;    ///< 128 MiB: a 4K screen full of the finest level
    /// Tiles that one frame sends: the rest follows in the next ones, a coarser level stands in.
    static constexpr int kUploadsAFrame = 16;

    /// `most` caps the layers (tests).
    explicit TilePool(int most = kMostLayers) : most_(most) {}

    void begin_frame();
    /// The layer of the tile; none: it is not there yet, or there is no room for it in this frame. All calls leave the
    /// GL state as they found it.
    std::optional<int> layer(const TileKey& key, const TileData& data);
    /// Everything may be forgotten: the numbers are others now.
    void clear() { tiles_.clear(); }
    /// A tile was asked for in this frame that a later one will have.
    bool waiting() const { return waiting_; }

    unsigned texture() const { return texture_.id(); }
    /// Changes when the texture is another one: layers that were told before mean nothing any more.
    int epoch() const { return epoch_; }
    int layers() const { return layers_; }
    std::size_t bytes() const { return static_cast<std::size_t>(layers_) * kTileBytes; }
    std::size_t held() const { return tiles_.size(); }
    int uploads() const { return uploads_; }

private:
    struct Tile {
        int layer = 0;
        std::uint64_t used = 0;
    };
    bool grow();
    std::optional<int> free_layer();

    int most_;
    int layers_ = 0;
    int epoch_ = 0;
    TextureHandle texture_;
    std::map<TileKey, Tile> tiles_;
    std::uint64_t frame_ = 0;
    int left_ = kUploadsAFrame;
    bool waiting_ = false;
    int uploads_ = 0;
};

}  // namespace app::gfx
