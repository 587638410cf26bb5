#pragma once
// A checkpoint's tensors, which stay on disk: a step's matrix is read, transposed to rows × columns as the engine has it and
// widened to float32 when it is asked for, and given to all that ask while anybody holds it.

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

/// A file of weights has become shorter, or can no longer be read, or holds numbers that are none. It never leaves the
/// engine: run() gives the error back.
struct ModelUnreadable {
    Error error;
};

inline constexpr std::string_view kEmbeddingsTensor = "embeddings", kUnembeddingTensor = "unembedding_weight";

/// How a step's matrix lies in a stored tensor.
struct StoredMatrix {
    std::string tensor;
    std::optional<std::size_t> file = {};  ///< which of the files has it; nothing: the one that does
    bool transposed = false;  ///< stored as outputs × inputs (Linear of PyTorch); else as rows × columns
    /// The columns that are taken of the matrix once it is transposed: `cols` of them, in blocks of `block`, of which one
    /// begins every `period` columns, the first at `first`. Queries of a fused tensor: one block; where each head's
    /// queries, keys and values stand together: a block a head.
    int first = 0, block = 0, period = 0;
    int skip_rows = 0;  ///< rows at the beginning that are left out: places that no token stands at
    int rows = 0, cols = 0;
    int rows_behind = 0;  ///< and so many at the end
    bool folded = false;  ///< of more dimensions: 1 × … × rows × cols, or outputs × inputs × height × width
    float plus = 0;     ///< added to every number: gains that are stored as 1 + w
    bool operator==(const StoredMatrix&) const = default;
};

class StoredWeights : public std::enable_shared_from_this<StoredWeights> {
public:
    /// Places are checked here once: each matrix lies inside its tensor (else the error names both).
    /// `bytes`: what the files' bytes are read from, where that is memory.
    static Result<std::shared_ptr<const StoredWeights>> make(std::vector<TensorFile> files,
                                                             std::map<std::string, StoredMatrix, std::less<>> matrices,
                                                             std::shared_ptr<const std::string> bytes = nullptr);

    std::optional<FrozenMatrix> shape_of(std::string_view step) const;
    /// Numbers of one step's matrix. Throws ModelUnreadable; safe from several threads.
    std::optional<FrozenMatrix> matrix(std::string_view step) const;
    /// The same, there must be one; a large one (kLetGoFrom) is read when somebody looks. Then it is too late for an error:
    /// what is no number stays, and what can no longer be read is NaN.
    StepValue value(std::string_view step) const;
    /// So many rows of it, read without the others; there must be one. Throws as matrix() does.
    Matrix first_rows(std::string_view step, int count) const;
    /// These rows of it, without the others (of a matrix that is not transposed and taken whole; there must be one), each to
    /// its place in `out`; where a row is below 0 that stays as it is. Throws as matrix() does.
    void rows(std::string_view step, std::span<const int> rows, Matrix& out) const;
    std::vector<std::string> names() const;  ///< of all steps that have one here, in the order of the alphabet
    std::int64_t numbers() const;  ///< of all matrices
    /// Of those that a run has to read and hold: not the tables of words, of which it reads rows or nothing, nor what another
    /// run holds already.
    std::int64_t numbers_to_read() const;

private:
    struct Held {
        StoredMatrix how;
        const TensorFile* file = nullptr;
        const TensorPlace* place = nullptr;
        std::weak_ptr<const Matrix> value{};
        std::weak_ptr<const Recipe> later{};
        std::shared_ptr<const Matrix> waiting{};  ///< read with another of its tensor, and not asked for yet
        Held* next = nullptr;  ///< the large one that was asked for next, the first time
    };

    StoredWeights() = default;
    Matrix read(const Held& held, bool sound) const;
    std::shared_ptr<const Matrix> read_beside(Held& held) const;
    std::shared_ptr<const Matrix> as_it_is(std::string_view step) const;

    std::shared_ptr<const std::string> held_;
    std::vector<TensorFile> files_;
    /// A step's; nullptr: it has none here.
    Held* find(std::string_view step) const;
    Held& held_of(std::string_view step) const { return *find(step); }
    void foresee(Held& asked) const;

    struct HashOfName {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
    };
    /// One of each: layers that share a tensor (ALBERT's) have it in common.
    mutable std::deque<Held> held_matrices_;
    /// Which of them a step has. A run asks for some hundred, when the weights that it has read have driven everything else out
    /// of the caches.
    std::unordered_map<std::string, Held*, HashOfName, std::equal_to<>> matrices_;
    mutable Held* last_ = nullptr;  ///< the large one that was asked for last
    mutable std::deque<Held*> waiting_;  ///< the oldest first
    mutable std::mutex mutex_;
};

}  // namespace attn
