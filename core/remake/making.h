#pragma once
// How what was let go of is made: a block of rows after the other, with all that it is made of. Internal to remake.

#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/kernels/multiply.h"
#include "core/remake/remake.h"

namespace attn {

inline bool works_by_rows(Op op) { return rows_of(op) != RowsOf::Whole; }

/// The value, whole: as it is kept, or made. `keep`: it stays for the next look.
std::shared_ptr<const Matrix> share(const Recipe& of, bool keep);

/// What rows of a mask let be seen.
struct SeenKeys {
    std::vector<int> past;  ///< of each row: the last key that it sees, plus 1
    bool all_before = true;  ///< every row sees all keys up to there
};

/// A value and all that it is made of that was let go of, down to what is held.
class Making {
public:
    using Index = Eigen::Index;

    /// `keep`: what is needed whole on the way stays for the next look.
    Making(const Recipe& of, bool keep);

    /// Rows of the value, and of what was made on the way in a trace of its own, the value last.
    Trace block(Index first, Index count, bool note_last) const;
    /// All of it. `notes`: added to; may be null: nobody is told.
    FrozenMatrix whole(const std::stop_token& stop, std::vector<Note>* notes) const;
    /// After whole(): each of its numbers was looked at on the way, and is one that float32 has.
    bool was_found_finite() const { return !unseen_; }
    /// What must be told of the value itself, row by row.
    std::vector<Note> own_notes(Index first, Index count) const;

private:
    struct Node {
        const Recipe* recipe = nullptr;  ///< null: given
        Index rows = 0, cols = 0;
        bool by_rows = false;  ///< given: only the block's rows of it are read
        bool in_place = false;  ///< of these: read without being copied
        bool passed_on = false;  ///< a cut of such a one that a product alone reads, where it stands: it has a shape, and no numbers
        int readers = 0;        ///< nodes that read it, each as often as it does
        bool by_keys = false;  ///< a column is a key, and no row needs those that it does not see
        /// The root of the sum of the squares of what is added to scores, or, of a product by keys, of its right factor.
        double length = 0;
        std::vector<StepId> inputs;
        FrozenMatrix value;
        /// Given: of these columns of it, which are read where they stand.
        std::optional<Columns> part;
        std::shared_ptr<const SeenKeys> seen;  ///< of a mask by keys
        std::vector<Note> notes;

        Columns columns() const { return part.value_or(Columns{0, cols}); }
    };

    StepId node_of(const Recipe& of);
    StepId input_of(const Recipe& of, std::size_t i);
    /// Rows that are made at once, and so many of the keys.
    struct Block {
        Index first, count, keys;
    };
    static Step given(const Node& node, const Block& of);
    static FrozenMatrix part_of(const Node& node, const Block& of);
    Step made(Trace& t, const Node& node, const Block& of) const;
    MatrixPart left_of(const Trace& t, const Node& product, const Block& of) const;
    Columns columns_of_right(const Node& product, const Block& of) const;
    static Step begun(const Node& node, const Block& of);
    /// Which steps are done where their numbers stand.
    enum class InPlace : std::uint8_t { None, Some };
    /// nullopt: of what was left out somebody may have to be told, or it makes another −0; or, in place, of a row.
    std::optional<Trace> block_of(const Block& of, bool note_last, InPlace in_place) const;
    void find_shared();

    // strips.cpp
    /// Steps that are begun, each upon the one before, and still to be done.
    struct Strips {
        StepId product = kNoStep;  ///< which is still to be made before them
        std::vector<StepId> steps;
        bool looks_first = false;  ///< the numbers that they begin with have not been looked through
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
    bool is_told(StepId id, bool note_last) const { return note_last || id + 1 < static_cast<StepId>(nodes_.size()); }
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
    /// each(first, block) of these rows; several threads at once where products are small. `each` must not throw.
    template <class Each>
    void each_block(Index first, Index past, bool note_last, const std::stop_token& stop, const Each& each) const;
    void take_notes(const Trace& t, Index first, std::vector<Note>& notes, std::mutex& mutex) const;

    const Recipe& of_;
    bool keep_;
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, StepId> known_;
    Index rows_ = 0;
    mutable std::atomic<bool> unseen_ = false;  ///< numbers of the last node have not been looked at
    std::vector<StepId> keys_;  ///< nodes by keys
    std::vector<std::shared_ptr<const SeenKeys>> seen_;  ///< of each mask
};

}  // namespace attn
