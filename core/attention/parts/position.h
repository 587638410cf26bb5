#pragma once
// Positions: how attention, which treats its input as a set, learns the order. A table: a new one is one function and
// one row.

#include <array>

#include "core/attention/parts/attend.h"
#include "core/attention/refusal.h"
#include "core/base/catalogue.h"

namespace attn {

/// What a position acts on.
enum class PositionKind : std::uint8_t {
    None,
    Added,     ///< to the vectors, before anything else
    Rotated,   ///< queries and keys are rotated
    Biased,    ///< added to the scores
    Relative,  ///< vectors for distances, added to keys and values
    Bucketed,  ///< one number per head and bucket of distances, added to the scores
};

struct Position {
    std::string_view id;
    PositionKind kind;
    std::string_view source = "";  ///< paper
    /// Added: n×d by formula; null: a table, given or seeded.
    Matrix (*encoding)(int n, int d) = nullptr;
    bool half_pairs = false;  ///< Rotated: pairs column i with i + half, instead of neighbouring columns
    std::string_view in_scores = "";     ///< what it adds to the product of queries and keys, as a formula
    std::string_view behind_scores = "";  ///< what it adds to the scores
    std::string_view symbol = "";         ///< the same, shortened, for the list of steps and the timeline
    std::array<std::string_view, 12> fields = {};  ///< the document's fields that it reads
    Refuses refuses = nullptr;
};

Catalogue<Position>& position_catalogue();
std::span<const Position> positions();
const Position* find_position(std::string_view id);

/// PE[p,2i] = sin(p / 10000^(2i/d)), PE[p,2i+1] = cos(same); an odd d ends with the sine.
/// Computed in float64. [Vaswani et al. 2017, 3.5]
Matrix sinusoidal(int n, int d);
/// The same waves, but all sines before all cosines, as in Hugging Face's Marian.
Matrix sinusoidal_half(int n, int d);
/// The bucket, of `buckets`, of a key at `offset` positions after its query (negative: before it). Small distances have
/// one bucket each, larger ones share buckets logarithmically, and all from `farthest` on share the last. `both`: half
/// of the buckets are for keys after the query; otherwise all those keys fall into the first. [Raffel et al. 2020, 2.1]
int bias_bucket(int offset, bool both, int buckets, int farthest);
/// −m·|p − p'| with m = 2^(−8 (head+1) / heads); heads a power of two. Queries begin at position `first`.
/// [Press et al. 2022, 3]
Matrix distance_bias(int queries, int keys, int first, int head, int heads);

/// Records X and, if the configured position is an added one, the encoding and the sum. Returns the input of attention.
/// Part Source: for the second text.
StepId embed(Trace& t, const Inputs& in, const AttentionConfig& config, Part part = Part::Main);
/// X alone (Part Source: of the second text).
StepId embed_vectors(Trace& t, const Inputs& in, Part part = Part::Main);
/// n×d of the added position, under `tag`: by formula, given or seeded; kNoStep if none is added.
StepId position_table(Trace& t, const Inputs& in, const AttentionConfig& config, int n, Axis rows, Tag tag);
/// One row of that table, at `place` from 0, if a formula computes it; kNoStep otherwise.
StepId position_row(Trace& t, const AttentionConfig& config, int width, int place, Tag tag);
/// How many of a head's columns, from the first on, are rotated.
int rotary_columns(const AttentionConfig& config, int width);
/// Rotated queries or keys if the configuration says so; else `from` itself.
StepId rotate_places(Trace& t, const Attend& a, StepId from, int first_position, Role result);
/// scores + Q (a^K)ᵀ by distance, if configured [Shaw et al. 2018, eq. 4]
StepId add_relative_scores(Trace& t, const Attend& a, StepId queries, StepId scores);
/// scores − m·|p − p'|, if configured
StepId add_distance_bias(Trace& t, const Attend& a, StepId scores);
/// scores + the head's number for the bucket of j − i, if configured. All layers of a part share these numbers.
StepId add_bucket_bias(Trace& t, const Attend& a, StepId scores);

/// The configuration has this kind of position, and it applies to this attention.
bool has_position(const Attend& a, PositionKind kind);

}  // namespace attn
