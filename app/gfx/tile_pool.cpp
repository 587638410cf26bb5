#include "app/gfx/tile_pool.h"

#include <algorithm>

#include "app/gfx/state_guard.h"

namespace app::gfx {

void TilePool::begin_frame() {
    ++frame_;
    left_ = kUploadsAFrame;
    waiting_ = false;
}

/// Doubles the number of layers, or allocates the first ones. Existing tiles are uploaded again on request.
bool TilePool::grow() {
    GLint allowed = 0;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &allowed);
    const int wanted = std::min({layers_ == 0 ? kLayersAtFirst : 2 * layers_, most_, static_cast<int>(allowed)});
    if (wanted <= layers_) return false;
    const StateGuard guard;
    discard_gl_errors();
    TextureHandle texture = make_texture();
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture.id());
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32F, kTileSide, kTileSide, wanted, 0, GL_RED, GL_FLOAT, nullptr);
    if (glGetError() != GL_NO_ERROR) {
        most_ = layers_;  // the driver has no more memory: stay with the present layers
        return false;
    }
    texture_ = std::move(texture);
    layers_ = wanted;
    ++epoch_;
    tiles_.clear();
    return true;
}

std::optional<int> TilePool::free_layer() {
    if (static_cast<int>(tiles_.size()) < layers_) {
        // Layers are assigned in order until all are taken, and again after clear().
        return static_cast<int>(tiles_.size());
    }
    const auto oldest = std::min_element(tiles_.begin(), tiles_.end(),
                                         [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
    if (oldest == tiles_.end() || oldest->second.used == frame_) return std::nullopt;
    const int layer = oldest->second.layer;
    tiles_.erase(oldest);
    return layer;
}

std::optional<int> TilePool::layer(const TileKey& key, const TileData& data) {
    if (const auto found = tiles_.find(key); found != tiles_.end()) {
        found->second.used = frame_;
        return found->second.layer;
    }
    if (left_ <= 0) {
        waiting_ = true;
        return std::nullopt;
    }
    auto layer = free_layer();
    if (!layer && grow()) layer = free_layer();
    if (!layer) return std::nullopt;
    const StateGuard guard;
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.id());
    glPixelStorei(GL_UNPACK_ROW_LENGTH, data.stride);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, *layer, data.cols, data.rows, 1, GL_RED, GL_FLOAT, data.first);
    tiles_[key] = {*layer, frame_};
    --left_;
    ++uploads_;
    return layer;
}

}  // namespace app::gfx
