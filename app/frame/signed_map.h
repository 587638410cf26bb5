#pragma once
// Signed numbers as a map of cells and as bars from the middle: what parts add to a logit, or what replacing them
// changes.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/frame/view.h"

namespace app {

/// It can be laid out once after a change: it holds neither a frame nor a theme.
struct SignedMap {
    struct Column {
        std::string title;
        int head = -1;  ///< whose colour the title has; −1: none
    };
    struct Cell {
        std::size_t row = 0;
        int column = 0;
        double value = 0;  ///< NaN: there is none
        bool pressable = false, hatched = false;
    };
    std::vector<Column> columns = {};
    std::vector<std::string> rows = {};  ///< titles
    std::string corner = {};             ///< above the rows' titles: what the columns are
    std::vector<Cell> cells = {};
    double largest = 0;  ///< the magnitude of the strongest colour
};
/// How a map is drawn, besides what is in it.
struct SignedMapLook {
    std::function<std::string(double)> number;
    std::function<std::string(std::size_t)> says;  ///< of a cell, under the pointer
    std::optional<std::size_t> shown;              ///< the cell that is chosen
};
/// `id`: the map is recorded as "ID_map", its cells as "ID_ROW_COLUMN", counted from 1. Returns where it ends, and the
/// cell that was pressed.
struct PressedMap {
    float bottom = 0;
    std::optional<std::size_t> pressed;
};
PressedMap draw_signed_map(const Frame& frame, Rect area, std::string_view id, const SignedMap& map, const SignedMapLook& look);

/// With less, cells have colours only, or titles of columns are cut.
float least_width_with_figures(const Frame& frame, const SignedMap& map);

struct SignedBar {
    std::string words;
    double value = 0;
    bool shown = false, pressable = false;
};
/// Where bars begin: numbers of one sign, of either, need one side only.
enum class BarsFrom : std::uint8_t { Middle, Left };
/// The bars, the largest first, and lines without a bar below them. They are recorded as "ID1", "ID2" … Returns the
/// pressed bar.
std::optional<std::size_t> draw_signed_bars(const Frame& frame, Rect area, std::string_view id, const std::vector<SignedBar>& bars, const std::vector<SignedBar>& below,
                                            const std::function<std::string(double)>& number, BarsFrom from = BarsFrom::Middle);
/// How many rows fit.
std::size_t signed_bars_in(const Frame& frame, float height);

}  // namespace app
