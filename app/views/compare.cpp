// Two runs side by side and what lies between them.

#include "app/views/view.h"

namespace app {

void draw_compare(const Frame& f) {
    if (f.area.empty()) return;
    f.painter().text_in({f.area.x + f.px(24), f.area.y, f.area.w, f.px(46)}, f.say(Str::screen_compare),
                        {Type::TitleStrong}, Hue::Ink);
}

}  // namespace app
