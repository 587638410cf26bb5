#include "tests/frames/typefaces.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/gfx/offscreen.h"
#include "app/shell/app.h"
#include "core/io/files.h"
#include "tests/frames/golden.h"
#include "tests/frames/record.h"

namespace frames {
namespace {

namespace fs = std::filesystem;

struct Sample {
    std::string_view language, words;
};
constexpr Sample kSamples[] = {
    {"en", "Quick waltz: the boy saw “Jim’s” fjord, 0123456789 − 3.14 × (KV + XYZ) = 26 · 50 %"},
    {"zh", "男孩看见小鸟，他喜欢它。注意力：“权重”"},
};
constexpr float kSameWidth = 0.1f;  // pixels: the last written place
constexpr app::Size kMeasured{640, 480};
constexpr app::Color kMeasuredInk{0, 0, 0, 255};
constexpr std::size_t kMostTypefaceBytes = 1 << 16;

Typefaces measured() {
    Typefaces out;
    auto context = app::gfx::open_offscreen();
    if (!context) return out;
    auto program = app::App::open({});
    if (!program) return out;
    const auto draw = [&](app::Painter& painter) {
        out.clear();
        for (std::size_t i = 0; i < app::kTypeCount; ++i)
            for (const Sample& sample : kSamples) {
                const auto type = static_cast<app::Type>(i);
                if (app::is_of_opening(type)) continue;  // the same fonts in other sizes, which are not built at the start
                const float width = painter.text({0, kMeasured.h / 2}, sample.words, {type}, kMeasuredInk);
                out.push_back({std::string(type_name(type)), std::string(sample.language), width});
            }
    };
    (*program)->build_frame(kMeasured, 0);  // the theme's sizes
    // Once to request the glyphs, once with them.
    (*program)->draw_beside(kMeasured, draw, true);
    (*program)->draw_beside(kMeasured, draw, true);
    return out;
}

}  // namespace

const Typefaces& typefaces_here() {
    static const Typefaces here = measured();
    return here;
}

std::string typefaces_to_text(const Typefaces& typefaces) {
    std::string out;
    for (const SampleWidth& one : typefaces) out += fmt::format("{} {} {:.1f}\n", one.role, one.language, one.width);
    return out;
}

Typefaces typefaces_from_text(std::string_view text) {
    Typefaces out;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
        if (first == std::string_view::npos || second == std::string_view::npos) return {};
        SampleWidth one{std::string(line.substr(0, first)), std::string(line.substr(first + 1, second - first - 1)), 0};
        const char* const end = line.data() + line.size();
        if (std::from_chars(line.data() + second + 1, end, one.width).ptr != end || one.width <= 0) return {};
        out.push_back(std::move(one));
    }
    return out;
}

double width_ratio(const Typefaces& one, const Typefaces& other) {
    constexpr double kNotTheSameSamples = std::numeric_limits<double>::infinity();
    if (one.size() != other.size()) return kNotTheSameSamples;
    double ratio = 1;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i].role != other[i].role || one[i].language != other[i].language) return kNotTheSameSamples;
        const double a = static_cast<double>(one[i].width), b = static_cast<double>(other[i].width);
        if (std::fabs(a - b) > 1.01 * static_cast<double>(kSameWidth)) ratio = std::max(ratio, std::max(a / b, b / a));
    }
    return ratio;
}

std::string furthest_apart(const Typefaces& golden, const Typefaces& here) {
    std::size_t furthest = 0;
    double most = 1;
    for (std::size_t i = 0; i < std::min(golden.size(), here.size()); ++i) {
        const double ratio = width_ratio({golden[i]}, {here[i]});
        if (ratio > most) most = ratio, furthest = i;
    }
    if (most == 1) return golden.size() == here.size() ? "" : "other samples were measured";
    return fmt::format("the sample of {} ({}) takes {:.1f} pixels here and took {:.1f}", here[furthest].role,
                       here[furthest].language, here[furthest].width, golden[furthest].width);
}

fs::path typefaces_folder() { return golden_folder() / "typefaces"; }

Typefaces read_typefaces(const fs::path& file) {
    const auto bytes = attn::read_file(file, kMostTypefaceBytes);
    return bytes ? typefaces_from_text(*bytes) : Typefaces{};
}

void write_typefaces(const fs::path& file, const Typefaces& typefaces) {
    fs::create_directories(file.parent_path());
    const auto written = attn::atomic_write(file, typefaces_to_text(typefaces));
    ASSERT_TRUE(written) << written.error().text();
}

const GoldenTypefaces& golden_typefaces() {
    static const GoldenTypefaces found = [] {
        GoldenTypefaces out{read_typefaces(typefaces_folder() / "goldens.txt"), 1, {}};
        out.ratio = width_ratio(out.golden, typefaces_here());
        if (out.ratio == 1) return out;
        out.name = "?";
        if (!fs::exists(typefaces_folder())) return out;
        for (const auto& entry : fs::directory_iterator(typefaces_folder()))
            if (entry.path().extension() == ".txt" && width_ratio(read_typefaces(entry.path()), typefaces_here()) == 1)
                out.name = entry.path().stem().string();
        return out;
    }();
    return found;
}

}  // namespace frames
