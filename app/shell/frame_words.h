#pragma once
// The words of a frame, for screen readers: a page writes them into its text, which is invisible (app/shell/web).

#include <string>
#include <vector>

#include "app/shell/app.h"

namespace app {

struct FrameWords {
    std::vector<std::string> lines;  ///< those of a card over the window first, then those of the window, in the order of drawing
    std::string focus;               ///< the words of the control with the keyboard's focus ring, or in it; without words its id; empty: none
};

/// Parts of one line of text are joined. Lines without a letter are left out: a matrix is described (app/panels/description.h)
/// and not read number by number.
FrameWords words_of(const FrameLog& log);

}  // namespace app
