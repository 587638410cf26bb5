#include "app/export/png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cmath>
#include <new>

// libpng reports errors by longjmp, which skips destructors. So the functions that call setjmp own nothing: everything
// that must be freed is in a job that the caller holds, and nothing in them changes after setjmp.

namespace app {
namespace {

struct Job {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::string error;
    std::vector<std::uint8_t> out;   // bytes so far
    std::vector<png_bytep> rows;     // into the image's pixels
    std::vector<png_text> chunks;    // into the caller's strings
    png_uint_32 dots_per_metre = 0;  // 0: not written
    bool opaque = false;
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
        full = true;  // the jump must not leave a handler, so it happens below
    }
    if (full) png_error(png, "out of memory");
}

void on_flush(png_structp) {}

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

/// iTXt, because tEXt is Latin-1.
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
    // libpng only reads through these; its interface is not const-correct.
    point_rows_at(job, const_cast<std::uint8_t*>(image.rgba.data()), static_cast<std::size_t>(image.width),
                  static_cast<std::size_t>(image.height));
    if (!write_all(job, static_cast<png_uint_32>(image.width), static_cast<png_uint_32>(image.height)))
        return attn::Error{"the PNG cannot be made: " + job.error, {}, {}, 0};
    return std::move(job.out);
}

}  // namespace app
