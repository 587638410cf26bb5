#include "app/export/png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cmath>
#include <cstring>
#include <new>

// libpng reports errors by longjmp, which skips destructors. So the functions that call setjmp own nothing: all
// that must be freed lies in a job that the caller holds, and nothing in them changes after setjmp.

namespace app {
namespace {

constexpr std::uint64_t kMaxPixels = 1u << 28;
constexpr png_uint_32 kMaxPngSide = 65535;
constexpr png_alloc_size_t kMaxChunk = 8u << 20;

struct Job {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::string error;
    std::vector<std::uint8_t> out;      // encoder: bytes so far
    std::span<const std::uint8_t> in;   // decoder: bytes not read yet
    std::vector<png_bytep> rows;        // into the image's pixels
    std::vector<png_text> chunks;       // into the caller's strings
    png_uint_32 width = 0, height = 0;  // decoder
    png_uint_32 dots_per_metre = 0;     // encoder; 0: nothing is said of it
    bool opaque = false;                // encoder
};

void on_error(png_structp png, png_const_charp message) {
    static_cast<Job*>(png_get_error_ptr(png))->error = message;
    png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_write(png_structp png, png_bytep data, std::size_t size) {
    bool full = false;
    try {
        auto& out = static_cast<Job*>(png_get_io_ptr(png))->out;
        out.insert(out.end(), data, data + size);
    } catch (const std::bad_alloc&) {
        full = true;  // not from here: no jump out of a handler
    }
    if (full) png_error(png, "out of memory");
}

void on_flush(png_structp) {}

void on_read(png_structp png, png_bytep data, std::size_t size) {
    auto& in = static_cast<Job*>(png_get_io_ptr(png))->in;
    if (size > in.size()) png_error(png, "the file ends too early");
    std::memcpy(data, in.data(), size);
    in = in.subspan(size);
}

bool is_opaque(const gfx::Image& image) {
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        if (image.rgba[i] != 255) return false;
    return true;
}

bool good_keyword(const std::string& keyword) {
    return !keyword.empty() && keyword.size() <= 79 && keyword.front() != ' ' && keyword.back() != ' ' &&
           keyword.find("  ") == std::string::npos &&
           std::all_of(keyword.begin(), keyword.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

/// iTXt, not tEXt: that one is Latin-1.
png_text text_chunk(const PngText& text) {
    png_text chunk{};
    chunk.compression = PNG_ITXT_COMPRESSION_NONE;
    chunk.key = const_cast<char*>(text.first.c_str());
    chunk.text = const_cast<char*>(text.second.c_str());
    chunk.itxt_length = text.second.size();
    return chunk;
}

bool write_all(Job& job, png_uint_32 width, png_uint_32 height) {
    if (setjmp(png_jmpbuf(job.png)) != 0) return false;
    png_set_write_fn(job.png, &job, on_write, on_flush);
    png_set_compression_level(job.png, 6);
    png_set_IHDR(job.png, job.info, width, height, 8, job.opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_set_sRGB(job.png, job.info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (job.dots_per_metre > 0) png_set_pHYs(job.png, job.info, job.dots_per_metre, job.dots_per_metre, PNG_RESOLUTION_METER);
    if (!job.chunks.empty()) png_set_text(job.png, job.info, job.chunks.data(), static_cast<int>(job.chunks.size()));
    png_write_info(job.png, job.info);
    if (job.opaque) png_set_filler(job.png, 0, PNG_FILLER_AFTER);
    png_write_image(job.png, job.rows.data());
    png_write_end(job.png, job.info);
    return true;
}

bool read_header(Job& job) {
    if (setjmp(png_jmpbuf(job.png)) != 0) return false;
    png_set_user_limits(job.png, kMaxPngSide, kMaxPngSide);
    png_set_chunk_malloc_max(job.png, kMaxChunk);
    png_set_read_fn(job.png, &job, on_read);
    png_read_info(job.png, job.info);
    png_set_expand(job.png);  // palettes and fewer bits to 8, a transparent colour to alpha
    png_set_scale_16(job.png);
    png_set_gray_to_rgb(job.png);
    png_set_add_alpha(job.png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(job.png);
    png_read_update_info(job.png, job.info);
    job.width = png_get_image_width(job.png, job.info);
    job.height = png_get_image_height(job.png, job.info);
    if (png_get_rowbytes(job.png, job.info) != static_cast<std::size_t>(job.width) * 4)
        png_error(job.png, "an unknown kind of pixel");
    return true;
}

bool read_pixels(Job& job) {
    if (setjmp(png_jmpbuf(job.png)) != 0) return false;
    png_read_image(job.png, job.rows.data());
    png_read_end(job.png, job.info);
    return true;
}

void point_rows_at(Job& job, std::uint8_t* pixels, std::size_t width, std::size_t height) {
    job.rows.resize(height);
    for (std::size_t y = 0; y < height; ++y) job.rows[y] = pixels + y * width * 4;
}

struct Writer : Job {
    Writer() {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<Job*>(this), on_error, on_warning);
        info = png == nullptr ? nullptr : png_create_info_struct(png);
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { png_destroy_write_struct(&png, &info); }
};

struct Reader : Job {
    Reader() {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, static_cast<Job*>(this), on_error, on_warning);
        info = png == nullptr ? nullptr : png_create_info_struct(png);
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

std::vector<PngText> texts_of(const Job& job) {
    png_textp chunks = nullptr;
    int count = 0;
    png_get_text(job.png, job.info, &chunks, &count);
    std::vector<PngText> out;
    for (int i = 0; i < count; ++i)
        out.emplace_back(chunks[i].key, chunks[i].text == nullptr ? std::string() : std::string(chunks[i].text));
    return out;
}

}  // namespace

attn::Result<std::vector<std::uint8_t>> encode_png(const gfx::Image& image, std::span<const PngText> text, float dots) {
    if (image.empty() || !image.valid()) return attn::Error{"a picture without pixels cannot be a PNG", {}, {}, 0};
    for (const PngText& entry : text)
        if (!good_keyword(entry.first))
            return attn::Error{"\"" + entry.first + "\" cannot be the keyword of a PNG's text", {}, {}, 0};

    Writer job;
    if (job.info == nullptr) return attn::Error{"out of memory for the PNG", {}, {}, 0};
    job.opaque = is_opaque(image);
    job.dots_per_metre = static_cast<png_uint_32>(std::lround(dots / 0.0254f));
    for (const PngText& entry : text) job.chunks.push_back(text_chunk(entry));
    // libpng only reads through these; its interface is older than const.
    point_rows_at(job, const_cast<std::uint8_t*>(image.rgba.data()), static_cast<std::size_t>(image.width),
                  static_cast<std::size_t>(image.height));
    if (!write_all(job, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height)))
        return attn::Error{"the PNG cannot be made: " + job.error, {}, {}, 0};
    return std::move(job.out);
}

attn::Result<Png> decode_png(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 8 || png_sig_cmp(bytes.data(), 0, 8) != 0)
        return attn::Error{"this is not a PNG picture", {}, {}, 0};
    Reader job;
    if (job.info == nullptr) return attn::Error{"out of memory for the PNG", {}, {}, 0};
    job.in = bytes;
    if (!read_header(job)) return attn::Error{"the PNG cannot be read: " + job.error, {}, {}, 0};
    if (std::uint64_t{job.width} * job.height > kMaxPixels)
        return attn::Error{
            "the PNG is too large: " + std::to_string(job.width) + "×" + std::to_string(job.height) + " pixels",
            {},
            {},
            0};
    Png out{gfx::make_image(static_cast<int>(job.width), static_cast<int>(job.height)), {}};
    point_rows_at(job, out.image.rgba.data(), job.width, job.height);
    if (!read_pixels(job)) return attn::Error{"the PNG cannot be read: " + job.error, {}, {}, 0};
    out.text = texts_of(job);
    return out;
}

}  // namespace app
