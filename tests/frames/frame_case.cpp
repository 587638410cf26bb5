#include "tests/frames/frame_case.h"

#include <cmath>
#include <vector>

#include "app/ui/theme.h"
#include "tests/frames/frame_case_parts.h"

namespace frames {

std::span<const FrameCase> frame_cases() {
    static const std::vector<FrameCase> kAll = [] {
        std::vector<FrameCase> all;
        for (const auto& part : {stage_cases(), screen_cases(), sheet_cases(), column_cases()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return kAll;
}

app::Rect kept_rect(const FrameCase& frame) {
    app::Panels panels;
    panels.study = frame.kept == Place::Study;
    const app::Rect r =
        app::place_rect(frame.kept, {0, 0, frame.size.w, frame.size.h}, app::theme_named(frame.theme), panels);
    const float left = std::floor(r.x), top = std::floor(r.y);
    return {left, top, std::ceil(r.right()) - left, std::ceil(r.bottom()) - top};
}

}  // namespace frames
