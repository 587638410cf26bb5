#pragma once
// An animated GIF in memory, in two passes over the frames: first `add_colors` sees every frame (or enough of them), so
// that one palette fits all; then `add_frame` takes them in order.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/gfx/image.h"
#include "core/base/result.h"

namespace app {

struct GifOptions {
    int width = 0;  // pixels, 1 … 65535
    int height = 0;
    std::size_t max_bytes = std::size_t{512} << 20;  // fails before the file would exceed it
};

/// Loops for ever. Only the changes between two frames are stored; a frame equal to the previous one lengthens it. The
/// same frames give the same bytes. Alpha is ignored. Memory: 64 MB for the counts in the first pass, 32 MB in the
/// second, a few frames of one byte per pixel, and the file itself.
class GifWriter {
public:
    GifWriter(GifWriter&&) noexcept;
    GifWriter& operator=(GifWriter&&) noexcept;
    ~GifWriter();

    /// First pass. Errors: a size other than the GIF's; called after the first frame was added.
    attn::Result<attn::Done> add_colors(const gfx::Image& image);

    /// Second pass. `delay` in 1/100 s; less than 2 counts as 2, the least that browsers respect. If no colours were
    /// added, this frame's are taken. Errors: another size, or the file would exceed its limit.
    attn::Result<attn::Done> add_frame(const gfx::Image& image, int delay);

    /// The whole file; the writer cannot be used afterwards. Error: no frame was added.
    attn::Result<std::vector<std::uint8_t>> finish();

private:
    friend attn::Result<GifWriter> make_gif_writer(const GifOptions&);
    struct Impl;
    explicit GifWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Error: a size that a GIF cannot have.
attn::Result<GifWriter> make_gif_writer(const GifOptions& options);

}  // namespace app
