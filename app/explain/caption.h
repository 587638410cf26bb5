#pragma once
// The sentence under the picture: what this moment of the walk says, made from the numbers of the run.

#include <string>
#include <vector>

#include "app/draw/vocab.h"
#include "app/timeline/labels.h"
#include "app/timeline/timeline.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// Of a stop: its told cell is being made; it is there, its row follows; all is there.
enum class Moment : std::uint8_t { Cell, Row, All };
/// The told cell is on the stage from here on, and all cells nearly.
inline constexpr double kCellThere = 0.5, kRowThere = 0.76;
Moment moment_at(double progress);

struct CaptionInput {
    const attn::Run& run;
    const AxisLabels& labels;
    attn::StepId step = attn::kNoStep;
    Moment moment = Moment::All;
    attn::Cell told;  ///< of the step, that the motion explains
    News news = News::Usual;
    Language language = Language::English;
    attn::Convention convention = attn::Convention::Rows;
    attn::CountFrom count = attn::CountFrom::One;  ///< of layers
};

struct Caption {
    /// Names in the hue of who asks and who answers, numbers in that of their matrix; the rest is ink.
    struct Part {
        std::string text;
        Hue hue = Hue::Ink;
        bool strong = false;
        bool formula = false;  ///< the letters of a matrix, for the formula setter: "W_Q"
    };
    std::vector<Part> parts;

    bool empty() const { return parts.empty(); }
    /// As plain text, for those who read it elsewhere: "W_Q".
    std::string text() const;
};

/// One sentence for every step of every run. Its numbers are those of the told cell and of the weight behind it,
/// written as the stage writes them. Empty only without a step.
Caption caption(const CaptionInput& in);

}  // namespace app
