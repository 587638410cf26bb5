// The fuzzers' seeds must be valid input of their parsers: from an invalid seed a fuzzer makes no progress.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/model/checkpoint/config.h"
#include "core/tokenizers/tokenizer_model.h"
#include "places.h"

namespace attn {
namespace {

namespace fs = std::filesystem;

const fs::path kFuzz = ATTN_SOURCE_DIR "/tests/fuzz";

TEST(FuzzSeeds, AreReadByTheParsersThatAreFuzzed) {
    const std::pair<std::string, std::function<bool(const std::string&)>> kinds[] = {
        {"npy", [](const std::string& bytes) { return read_npy(bytes).ok(); }},
        {"npz", [](const std::string& bytes) { return read_npz(bytes).ok(); }},
        {"link", [](const std::string& bytes) { return document_from_link(bytes).ok() || document_from_json(bytes, "").ok(); }},
        {"safetensors",
         [](const std::string& bytes) { return bytes.starts_with('{') || TensorFile::in_memory(bytes, "seed").ok(); }},
        {"checkpoint_config",
         [](const std::string& bytes) {
             const auto root = parse_json(bytes);
             return root && read_checkpoint_config(*root, "config.json").ok();
         }},
        {"tokenizer_json", [](const std::string& bytes) { return read_tokenizer({.where = "seed", .tokenizer_json = bytes}).ok(); }},
        {"sentencepiece", [](const std::string& bytes) { return read_tokenizer({.where = "seed", .sentencepiece = bytes}).ok(); }},
    };
    for (const auto& [kind, is_read] : kinds) {
        int seeds = 0;
        for (const auto& seed : fs::directory_iterator(kFuzz / "corpus" / kind)) {
            const auto bytes = read_file(seed.path(), std::size_t{1} << 20);
            ASSERT_TRUE(bytes) << bytes.error().text();
            EXPECT_TRUE(is_read(*bytes)) << seed.path();
            ++seeds;
        }
        EXPECT_GE(seeds, 2) << kind;
    }
    for (const auto& folder : fs::directory_iterator(kFuzz / "corpus"))
        EXPECT_TRUE(fs::exists(kFuzz / ("fuzz_" + folder.path().filename().string() + ".cpp"))) << folder.path();
}

}  // namespace
}  // namespace attn
