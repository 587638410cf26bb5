#pragma once
// NumPy's .npz: a ZIP archive of .npy files.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/npy.h"

namespace attn {

/// A file inside the archive. For an array the name ends in ".npy" (np.load drops the ending) and the bytes are
/// npy_bytes(); any other name is a plain file (np.load gives its bytes).
struct NpzFile {
    std::string name;
    std::string bytes;
};

enum class NpzPacking : std::uint8_t { Stored, Deflated };

/// An archive in the given order. Every time stamp is 1 January 1980, so that the same files give the same bytes. Fails
/// for names that are empty, repeated, or could escape the folder when unpacked.
Result<std::string> npz_bytes(std::span<const NpzFile> files, NpzPacking packing = NpzPacking::Stored);

struct NpzArray {
    std::string name;  ///< without ".npy"
    NpyArray array;
};

struct Npz {
    std::vector<NpzArray> arrays;      ///< in the order of the archive
    std::vector<std::string> ignored;  ///< files that are not arrays; their bytes were not read
};

/// Limits beyond which an archive is refused.
struct NpzLimits {
    std::size_t max_files = 4096;
    std::size_t max_unpacked = std::size_t{128} << 20;  ///< bytes of all arrays together
};

/// Reads np.savez and np.savez_compressed archives, ZIP64 included, from memory. Refused: inconsistent or truncated
/// archives, duplicate names, names with "..", a leading '/' or a backslash (they are only names here, but honest
/// archives have none), encrypted files, compression methods other than stored and deflated, and anything over
/// `limits`, both as declared and as found when unpacking. Errors name the file within.
Result<Npz> read_npz(std::string_view bytes, NpzLimits limits = {});

/// Unpacks the files whose names `wanted` accepts, one after the other in archive order. Refuses what read_npz refuses
/// of an archive, and what `take` refuses.
Result<Done> each_npz_file(std::string_view bytes, NpzLimits limits,
                           const std::function<Result<Done>(std::string_view name, const std::string& file)>& take,
                           const std::function<bool(std::string_view name)>& wanted);

}  // namespace attn
