#pragma once
// The layout of the opening as plain data, computed from the window, the theme's sizes and the widths of words. The
// question and its answer share one layout, so that nothing moves when the answer appears.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/arc.h"
#include "app/state/opening.h"
#include "app/ui/theme.h"

namespace app {

struct OpeningRoom {
    Rect area;
    const Theme& theme;
    std::function<float(std::string_view, Type)> width;
    bool cards = true;    ///< the other heads can be shown
    bool changes = true;  ///< words can be exchanged
    bool buttons = true;  ///< buttons at the foot; not while presenting, where keys are used
};

/// A word, or a gap that stands for omitted words.
struct OpeningWord {
    int index = 0;    ///< in the text; for a gap, of the first omitted word
    int left_out = 0; ///< number of omitted words; 0: it is a word
    Rect chip{}, glass{}, figure{};
    bool is_gap() const { return left_out > 0; }
};

struct OpeningLayout {
    float unit = 1;  ///< in pixels
    Type title_type = Type::HugeStrong, word_type = Type::Huge, word_strong = Type::HugeStrong;
    Rect title, lead;           ///< the question, and the line below it
    Rect arcs;                  ///< the room for arcs; they begin and end on its lower edge
    std::vector<OpeningWord> words;
    Rect says, said;            ///< the answer, and how the guess turned out
    Rect changes;               ///< the row of possible exchanges; empty: none
    std::vector<Rect> cards;    ///< of the heads; empty: no room
    Rect buttons;               ///< the row at the foot; empty: none
    Rect see;                   ///< the button that requests the answer

    const OpeningWord* find(int index) const;
};

OpeningLayout lay_out_opening(const OpeningRoom& room, const OpeningData& data);

/// The text of a gap: "… 13".
std::string gap_text(int left_out);

/// The height of an arc's middle over a distance, in pixels.
float arc_rise(const OpeningLayout& layout, float distance);
/// A factor for the height of all arcs with which the highest, including its thickness, stays inside its room; 1 if
/// they fit.
float arcs_fit(const OpeningLayout& layout, const OpeningData& data);
/// The thickness of the arc for a share.
float arc_width(const OpeningLayout& layout, float share);

}  // namespace app
