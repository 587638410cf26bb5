#pragma once
// The basic types that everything drawn is described with: points, rectangles, colours by meaning, roles of type.
// No ImGui and no OpenGL here, so that layout and its tests need no window.

#include <cstddef>
#include <cstdint>

namespace app {

/// Physical pixels, x to the right, y downwards.
struct Point {
    float x = 0.0f;
    float y = 0.0f;
    bool operator==(const Point&) const = default;
};
constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
constexpr Point operator*(Point a, float k) { return {a.x * k, a.y * k}; }

/// The point a share `t` of the way from `a` to `b`.
constexpr Point between(Point a, Point b, float t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }

struct Size {
    float w = 0.0f;
    float h = 0.0f;
    bool operator==(const Size&) const = default;
};

struct Rect {
    float x = 0.0f;
    float y = 0.0f;
    float w = 0.0f;
    float h = 0.0f;
    bool operator==(const Rect&) const = default;

    constexpr float right() const { return x + w; }
    constexpr float bottom() const { return y + h; }
    constexpr Point top_left() const { return {x, y}; }
    constexpr Point center() const { return {x + w * 0.5f, y + h * 0.5f}; }
    constexpr Size size() const { return {w, h}; }
    constexpr bool empty() const { return !(w > 0.0f && h > 0.0f); }

    /// The left and top edges belong to the rectangle, the right and bottom ones do not: adjacent rectangles never
    /// share a point.
    constexpr bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
    constexpr bool overlaps(const Rect& o) const {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }

    /// Shrunk by `d` on every side (enlarged where d < 0).
    constexpr Rect inset(float d) const { return inset(d, d); }
    constexpr Rect inset(float dx, float dy) const { return {x + dx, y + dy, w - 2 * dx, h - 2 * dy}; }
    constexpr Rect moved(float dx, float dy) const { return {x + dx, y + dy, w, h}; }
};

/// The smallest rectangle around both.
constexpr Rect around(const Rect& a, const Rect& b) {
    const float x = a.x < b.x ? a.x : b.x, y = a.y < b.y ? a.y : b.y;
    const float right = a.right() > b.right() ? a.right() : b.right(), bottom = a.bottom() > b.bottom() ? a.bottom() : b.bottom();
    return {x, y, right - x, bottom - y};
}

constexpr Rect intersection(const Rect& a, const Rect& b) {
    const float x = a.x > b.x ? a.x : b.x;
    const float y = a.y > b.y ? a.y : b.y;
    const float right = a.right() < b.right() ? a.right() : b.right();
    const float bottom = a.bottom() < b.bottom() ? a.bottom() : b.bottom();
    return {x, y, right > x ? right - x : 0.0f, bottom > y ? bottom - y : 0.0f};
}

constexpr Rect rect_around(Point center, float w, float h) { return {center.x - w / 2, center.y - h / 2, w, h}; }

/// Colour by meaning, the same in formulas, matrices, lines, ribbons, legends and text.
enum class Hue : std::uint8_t {
    Ink,         // text
    Soft,        // secondary text
    Faint,       // captions, decoration
    Rule,        // thin lines
    Paper,       // panels, cards
    Back,        // the background behind them
    Accent,      // what can be clicked, what is chosen
    AccentSoft,  // the pale pill behind what is chosen
    Query,
    Key,
    Value,
    Score,
    Output,
    Input,
    Masked,
    Negative,
    Warning,
    Good,
    Gradient,  // gradients of the reverse pass
};
inline constexpr std::size_t kHueCount = 19;

/// Roles of type. Small, Body and Title are the three sizes; Number has tabular figures; Math is italic.
enum class Type : std::uint8_t {
    Small,
    Body,
    Title,
    SmallStrong,
    BodyStrong,
    TitleStrong,
    Number,
    NumberSmall,
    NumberStrong,
    Math,
    MathSmall,
    MathLarge,
    MathUpright,
    MathUprightSmall,
    MathUprightLarge,
    MathSign,  // the sum sign of a displayed formula
    // For the opening, which fills the window: built only where it is shown, scaled with the window (Theme::opening).
    // Words come in three sizes, so that a long sentence is as sharp as a short one.
    Lead,
    Medium,
    MediumStrong,
    Large,
    LargeStrong,
    Huge,
    HugeStrong,
    NumberLarge,
    NumberHuge,
};
inline constexpr std::size_t kTypeCount = 25;
constexpr bool is_of_opening(Type type) { return type >= Type::Lead; }

/// The angle of slanted labels (radians, rising to the right): steep enough that neighbouring labels stay a line's
/// height apart.
inline constexpr float kSlantAngle = -0.96f;

enum class Align : std::uint8_t { Left, Center, Right };

}  // namespace app
