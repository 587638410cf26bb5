// `render --storyboard`: the walk on one sheet, a picture every few seconds with its time and caption.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/render_job.h"
#include "app/cli/version.h"
#include "app/export/png.h"
#include "app/ui/rich_text.h"
#include "core/document/fields.h"

namespace app {
namespace {

/// In pixels: the width of a picture, and the gap between two.
constexpr int kWide = 480, kGap = 16;
/// The longest sentence of a walk, in letters, and a letter's width relative to its height; from these follows the
/// number of lines.
constexpr float kLongest = 90, kLetter = 0.52f;
constexpr int kAcross = 5;
constexpr std::size_t kMostPictures = 200;

using gfx::Image;

/// At most `width` wide: each pixel is the mean of those that it replaces.
Image smaller(const Image& image, int width) {
    if (image.width <= width) return image;
    const double scale = static_cast<double>(image.width) / width;
    Image out = gfx::make_image(width, static_cast<int>(image.height / scale));
    for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x) {
            const int left = static_cast<int>(x * scale), top = static_cast<int>(y * scale);
            const int right = std::clamp(static_cast<int>((x + 1) * scale), left + 1, image.width),
                      bottom = std::clamp(static_cast<int>((y + 1) * scale), top + 1, image.height);
            int sum[4] = {};
            for (int j = top; j < bottom; ++j)
                for (int i = left; i < right; ++i)
                    for (int c = 0; c < 4; ++c) sum[c] += image.at(i, j)[c];
            for (int c = 0; c < 4; ++c)
                out.at(x, y)[c] = static_cast<std::uint8_t>(sum[c] / ((right - left) * (bottom - top)));
        }
    return out;
}

void put(Image& on, const Image& image, int left, int top) {
    for (int y = 0; y < image.height; ++y)
        std::copy_n(image.at(0, y), static_cast<std::size_t>(image.width) * 4, on.at(left, top + y));
}

/// Space below a picture: for the time, and for the sentence.
struct WordsRoom {
    float time = 0, sentence = 0;
    int high() const { return static_cast<int>(std::ceil(time + sentence)); }
};
attn::Result<WordsRoom> room_of_words(const RenderJob& job, int width) {
    WordsRoom room;
    const auto measured = job.studio.beside({1, 1}, [&](Painter& p) {
        const float lines = std::max(2.0f, std::ceil(kLongest * kLetter * p.theme().em(Type::Body) / static_cast<float>(width)));
        room = {p.theme().line_height(Type::NumberSmall) + 4, lines * p.theme().line_height(Type::Body) + 6};
    });
    if (!measured) return measured.error();
    return room;
}

/// "4.0 s", and the sentence below it.
attn::Result<Image> words_of(const RenderJob& job, double time, int width, const WordsRoom& room) {
    const std::string said = job.studio.derived().caption.text();
    const auto w = static_cast<float>(width);
    return job.studio.beside({w, static_cast<float>(room.high())}, [&](Painter& p) {
        p.text_in({0, 2, w, room.time - 2}, fmt::format("{:.1f} s", time), {Type::NumberSmall}, Hue::Soft);
        draw_lines(p, {0, room.time, w, room.sentence}, said, {Type::Body}, Hue::Ink);
    });
}

/// Times from the beginning to the end, both included.
std::vector<double> moments(const Timeline& timeline, double every) {
    std::vector<double> out;
    for (double time = 0; time < timeline.length() - every / 4; time = static_cast<double>(out.size()) * every)
        out.push_back(time);
    out.push_back(timeline.length());
    return out;
}

attn::Result<Image> sheet_of(const RenderJob& job, const std::vector<double>& times) {
    const auto count = static_cast<int>(times.size()), across = std::min(count, kAcross);
    const int wide = std::min(kWide, static_cast<int>(job.size.w));
    const int high = static_cast<int>(static_cast<float>(wide) * job.size.h / job.size.w);
    const int rows = (count + across - 1) / across;
    // The type size depends on the theme and the picture's size, and is known once a picture has been drawn.
    job.studio.show_time(times.front());
    if (const auto first = job.studio.picture(job.size); !first) return first.error();
    const auto room = room_of_words(job, wide);
    if (!room) return room.error();
    const int words_high = room->high();
    Image sheet = gfx::make_image(across * (wide + kGap) + kGap, rows * (high + words_high + kGap) + kGap);
    std::fill(sheet.rgba.begin(), sheet.rgba.end(), std::uint8_t{255});
    for (int i = 0; i < count; ++i) {
        if (job.interrupt.requested()) break;
        tell_progress(job, static_cast<double>(i) / count);
        const double time = times[static_cast<std::size_t>(i)];
        job.studio.show_time(time);
        const auto picture = job.studio.picture(job.size);
        if (!picture) return picture.error();
        const auto words = words_of(job, time, wide, *room);
        if (!words) return words.error();
        const int left = kGap + i % across * (wide + kGap), top = kGap + i / across * (high + words_high + kGap);
        Image small = smaller(*picture, wide);
        small.height = std::min(small.height, high);
        put(sheet, small, left, top);
        put(sheet, *words, left, top + high);
    }
    return sheet;
}

}  // namespace

Exit render_storyboard(const RenderJob& job) {
    const Timeline& timeline = job.studio.derived().timeline;
    if (timeline.stops.empty())
        return fail(job.streams, Exit::BadInput, "the text has no tokens: there is nothing to walk through");
    const std::vector<double> times = moments(timeline, job.options.every.value_or(2));
    if (times.size() > kMostPictures)
        return fail(job.streams, Exit::BadInput,
                    attn::Error{fmt::format("the walk takes {:.0f} s: that is {} pictures, more than {}; give a larger one",
                                            timeline.length(), times.size(), kMostPictures),
                                "--every", "", 0});
    job.studio.change_view([](ViewState& view) { view.filming = true; });
    const auto sheet = sheet_of(job, times);
    if (!sheet) return fail(job.streams, Exit::Failure, sheet.error());
    if (job.interrupt.requested()) return interrupted(job.streams);
    const std::array text = {PngText{"Software", kProgram}, PngText{"Document", attn::document_to_json(job.document)}};
    const auto bytes = encode_png(*sheet, text);
    if (!bytes) return fail(job.streams, Exit::Failure, bytes.error());
    return write_output(job.streams, job.options.storyboard,
                        {reinterpret_cast<const char*>(bytes->data()), bytes->size()}, Content::Binary);
}

}  // namespace app
