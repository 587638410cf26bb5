#pragma once
// The picture given to a vision model: its pixels, in greys, and the position of a patch in it.

#include "app/frame/view.h"

namespace app {

/// The largest size inside `room` with the picture's proportions.
Size size_in(Size room, const HeadsPicture& picture);
/// `part` distinguishes the pictures of one frame; 0 is the header's.
void draw_seen_picture(const Frame& f, Rect all, const HeadsPicture& picture, int part);
/// Where the patch with this index lies in the picture drawn in `all`.
Rect patch_in(Rect all, const HeadsPicture& picture, int index);

}  // namespace app
