#pragma once
// Sets a formula by the rules of The TeXbook (appendix G), with lengths in ems of the current level. Rows and line
// breaks are in formula_layout.cpp; fractions, roots, fences, scripts and accents in formula_pieces.cpp.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "app/ui/formula_node.h"

namespace app::setting {

using Kind = FormulaNode::Kind;
using Run = FormulaLayout::Run;
using Stroke = FormulaLayout::Stroke;

// Lengths in ems, named as in appendix G where it has a name.
constexpr float kAxis = 0.25f;          // height of the fraction bar above the baseline
constexpr float kSupShift = 0.41f;      // sup1
constexpr float kSubShift = 0.16f;      // sub1
constexpr float kSubShiftBoth = 0.25f;  // sub2
/// Between the baselines of a superscript and a subscript, in the scripts' own ems. Where small type keeps its scripts
/// readable they are nearly as large as the letter, and would overlap.
constexpr float kScriptsApart = 0.95f;
constexpr float kScriptSpace = 0.04f;
constexpr float kNumShift = 0.62f, kDenomShift = 0.62f;
constexpr float kFractionGap = 0.13f;   // between the bar and the parts above and below
constexpr float kFractionSide = 0.08f;  // how far the bar extends beyond them
constexpr float kRootGap = 0.12f, kRootWidth = 0.58f, kRootSide = 0.06f;
constexpr float kLimitGap = 0.14f;
constexpr float kFenceAir = 0.05f;                                      // on both sides of a drawn delimiter
constexpr float kPlainFenceAscent = 0.98f, kPlainFenceDescent = 0.42f;  // up to here the fence's font glyphs suffice

constexpr float kWideSpace = 0.9f;  // a space that separates two formulas on one line
constexpr float kContinued = 1.2f;  // indent of a formula's second line
constexpr float kBetweenLines = 0.35f;

/// TeX's styles: size, and how generous the spacing is.
enum class Style : std::uint8_t { Display, Text, Script, ScriptScript };
inline int level_of(Style style) { return style <= Style::Text ? 0 : style == Style::Script ? 1 : 2; }
inline Style script_of(Style style) { return style <= Style::Text ? Style::Script : Style::ScriptScript; }
inline Style fraction_of(Style style) { return style == Style::Display ? Style::Text : script_of(style); }

/// A finished piece; its parts are relative to the left end of its own baseline.
struct Box {
    float width = 0.0f, ascent = 0.0f, descent = 0.0f, overhang = 0.0f;
    bool letter = false;  // a single symbol: scripts keep their usual heights
    std::vector<Run> runs;
    std::vector<Stroke> strokes;
    std::vector<std::pair<int, Rect>> parts;

    /// Adds `other`, shifted; extends upwards and downwards, not in width.
    void put(Box&& other, float dx, float dy) {
        for (Run& run : other.runs) {
            run.at = run.at + Point{dx, dy};
            runs.push_back(std::move(run));
        }
        for (Stroke& stroke : other.strokes) {
            for (Point& point : stroke.points) point = point + Point{dx, dy};
            strokes.push_back(std::move(stroke));
        }
        for (auto& [part, rect] : other.parts) parts.emplace_back(part, rect.moved(dx, dy));
        ascent = std::max(ascent, other.ascent - dy);
        descent = std::max(descent, other.descent + dy);
    }
};

class Setter {
public:
    Setter(const FormulaStyle& style, const MeasureText& measure) : style_(style), measure_(measure) {}

    Box set(const FormulaNode& node, Style style) const {
        switch (node.kind) {
            case Kind::Row:
                return row(node, style);
            case Kind::Symbol:
                return symbol(node, style);
            case Kind::Space:
                return space(node, style);
            case Kind::Fraction:
                return fraction(node, style);
            case Kind::Root:
                return root(node, style);
            case Kind::Fence:
                return fence(node, style);
            case Kind::Scripts:
                return scripts(node, style);
            case Kind::Accent:
                return accent(node, style);
        }
        return {};
    }

private:
    const FormulaStyle::Level& level(Style style) const { return style_.levels[level_of(style)]; }
    float em(Style style) const { return level(style).em; }

    Stroke stroke(const FormulaNode& node, std::vector<Point> points, float width, float swell = 0.0f) const {
        return {std::move(points), width, swell, node.hue, node.part};
    }

    Box symbol(const FormulaNode& node, Style style) const;
    Box space(const FormulaNode& node, Style style) const;

    /// A sign between two operands is spaced as a binary one; at the start or after another sign it is not.
    std::vector<AtomClass> classes(const FormulaNode& node) const;

    /// In ems.
    static float gap(AtomClass left, AtomClass right, const FormulaNode& right_node, Style style);
    Box row(const FormulaNode& node, Style style) const;

    /// The items from `first` to before `end` of a row.
    Box items(const FormulaNode& node, const std::vector<AtomClass>& atoms, std::size_t first, std::size_t end,
              Style style) const;

    /// Where a row can be broken: before relations and after wide spaces, and if `signs`, also before signs.
    static std::vector<std::size_t> breaks(const FormulaNode& node, const std::vector<AtomClass>& atoms, bool signs);

    /// The row as lines of at most `width`, filled greedily. Parts that are whole rows are not broken.
    std::vector<Box> lines(const FormulaNode& node, Style style, float width, bool signs) const;

public:
    Box broken(const FormulaNode& node, Style style, float width) const;

private:
    Box fraction(const FormulaNode& node, Style style) const;
    Box root(const FormulaNode& node, Style style) const;

    /// Adds a delimiter that extends `half` above and below the axis, with its left edge at 0. Returns its width.
    float delimiter(Box& box, const FormulaNode& node, const std::string& sign, float half, Style style) const;
    Box fence(const FormulaNode& node, Style style) const;
    Box scripts(const FormulaNode& node, Style style) const;

    /// Scripts above and below the operator, centred.
    Box limits(const FormulaNode& node, Style style) const;
    Box accent(const FormulaNode& node, Style style) const;

    const FormulaStyle& style_;
    const MeasureText& measure_;
};

}  // namespace app::setting
