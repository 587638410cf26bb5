#pragma once
// The picture that a model looks at: the pixels that it got, from black to white, and where a patch of it lies.

#include "app/frame/view.h"

namespace app {

/// With the picture's own proportions, as large as there is room.
Size size_in(Size room, const HeadsPicture& picture);
/// `part` tells the pictures of one frame apart; 0 is the header's.
void draw_seen_picture(const Frame& f, Rect all, const HeadsPicture& picture, int part);
/// Where a patch, from 0, lies in the picture that is drawn there.
Rect patch_in(Rect all, const HeadsPicture& picture, int index);

}  // namespace app
