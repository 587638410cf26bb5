#pragma once
// How an evicted value is recomputed: block of rows by block of rows, together with everything it depends on. Internal
// to remake.

#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/kernels/multiply.h"
#include "core/remake/remake.h"

namespace attn {

inline bool works_by_rows(Op op) { return rows_of(op) != RowsOf::Whole; }

/// The whole value: from the cache, or recomputed. `keep`: cache it for the next reader.
std::shared_ptr<const Matrix> share(const Recipe& of, bool keep);

/// The keys that the rows of a mask let through.
struct SeenKeys {
    std::vector<int> past;  ///< per row: the last key that it sees, plus 1
    bool all_before = true;  ///< every row sees all keys before its `past`
};

/// A value and the evicted values that it depends on, down to held ones: a small graph of nodes in topological order.
class Making {
public:
    using Index = Eigen::Index;

    /// `keep`: inputs that must be recomputed whole are cached.
    Making(const Recipe& of, bool keep);

    /// Rows of the value and of its intermediate values, as a trace; the value is its last step.
    Trace block(Index first, Index count, bool note_last) const;
    /// All rows. `notes`: row notes are appended; may be null.
    FrozenMatrix whole(const std::stop_token& stop, std::vector<Note>* notes) const;
    /// After whole(): every number was checked on the way, and all are finite in float32.
    bool was_found_finite() const { return !unseen_; }
    /// The notes on the value's own rows (not those of its intermediate values).
    std::vector<Note> own_notes(Index first, Index count) const;

private:
    struct Node {
        const Recipe* recipe = nullptr;  ///< null: an input of the graph
        Index rows = 0, cols = 0;
        bool by_rows = false;  ///< an input: only the block's rows of it are read
        bool in_place = false;  ///< an input by rows: read where it is, without a copy
        bool passed_on = false;  ///< a slice without numbers: its only reader, a product, reads the input
        int readers = 0;        ///< number of reads by other nodes, each use counted
        bool by_keys = false;  ///< its columns are keys, and no row needs the keys that it does not see
        /// The Frobenius norm of what is added to scores or, for a product by keys, of its right factor.
        double length = 0;
        std::vector<StepId> inputs;
        FrozenMatrix value;
        /// An input: only these columns of it are used, read in place.
        std::optional<Columns> part;
        std::shared_ptr<const SeenKeys> seen;  ///< for a mask by keys
        std::vector<Note> notes;

        Columns columns() const { return part.value_or(Columns{0, cols}); }
    };

    StepId node_of(const Recipe& of);
    StepId input_of(const Recipe& of, std::size_t i);
    /// The rows that are computed at once, and the number of keys (columns) for them.
    struct Block {
        Index first, count, keys;
    };
    static Step given(const Node& node, const Block& of);
    static FrozenMatrix part_of(const Node& node, const Block& of);
    Step made(Trace& t, const Node& node, const Block& of) const;
    MatrixPart left_of(const Trace& t, const Node& product, const Block& of) const;
    Columns columns_of_right(const Node& product, const Block& of) const;
    static Step begun(const Node& node, const Block& of);
    /// Whether steps may be done in place, over the numbers of the step before.
    enum class InPlace : std::uint8_t { None, Some };
    /// nullopt: a number among the left-out keys might not be finite (it would need a note) or the result holds a −0,
    /// which all keys might change; or, when working in place, a number is not finite.
    std::optional<Trace> block_of(const Block& of, bool note_last, InPlace in_place) const;
    void find_shared();

    // strips.cpp
    /// Steps that are begun, each on top of the one before, and not yet done.
    struct Strips {
        StepId product = kNoStep;  ///< the product to compute before them
        std::vector<StepId> steps;
        bool looks_first = false;  ///< the numbers that they start from have not yet been checked for finiteness
    };
    /// Rows and columns that are done at once.
    struct Strip {
        Index first, past;
        Columns columns;
    };
    bool works_on_strips(const Trace& t, const Node& node) const;
    bool can_follow_product(const Trace& t, const Strips& strips) const;
    bool do_with_product(const Trace& t, const Strips& strips, const Block& of) const;
    bool do_strips(Trace& t, const Strips& strips, const Block& of, bool note_last) const;
    bool do_strip(const Trace& t, const Strips& strips, const Block& of, const Strip& strip, bool note_last, std::vector<Note>& notes) const;
    bool is_noted(StepId id, bool note_last) const { return note_last || id + 1 < static_cast<StepId>(nodes_.size()); }
    void hide(const Trace& t, StepId mask, const Block& of, Index first, Index past, float* numbers) const;
    void multiply_here(const Trace& t, StepId product, const Block& of, ProductWork then) const;

    // unseen.cpp
    void find_keys();
    bool is_of_weights(StepId id, std::vector<StepId>& found) const;
    bool is_of_scores(StepId id, std::vector<StepId>& found) const;
    bool read_by_others(const std::vector<StepId>& found) const;
    Index all_keys() const { return keys_.empty() ? 0 : nodes_[static_cast<std::size_t>(keys_.front())].cols; }
    Index seen_keys(Index first, Index count) const;
    double most(const Trace& t, const std::vector<double>& before, const Node& node, const Block& block) const;
    bool has_large_product() const;
    Index rows_at_once() const;
    /// Calls each(first, block) for blocks of these rows; on several threads where products are small. `each` must not
    /// throw.
    template <class Each>
    void each_block(Index first, Index past, bool note_last, const std::stop_token& stop, const Each& each) const;
    void take_notes(const Trace& t, Index first, std::vector<Note>& notes, std::mutex& mutex) const;

    const Recipe& of_;
    bool keep_;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, StepId> known_;
    Index rows_ = 0;
    mutable std::atomic<bool> unseen_ = false;  ///< the numbers of the last node have not been checked
    std::vector<StepId> keys_;  ///< the nodes by keys
    std::vector<std::shared_ptr<const SeenKeys>> seen_;  ///< per mask
};

}  // namespace attn
