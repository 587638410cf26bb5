#pragma once
// What is done to one word's row, step by step, as a strip of named boxes, each with the row as a bar and one figure
// about it. A box unfolds into the rows that it reads and the row that it makes, with their numbers. Pure, like the
// stage.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/layout/parts.h"

namespace app {

/// Whether the rows or columns are named after tokens.
bool of_tokens(attn::Axis axis);
/// The row of `of` that belongs to the same token as row `row` of `from`; −1 if there is none.
int row_for(const attn::Step& from, int row, const attn::Step& of);

/// A box: a step, and the steps that it reads for the same word, without operands.
struct WordStep {
    attn::StepId step = attn::kNoStep;
    int stop = -1;  ///< index in the timeline
    std::vector<attn::StepId> reads{};
    std::vector<attn::StepId> inside{};  ///< for a gated unit: its gates and its candidate
};
/// The boxes after `begin`, made from steps and their stops, given in the order of the trace. `of` is the step whose
/// rows are followed. Steps that only collect rows are left out, and a unit's gates go into the box of the state that
/// they make.
std::vector<WordStep> word_steps(const attn::Trace& trace, const attn::Step& of, attn::StepId begin,
                                 const std::vector<std::pair<attn::StepId, int>>& steps);
/// The same step, apart from layer and time: an unfolded box stays open from block to block.
bool is_alike(const attn::Tag& a, const attn::Tag& b);

struct WordStrip {
    stage::Builder& b;
    const std::vector<WordStep>& steps;
    std::function<int(attn::StepId)> row;           ///< the word's row in a step; −1 if there is none
    std::function<double(const WordStep&)> made;    ///< 0 while it waits, 1 when it is there
    std::optional<attn::Tag> open{};
    Rect area{};  ///< available to the strip and what it unfolds

    const WordStep* opened() const;
};

/// Boxes with a bar and a line for the figure, or with the name and the bar only.
enum class StripLines : std::uint8_t { Figure, Name };
/// In pixels.
float strip_height(const stage::Builder& b, StripLines lines);
void lay_out_strip(const WordStrip& strip, Rect at, StripLines lines);
/// 0 if no box is open.
float unfolded_height(const WordStrip& strip);
/// Drawn under the open box; the strip must have been laid out before.
void lay_out_unfolded(const WordStrip& strip, Rect at);
/// A line with an arrowhead at its end.
void arrow_along(stage::Builder& b, std::vector<Point> points, Hue hue, float width, float alpha);

/// The short name of a box; a shorter one if it is wider than `room`.
std::string name_of_box(const stage::Builder& b, const WordStep& step, float room = 1e9f);
/// One figure about a computed row: how much it differs from what it was added to, how many of its numbers an
/// activation lets through, the likeliest word, or else its length. If the text is wider than `room`, the number alone.
std::string figure_of_box(const WordStrip& strip, const WordStep& step, float room = 1e9f);

}  // namespace app
