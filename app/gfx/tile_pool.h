#pragma once
// Tiles of large matrices on the graphics processor, up to a budget; the least recently used are evicted first.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>

#include "app/gfx/handle.h"

namespace app::gfx {

/// Cells along a side of a tile.
inline constexpr int kTileSide = 256;

/// A tile of one level of a matrix's pyramid; `picture` identifies the matrix, its run and the way of pooling.
struct TileKey {
    std::uint64_t picture = 0;
    int level = 0, row = 0, col = 0;  ///< in tiles
    auto operator<=>(const TileKey&) const = default;
};

/// The numbers of a tile, row-major: `rows` × `cols`, with a row stride of `stride`.
struct TileData {
    const float* first = nullptr;
    int rows = 0, cols = 0, stride = 0;
};

class TilePool {
public:
    static constexpr std::size_t kTileBytes = std::size_t{kTileSide} * kTileSide * sizeof(float);
    static constexpr int kLayersAtFirst = 64;  ///< 16 MiB
    static constexpr int kMostLayers = 512;    ///< 128 MiB: a 4K screen full of the finest level
    /// Tiles uploaded per frame: the rest follows in later frames, and a coarser level is drawn meanwhile.
    static constexpr int kUploadsAFrame = 16;

    /// `most` limits the layers (for tests).
    explicit TilePool(int most = kMostLayers) : most_(most) {}

    void begin_frame();
    /// The layer of the tile; none: it is not there yet, or there is no room for it in this frame. All calls leave the
    /// GL state as they found it.
    std::optional<int> layer(const TileKey& key, const TileData& data);
    /// Discards all tiles: the numbers have changed.
    void clear() { tiles_.clear(); }
    /// A tile requested in this frame will only be there in a later one.
    bool waiting() const { return waiting_; }

    unsigned texture() const { return texture_.id(); }
    /// Changes when the texture is replaced: layers returned earlier are then invalid.
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
