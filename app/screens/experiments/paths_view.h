#pragma once
// Shared by the files of the page of paths: one column per token, the same in all its pictures.

#include <array>
#include <string_view>

#include "app/screens/experiments/view.h"

namespace app {

struct PathsPlace {
    const Frame& f;
    const PathsExperiment& data;
    Rect body{};         ///< below the controls
    float gutter = 0;    ///< width of the text on the left
    float number = 0;    ///< the part of it for the number of steps
    float left = 0;      ///< where the first column begins
    float column = 0;    ///< width of one
    int looked = 0;      ///< the token whose numbers are stated: the one under the pointer, or the earlier end
    bool tight = false;  ///< too low for the curves: the tokens' names are drawn once, below the last picture
    float course = 0;   ///< height of a line of labels

    float x(int token) const { return left + column * (static_cast<float>(token) + 0.5f); }
    float right() const { return left + column * static_cast<float>(data.n); }
    /// The token at a horizontal position; negative: none.
    int token_at(float pixel) const;
    bool shows(attn::PathKind kind) const { return !f.view().part<ExperimentsLook>().paths.only || f.view().part<ExperimentsLook>().paths.only == kind; }
    bool names(attn::PathKind kind) const {
        return !tight || kind == f.view().part<ExperimentsLook>().paths.only.value_or(attn::PathKind::Attention);
    }
    bool is_end(int token) const { return token == data.from || token == data.to; }
    /// Columns are too narrow for separate marks: runs of tokens are drawn as one.
    bool thin() const;
};

inline constexpr std::array kPathKindList = {attn::PathKind::Recurrent, attn::PathKind::Convolution,
                                             attn::PathKind::Attention};
/// "recurrent", in the current language.
std::string_view name_of_path(const Frame& f, attn::PathKind kind);
/// The hue of a network: the same as its row on the cost page.
Hue hue_of_path(attn::PathKind kind);
/// The tokens' names on a line: the two ends, then as many others as fit.
void draw_path_tokens(const PathsPlace& place, float top);
/// The number of steps in large type, with its caption, vertically centred in the gutter.
void draw_path_steps(const PathsPlace& place, Rect row, attn::PathKind kind, std::string_view by);

void draw_path_chain(const PathsPlace& place, Rect row);
void draw_path_convolution(const PathsPlace& place, Rect row);
void draw_path_attention(const PathsPlace& place, Rect row);
/// What arrives, by token, on a logarithmic scale.
void draw_path_curves(const PathsPlace& place, Rect row);

}  // namespace app
