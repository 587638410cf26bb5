// What a caption says can be seen: its numbers are written in the picture above it.

#include <fmt/format.h>

#include <cstdlib>
#include <regex>

#include "app/content/number_text.h"
#include "tests/frames/frame_documents.h"
#include "tests/frames/frame_stage.h"

namespace frames {
namespace {

class CaptionTest : public FrameStage {};

/// A label shows a share as a caption does: "0.94" is "94%".
bool is_share(const std::string& label, const std::string& percent) {
    char* end = nullptr;
    const double share = std::strtod(label.c_str(), &end);
    return !label.empty() && *end == 0 && share >= 0 && app::weight_text(share) == percent;
}

/// "0.90", "−3.44", "94%": not the bounds in a function's name.
std::vector<std::string> numbers_in(const std::string& text) {
    static const std::regex kNumber("(−)?[0-9]+\\.[0-9]+%?|[0-9]+%");
    std::vector<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), kNumber), end; at != end; ++at) out.push_back(at->str());
    return out;
}

TEST_F(CaptionTest, ItsNumbersAreOnTheScreen) {
    FrameCase frame = frame_cases().front();
    int seen = 0;
    for (const attn::Document& document : {opening_english(), cat_raw(), causal()}) {
        show(frame);
        program().apply(app::becomes(document));
        program().finish();
        const int stops = static_cast<int>(program().derived().timeline.stops.size());
        for (int stop = 0; stop < stops; ++stop)
            for (const double progress : {0.3, 0.6, 1.0}) {
                program().apply(app::GoToStop{stop, progress});
                const std::vector<app::LabelRect> drawn = labels({1440, 900});
                const std::string said = program().derived().caption.text();
                ASSERT_FALSE(said.empty());
                for (const std::string& number : numbers_in(said)) {
                    // Once in the caption and once in the matrix, where a weight is written as a number.
                    const auto count = std::count_if(drawn.begin(), drawn.end(), [&](const auto& label) {
                        return label.text == number || (number.ends_with('%') && is_share(label.text, number));
                    });
                    EXPECT_GE(count, 2) << said << " (stop " << stop << " at " << progress << ")";
                    ++seen;
                }
            }
    }
    EXPECT_GT(seen, 12);
}

}  // namespace
}  // namespace frames
