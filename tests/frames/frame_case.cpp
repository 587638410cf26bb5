#include "tests/frames/frame_case.h"

#include <cmath>
#include <tuple>
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

bool keeps_picture(const FrameCase& frame) {
    const auto key = [](const FrameCase& f) {
        return std::tuple(f.kept, f.theme, f.language, f.heads, f.act);
    };
    // Maps that the graphics processor draws, pooled, turned and in tiles.
    for (const std::string_view map : {"tokens_64_softmax", "columns_tokens_64_softmax", "large_masked_most", "large_close"})
        if (frame.name == map) return true;
    for (const FrameCase& other : frame_cases())
        if (key(other) == key(frame)) return other.name == frame.name;
    return false;
}

app::Rect kept_rect(const FrameCase& frame) {
    app::Panels panels;
    panels.course = frame.kept == Place::Reading;
    // Around the stage as its figures leave it; the inspector as it is when it was opened.
    panels.yields = frame.kept == Place::Stage || frame.kept == Place::Formula || frame.kept == Place::Tokens || frame.kept == Place::Right;
    panels.kept = frame.kept == Place::Right;
    const app::Rect r =
        app::place_rect(frame.kept, {0, 0, frame.size.w, frame.size.h}, app::theme_named(frame.theme), panels);
    const float left = std::floor(r.x), top = std::floor(r.y);
    return {left, top, std::ceil(r.right()) - left, std::ceil(r.bottom()) - top};
}

}  // namespace frames
