#pragma once
// The program in a state whose labels are checked: overlapping or cut labels are reported with the case and their place.

#include <fmt/format.h>

#include "app/layout/flow/model_map.h"
#include "tests/frames/frame_stage.h"
#include "tests/frames/label_check.h"

namespace frames {

/// How many errors are reported for a frame; more would not help.
inline constexpr std::size_t kListedLabels = 8;

class LabelStage : public FrameStage {
protected:
    bool goes_on() const override { return true; }
    /// `where`: the case and its conditions. During a motion, numbers pass over each other.
    void judge(const std::string& where, app::Size size, bool numbers_move) {
        const auto faults = label_faults(labels(size), size, {.numbers_move = numbers_move});
        if (faults.empty()) return;
        std::string listed;
        for (std::size_t i = 0; i < std::min(faults.size(), kListedLabels); ++i) listed += "\n  " + faults[i].text();
        if (faults.size() > kListedLabels) listed += fmt::format("\n  and {} more", faults.size() - kListedLabels);
        ADD_FAILURE() << fmt::format("{}, {:.0f}x{:.0f}:", where, size.w, size.h) << listed;
    }

    /// Between the map of the model and the flow of one of its places.
    bool is_opening() {
        const app::FlowLook& look = program().state().view.flow;
        return program().state().view.screen == app::Screen::Flow && look.zoom < 1 && app::unfolded(look.zoom) > 0;
    }
};

}  // namespace frames
