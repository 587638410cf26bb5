#pragma once
// A logit taken apart, laid out as the page draws it: layers by heads, and beside the heads what else a layer adds.

#include <cstddef>
#include <optional>
#include <vector>

#include "app/state/derived.h"
#include "core/analysis/attribution.h"

namespace app {

struct LogitParts {
    attn::Attribution made;
    std::vector<std::size_t> largest_first;  ///< of made.parts, by magnitude

    struct Row {
        int layer = 0;
        attn::Part part = attn::Part::Main;  ///< Cross: of the attention that looks into the encoder
        bool operator==(const Row&) const = default;
    };
    /// A head, or all of one kind that a layer adds: a bias counts with its feed-forward layer.
    struct Cell {
        std::size_t row = 0;
        int column = 0;
        double value = 0;
        std::size_t part = 0;  ///< of made.parts: the first that is counted
    };
    std::vector<Row> rows;
    int heads = 0;                          ///< columns; behind them stands `beside`
    std::vector<attn::Contributor> beside;  ///< AttentionBias, FeedForward
    std::vector<Cell> cells;
    double largest = 0;  ///< magnitude in a cell

    int columns() const { return heads + static_cast<int>(beside.size()); }
};

LogitParts lay_out_parts(attn::Attribution made);
/// The head that the page shows: the one that is chosen, or, where it has no part in the logit, the one that has most. None: no head has.
std::optional<HeadPlace> head_among(const LogitParts& parts, const std::optional<HeadPlace>& chosen);

}  // namespace app
