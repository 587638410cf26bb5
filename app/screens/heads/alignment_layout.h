#pragma once
// Where the words of two texts and the weights between them stand on the page of alignments. Pure: of an area, widths and
// counts.

#include <vector>

#include "app/draw/vocab.h"

namespace app {

struct AlignmentRoom {
    Rect area;
    float scale = 1;                 ///< pixels for each of design
    float em = 0;                    ///< of names
    float figure = 0, bare = 0;      ///< widths of "0.00" and of ".00", which the lit row has where that has no room
    float names = 0, sources = 0;    ///< widths of the longest name of a row, of a column
    float reads = 0;                 ///< of what stands before the names, small; 0: nothing does
    float says = 0;                  ///< of what stands right of the rows; 0: nothing does
    bool strips = false;             ///< above each column its vector
    bool asks = false;               ///< before each row the vector that asks
    int makes = 0;                   ///< behind each row so many vectors that are made of it: context, state
    int rows = 0, cols = 0, lit = -1;  ///< `lit`: the row that is spoken of
    std::vector<int> strongest{};      ///< its columns, the one with the largest weight first
};

struct AlignmentLayout {
    Rect sheet;
    float cell_w = 0, cell_h = 0, lit_h = 0;
    /// Where not all columns have room for figures, the strongest of the lit row have: they are wider than the others.
    float wide_w = 0;
    std::vector<bool> wide{};
    int rows = 0, cols = 0, lit = -1;
    bool slanted = false;  ///< names of columns
    bool figures = false;      ///< all cells have room for them
    bool lit_figures = false;  ///< those of the lit row have, in wide columns
    std::vector<bool> named;  ///< rows whose names have room; the lit one's always has
    float asks_x = 0, asks_w = 0;  ///< of the vectors that ask; 0 wide: they have no room beside the figures
    float makes_x = 0, makes_w = 0;  ///< of the first vector behind the rows; likewise
    float names_w = 0, reads_w = 0;  ///< before the names; 0: they have no room
    float names_right = 0, says_left = 0, says_w = 0, names_base = 0, strip_h = 0, strip_y = 0;

    Rect row(int r) const;
    Rect col(int c) const;
    Rect cell(int r, int c) const;
    bool has_figure(int r, int c) const { return figures || (lit_figures && r == lit && is_wide(c)); }
    bool is_wide(int c) const { return !wide.empty() && wide[static_cast<std::size_t>(c)]; }
    /// Whether a column has room for its name, in letters of an em.
    bool source_named(int c, float em) const;
    /// Of a row's i-th vector behind it.
    Rect made(int r, int i) const;
    /// The row and the column at a point; false: it lies elsewhere.
    bool find(Point at, int& row, int& col) const;
};

AlignmentLayout lay_out_alignment(const AlignmentRoom& room);

}  // namespace app
