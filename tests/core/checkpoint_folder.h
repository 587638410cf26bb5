#pragma once
// The checkpoints of tests/data, and modified copies of them.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/document/fields.h"
#include "places.h"
#include "tests/core/support.h"

namespace attn::test {

inline const std::filesystem::path kCheckpoints = ATTN_SOURCE_DIR "/tests/data/checkpoints";

/// The contents of a file next to a checkpoint of tests/data, or `otherwise` if there is none.
inline std::string words_beside(const std::filesystem::path& folder, const char* file, std::string otherwise) {
    std::ifstream in(folder / file);
    return in ? std::string(std::istreambuf_iterator<char>(in), {}) : otherwise;
}

inline Result<Document> opened(const std::filesystem::path& folder, std::string more = "") {
    if (const auto picture = folder / "picture.png"; std::filesystem::exists(picture)) more += ", \"picture\": \"" + picture.string() + "\"";
    if (const std::string second = words_beside(folder, "source.txt", ""); !second.empty()) more += ", \"source\": \"" + second + "\"";
    return document_from_json(R"({"text": ")" + words_beside(folder, "text.txt", "the cat sat on cat") + R"(", "tokenizer": "words", "model": ")" + folder.string() + "\"" + more + "}",
                              "", {.folders = true});
}

/// A modified copy of a folder.
class Changed {
public:
    explicit Changed(const std::string& of_which) {
        std::string name = (std::filesystem::temp_directory_path() / "attn_checkpoint_XXXXXX").string();
        path_ = ::mkdtemp(name.data());
        for (const auto& entry : std::filesystem::directory_iterator(kCheckpoints / of_which))
            if (entry.path().filename() != "activations.safetensors") std::filesystem::copy(entry.path(), path_);
    }
    ~Changed() { std::filesystem::remove_all(path_); }
    Changed(const Changed&) = delete;
    Changed& operator=(const Changed&) = delete;

    const std::filesystem::path& path() const { return path_; }
    Changed& replace(const std::string& file, const std::string& old, const std::string& other) {
        std::ifstream in(path_ / file, std::ios::binary);
        std::stringstream bytes;
        bytes << in.rdbuf();
        std::string text = bytes.str();
        const std::size_t at = text.find(old);
        EXPECT_NE(at, std::string::npos) << old;
        if (at != std::string::npos) text.replace(at, old.size(), other);
        std::ofstream(path_ / file, std::ios::binary) << text;
        return *this;
    }
    std::string refused() const { return refused(path_); }
    static std::string refused(const std::filesystem::path& folder) {
        const auto doc = opened(folder);
        return doc ? "it was opened" : doc.error().text();
    }

private:
    std::filesystem::path path_;
};

}  // namespace attn::test
