#pragma once
// Drawing in real pixels, with colours by meaning: a view asks for a filled rectangle in the colour of keys, never for
// a packed integer. Wraps an ImDrawList.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/draw/drawing.h"
#include "app/draw/vocab.h"
#include "app/ui/compat.h"
#include "app/ui/fonts.h"
#include "app/ui/theme.h"

namespace app {

/// A hue or a colour, with an additional alpha. A hue used for text is resolved to its readable form.
class Ink {
public:
    constexpr Ink(Hue hue, float alpha = 1.0f) : hue_(hue), by_hue_(true), alpha_(alpha) {}
    constexpr Ink(Color color, float alpha = 1.0f) : color_(color), alpha_(alpha) {}
    constexpr Ink faded(float alpha) const {
        Ink ink = *this;
        ink.alpha_ *= alpha;
        return ink;
    }
    Color area(const Theme& theme) const { return with_alpha(by_hue_ ? theme[hue_] : color_, alpha_); }
    Color text(const Theme& theme) const { return with_alpha(by_hue_ ? theme.text(hue_) : color_, alpha_); }

private:
    Hue hue_ = Hue::Ink;
    Color color_{};
    bool by_hue_ = false;
    float alpha_ = 1.0f;
};

struct TextStyle {
    Type type = Type::Body;
    Align align = Align::Left;
    float scale = 1.0f;  // relative to the role's size, for motion; 1 is crisp
};

/// Where each text was drawn, for tests that look for overlaps and cut-off text.
struct LabelRect {
    std::string text;
    Rect rect;
    Rect clip;
    bool over = false;       ///< on a layer over the window, which may cover what is below
    bool shortened = false;  ///< too long for its place, so it ends with …
};

enum class Icon : std::uint8_t {
    Play,
    Pause,
    StepBack,
    StepForward,
    Contrast,
    Chevron,
    Close,
    Check,
    Plus,
    Minus,
    Undo,
    Redo,
    More,
    Export,
    Warning,
    Rows,     // a matrix with one row as a single piece
    Columns,  // the same, transposed
    Sliders,  // settings
    Lens,     // inspect a number
    Pencil,   // give a name
};

/// One end of a ribbon: a vertical edge (or, for ribbon_down, a horizontal one read as from `low` to `high`).
struct RibbonEnd {
    float at = 0.0f;    // x of the edge (y for ribbon_down)
    float low = 0.0f;   // where it begins along the edge
    float high = 0.0f;  // and ends
};

/// When it goes out of scope, undoes the call that returned it: an opacity, a clip, another list.
class PaintScope {
public:
    using Undo = void (*)(class Painter&);
    PaintScope(class Painter& painter, Undo undo) : painter_(&painter), undo_(undo) {}
    PaintScope(PaintScope&& other) noexcept : painter_(std::exchange(other.painter_, nullptr)), undo_(other.undo_) {}
    PaintScope(const PaintScope&) = delete;
    PaintScope& operator=(const PaintScope&) = delete;
    PaintScope& operator=(PaintScope&&) = delete;
    ~PaintScope() {
        if (painter_) undo_(*painter_);
    }

private:
    class Painter* painter_;
    Undo undo_;
};

class Painter {
public:
    /// If `labels` and `drawing` are not null, everything that is drawn is recorded there. All arguments must outlive
    /// the painter, which lives for one frame.
    Painter(ImDrawList* list, const Theme& theme, Fonts& fonts, std::vector<LabelRect>* labels = nullptr,
            Drawing* drawing = nullptr);

    const Theme& theme() const { return theme_; }
    Fonts& fonts() const { return fonts_; }
    ImDrawList* list() const { return list_; }
    float px(float design) const { return theme_.px(design); }

    // -- areas
    void fill(Rect rect, Ink ink, float radius = 0.0f, gui::Corners corners = gui::Corners::All);
    /// The line lies inside the rectangle.
    void stroke(Rect rect, Ink ink, float radius = 0.0f, float thickness = 1.0f);
    void stroke_dashed(Rect rect, Ink ink, float radius, float thickness, float dash, float gap);
    /// From left to right, or from top to bottom if `vertical`.
    void gradient(Rect rect, Ink from, Ink to, bool vertical = false);
    /// Diagonal lines, `gap` apart, clipped to the rectangle.
    void hatch(Rect rect, Ink ink, float gap, float thickness);
    /// The shadow of a floating area: a blurred copy below it. `strength` is the alpha at its darkest.
    void shadow(Rect rect, float radius, float blur, float strength, float drop);
    /// A floating card: shadow, paper, thin rule.
    void card(Rect rect);
    void circle(Point center, float radius, Ink ink);
    void ring(Point center, float radius, Ink ink, float thickness);
    void triangle(Point a, Point b, Point c, Ink ink);
    void polygon(std::span<const Point> convex, Ink ink);
    void image(unsigned texture, Rect rect, Rect uv = {0, 0, 1, 1}, float alpha = 1.0f);
    /// The same part of the texture, transposed: its rows become columns from left to right.
    void image_turned(unsigned texture, Rect rect, Rect uv = {0, 0, 1, 1}, float alpha = 1.0f);

    // -- lines
    void line(Point from, Point to, Ink ink, float thickness = 1.0f, bool round = false);
    void line_dashed(Point from, Point to, Ink ink, float thickness, float dash, float gap);
    void polyline(std::span<const Point> points, Ink ink, float thickness, bool closed = false);
    /// A line that is `width` thick at its ends and `width + swell` in the middle, like a handwritten parenthesis.
    void brush(std::span<const Point> points, Ink ink, float width, float swell);
    /// A line of `width` whose colour changes along the way, with straight ends; one ink per point.
    void band(std::span<const Point> points, std::span<const Ink> inks, float width);
    void polyline_dashed(std::span<const Point> points, Ink ink, float thickness, float dash, float gap);
    void curve(Point from, Point control1, Point control2, Point to, Ink ink, float thickness);
    /// The head is `head` pixels long; the tip is exactly at `to`.
    void arrow(Point from, Point to, Ink ink, float thickness, float head);
    /// A ribbon from one edge to another, as thick as each of them, its colour changing along the way.
    void ribbon(RibbonEnd from, RibbonEnd to, Ink first, Ink last);
    void ribbon(RibbonEnd from, RibbonEnd to, Ink ink) { ribbon(from, to, ink, ink); }
    void ribbon_down(RibbonEnd from, RibbonEnd to, Ink first, Ink last);
    void ribbon_down(RibbonEnd from, RibbonEnd to, Ink ink) { ribbon_down(from, to, ink, ink); }
    void icon(Icon icon, Point center, float size, Ink ink);

    // -- text
    /// `at`: the start, the middle or the end of the baseline, by the style's alignment. Returns the width.
    float text(Point at, std::string_view text, TextStyle style, Ink ink);
    /// Rising to the right: for labels that are wider than the columns below them. `at` is the start of the baseline.
    void text_slanted(Point at, std::string_view text, TextStyle style, Ink ink);
    /// Vertically centred in the rectangle, horizontally aligned by the style.
    float text_in(Rect rect, std::string_view text, TextStyle style, Ink ink);
    /// The same, shortened with … if it is too wide.
    float text_fit(Rect rect, std::string_view text, TextStyle style, Ink ink);
    float width(std::string_view text, Type type) const;
    /// Records a text that the library draws (its text field), in `drawing` only.
    void note_text(Point at, std::string_view text, TextStyle style, Ink ink);
    /// The text as text_fit would shorten it.
    std::string fitted(std::string_view text, Type type, float width) const;
    /// From the middle of the capitals of a line down to its baseline.
    float middle_to_baseline(Type type) const { return theme_.em(type) * 0.36f; }

    // -- scopes
    [[nodiscard]] PaintScope opacity(float alpha);
    [[nodiscard]] PaintScope clip(Rect rect);
    [[nodiscard]] PaintScope onto(ImDrawList* list);
    bool visible(Rect rect) const;
    Rect clip_rect() const;

private:
    std::uint32_t area(Ink ink) const;
    std::uint32_t letters(Ink ink) const;
    std::uint32_t packed(Color color) const;
    void mesh_strip(std::span<const Point> upper, std::span<const Point> lower, std::span<const std::uint32_t> colors);
    void remember(std::string_view text, Rect rect);
    /// A new item of the drawing; null: nothing is being recorded.
    DrawnItem* note(DrawnItem::Kind kind, std::uint32_t color);
    void note_rect(DrawnItem::Kind kind, Rect rect, std::uint32_t color, float radius = 0);
    void note_points(DrawnItem::Kind kind, std::span<const Point> points, std::uint32_t color, float width = 0);
    void note_ribbon(std::span<const Point> one, std::span<const Point> other, std::uint32_t first, std::uint32_t last,
                     bool down);

    ImDrawList* list_;
    const Theme& theme_;
    Fonts& fonts_;
    std::vector<LabelRect>* labels_;
    Drawing* drawing_;
    ImDrawList* base_;  ///< the lowest layer of the drawing
    std::vector<float> opacities_;
    std::vector<ImDrawList*> lists_;
    float opacity_ = 1.0f;
};

}  // namespace app
