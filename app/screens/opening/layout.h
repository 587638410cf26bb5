#pragma once
// Where everything of the opening stands, as plain data: of a window, a theme's sizes and the widths of words. The question
// and its answer have the same places, so nothing jumps when the answer comes.

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
    bool buttons = true;  ///< buttons at the foot; a presenter has keys for them
};

/// A word, or a gap where words are left out.
struct OpeningWord {
    int index = 0;    ///< of the text; of a gap the first that is left out
    int left_out = 0; ///< so many words; 0: it is a word
    Rect chip{}, glass{}, figure{};
    bool is_gap() const { return left_out > 0; }
};

struct OpeningLayout {
    float unit = 1;  ///< pixels
    Type title_type = Type::HugeStrong, word_type = Type::Huge, word_strong = Type::HugeStrong;
    Rect title, lead;           ///< the question, and the line below it
    Rect arcs;                  ///< what arcs may fill; they stand on its lower edge
    std::vector<OpeningWord> words;
    Rect says, said;            ///< the answer, and what has become of the guess
    Rect changes;               ///< the row of exchanges; empty: none
    std::vector<Rect> cards;    ///< of the heads; empty: there is no room
    Rect buttons;               ///< the row at the foot; empty: none
    Rect see;                   ///< where the answer is asked for

    const OpeningWord* find(int index) const;
};

OpeningLayout lay_out_opening(const OpeningRoom& room, const OpeningData& data);

/// Of a gap: "… 13".
std::string gap_text(int left_out);

/// How high the middle of an arc rises over a distance, in pixels.
float arc_rise(const OpeningLayout& layout, float distance);
/// Of all arcs of the row, so that the highest, as thick as it is, stays inside its room: 1 where they fit by themselves.
float arcs_fit(const OpeningLayout& layout, const OpeningData& data);
/// How thick the arc of a share is.
float arc_width(const OpeningLayout& layout, float share);

}  // namespace app
