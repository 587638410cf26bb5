#pragma once
// The decomposition of a logit as the page draws it: layers by heads, with the other contributions of a layer next to
// the heads.

#include <cstddef>
#include <optional>
#include <vector>

#include "app/state/derived.h"
#include "core/analysis/attribution.h"

namespace app {

struct LogitParts {
    attn::Attribution made;
    std::vector<std::size_t> largest_first;  ///< indices into made.parts, by descending magnitude

    struct Row {
        int layer = 0;
        attn::Part part = attn::Part::Main;  ///< Cross: of the decoder's cross-attention
        bool operator==(const Row&) const = default;
    };
    /// A head, or all contributions of one kind in a layer: a bias is added to its feed-forward layer.
    struct Cell {
        std::size_t row = 0;
        int column = 0;
        double value = 0;
        std::size_t part = 0;  ///< index into made.parts: the first one counted
    };
    std::vector<Row> rows;
    int heads = 0;                          ///< columns; those of `beside` follow
    std::vector<attn::Contributor> beside;  ///< AttentionBias, FeedForward
    std::vector<Cell> cells;
    double largest = 0;  ///< largest magnitude in a cell

    int columns() const { return heads + static_cast<int>(beside.size()); }
};

LogitParts lay_out_parts(attn::Attribution made);
/// The head that the page shows: the chosen one or, if that does not contribute to the logit, the one that contributes
/// most. None if no head does.
std::optional<HeadPlace> head_among(const LogitParts& parts, const std::optional<HeadPlace>& chosen);

}  // namespace app
