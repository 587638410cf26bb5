#pragma once
// An animated GIF in memory, in two passes over the frames: first every frame (or enough of them) is shown to
// `add_colors`, so that one palette fits all; then `add_frame` takes them in order.

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
    std::size_t max_bytes = std::size_t{512} << 20;  // an error before the file grows beyond it
};

/// Plays for ever. Only what changed between two frames is stored; a frame equal to the one before lengthens it.
/// The same frames give the same bytes. Alpha is not looked at. Memory: 64 MB for the counts during the first pass,
/// 32 MB in the second, a few frames of one byte a pixel, and the file itself.
class GifWriter {
public:
    GifWriter(GifWriter&&) noexcept;
    GifWriter& operator=(GifWriter&&) noexcept;
    ~GifWriter();

    /// First pass. Errors: another size than the GIF's; called after the first frame.
    attn::Result<attn::Done> add_colors(const gfx::Image& image);

    /// Second pass. `delay` in 1/100 s; less than 2 counts as 2, which is where browsers begin to obey. When no
    /// colours were added those of this frame are taken. Errors: another size, or the file grows beyond its limit.
    attn::Result<attn::Done> add_frame(const gfx::Image& image, int delay);

    /// The whole file; the writer is used up. Error: no frame was added.
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
