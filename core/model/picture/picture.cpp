#include "core/model/picture/picture.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/io/sniff.h"
#include "core/model/picture/picture_formats.h"

namespace attn {
namespace {

constexpr std::string_view kPngMagic = "\x89PNG\r\n\x1A\n";

/// Other picture formats, by their first bytes.
struct OtherFormat {
    std::string_view magic, name;
};
constexpr OtherFormat kOtherFormats[] = {{"GIF8", "a GIF"}, {"RIFF", "a WebP"}, {"BM", "a BMP"},
                                         {"II*", "a TIFF"}, {"MM", "a TIFF"},   {"<svg", "an SVG"}};

Error bad_picture(std::string message) { return {std::move(message), "", "", 0}; }

Error no_picture(std::string_view bytes) {
    if (bytes.empty()) return bad_picture("the file is empty; a picture is a PNG or a JPEG");
    for (const OtherFormat& other : kOtherFormats)
        if (bytes.starts_with(other.magic))
            return bad_picture(fmt::format("this is {}; pictures are read as PNG or JPEG: save it as one of them", other.name));
    if (const auto known = recognise_other(bytes, "a picture as PNG or JPEG"); known && !bytes.starts_with("\x89PNG"))
        return bad_picture(*known);
    return bad_picture("this is no picture that is read here; PNG and JPEG are: save it as one of them");
}

/// libpng's simplified reader; freed on every way out.
class PngReader {
public:
    PngReader() { image_.version = PNG_IMAGE_VERSION; }
    ~PngReader() { png_image_free(&image_); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    Result<Picture> read(std::string_view bytes) {
        if (!png_image_begin_read_from_memory(&image_, bytes.data(), bytes.size())) return damaged();
        if (auto refusal = refuse_size(image_.width, image_.height)) return *std::move(refusal);
        image_.format = PNG_FORMAT_RGB;
        image_.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
        Picture out{static_cast<int>(image_.width), static_cast<int>(image_.height), {}};
        out.rgb.resize(std::size_t{image_.width} * std::size_t{image_.height} * 3);
        const png_color white = {255, 255, 255};
        if (!png_image_finish_read(&image_, &white, out.rgb.data(), 0, nullptr)) return damaged();
        return out;
    }

private:
    Error damaged() const {
        return bad_picture(fmt::format("the PNG is damaged or was cut short ({}); save or copy it once more", image_.message));
    }

    png_image image_ = {};
};

/// The source pixels of one result pixel, from `first` on, with weights in units of 2^−22.
struct Taps {
    int first = 0;
    std::vector<std::int32_t> shares;
};
constexpr int kShareBits = 22;

double height_at(double x, Resize how) {
    if (how == Resize::Bilinear) return std::max(0.0, 1 - x);
    constexpr double kBend = -0.5;
    if (x < 1) return ((kBend + 2) * x - (kBend + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * kBend : 0.0;
}

std::vector<Taps> taps_of(int from, int to, Resize how) {
    const double scale = static_cast<double>(from) / to, unit = std::max(scale, 1.0), reach = how == Resize::Bilinear ? unit : 2 * unit;
    std::vector<Taps> out(static_cast<std::size_t>(to));
    for (int i = 0; i < to; ++i) {
        const double center = (i + 0.5) * scale;
        const int first = std::max(0, static_cast<int>(center - reach + 0.5)), past = std::min(from, static_cast<int>(center + reach + 0.5));
        std::vector<double> heights;
        double sum = 0;
        for (int p = first; p < past; ++p) sum += heights.emplace_back(height_at(std::fabs((p + 0.5 - center) / unit), how));
        Taps& taps = out[static_cast<std::size_t>(i)];
        taps.first = first;
        for (const double height : heights) taps.shares.push_back(static_cast<std::int32_t>(std::round(height / sum * (1 << kShareBits))));
    }
    return out;
}

/// Resizing in one direction: `count` lines of `from` pixels; neighbouring pixels are `step` bytes apart, lines `apart`
/// bytes.
struct ResizeLines {
    int count, from, to;
    std::size_t step, apart, to_apart;
    Resize how;
};

std::vector<std::uint8_t> resized_along(const std::vector<std::uint8_t>& in, const ResizeLines& l) {
    const std::vector<Taps> taps = taps_of(l.from, l.to, l.how);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(l.count) * static_cast<std::size_t>(l.to) * 3);
    for (std::size_t line = 0; line < static_cast<std::size_t>(l.count); ++line)
        for (std::size_t i = 0; i < taps.size(); ++i)
            for (std::size_t channel = 0; channel < 3; ++channel) {
                std::int64_t sum = 1 << (kShareBits - 1);
                std::size_t at = line * l.apart + static_cast<std::size_t>(taps[i].first) * l.step + channel;
                for (const std::int32_t share : taps[i].shares) sum += std::int64_t{in[at]} * share, at += l.step;
                out[line * l.to_apart + i * l.step + channel] = static_cast<std::uint8_t>(std::clamp<std::int64_t>(sum >> kShareBits, 0, 255));
            }
    return out;
}

}  // namespace

std::optional<Error> refuse_size(std::int64_t width, std::int64_t height) {
    if (width == 0 || height == 0) return bad_picture("the picture has no pixels");
    if (width * height <= kMostPicturePixels) return std::nullopt;
    return bad_picture(fmt::format("the picture has {} × {} pixels; up to {} million are read: make it smaller", width, height,
                                   kMostPicturePixels / 1'000'000));
}

Result<Picture> decode_picture(std::string_view bytes) {
    if (bytes.starts_with(kPngMagic)) return PngReader().read(bytes);
    if (bytes.starts_with(kJpegMagic)) return decode_jpeg(bytes);
    return no_picture(bytes);
}

Picture resized(const Picture& picture, int width, int height, Resize how) {
    Picture out = picture;
    const auto row = [](int pixels) { return static_cast<std::size_t>(pixels) * 3; };
    if (width != out.width) {
        out.rgb = resized_along(out.rgb, {out.height, out.width, width, 3, row(out.width), row(width), how});
        out.width = width;
    }
    if (height != out.height) {
        out.rgb = resized_along(out.rgb, {out.width, out.height, height, row(out.width), 3, 3, how});
        out.height = height;
    }
    return out;
}

Picture middle_of(const Picture& picture, int width, int height) {
    const int left = (picture.width - width) / 2, top = (picture.height - height) / 2;
    Picture out{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int channel = 0; channel < 3; ++channel) out.rgb.push_back(picture.at(left + x, top + y, channel));
    return out;
}

}  // namespace attn
