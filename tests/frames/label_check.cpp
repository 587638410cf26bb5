#include "tests/frames/label_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace frames {
namespace {

using app::LabelRect;
using app::Point;
using app::Rect;

/// Painter::text_slanted writes horizontally in a clip widened by this much on every side, then rotates by the angle.
constexpr float kSlantClip = 4096.0f;
using app::kSlantAngle;
/// The part of a label's rectangle above the baseline.
constexpr float kAscent = 0.8f;

/// A label's four corners on the screen, in order.
struct Box {
    std::array<Point, 4> corners;
    bool slanted = false;

    Rect bounds() const {
        Rect r{corners[0].x, corners[0].y, 0, 0};
        float right = r.x, bottom = r.y;
        for (const Point& p : corners) {
            r.x = std::min(r.x, p.x);
            r.y = std::min(r.y, p.y);
            right = std::max(right, p.x);
            bottom = std::max(bottom, p.y);
        }
        return {r.x, r.y, right - r.x, bottom - r.y};
    }
};

Box box_of(const LabelRect& label, const LabelRules& rules) {
    const Rect r = label.rect.inset(rules.slack / 2, std::max(rules.slack, label.rect.h * rules.air) / 2);
    Box box{{Point{r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}}};
    box.slanted = label.clip.w > kSlantClip;
    if (!box.slanted) return box;
    const Point turned_about{label.rect.x, label.rect.y + label.rect.h * kAscent};
    const float c = std::cos(kSlantAngle), s = std::sin(kSlantAngle);
    for (Point& p : box.corners) {
        const Point d = p - turned_about;
        p = turned_about + Point{d.x * c - d.y * s, d.x * s + d.y * c};
    }
    return box;
}

/// Whether a line perpendicular to the side a–b separates the two.
bool parted_by(const Box& one, const Box& two, Point a, Point b) {
    const Point normal{a.y - b.y, b.x - a.x};
    const auto span = [&](const Box& box) {
        float low = 1e30f, high = -1e30f;
        for (const Point& p : box.corners) {
            const float along = p.x * normal.x + p.y * normal.y;
            low = std::min(low, along);
            high = std::max(high, along);
        }
        return std::pair(low, high);
    };
    const auto [low_1, high_1] = span(one);
    const auto [low_2, high_2] = span(two);
    return high_1 <= low_2 || high_2 <= low_1;
}

bool overlap(const Box& one, const Box& two) {
    if (!one.bounds().overlaps(two.bounds())) return false;
    for (const Box* box : {&one, &two})
        for (std::size_t i = 0; i < 2; ++i)
            if (parted_by(one, two, box->corners[i], box->corners[i + 1])) return false;
    return true;
}

/// The visible area: the clip, without the widening for slanted labels, inside the window.
Rect room_of(const LabelRect& label, bool slanted, app::Size window) {
    const Rect clip = slanted ? label.clip.inset(kSlantClip) : label.clip;
    return app::intersection(clip, {0, 0, window.w, window.h});
}

bool holds(const Rect& room, const Rect& r) {
    return r.x >= room.x && r.y >= room.y && r.right() <= room.right() && r.bottom() <= room.bottom();
}

bool same(const LabelRect& a, const LabelRect& b) {
    return a.text == b.text && std::abs(a.rect.x - b.rect.x) < 2 && std::abs(a.rect.y - b.rect.y) < 2;
}

/// "−0.25", "3", "−∞": the texts of cells.
bool is_number(std::string_view text) {
    for (const std::string_view sign : {"-", "−"})
        if (text.starts_with(sign)) text.remove_prefix(sign.size());
    return text == "∞" || (!text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos);
}

std::string rect_text(const Rect& r) { return fmt::format("[{:.1f},{:.1f} {:.1f}x{:.1f}]", r.x, r.y, r.w, r.h); }

}  // namespace

std::string LabelFault::text() const {
    if (second.empty())
        return fmt::format("“{}” {} is cut by {}", first, rect_text(first_rect), rect_text(second_rect));
    return fmt::format("“{}” {} over “{}” {}", first, rect_text(first_rect), second, rect_text(second_rect));
}

std::vector<LabelFault> label_faults(const std::vector<LabelRect>& labels, app::Size window, const LabelRules& rules) {
    if (rules.numbers_move) {
        std::vector<LabelRect> words;
        std::copy_if(labels.begin(), labels.end(), std::back_inserter(words),
                     [](const LabelRect& label) { return !is_number(label.text); });
        LabelRules of_words = rules;
        of_words.numbers_move = false;
        return label_faults(words, window, of_words);
    }
    std::vector<LabelFault> faults;
    std::vector<Box> boxes;
    for (const LabelRect& label : labels) boxes.push_back(box_of(label, rules));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const Rect room = room_of(labels[i], boxes[i].slanted, window);
        if (!holds(room, boxes[i].bounds())) faults.push_back({labels[i].text, {}, boxes[i].bounds(), room});
        for (std::size_t j = 0; j < i; ++j)
            if (labels[i].over == labels[j].over && overlap(boxes[i], boxes[j]) && !same(labels[i], labels[j]))
                faults.push_back({labels[j].text, labels[i].text, boxes[j].bounds(), boxes[i].bounds()});
    }
    return faults;
}

}  // namespace frames
