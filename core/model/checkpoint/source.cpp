#include "core/model/checkpoint/source.h"

#include <system_error>
#include <utility>

#include "core/base/random.h"
#include "core/io/files.h"
#include "core/io/safe_text.h"
#include "core/model/folder_names.h"

namespace attn {
namespace {

class FolderSource : public CheckpointSource {
public:
    explicit FolderSource(std::filesystem::path folder) : folder_(std::move(folder)) {}

    bool has(std::string_view file) const override {
        std::error_code problem;
        return std::filesystem::exists(folder_ / file, problem);
    }
    Result<std::string> bytes(std::string_view file, std::size_t most) const override { return read_file(folder_ / file, most); }
    Result<TensorFile> tensors(const std::string& file) const override { return TensorFile::open((folder_ / file).string()); }
    std::uint64_t version(const std::string& file) const override {
        std::error_code problem;
        return static_cast<std::uint64_t>(std::filesystem::last_write_time(folder_ / file, problem).time_since_epoch().count());
    }
    std::string where() const override { return visible_text(folder_.string()); }

private:
    std::filesystem::path folder_;
};

class MemorySource : public CheckpointSource {
public:
    explicit MemorySource(const ModelFiles& files) : files_(files), tensors_(std::make_shared<const std::string>(files.tensors)) {}

    bool has(std::string_view file) const override { return part(file) != nullptr; }
    Result<std::string> bytes(std::string_view file, std::size_t) const override {
        const std::string* there = part(file);
        if (!there) return Error{"there is no such file", where() + "/" + std::string(file), "", 0};
        return *there;
    }
    Result<TensorFile> tensors(const std::string& file) const override {
        return TensorFile::in_memory(*tensors_, where() + "/" + file);
    }
    std::shared_ptr<const std::string> held() const override { return tensors_; }
    std::uint64_t version(const std::string& file) const override {
        const std::string* there = part(file);
        return there ? hash_bytes(*there) : 0;
    }
    std::string where() const override { return files_.where; }

private:
    const std::string* part(std::string_view file) const {
        if (file == kConfigFile) return &files_.config;
        if (file == files_.vocabulary_name) return &files_.vocabulary;
        return file == kTensorFile ? &files_.tensors : nullptr;
    }

    const ModelFiles& files_;
    std::shared_ptr<const std::string> tensors_;
};

}  // namespace

std::unique_ptr<const CheckpointSource> checkpoint_folder(std::filesystem::path folder) { return std::make_unique<FolderSource>(std::move(folder)); }
std::unique_ptr<const CheckpointSource> checkpoint_memory(const ModelFiles& files) { return std::make_unique<MemorySource>(files); }

Result<ModelPtr> read_checkpoint(const std::filesystem::path& folder, std::string name, std::string_view tower) {
    return read_checkpoint_from(*checkpoint_folder(folder), std::move(name), tower);
}

}  // namespace attn
