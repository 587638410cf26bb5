#pragma once
// Who looks at whom, head by head: the maps of attention that a run holds, what several heads say together, and which
// of many lines between queries and keys are worth drawing.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

#include "core/trace/trace.h"

namespace attn {

/// One head's weights, queries × keys. Where queries are asked one at a time (decoding, a recurrent decoder) each row
/// stands in a step of its own.
struct AttentionMap {
    Tag tag;                   ///< of the weights, without a time
    Axis queries, keys;        ///< what rows and columns stand for
    int cols = 0;              ///< keys of the longest row
    std::vector<Cell> places;  ///< for each row its step and its row there; column 0

    int rows() const { return static_cast<int>(places.size()); }
    /// The number's place in the trace; its step is kNoStep where that query had no such key yet.
    Cell cell(const Trace& trace, int row, int col) const;
};

/// A recurrent decoder makes each row to write the word at its own place; a Transformer's writes the word behind it.
bool writes_own_place(const Trace& trace);

/// All maps of a run, in the order of the computation: soft weights, after the Gaussian of a predicted window where there
/// is one. Empty for forms that never hold weights (online softmax, linear attention).
std::vector<AttentionMap> attention_maps(const Trace& trace);

/// For each column of a row of a map whether the query may look at it: no mask hides it, and it is there already. A weight of 0
/// says nothing of that (sparsemax, top-k, temperature 0, float32's underflow), but where weights come from a file there is
/// nothing else to go by. Reads the trace, which outlives it; several threads may ask it at a time.
class VisibleKeys {
public:
    VisibleKeys(const Trace& trace, const AttentionMap& map);
    /// 1 for a key that is visible, 0 for one that is not, into map.cols numbers; returns how many are.
    int of(int row, std::span<std::uint8_t> out) const;
    /// The row's weights, and of how many keys.
    const float* weights(int row) const;
    int keys(int row) const;

private:
    /// What is said of the rows of one step: all of them read the same matrices.
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
/// The same of one row.
std::vector<bool> visible_keys(const Trace& trace, const AttentionMap& map, int row);

/// rows × cols; NaN where the query had no such key yet.
Matrix weights_of(const Trace& trace, const AttentionMap& map);

/// [PAD], [CLS], <s>, <|endoftext|> …: tokens that a tokenizer adds and no text has.
bool is_special_token(std::string_view token);

/// The same weights with the hidden keys' columns NaN. `renormalise`: what is left of each row is divided by its sum (a
/// row of which nothing is left stays 0). `hidden`: one a column.
Matrix without_keys(const Matrix& weights, const std::vector<bool>& hidden, bool renormalise);
/// How much of all weight lies on hidden keys: 0 … 1.
double weight_on(const Matrix& weights, const std::vector<bool>& hidden);

/// Maps of one shape, wherever they are kept: of a long text none is copied to be looked at.
using MapRefs = std::span<const Matrix* const>;

/// The mean of maps of one shape that come one after the other: none needs to be there with another.
class AverageMap {
public:
    void add(const Matrix& map);
    /// Cell by cell, summed in float64; NaN only where all are. Empty: nothing was added.
    Matrix average() const;

private:
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> sum_;
    Eigen::Matrix<std::uint16_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> count_;
};

/// Cell by cell; NaN only where all are.
Matrix average_of(MapRefs maps);
Matrix largest_of(MapRefs maps);
/// The same of maps that come one after the other; an empty `largest` becomes the first of them.
void raise_to(const Matrix& map, Matrix& largest);
/// Of one cell: the mean of those that are numbers, NaN where none is.
float average_at(MapRefs maps, int row, int col);
/// Index of the map with the largest weight in a cell, the first of equal ones; −1 where no map has any.
int strongest_at(MapRefs maps, int row, int col);

/// Σ of the rows named (all of them where none is) for each column, and the reverse; NaN adds nothing. float64 sums.
std::vector<double> sum_of_rows(const Matrix& weights, std::span<const int> rows);
std::vector<double> sum_of_cols(const Matrix& weights, std::span<const int> cols);

struct AttentionLine {
    int map = 0, query = 0, key = 0;
    float weight = 0;
    bool operator==(const AttentionLine&) const = default;
};

struct LineChoice {
    /// Of each row the fewest, largest weights that together reach this share of it; 1: all that are not 0.
    double keep = 1;
    std::vector<int> queries = {}, keys = {};  ///< only lines from or to these; both empty: all
    int most = 1000;                           ///< over all maps; the largest stay
};
struct AttentionLines {
    std::vector<AttentionLine> lines;  ///< thinnest first
    long long kept = 0;                ///< that `keep` leaves, before `most`
    long long all = 0;                 ///< weights above 0
    /// The smallest weight that `keep` leaves in each row of each map; +∞ in a row that has none.
    std::vector<std::vector<float>> least;
};
/// Where `stop` is asked for it ends early: what comes back is then good for nothing.
AttentionLines strongest_lines(MapRefs maps, const LineChoice& choice, const std::stop_token& stop = {});

}  // namespace attn
