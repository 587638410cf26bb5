#include "app/export/gif.h"

#include <cgif.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "app/export/gif_palette.h"

namespace app {
namespace {

constexpr int kMaxSide = 65535;   // the format's own limit
constexpr int kMaxDelay = 65535;  // 1/100 s, the format's own limit
constexpr int kMinDelay = 2;

}  // namespace

struct GifWriter::Impl {
    GifOptions options;
    std::optional<ColorCounts> counts{std::in_place};  // until the first frame
    std::vector<Rgb8> palette;
    std::optional<NearestColor> nearest;
    CGIF* gif = nullptr;
    std::vector<std::uint8_t> bytes;
    bool full = false;  // max_bytes or the memory is exhausted

    // The last frame is held back: the next one may be equal and only lengthen it.
    std::vector<std::uint8_t> held;
    int held_delay = 0;

    Impl() = default;
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        if (gif != nullptr) cgif_close(gif);
    }

    static int write(void* context, const std::uint8_t* data, std::size_t size);
    attn::Result<attn::Done> begin();
    attn::Result<attn::Done> flush();
    attn::Error failure() const;
    attn::Result<attn::Done> check_size(const gfx::Image& image) const;
};

int GifWriter::Impl::write(void* context, const std::uint8_t* data, std::size_t size) {
    auto* self = static_cast<Impl*>(context);
    if (size > self->options.max_bytes || self->bytes.size() > self->options.max_bytes - size) {
        self->full = true;
        return -1;
    }
    try {
        self->bytes.insert(self->bytes.end(), data, data + size);
    } catch (const std::bad_alloc&) {  // must not pass through a C library
        self->full = true;
        return -1;
    }
    return 0;
}

attn::Error GifWriter::Impl::failure() const {
    if (full)
        return {fmt::format("the GIF is larger than {} MB; make it shorter or smaller", options.max_bytes >> 20),
                {},
                {},
                0};
    return {"the GIF cannot be made: out of memory", {}, {}, 0};
}

attn::Result<attn::Done> GifWriter::Impl::check_size(const gfx::Image& image) const {
    if (image.valid() && image.width == options.width && image.height == options.height) return attn::Done{};
    return attn::Error{fmt::format("a frame of {}×{} pixels in a GIF of {}×{}", image.width, image.height,
                                   options.width, options.height),
                       {},
                       {},
                       0};
}

/// Chooses the palette and writes the header.
attn::Result<attn::Done> GifWriter::Impl::begin() {
    palette = choose_palette(*counts);
    counts.reset();
    nearest.emplace(palette);
    CGIF_Config config{};
    config.pGlobalPalette = palette.front().data();
    config.numGlobalPaletteEntries = static_cast<std::uint16_t>(palette.size());
    config.attrFlags = CGIF_ATTR_IS_ANIMATED;
    config.width = static_cast<std::uint16_t>(options.width);
    config.height = static_cast<std::uint16_t>(options.height);
    config.numLoops = CGIF_INFINITE_LOOP;
    config.pWriteFn = write;
    config.pContext = this;
    gif = cgif_newgif(&config);
    if (gif == nullptr) return failure();
    return attn::Done{};
}

attn::Result<attn::Done> GifWriter::Impl::flush() {
    if (held.empty()) return attn::Done{};
    CGIF_FrameConfig frame{};
    frame.pImageData = held.data();
    frame.genFlags = CGIF_FRAME_GEN_USE_TRANSPARENCY | CGIF_FRAME_GEN_USE_DIFF_WINDOW;
    frame.delay = static_cast<std::uint16_t>(held_delay);
    if (cgif_addframe(gif, &frame) != CGIF_OK || full) return failure();
    return attn::Done{};
}

GifWriter::GifWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
GifWriter::GifWriter(GifWriter&&) noexcept = default;
GifWriter& GifWriter::operator=(GifWriter&&) noexcept = default;
GifWriter::~GifWriter() = default;

attn::Result<GifWriter> make_gif_writer(const GifOptions& options) {
    if (options.width < 1 || options.height < 1 || options.width > kMaxSide || options.height > kMaxSide)
        return attn::Error{fmt::format("a GIF of {}×{} pixels cannot be made: each side has 1 to {}", options.width,
                                       options.height, kMaxSide),
                           {},
                           {},
                           0};
    auto impl = std::make_unique<GifWriter::Impl>();
    impl->options = options;
    return GifWriter(std::move(impl));
}

attn::Result<attn::Done> GifWriter::add_colors(const gfx::Image& image) {
    if (!impl_->counts) return attn::Error{"the GIF's colours are settled by its first frame", {}, {}, 0};
    if (auto size = impl_->check_size(image); !size) return size;
    impl_->counts->add(image);
    return attn::Done{};
}

attn::Result<attn::Done> GifWriter::add_frame(const gfx::Image& image, int delay) {
    Impl& impl = *impl_;
    if (auto size = impl.check_size(image); !size) return size;
    if (impl.gif == nullptr) {
        if (!impl.counts) return impl.failure();
        if (impl.counts->empty()) impl.counts->add(image);
        if (auto begun = impl.begin(); !begun) return begun;
    }
    std::vector<std::uint8_t> indices(image.rgba.size() / 4);
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = (*impl.nearest)(image.rgba.data() + i * 4);

    delay = std::clamp(delay, kMinDelay, kMaxDelay);
    if (indices == impl.held && impl.held_delay + delay <= kMaxDelay) {
        impl.held_delay += delay;
        return attn::Done{};
    }
    if (auto flushed = impl.flush(); !flushed) return flushed;
    impl.held = std::move(indices);
    impl.held_delay = delay;
    return attn::Done{};
}

attn::Result<std::vector<std::uint8_t>> GifWriter::finish() {
    Impl& impl = *impl_;
    if (impl.gif == nullptr) return attn::Error{"a GIF needs at least one frame", {}, {}, 0};
    if (auto flushed = impl.flush(); !flushed) return flushed.error();
    impl.held.clear();
    const int closed = cgif_close(std::exchange(impl.gif, nullptr));
    if (closed != CGIF_OK || impl.full) return impl.failure();
    return std::move(impl.bytes);
}

}  // namespace app
