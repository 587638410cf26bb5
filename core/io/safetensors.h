#pragma once
// safetensors: eight bytes with the length of a JSON header, the header (name -> type, shape, place), the numbers. [the
// format's README and tensor.rs; Hugging Face, 2023]. Read strictly: what two readers could interpret differently is
// refused.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"
#include "core/base/result.h"

namespace attn {

inline constexpr std::uint64_t kMaxTensorHeader = 100'000'000;

struct TensorPlace {
    std::string name;
    std::string type;                  ///< "F32", "F16", …
    std::vector<std::uint64_t> shape;  ///< empty: one number
    std::uint64_t begin = 0, end = 0;  ///< bytes, counted from the end of the header
    std::uint64_t count() const;       ///< how many numbers
};

struct TensorHeader {
    std::vector<TensorPlace> tensors;             ///< in the order of their bytes
    std::map<std::string, std::string> metadata;  ///< "__metadata__"
    std::uint64_t data_begin = 0;                 ///< where the numbers begin in the file

    const TensorPlace* find(std::string_view name) const;
};

/// Reads the header from the first bytes of a file of `file_bytes` bytes; `bytes` must reach to the header's end.
/// Refused, each with its own message: shorter than eight bytes; a length of 0, over 100 MB or past the file's end
/// (nothing is allocated for it); not UTF-8, not JSON, not beginning with '{'; nested deeper than the format; a
/// duplicate name or field; fields missing or of another kind; a type that is unknown or does not fill whole bytes;
/// shapes whose product overflows or does not match the bytes; tensors that overlap, leave a gap or do not end with the
/// file.
Result<TensorHeader> read_tensor_header(std::string_view bytes, std::uint64_t file_bytes);

/// The source of a file's bytes: a file that stays open, or memory.
class TensorFile {
public:
    /// Opens a file and reads only its header; the numbers are read by pread when requested, so that a file that
    /// shrinks meanwhile gives an error and not a signal.
    static Result<TensorFile> open(const std::string& path);
    /// `bytes` must outlive it.
    static Result<TensorFile> in_memory(std::string_view bytes, std::string name);

    TensorFile(TensorFile&& other) noexcept;
    TensorFile& operator=(TensorFile&& other) noexcept;
    ~TensorFile();

    const TensorHeader& header() const { return header_; }
    const std::string& name() const { return name_; }

    struct Numbers {
        std::vector<std::uint64_t> shape;
        std::vector<float> values;
        std::uint64_t not_finite = 0;  ///< how many are NaN or infinite
        std::uint64_t first_bad = 0;   ///< the index of the first of them
    };
    /// The numbers of a tensor as float32: F32, F16, BF16 and F64; other types are refused by name.
    Result<Numbers> read(const TensorPlace& place) const;
    /// `count` numbers from index `first` on, in file order; does not check whether they are finite.
    Result<std::vector<float>> read_part(const TensorPlace& place, std::uint64_t first, std::uint64_t count) const;
    /// The same into `out`, which has room for them. Thread-safe.
    Result<Done> read_into(const TensorPlace& place, std::uint64_t first, std::uint64_t count, float* out) const;
    /// Whether both tensors have the same numbers in the same order and shape; reads part by part, up to the first
    /// difference.
    static Result<bool> same(const TensorFile& a, const TensorPlace& of_a, const TensorFile& b, const TensorPlace& of_b);
    /// Rank 2 as it is, rank 1 as one row, rank 0 as 1×1; others are refused.
    Result<Matrix> matrix(std::string_view tensor) const;

    /// Refuses a tensor whose type is not read.
    Result<Done> check_type(const TensorPlace& place) const;

private:
    TensorFile() = default;
    Result<Done> bytes_into(std::uint64_t offset, std::uint64_t count, char* out) const;
    Result<std::string> bytes_at(std::uint64_t offset, std::uint64_t count) const;

    TensorHeader header_;
    std::string name_;
    int file_ = -1;
    std::string_view memory_;
};

struct NamedTensor {
    std::string name;
    Matrix value;
};
enum class TensorNumbers : std::uint8_t { F32, F16 };
/// A file with these tensors (rank 2) in the given order; F16 rounds to nearest, ties to even. The header is padded
/// with blanks so that the numbers begin at a multiple of eight. Names must be unique (asserted).
std::string tensor_file_bytes(std::span<const NamedTensor> tensors, const std::map<std::string, std::string>& metadata,
                              TensorNumbers numbers = TensorNumbers::F32);

}  // namespace attn
