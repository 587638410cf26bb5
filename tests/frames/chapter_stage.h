#pragma once
// The program offscreen with a page of a chapter open.

#include "tests/frames/frame_stage.h"

namespace frames {

/// The embedded chapters, in order.
const std::vector<app::Chapter>& built_in_chapters();

class ChapterStage : public FrameStage {
protected:
    bool goes_on() const override { return true; }
    /// `page` counts from 0; one past the last is the page of further reading. Motion is over; while presenting all
    /// paragraphs are there.
    void open(const app::Chapter& chapter, int page, std::string_view theme, app::Language language,
              bool presenting = false);
};

}  // namespace frames
