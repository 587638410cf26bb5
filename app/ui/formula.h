#pragma once
// Formulas typeset as mathematics. A compact TeX-like line is parsed into a tree, laid out into plain boxes, and drawn.
//
//   \part{all}{\word{softmax}(\part{scores}{\frac{{\q Q}{\k K}^T}{\sqrt{d_k}}})\,{\v V}}
//
// Letters are italic; digits, \word{…} and operators upright. ^ and _ take scripts. \frac{}{} \sqrt{} \hat{} \tilde{}
// \bar{} \sum_{}^{} \part{name}{} \text{any words}. ( ) and [ ] grow with what they hold. \abs{} \norm{} too.
// \q \k \v \s \o \x \m colour the rest of their group (with braces: only what is in them) as query, key, value, score,
// output, input, mask. Spaces: \, \: \; \quad and \! (backwards). Greek and signs by their usual names: \alpha,
// \cdot, \times, \infty, \in, \le, \ge, \approx, \to, \odot, \dots …

#include <compare>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/vocab.h"
#include "app/ui/theme.h"
#include "core/base/result.h"

namespace app {

class Painter;
class Fonts;
struct TextExtent;

struct FormulaNode;

/// A parsed formula. Cheap to copy; `root` is never null.
struct Formula {
    std::shared_ptr<const FormulaNode> root;
};

/// Errors name the column.
attn::Result<Formula> parse_formula(std::string_view source);

enum class FormulaSize : std::uint8_t { Small, Normal, Large };

/// The fonts of text, scripts and scripts of scripts, and their em in pixels.
struct FormulaStyle {
    struct Level {
        Type italic = Type::Math;
        Type upright = Type::MathUpright;
        Type words = Type::Body;
        Type sign = Type::MathUprightLarge;  // displayed sums
        float em = 17.0f;
    };
    Level levels[3];
    float rule = 1.0f;  // thickness of fraction bars and radicals
};
FormulaStyle formula_style(const Theme& theme, FormulaSize size);

using MeasureText = std::function<TextExtent(std::string_view, Type)>;
MeasureText measure_with(const Fonts& fonts);

/// All that is drawn, relative to the left end of the baseline; y downwards.
struct FormulaLayout {
    static constexpr int kNoPart = -1;
    struct Run {  // letters
        std::string text;
        Type type = Type::Math;
        Point at;
        Hue hue = Hue::Ink;
        int part = kNoPart;  // the innermost one
    };
    struct Stroke {  // a bar, a radical, a parenthesis: a line through the points
        std::vector<Point> points;
        float width = 1.0f;
        float swell = 0.0f;  // added to the width in the middle (parentheses)
        Hue hue = Hue::Ink;
        int part = kNoPart;
    };
    struct Part {
        std::string name;
        Rect rect;
        int parent = kNoPart;
    };
    std::vector<Run> runs;
    std::vector<Stroke> strokes;
    std::vector<Part> parts;  // outer before inner
    float width = 0.0f;
    float ascent = 0.0f;   // above the baseline
    float descent = 0.0f;  // below it

    Size size() const { return {width, ascent + descent}; }
    /// The innermost part at a point relative to the baseline's left end; null if there is none.
    const Part* part_at(Point point) const;
    const Part* find(std::string_view name) const;
    /// Whether `part` is `name` or lies inside it.
    bool inside(int part, std::string_view name) const;
};

/// The space that a formula is set in.
struct FormulaRoom {
    bool inside_text = false;  ///< in running text: fractions and sums are set low
    float width = 0;           ///< pixels; a wider formula is broken before a relation, else before a sign; 0: never
    auto operator<=>(const FormulaRoom&) const = default;
};

/// Lines after the first are placed below it and indented; a formula that cannot be broken may be wider than its room.
FormulaLayout lay_out_formula(const Formula& formula, const FormulaStyle& style, const MeasureText& measure,
                              FormulaRoom room = {});

/// The highlighting of a formula.
struct FormulaLook {
    std::string_view lit = {};      // the part with a pale pill behind it
    std::string_view hovered = {};  // a fainter pill
    bool fade_others = false;       // everything outside the lit part at half strength
    float scale = 1.0f;             // for motion and for fitting a narrow place; 1 is crisp
    bool plain = false;             // everything in ink, no colours
};

/// `at`: the left end of the baseline.
void draw_formula(Painter& painter, const FormulaLayout& layout, Point at, const FormulaLook& look = {});

}  // namespace app
