#include "app/export/gif_palette.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/gfx/color.h"

namespace app {
namespace {

using gfx::Oklab;

/// How many of the 255 entries go unchanged to the most frequent colours. The others are for gradients and the
/// anti-aliased edges of letters.
constexpr std::size_t kExact = 144;
/// Oklab distance below which neighbouring colours look equal.
constexpr float kSame = 0.008f;

std::size_t key(const std::uint8_t* rgb) {
    return (static_cast<std::size_t>(rgb[0]) << 16) | (static_cast<std::size_t>(rgb[1]) << 8) | rgb[2];
}

Oklab lab_of(Rgb8 c) {
    return gfx::to_oklab(
        {static_cast<float>(c[0]) / 255.0f, static_cast<float>(c[1]) / 255.0f, static_cast<float>(c[2]) / 255.0f});
}

float distance2(const Oklab& p, const Oklab& q) {
    const float l = p.l - q.l, a = p.a - q.a, b = p.b - q.b;
    return l * l + a * a + b * b;
}

struct Shade {
    Oklab lab;
    float weight;  // square root of the count, so that rare hues still count
};

/// A range of points that will share one colour.
struct Box {
    std::size_t begin = 0, end = 0;
    int axis = 0;       // 0 L, 1 a, 2 b: the one with the largest spread
    double spread = 0;  // weighted squared deviation along it
};

float along(const Oklab& c, int axis) { return axis == 0 ? c.l : axis == 1 ? c.a : c.b; }

Box measure(const std::vector<Shade>& points, std::size_t begin, std::size_t end) {
    Box box{begin, end};
    for (int axis = 0; axis < 3; ++axis) {
        double weight = 0, sum = 0, squares = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double x = along(points[i].lab, axis), w = points[i].weight;
            weight += w;
            sum += w * x;
            squares += w * x * x;
        }
        const double spread = weight > 0 ? squares - sum * sum / weight : 0;
        if (spread > box.spread) {
            box.spread = spread;
            box.axis = axis;
        }
    }
    return box;
}

/// Sorts the box's points along its axis and returns the position of the weighted mean; never an end.
std::size_t cut(std::vector<Shade>& points, const Box& box) {
    const auto first = points.begin() + static_cast<std::ptrdiff_t>(box.begin);
    const auto last = points.begin() + static_cast<std::ptrdiff_t>(box.end);
    double weight = 0, sum = 0;
    for (auto p = first; p != last; ++p) {
        weight += p->weight;
        sum += static_cast<double>(p->weight) * along(p->lab, box.axis);
    }
    const auto mean = static_cast<float>(sum / weight);
    const auto middle =
        std::stable_partition(first, last, [&](const Shade& p) { return along(p.lab, box.axis) < mean; });
    const auto at = static_cast<std::size_t>(middle - points.begin());
    return std::clamp(at, box.begin + 1, box.end - 1);
}

Rgb8 mean_color(const std::vector<Shade>& points, const Box& box) {
    double weight = 0, l = 0, a = 0, b = 0;
    for (std::size_t i = box.begin; i < box.end; ++i) {
        const double w = points[i].weight;
        weight += w;
        l += w * points[i].lab.l;
        a += w * points[i].lab.a;
        b += w * points[i].lab.b;
    }
    const gfx::Rgb rgb = gfx::from_oklab(
        {static_cast<float>(l / weight), static_cast<float>(a / weight), static_cast<float>(b / weight)});
    return {gfx::to_byte(rgb.r), gfx::to_byte(rgb.g), gfx::to_byte(rgb.b)};
}

std::vector<Rgb8> median_cut(std::vector<Shade> points, std::size_t colors) {
    if (points.empty()) return {};
    std::vector<Box> boxes{measure(points, 0, points.size())};
    while (boxes.size() < colors) {
        const auto widest = std::max_element(boxes.begin(), boxes.end(),
                                             [](const Box& p, const Box& q) { return p.spread < q.spread; });
        if (widest->spread <= 0 || widest->end - widest->begin < 2) break;
        const std::size_t at = cut(points, *widest);
        const Box high = measure(points, at, widest->end);
        *widest = measure(points, widest->begin, at);
        boxes.push_back(high);
    }
    std::vector<Rgb8> out;
    for (const Box& box : boxes) out.push_back(mean_color(points, box));
    return out;
}

/// The colours that no chosen colour is close enough to.
std::vector<Shade> left_over(const std::vector<ColorCounts::Entry>& entries, const std::vector<Rgb8>& chosen) {
    std::vector<Oklab> labs;
    for (const Rgb8& c : chosen) labs.push_back(lab_of(c));
    std::vector<Shade> out;
    for (const ColorCounts::Entry& entry : entries) {
        const Oklab lab = lab_of(entry.color);
        const bool near = std::any_of(labs.begin(), labs.end(),
                                      [&](const Oklab& other) { return distance2(lab, other) < kSame * kSame; });
        if (!near) out.push_back({lab, std::sqrt(static_cast<float>(entry.count))});
    }
    return out;
}

}  // namespace

void ColorCounts::add(const gfx::Image& image) {
    empty_ = empty_ && image.rgba.empty();
    for (std::size_t i = 0; i + 3 < image.rgba.size(); i += 4) {
        std::uint32_t& count = counts_[key(image.rgba.data() + i)];
        if (count != std::numeric_limits<std::uint32_t>::max()) ++count;
    }
}

std::vector<ColorCounts::Entry> ColorCounts::entries() const {
    std::vector<Entry> out;
    for (std::size_t i = 0; i < counts_.size(); ++i)
        if (counts_[i] > 0)
            out.push_back({{static_cast<std::uint8_t>(i >> 16), static_cast<std::uint8_t>((i >> 8) & 255),
                            static_cast<std::uint8_t>(i & 255)},
                           counts_[i]});
    return out;
}

std::vector<Rgb8> choose_palette(const ColorCounts& counts) {
    std::vector<ColorCounts::Entry> entries = counts.entries();
    std::stable_sort(entries.begin(), entries.end(), [](const auto& p, const auto& q) { return p.count > q.count; });
    const std::size_t exact = entries.size() <= kGifColors ? entries.size() : kExact;
    std::vector<Rgb8> palette;
    for (std::size_t i = 0; i < exact; ++i) palette.push_back(entries[i].color);
    if (exact == entries.size()) return palette;
    entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(exact));
    const std::vector<Rgb8> means = median_cut(left_over(entries, palette), kGifColors - exact);
    palette.insert(palette.end(), means.begin(), means.end());
    return palette;
}

NearestColor::NearestColor(const std::vector<Rgb8>& palette) : known_(std::size_t{1} << 24) {
    constexpr float kFar = 100.0f;
    l_.fill(kFar);
    for (std::size_t i = 0; i < palette.size(); ++i) {
        const Oklab lab = lab_of(palette[i]);
        l_[i] = lab.l;
        a_[i] = lab.a;
        b_[i] = lab.b;
        // An entry maps to itself even if rounding would favour a neighbour.
        std::uint16_t& index = known_[key(palette[i].data())];
        if (index == 0) index = static_cast<std::uint16_t>(i + 1);
    }
}

std::uint8_t NearestColor::search(Rgb8 color) const {
    const Oklab lab = lab_of(color);
    std::array<float, 256> squares;
    for (std::size_t i = 0; i < squares.size(); ++i) {
        const float l = l_[i] - lab.l, a = a_[i] - lab.a, b = b_[i] - lab.b;
        squares[i] = l * l + a * a + b * b;
    }
    return static_cast<std::uint8_t>(std::min_element(squares.begin(), squares.end()) - squares.begin());
}

/// Stores the answer for the surrounding 2×2×2 colours at once: which side of a border they fall on is not visible.
void NearestColor::learn(const std::uint8_t* rgb) {
    std::array<std::uint8_t, 3> low{};
    for (std::size_t c = 0; c < 3; ++c) low[c] = rgb[c] & 0xFE;
    const auto index = static_cast<std::uint16_t>(search({rgb[0], rgb[1], rgb[2]}) + 1);
    for (std::size_t i = 0; i < 8; ++i) {
        const std::size_t bits = ((i >> 2) << 16) | (((i >> 1) & 1) << 8) | (i & 1);
        std::uint16_t& known = known_[key(low.data()) | bits];
        if (known == 0) known = index;
    }
}

std::uint8_t NearestColor::operator()(const std::uint8_t* rgb) {
    const std::uint16_t& index = known_[key(rgb)];
    if (index == 0) learn(rgb);
    return static_cast<std::uint8_t>(index - 1);
}

}  // namespace app
