#pragma once
// The files of a checkpoint's weights, opened, and the location of each tensor in them. Internal to the reading of
// checkpoints.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/model/checkpoint/source.h"

namespace attn {

/// The location of a tensor.
struct Stored {
    std::size_t file = 0;  ///< index among the opened files
    const TensorPlace* place = nullptr;
};

class CheckpointFiles {
public:
    CheckpointFiles() = default;
    /// Opens one file, or those that an index names; each must be in the folder.
    static Result<CheckpointFiles> open(const CheckpointSource& source);

    /// The file of all tensors, or the index of several files.
    const std::string& name() const { return name_; }
    /// By name, without the prefixes that programs add to all names (torch.compile, DataParallel).
    const std::map<std::string, Stored, std::less<>>& tensors() const { return tensors_; }
    bool has(std::string_view tensor) const { return tensors_.contains(tensor); }
    const Stored& at(std::string_view tensor) const { return tensors_.find(tensor)->second; }
    /// Whether both have the same numbers.
    Result<bool> same(std::string_view a, std::string_view b) const;
    /// Changes if the bytes of the files may have changed.
    std::uint64_t fingerprint() const { return fingerprint_; }
    /// Moves out the opened files for whoever reads from them; only names and locations remain here.
    std::vector<TensorFile> take_opened() { return std::move(opened_); }

private:
    Result<Done> read_index(const CheckpointSource& source, std::vector<std::string>& files);
    Result<Done> add(const CheckpointSource& source, const std::string& file);
    void unwrap();

    std::string name_;
    std::vector<TensorFile> opened_;
    std::map<std::string, std::string, std::less<>> file_of_;  ///< from the index: tensor -> file
    std::map<std::string, Stored, std::less<>> tensors_;
    std::uint64_t fingerprint_ = 0;
};

}  // namespace attn
