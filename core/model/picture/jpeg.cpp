#include <fmt/format.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <string>

// After <cstdio>, which it needs.
#include <jpeglib.h>
#include <jerror.h>

#include "core/model/picture/picture_formats.h"

namespace attn {
namespace {

/// The most scans of a progressive picture: usual files have about ten, but a few bytes can request another scan over
/// all pixels.
constexpr int kMostScans = 100;

enum class Trouble : std::uint8_t { Damage, Kind, Scans };

// libjpeg reports errors by longjmp, which skips destructors. So functions that call setjmp own nothing; everything is
// in their caller's JpegJob.
struct JpegJob {
    jpeg_decompress_struct file = {};
    jpeg_error_mgr errors = {};
    jpeg_progress_mgr progress = {};
    std::jmp_buf back = {};
    std::string_view bytes;
    Trouble trouble = Trouble::Damage;
    char said[JMSG_LENGTH_MAX] = {};  ///< libjpeg's message
    Picture out;
    std::vector<std::uint8_t> inks;  ///< one row of four channels, for CMYK files
};

/// Errors about valid files of an unsupported kind.
bool is_of_kind(int code) {
    constexpr int kKinds[] = {
#if JPEG_LIB_VERSION < 70  // later versions lack this code
        JERR_ARITH_NOTIMPL,
#endif
        JERR_BAD_PRECISION, JERR_CCIR601_NOTIMPL, JERR_COMPONENT_COUNT,      JERR_CONVERSION_NOTIMPL,
        JERR_NOTIMPL,       JERR_FRACT_SAMPLE_NOTIMPL, JERR_IMAGE_TOO_BIG, JERR_SOF_UNSUPPORTED};
    return std::find(std::begin(kKinds), std::end(kKinds), code) != std::end(kKinds);
}

/// Warnings after which pixels are made up. Other warnings concern files that are unusual but complete.
bool is_damage(int code) {
    constexpr int kDamage[] = {JWRN_ARITH_BAD_CODE, JWRN_HIT_MARKER, JWRN_HUFF_BAD_CODE, JWRN_JPEG_EOF, JWRN_MUST_RESYNC};
    return std::find(std::begin(kDamage), std::end(kDamage), code) != std::end(kDamage);
}

[[noreturn]] void leave(j_common_ptr file, Trouble trouble) {
    auto& job = *static_cast<JpegJob*>(file->client_data);
    job.trouble = trouble;
    file->err->format_message(file, job.said);
    std::longjmp(job.back, 1);
}

void on_jpeg_error(j_common_ptr file) { leave(file, is_of_kind(file->err->msg_code) ? Trouble::Kind : Trouble::Damage); }

void on_jpeg_message(j_common_ptr file, int level) {
    if (level < 0 && is_damage(file->err->msg_code)) leave(file, Trouble::Damage);
}

void on_jpeg_output(j_common_ptr) {}  // nothing is printed

void on_jpeg_progress(j_common_ptr file) {
    if (reinterpret_cast<j_decompress_ptr>(file)->input_scan_number > kMostScans) leave(file, Trouble::Scans);
}

bool begin_jpeg(JpegJob& job) {
    job.file.err = jpeg_std_error(&job.errors);
    job.errors.error_exit = on_jpeg_error;
    job.errors.emit_message = on_jpeg_message;
    job.errors.output_message = on_jpeg_output;
    job.progress.progress_monitor = on_jpeg_progress;
    job.file.client_data = &job;
    if (setjmp(job.back) != 0) return false;
    jpeg_create_decompress(&job.file);
    job.file.progress = &job.progress;
    jpeg_mem_src(&job.file, reinterpret_cast<const unsigned char*>(job.bytes.data()), static_cast<unsigned long>(job.bytes.size()));
    jpeg_save_markers(&job.file, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&job.file, TRUE);
    return true;
}

/// CMYK to RGB as in Pillow. Programs write these files inverted, so a value is the light that remains.
void add_paper(const std::vector<std::uint8_t>& inks, std::uint8_t* rgb) {
    for (std::size_t i = 0; i < inks.size(); i += 4)
        for (std::size_t ink = 0; ink < 3; ++ink) {
            const int product = (255 - inks[i + ink]) * inks[i + 3] + 128;
            const int taken = (product + (product >> 8)) >> 8;  // divided by 255, rounded to nearest
            *rgb++ = static_cast<std::uint8_t>(std::max(0, inks[i + 3] - taken));
        }
}

bool read_jpeg_pixels(JpegJob& job) {
    if (setjmp(job.back) != 0) return false;
    jpeg_start_decompress(&job.file);
    while (job.file.output_scanline < job.file.output_height) {
        std::uint8_t* const row = job.out.rgb.data() + std::size_t{job.file.output_scanline} * job.file.output_width * 3;
        JSAMPROW into = job.inks.empty() ? row : job.inks.data();
        jpeg_read_scanlines(&job.file, &into, 1);
        if (!job.inks.empty()) add_paper(job.inks, row);
    }
    jpeg_finish_decompress(&job.file);
    return true;
}

/// Applies the EXIF orientation, which says on which side the first row and the first column of pixels are.
Picture upright(Picture lying, int orientation) {
    if (orientation == 1) return lying;
    const bool turned = orientation >= 5, mirrored = orientation == 2 || orientation == 3 || orientation >= 7;
    const bool overhead = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    Picture out{turned ? lying.height : lying.width, turned ? lying.width : lying.height, {}};
    out.rgb.reserve(lying.rgb.size());
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            const int across = turned ? y : x, down = turned ? x : y;
            for (int channel = 0; channel < 3; ++channel)
                out.rgb.push_back(lying.at(mirrored ? lying.width - 1 - across : across, overhead ? lying.height - 1 - down : down, channel));
        }
    return out;
}

class JpegReader : JpegJob {
public:
    explicit JpegReader(std::string_view given) { bytes = given; }
    ~JpegReader() { jpeg_destroy_decompress(&file); }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    Result<Picture> read() {
        if (!begin_jpeg(*this)) return refused();
        const auto width = std::size_t{file.image_width}, height = std::size_t{file.image_height};
        if (auto refusal = refuse_size(file.image_width, file.image_height)) return *std::move(refusal);
        const bool has_inks = file.num_components == 4;
        if (!has_inks && file.num_components != 1 && file.num_components != 3)
            return Error{fmt::format("this JPEG has {} colours, which are not read; 1 (grey), 3 and 4 (inks) are", file.num_components), "", "", 0};
        // Requested explicitly, so that a file whose colour space libjpeg does not know is refused, not shown in wrong
        // colours.
        file.out_color_space = has_inks ? JCS_CMYK : JCS_RGB;
        out = {static_cast<int>(width), static_cast<int>(height), std::vector<std::uint8_t>(width * height * 3)};
        if (has_inks) inks.resize(width * 4);
        const int lies = orientation();  // read now, because libjpeg discards it with the rest of the header
        if (!read_jpeg_pixels(*this)) return refused();
        return upright(std::move(out), lies);
    }

private:
    int orientation() const {
        for (const jpeg_marker_struct* marker = file.marker_list; marker; marker = marker->next) {
            const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
            if (data.starts_with("Exif")) return exif_orientation(data);
        }
        return 1;
    }

    Error refused() const {
        switch (trouble) {
            case Trouble::Kind:
                return {fmt::format("this kind of JPEG is not read ({}); save it as an ordinary one, or as PNG", said), "", "", 0};
            case Trouble::Scans:
                return {fmt::format("this JPEG comes in more than {} passes, which no ordinary one does; save it once more", kMostScans), "", "", 0};
            case Trouble::Damage:
                break;
        }
        return {fmt::format("the JPEG is damaged or was cut short ({}); save or copy it once more", said), "", "", 0};
    }
};

}  // namespace

// Pillow's Image.open() leaves a photograph as the camera stored it; transformers' load_image(), which its pipelines
// use, rotates it (exif_transpose). It is rotated here, as the pipelines pass it to the model.
Result<Picture> decode_jpeg(std::string_view bytes) {
    return JpegReader(bytes).read();
}

}  // namespace attn
