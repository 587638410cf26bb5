#pragma once
// A small GIF decoder for the tests, written from the specification (GIF89a), so that our files are checked independently of
// the library that writes them.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/gfx/image.h"

struct GifFrame {
    app::gfx::Image image;  // the whole canvas after this frame
    int delay = 0;          // 1/100 s
};

struct Gif {
    int loops = -1;  // 0: for ever
    std::vector<GifFrame> frames;
};

/// nullopt if the bytes are not a complete GIF.
std::optional<Gif> read_gif(std::span<const std::uint8_t> bytes);
