// Every query with every key: the stage shows the block of one query, a row for each key. The query's row slides down
// over the keys and leaves the sums behind (or itself next to the key). Where tokens are columns, its column slides to
// the right.

#include <algorithm>

#include "app/layout/parts.h"

namespace app::stage {
namespace {

using attn::StepId;

/// One row of a step as a separate matrix.
MatrixSprite& single_row(Builder& b, StepId id, int row, Point origin, float cell) {
    Grid grid = b.grid(id, origin, cell);
    grid.rows = 1;
    grid.row_fold = {};
    MatrixSprite& sprite = b.matrix(id, grid);
    sprite.first_row = row;
    return sprite;
}

/// The keys on the left, the block on the right, the query above it. Where tokens are columns, the query is left of its
/// block: between the two, or in front of it if they are below each other.
SideBySide place_pairs(const Builder& b, StepId keys, StepId block) {
    const StageStyle& s = b.style();
    const float apart = s.between * 1.4f, query = s.cell_max + s.between;
    if (!b.columns()) return side_by_side(b, {keys, block}, {apart, 0, query, 0});
    return larger(side_by_side(b, {keys, block}, {apart + query}),
                  below_each_other(b, {keys, block}, {apart, 0, 0, 0, query}));
}

/// The query's name: left of its row, or above its column.
void name_query(Builder& b, const attn::Step& queries, int query, const Grid& home) {
    const StageStyle& s = b.style();
    const Hue hue = hue_of(queries.tag);
    if (b.columns()) return b.row_labels(home, queries, hue, 0, 1, query);
    if (s.presenting)  // the names of the pairs are next to it
        return b.text({home.origin.x, home.origin.y - 6 * s.scale},
                      fill_in(b.words(Str::with_query), {b.label(queries.rows, query)}), Type::SmallStrong, hue, Align::Left);
    b.text({home.origin.x - 10 * s.scale, home.origin.y + home.cell / 2 + s.label * 0.36f},
           fill_in(b.words(Str::with_query), {b.label(queries.rows, query)}), Type::SmallStrong, hue, Align::Right);
}

}  // namespace

void lay_out_pairs(Builder& b) {
    const StepId id = b.in.pose.step, queries = b.step(id).inputs[0], keys = b.step(id).inputs[1];
    const bool sums = b.step(id).op == attn::Op::PairSum;
    const Rows block = b.rows_of(id);
    const int query = block.first / std::max(1, block.count);
    const StageStyle& s = b.style();
    const SideBySide at = place_pairs(b, keys, id);
    const Grid &left = at.grids[0], &result = at.grids[1];
    const Pace pc = pace(b.progress());
    const int row = std::clamp(b.focus_in(id).row - block.first, 0, block.count - 1);
    const float cell = left.cell;

    b.row_labels(left, b.step(keys), hue_of(b.step(keys).tag), row);
    if (b.columns() && !at.stacked) b.row_labels(result, b.step(id), hue_of(b.step(keys).tag), row);
    at.caption(b, 0);
    at.caption(b, 1);
    b.legend(id, {at.left(), at.bottom() + s.caption + s.legend_h});
    MatrixSprite& key_sprite = b.matrix(keys, left);
    if (b.focused(keys)) key_sprite.ring = *b.in.focus;
    const Point above = b.turned(result.origin) - Point{0, s.between * 0.5f + cell};
    MatrixSprite& query_sprite = single_row(b, queries, query, b.turned(above), cell);
    if (b.focused(queries)) query_sprite.ring = *b.in.focus;
    name_query(b, b.step(queries), query, query_sprite.grid);

    MatrixSprite& made = b.matrix(id, result);
    made.placeholders = true;
    made.reveal = reveal_of(pc, {id, row, b.focus_in(id).col}, result.rows, result.cols);
    if (pc.cell >= 0.95) made.reveal.cells = 1e9f;
    made.ring = b.focus_in(id);
    if (pc.cell >= 0.95) return;
    // At the explained key: the query comes down, the key comes across.
    const auto down = ease(phase(pc.cell, 0.1, 0.8));
    const auto fade = 1 - static_cast<float>(phase(pc.cell, 0.85, 0.95));
    for (int c = 0; c < static_cast<int>(b.step(queries).value.cols()); ++c)
        b.fly({queries, query, c}, query_sprite.grid.at(0, c), result.at(row, c), down, fade);
    const int shift = sums ? 0 : static_cast<int>(b.step(queries).value.cols());
    for (int c = 0; c < left.cols; ++c)
        b.fly({keys, row, c}, left.at(row, c), result.at(row, shift + c), down, fade * (sums ? 0.6f : 1.0f));
}

}  // namespace app::stage
