#pragma once
// The sentence under the picture: describes this moment of the walk with the numbers of the run.

#include <string>
#include <vector>

#include "app/draw/vocab.h"
#include "app/timeline/labels.h"
#include "app/timeline/timeline.h"
#include "core/document/document.h"
#include "core/trace/counting.h"

namespace app {

/// The phases of a stop: the explained cell is being made; it is there, and its row follows; all cells are there.
enum class Moment : std::uint8_t { Cell, Row, All };
/// The progress from which the explained cell is there, and from which nearly all cells are.
inline constexpr double kCellThere = 0.5, kRowThere = 0.76;
Moment moment_at(double progress);

struct CaptionInput {
    const attn::Run& run;
    const AxisLabels& labels;
    attn::StepId step = attn::kNoStep;
    Moment moment = Moment::All;
    attn::Cell explained;  ///< the explained cell of `step`
    News news = News::Usual;
    Language language = Language::English;
    attn::Convention convention = attn::Convention::Rows;
    attn::CountFrom count = attn::CountFrom::One;  ///< for layers
};

struct Caption {
    /// Names have the hue of query or key, numbers that of their matrix; everything else is ink.
    struct Part {
        std::string text;
        Hue hue = Hue::Ink;
        bool strong = false;
        bool formula = false;  ///< a matrix symbol for the formula setter: "W_Q"
    };
    std::vector<Part> parts;

    bool empty() const { return parts.empty(); }
    /// As plain text, for output without formulas: "W_Q".
    std::string text() const;
};

/// One sentence for any step of any run. Its numbers are those of the explained cell and of the weight behind it,
/// formatted as on the stage. Empty only without a step.
Caption caption(const CaptionInput& in);

}  // namespace app
