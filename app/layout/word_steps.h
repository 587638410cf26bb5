#pragma once
// What is made of one word's row, step by step: one strip of named boxes, each with the row as a bar and one figure of it;
// a box unfolds into the rows that it reads and the one that it makes, with their numbers. Pure, like the stage.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/layout/parts.h"

namespace app {

/// Rows and columns that have a token's name.
bool of_tokens(attn::Axis axis);
/// The row of `of` for the same token as a row of `from`; −1: it has none.
int row_for(const attn::Step& from, int row, const attn::Step& of);

/// A box: a step, and what it reads of the same word, operands aside.
struct WordStep {
    attn::StepId step = attn::kNoStep;
    int stop = -1;  ///< of the timeline
    std::vector<attn::StepId> reads{};
    std::vector<attn::StepId> inside{};  ///< of a gated unit: its gates and its candidate
};
/// The boxes behind `begin`, of steps with their stops in the order of the trace. `of` has the rows that are followed; what
/// only collects rows is left out, and a unit's gates stand in the box of the state that they make.
std::vector<WordStep> word_steps(const attn::Trace& trace, const attn::Step& of, attn::StepId begin,
                                 const std::vector<std::pair<attn::StepId, int>>& steps);
/// The same step of whatever layer or time: a box stays open from block to block.
bool is_alike(const attn::Tag& a, const attn::Tag& b);

struct WordStrip {
    stage::Builder& b;
    const std::vector<WordStep>& steps;
    std::function<int(attn::StepId)> row;           ///< the word's, in a step; −1: it has none
    std::function<double(const WordStep&)> made;    ///< 0 it waits, 1 it is there
    std::optional<attn::Tag> open{};
    Rect area{};  ///< that it may take, with what it unfolds

    const WordStep* opened() const;
};

/// Two lines a box and its figure, or without the figure.
enum class StripLines : std::uint8_t { Figure, Name };
/// In pixels.
float strip_height(const stage::Builder& b, StripLines lines);
void lay_out_strip(const WordStrip& strip, Rect at, StripLines lines);
/// 0: nothing is open.
float unfolded_height(const WordStrip& strip);
/// Under its box, where the strip has been laid out.
void lay_out_unfolded(const WordStrip& strip, Rect at);
/// A line with its head at the end.
void arrow_along(stage::Builder& b, std::vector<Point> points, Hue hue, float width, float alpha);

/// A box's name, as short as a box is; where it is wider than `room`, a shorter one.
std::string name_of_box(const stage::Builder& b, const WordStep& step, float room = 1e9f);
/// The figure of a row that is made: how far it has come from what it was added to, how many numbers of it an activation
/// lets through, the word that is likeliest, else its length. Where the words are wider than `room`, the number alone.
std::string figure_of_box(const WordStrip& strip, const WordStep& step, float room = 1e9f);

}  // namespace app
