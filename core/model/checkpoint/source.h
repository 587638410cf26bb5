#pragma once
// Where the files of a checkpoint come from: a folder, or memory (those that the program brings along, and those that it
// has just made). Internal to the reading of checkpoints.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/io/safetensors.h"
#include "core/model/model.h"

namespace attn {

class CheckpointSource {
public:
    virtual ~CheckpointSource() = default;
    virtual bool has(std::string_view file) const = 0;
    virtual Result<std::string> bytes(std::string_view file, std::size_t most) const = 0;
    virtual Result<TensorFile> tensors(const std::string& file) const = 0;
    /// The bytes that tensors() reads from, where they are in memory: they must outlive it.
    virtual std::shared_ptr<const std::string> held() const { return nullptr; }
    /// Another number where the file may have other bytes.
    virtual std::uint64_t version(const std::string& file) const = 0;
    /// For messages.
    virtual std::string where() const = 0;
};

std::unique_ptr<const CheckpointSource> checkpoint_folder(std::filesystem::path folder);
/// The files must outlive the source, not what is read from it.
std::unique_ptr<const CheckpointSource> checkpoint_memory(const ModelFiles& files);

/// As read_checkpoint(), from anywhere.
Result<ModelPtr> read_checkpoint_from(const CheckpointSource& source, std::string name);

}  // namespace attn
