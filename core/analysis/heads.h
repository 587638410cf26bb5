#pragma once
// Attention head by head: the maps of attention in a run, combinations of several heads, and the selection of the lines
// between queries and keys that are worth drawing.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// One head's weights, queries × keys. If queries are processed one at a time (decoding, a recurrent decoder), each row
/// is in its own step.
struct AttentionMap {
    Tag tag;                   ///< of the weights, without a time
    Axis queries, keys;        ///< labels of rows and columns
    int cols = 0;              ///< keys of the longest row
    std::vector<Cell> places;  ///< for each row: its step, and its row there; column 0

    int rows() const { return static_cast<int>(places.size()); }
    /// The cell's place in the trace; its step is kNoStep if that query did not have this key yet.
    Cell cell(const Trace& trace, int row, int col) const;
};

/// Whether a row's query predicts the word at its own position (recurrent decoder) or the next one (Transformer).
bool writes_own_place(const Trace& trace);

/// All maps of a run, in order of computation: soft weights, after the Gaussian of a predicted window if there is one.
/// Empty for forms that never have a matrix of weights (online softmax, linear attention).
std::vector<AttentionMap> attention_maps(const Trace& trace);

/// Whether the query of a row may attend to a key: no mask hides it, and it exists already. A weight of 0 does not show
/// this (sparsemax, top-k, temperature 0, float32 underflow), but for weights from a file it is the only indication.
/// Reads the trace, which must outlive it; thread-safe.
class VisibleKeys {
public:
    VisibleKeys(const Trace& trace, const AttentionMap& map);
    /// Writes 1 for a visible key and 0 for a hidden one into map.cols numbers; returns the number of visible keys.
    int of(int row, std::span<std::uint8_t> out) const;
    /// The row's weights, and their number.
    const float* weights(int row) const;
    int keys(int row) const;

private:
    /// Shared by the rows of one step, which read the same matrices.
    struct Source {
        const Matrix* weights = nullptr;
        bool from_file = false;
        std::vector<const Matrix*> masks;
    };
    const Source& source(int row) const { return sources_[of_row_[static_cast<std::size_t>(row)]]; }

    const AttentionMap& map_;
    std::vector<Source> sources_;
    std::vector<std::uint32_t> of_row_;
};
/// The same for one row.
std::vector<bool> visible_keys(const Trace& trace, const AttentionMap& map, int row);

/// rows × cols; NaN if the query did not have this key yet.
Matrix weights_of(const Trace& trace, const AttentionMap& map);

/// [PAD], [CLS], <s>, <|endoftext|> …: tokens that a tokenizer adds and that no text contains.
bool is_special_token(std::string_view token);

/// The weights with the columns of hidden keys set to NaN. `renormalise`: divides each row by its remaining sum (a row
/// without remaining weight stays 0). `hidden`: one per column.
Matrix without_keys(const Matrix& weights, const std::vector<bool>& hidden, bool renormalise);
/// The share of all weight on hidden keys: 0 … 1.
double weight_on(const Matrix& weights, const std::vector<bool>& hidden);

/// References to maps of equal shape, so that maps of long texts need not be copied.
using MapRefs = std::span<const Matrix* const>;

/// The mean of maps of equal shape that are added one by one, so that only one is in memory at a time.
class AverageMap {
    using Counts = Eigen::Matrix<std::uint16_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

public:
    void add(const Matrix& map);
    /// Cell by cell, summed in float64; NaN only if all are. Empty: nothing was added.
    Matrix average() const;

private:
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> sum_;
    int maps_ = 0;
    Counts missing_;  ///< how many maps have no number in a cell; empty: none has none anywhere
};

/// Cell by cell; NaN only if all are.
Matrix average_of(MapRefs maps);
Matrix largest_of(MapRefs maps);
/// The same for maps given one by one; an empty `largest` is set to the first of them.
void raise_to(const Matrix& map, Matrix& largest);
/// One cell: the mean of the maps that are not NaN there; NaN if all are.
float average_at(MapRefs maps, int row, int col);
/// Index of the map with the largest weight in a cell, the first one in a tie; −1 if no map has a weight there.
int strongest_at(MapRefs maps, int row, int col);

/// For each column, the sum over the given rows (all rows if none is given); and the same with rows and columns
/// exchanged. NaN counts as 0; float64 sums.
std::vector<double> sum_of_rows(const Matrix& weights, std::span<const int> rows);
std::vector<double> sum_of_cols(const Matrix& weights, std::span<const int> cols);

struct AttentionLine {
    int map = 0, query = 0, key = 0;
    float weight = 0;
    bool operator==(const AttentionLine&) const = default;
};

struct LineChoice {
    /// In each row, the fewest, largest weights that together reach this share of the row's sum; 1: all weights above
    /// 0.
    double keep = 1;
    std::vector<int> queries = {}, keys = {};  ///< only lines from or to these; both empty: all
    int most = 1000;                           ///< over all maps; the largest remain
};
struct AttentionLines {
    std::vector<AttentionLine> lines;  ///< thinnest first
    long long remaining = 0;           ///< the number of lines after `keep`, before `most`
    long long all = 0;                 ///< weights above 0
    /// The smallest weight that remains after `keep` in each row of each map; +∞ in a row without one.
    std::vector<std::vector<float>> least;
};
/// Collects the strongest lines of maps that are given one by one, so that only one is in memory at a time.
class LineCollector {
public:
    LineCollector(LineChoice choice, std::size_t maps);
    /// `map`: its index. Stops early if `stop` is requested; the result must then be discarded.
    void add(std::size_t map, const Matrix& weights, const std::stop_token& stop = {});
    /// Of all maps; to be called once.
    AttentionLines collected();

private:
    std::size_t most() const;
    bool wanted(int query, int key) const;
    void trim(std::size_t above);
    void add_row(std::size_t map, const Matrix& weights, int query);

    LineChoice choice_;
    AttentionLines out_;
    std::vector<int> keys_;  ///< of the current row
    float floor_ = 0;        ///< smaller weights can no longer be among the largest
};
/// The same for maps that are all in memory.
AttentionLines strongest_lines(MapRefs maps, const LineChoice& choice, const std::stop_token& stop = {});

}  // namespace attn
