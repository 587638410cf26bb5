#pragma once
// The layout of the alignment page: the words of two texts, and the weights between them. Pure: computed from an area,
// widths and counts.

#include <vector>

#include "app/draw/vocab.h"

namespace app {

struct AlignmentRoom {
    Rect area;
    float scale = 1;                 ///< pixels per design pixel
    float em = 0;                    ///< of names
    float figure = 0, bare = 0;      ///< widths of "0.00" and of ".00", which the lit row has where that has no room
    float names = 0, sources = 0;    ///< widths of the longest row name and of the longest column name
    float reads = 0;                 ///< width of the small text before the names; 0: none
    float says = 0;                  ///< width of what is right of the rows; 0: none
    float says_figure = 0;           ///< width of its figure alone, if the word before it repeats the row's name; else 0
    bool strips = false;             ///< draw the vector of each column above it
    bool asks = false;               ///< draw the query vector before each row
    int makes = 0;                   ///< number of vectors made from each row that are drawn after it: context, state
    int rows = 0, cols = 0, lit = -1;  ///< `lit`: the row in focus
    std::vector<int> strongest{};      ///< columns, by descending weight in that row
};

struct AlignmentLayout {
    Rect sheet;
    float cell_w = 0, cell_h = 0, lit_h = 0;
    /// If not all columns are wide enough for figures, the strongest of the focused row are made wider than the others.
    float wide_w = 0;
    std::vector<bool> wide{};
    int rows = 0, cols = 0, lit = -1;
    bool slanted = false;  ///< column names
    bool figures = false;      ///< all cells have room for them
    bool lit_figures = false;  ///< the wide columns of the focused row have room for them
    std::vector<bool> named;  ///< rows whose names fit; always the focused one's
    float asks_x = 0, asks_w = 0;  ///< of the query vectors; width 0: no room next to the figures
    float makes_x = 0, makes_w = 0;  ///< of the first vector after the rows; likewise
    float names_w = 0, reads_w = 0;  ///< before the names; 0: no room
    bool says_word = true;  ///< what is right of the rows begins with its word
    float names_right = 0, says_left = 0, says_w = 0, names_base = 0, strip_h = 0, strip_y = 0;

    Rect row(int r) const;
    Rect col(int c) const;
    Rect cell(int r, int c) const;
    bool has_figure(int r, int c) const { return figures || (lit_figures && r == lit && is_wide(c)); }
    bool is_wide(int c) const { return !wide.empty() && wide[static_cast<std::size_t>(c)]; }
    /// Whether a column has room for its name in letters of size `em`.
    bool source_named(int c, float em) const;
    /// The i-th vector after a row.
    Rect made(int r, int i) const;
    /// The row and the column at a point; false if it is outside.
    bool find(Point at, int& row, int& col) const;
};

AlignmentLayout lay_out_alignment(const AlignmentRoom& room);

}  // namespace app
