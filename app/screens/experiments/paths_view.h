#pragma once
// Shared by the files of the experiments' page of paths: one column a token, the same in all its pictures.

#include <array>
#include <string_view>

#include "app/screens/experiments/view.h"

namespace app {

struct PathsPlace {
    const Frame& f;
    const PathsExperiment& data;
    Rect body{};         ///< below the dials
    float gutter = 0;    ///< words on the left
    float number = 0;    ///< of it, for the number of steps
    float left = 0;      ///< where the first column begins
    float column = 0;    ///< width of one
    int looked = 0;      ///< the token whose numbers are told: under the pointer, or the earlier end
    bool tight = false;  ///< too little height for the curves: the tokens' names stand once, below the last picture
    float course = 0;   ///< height of a line of labels

    float x(int token) const { return left + column * (static_cast<float>(token) + 0.5f); }
    float right() const { return left + column * static_cast<float>(data.n); }
    /// The token of a place; below 0: none.
    int token_at(float pixel) const;
    bool shows(attn::PathKind kind) const { return !f.view().part<ExperimentsLook>().paths.only || f.view().part<ExperimentsLook>().paths.only == kind; }
    bool names(attn::PathKind kind) const {
        return !tight || kind == f.view().part<ExperimentsLook>().paths.only.value_or(attn::PathKind::Attention);
    }
    bool is_end(int token) const { return token == data.from || token == data.to; }
    /// Columns too narrow for a mark each: runs of tokens are drawn as one.
    bool thin() const;
};

inline constexpr std::array kPathKindList = {attn::PathKind::Recurrent, attn::PathKind::Convolution,
                                             attn::PathKind::Attention};
/// "recurrent", in the language shown.
std::string_view name_of_path(const Frame& f, attn::PathKind kind);
/// The hue of a network, by attn::PathKind: those of its row of the cost page.
Hue hue_of_path(attn::PathKind kind);
/// The tokens' names on a line: those of the ends, then as many of the others as have room.
void draw_path_tokens(const PathsPlace& place, float top);
/// The big number of steps with its words, in the middle of the gutter's height.
void draw_path_steps(const PathsPlace& place, Rect row, attn::PathKind kind, std::string_view by);

void draw_path_chain(const PathsPlace& place, Rect row);
void draw_path_convolution(const PathsPlace& place, Rect row);
void draw_path_attention(const PathsPlace& place, Rect row);
/// What arrives, by token, on a scale of tenths.
void draw_path_curves(const PathsPlace& place, Rect row);

}  // namespace app
