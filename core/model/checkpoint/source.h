#pragma once
// The source of a checkpoint's files: a folder, or memory (the shipped ones, and those just created). Internal to the
// reading of checkpoints.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/io/safetensors.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"

namespace attn {

class CheckpointSource {
public:
    virtual ~CheckpointSource() = default;
    virtual bool has(std::string_view file) const = 0;
    virtual Result<std::string> bytes(std::string_view file, std::size_t most) const = 0;
    virtual Result<TensorFile> tensors(const std::string& file) const = 0;
    /// The bytes that tensors() reads from, if they are in memory: they must outlive the tensors.
    virtual std::shared_ptr<const std::string> held() const { return nullptr; }
    /// Changes if the bytes of the file may have changed.
    virtual std::uint64_t version(const std::string& file) const = 0;
    /// For messages.
    virtual std::string where() const = 0;
};

std::unique_ptr<const CheckpointSource> checkpoint_folder(std::filesystem::path folder);
/// The files must outlive the source, but not what is read from it.
std::unique_ptr<const CheckpointSource> checkpoint_memory(const ModelFiles& files);

/// Like read_checkpoint(), from any source.
Result<ModelPtr> read_checkpoint_from(const CheckpointSource& source, std::string name, std::string_view tower = "");

/// Reads a Hugging Face folder of a supported family (families.h); its numbers stay on disk until they are requested.
/// Errors, each with advice: an unknown family, feature or tensor; a shape that contradicts config.json; more numbers
/// than memory holds. `tower`: as in read_checkpoint_config().
Result<ModelPtr> read_checkpoint(const std::filesystem::path& folder, std::string name, std::string_view tower = "");

}  // namespace attn
