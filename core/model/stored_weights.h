#pragma once
// A checkpoint's tensors, which stay on disk. A step's matrix is read when it is requested, transposed to the engine's
// rows × columns and widened to float32, and shared by all requests as long as anybody holds it.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/frozen_matrix.h"
#include "core/base/result.h"
#include "core/io/safetensors.h"
#include "core/remake/remake.h"

namespace attn {

/// A file of weights became shorter, can no longer be read, or contains NaN or infinity. Never leaves the engine: run()
/// returns the error, also where a step read the weights itself (StoredWeights::failures).
struct ModelUnreadable {
    Error error;
};

inline constexpr std::string_view kEmbeddingsTensor = "embeddings", kUnembeddingTensor = "unembedding_weight";

/// The location of a step's matrix in a stored tensor.
struct StoredMatrix {
    std::string tensor;
    std::optional<std::size_t> file = {};  ///< index of the file that has it; nothing: whichever file does
    bool transposed = false;  ///< stored as outputs × inputs (PyTorch's Linear); else as rows × columns
    /// The columns taken of the matrix after transposing: `cols` of them, in blocks of `block` columns; a block begins
    /// every `period` columns, the first at `first`. Queries of a fused tensor are one block, or, if each head's
    /// queries, keys and values are adjacent, one block per head.
    int first = 0, block = 0, period = 0;
    int skip_rows = 0;  ///< rows left out at the beginning: positions that no token has
    int rows = 0, cols = 0;
    int rows_behind = 0;  ///< rows left out at the end
    bool folded = false;  ///< has more dimensions: 1 × … × rows × cols, or outputs × inputs × height × width
    float plus = 0;     ///< added to every number: gains stored as 1 + w
    bool operator==(const StoredMatrix&) const = default;
};

class StoredWeights : public std::enable_shared_from_this<StoredWeights> {
public:
    /// Checks once that each matrix fits its tensor (the error names both). `bytes`: the files' bytes, if they are in
    /// memory.
    static Result<std::shared_ptr<const StoredWeights>> make(std::vector<TensorFile> files,
                                                             const std::map<std::string, StoredMatrix, std::less<>>& matrices,
                                                             std::shared_ptr<const std::string> bytes = nullptr);

    std::optional<FrozenMatrix> shape_of(std::string_view step) const;
    /// One step's matrix. Throws ModelUnreadable; thread-safe.
    std::optional<FrozenMatrix> matrix(std::string_view step) const;
    /// The same for a step that must exist; a large matrix (kEvictFrom) is read when its value is first used. It is
    /// then too late for an error: NaN and infinity stay, and what can no longer be read is NaN and counted below.
    StepValue value(std::string_view step) const;
    /// How many matrices of value() could not be read so far. run() compares it with the number before, and returns the
    /// error of the last one instead of a result with NaN.
    std::uint64_t failures() const;
    Error last_failure() const;
    /// The first `count` rows, read without the others; the step must exist. Throws like matrix().
    Matrix first_rows(std::string_view step, int count) const;
    /// These rows, read without the others, each to its row in `out`; where the index is negative, `out` is unchanged.
    /// The step must exist, and its matrix be untransposed and complete. Throws like matrix().
    void rows(std::string_view step, std::span<const int> rows, Matrix& out) const;
    std::vector<std::string> names() const;  ///< of all steps that have a matrix here, sorted
    std::int64_t numbers() const;  ///< of all matrices
    /// Numbers that a run has to read and hold: without the word tables, of which it reads single rows or nothing, and
    /// without matrices that another run already holds.
    std::int64_t numbers_to_read() const;
    /// Numbers of the largest matrix, again without the word tables.
    std::int64_t largest() const;

private:
    struct Held {
        StoredMatrix how;
        const TensorFile* file = nullptr;
        const TensorPlace* place = nullptr;
        std::weak_ptr<const Matrix> value{};
        std::weak_ptr<const Recipe> later{};
        std::shared_ptr<const Matrix> waiting{};  ///< read with another matrix of its tensor, not yet requested
        Held* next = nullptr;  ///< the large matrix that was requested next, the first time
    };

    StoredWeights() = default;
    Matrix read(const Held& held, bool sound) const;
    std::shared_ptr<const Matrix> read_beside(Held& held) const;
    std::shared_ptr<const Matrix> as_it_is(std::string_view step) const;

    std::shared_ptr<const std::string> held_;
    std::vector<TensorFile> files_;
    /// The entry of a step; nullptr: it has none here.
    Held* find(std::string_view step) const;
    Held& held_of(std::string_view step) const { return *find(step); }
    void foresee(Held& requested) const;
    /// Calls take(held, numbers) for each matrix except the word tables.
    template <class Take>
    void each_of_blocks(Take take) const;

    struct HashOfName {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
    };
    /// One of each: layers that share a tensor (ALBERT's) have it in common.
    mutable std::deque<Held> held_matrices_;
    /// Which of them a step has. A run asks for some hundred, when the weights that it has read have driven everything else out
    /// of the caches.
    std::unordered_map<std::string, Held*, HashOfName, std::equal_to<>> matrices_;
    mutable Held* last_ = nullptr;  ///< the large matrix that was requested last
    mutable std::deque<Held*> waiting_;  ///< oldest first
    mutable std::uint64_t failures_ = 0;
    mutable Error last_failure_;
    mutable std::mutex mutex_;
};

}  // namespace attn
