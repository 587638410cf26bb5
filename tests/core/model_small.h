#pragma once
// A model of three words, and a folder to put it in.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <stdlib.h>

#include "core/io/json.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"
#include "tests/core/support.h"

namespace attn::test {

/// A folder that is removed when the test ends.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "attn_model_XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, std::string_view bytes) const {
        std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    void write(const ModelFiles& files) const {
        write("config.json", files.config);
        write("vocab.json", files.vocabulary);
        write("model.safetensors", files.tensors);
    }

private:
    std::filesystem::path path_;
};

JsonValue value_of(std::string_view json);

/// Three words with vectors of four numbers, two heads, positions for five tokens.
Model small_model();

}  // namespace attn::test
