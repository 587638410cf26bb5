#pragma once
// How what was let go of is made: a block of rows after the other, with all that it is made of. Internal to remake.

#include <stop_token>
#include <unordered_map>
#include <vector>

#include "core/remake.h"

namespace attn {

inline bool works_by_rows(Op op) { return rows_of(op) != RowsOf::Whole; }

/// The value, whole: as it is kept, or made. `keep`: it stays for the next look.
std::shared_ptr<const Matrix> share(const Recipe& of, bool keep);

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
    /// What must be told of the value itself, row by row.
    std::vector<Note> own_notes(Index first, Index count) const;

private:
    struct Node {
        const Recipe* recipe = nullptr;  ///< null: given
        Index rows = 0, cols = 0;
        bool by_rows = false;  ///< given: only the block's rows of it are read
        std::vector<StepId> inputs;
        FrozenMatrix value;
        std::vector<Note> notes;
    };

    StepId node_of(const Recipe& of);
    StepId input_of(const Recipe& of, std::size_t i);
    static Step given(const Node& node, Index first, Index count);
    static Step made(const Trace& t, const Node& node, Index first);
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
};

}  // namespace attn
