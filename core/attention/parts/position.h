#pragma once
// Positions: how attention, which sees a set, is told the order. A table: one function and one row to add one.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"

namespace attn {

/// Where a position takes hold.
enum class PositionKind : std::uint8_t {
    None,
    Added,     ///< to the vectors, before everything
    Rotated,   ///< queries and keys are rotated
    Biased,    ///< added to the scores
    Relative,  ///< vectors for distances beside keys and values
    Bucketed,  ///< a number a head for every bucket of distances, added to the scores
};

struct Position {
    std::string_view id;
    PositionKind kind;
    std::string_view source = "";  ///< paper
    /// Added: n×d by formula; null: a table that is given or seeded.
    Matrix (*encoding)(int n, int d) = nullptr;
    bool half_pairs = false;  ///< Rotated
    std::string_view in_scores = "";     ///< what it adds to the product of queries and keys, as a formula
    std::string_view behind_scores = "";  ///< what it adds to the scores
    std::string_view symbol = "";         ///< the same in a few letters, for the list of steps and the timeline
    std::array<std::string_view, 12> fields = {};  ///< of the document, that it reads
    Refuses refuses = nullptr;
};

Catalogue<Position>& position_catalogue();
std::span<const Position> positions();
const Position* find_position(std::string_view id);

/// PE[p,2i] = sin(p / 10000^(2i/d)), PE[p,2i+1] = cos(same); an odd d ends with the sine.
/// Computed in float64. [Vaswani et al. 2017, 3.5]
Matrix sinusoidal(int n, int d);
/// The same waves, all sines before all cosines, as Hugging Face's Marian has them.
Matrix sinusoidal_half(int n, int d);
/// Which of `buckets` a key falls into that stands `offset` places behind its query (before it: below 0). Near distances
/// have one each, farther ones share them by the logarithm, from `farthest` on all share the last; `both`: half of the
/// buckets are for keys behind the query, else these all fall into the first. [Raffel et al. 2020, 2.1]
int bias_bucket(int offset, bool both, int buckets, int farthest);
/// −m·|p − p'| with m = 2^(−8 (head+1) / heads); heads a power of two. Queries begin at position `first`.
/// [Press et al. 2022, 3]
Matrix distance_bias(int queries, int keys, int first, int head, int heads);

/// Records X and, where the configuration has a position that is added, the encoding and the sum. Returns what
/// attention reads. Part Source: the second text.
StepId embed(Trace& t, const Inputs& in, const AttentionConfig& config, Part part = Part::Main);
/// X (Part Source: the second text's) alone.
StepId embed_vectors(Trace& t, const Inputs& in, Part part = Part::Main);
/// n×d of the position that is added, under `tag`: by formula, given or seeded; kNoStep where none is added. Beside numbers
/// for distances (relative_bias) a table is added where the model has both.
StepId position_table(Trace& t, const Inputs& in, const AttentionConfig& config, int n, Axis rows, Tag tag);
/// One row of such a table that a formula makes, at `place` from 0; kNoStep where none is added.
StepId position_row(Trace& t, const AttentionConfig& config, int width, int place, Tag tag);
/// How many of a head's columns are rotated: the first ones.
int rotary_columns(const AttentionConfig& config, int width);
/// Queries or keys rotated, where the configuration says so; else as they are.
StepId rotate_places(Trace& t, const Attend& a, StepId from, int first_position, Role result);
/// scores + Q (a^K)ᵀ by distance, where the configuration says so [Shaw et al. 2018, eq. 4]
StepId add_relative_scores(Trace& t, const Attend& a, StepId queries, StepId scores);
/// scores − m·|p − p'|, where the configuration says so
StepId add_distance_bias(Trace& t, const Attend& a, StepId scores);
/// scores + the number that the head has for the bucket of j − i, where the configuration says so. All layers of a part
/// share them.
StepId add_bucket_bias(Trace& t, const Attend& a, StepId scores);

/// The configuration has this kind of position, and it applies to this attention.
bool has_position(const Attend& a, PositionKind kind);

}  // namespace attn
