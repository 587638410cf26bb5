#pragma once
// What the files of a model's folder are called, how large they may be, and where they lie.

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace attn {

inline constexpr std::string_view kConfigFile = "config.json", kTensorFile = "model.safetensors",
                                  kShardIndex = "model.safetensors.index.json", kVocabularyFile = "vocab.json",
                                  kTokenizerFile = "tokenizer.json", kPreprocessorFile = "preprocessor_config.json", kOwnFamily = "attenscope";
/// Files that weights may lie in, the best first: all in one, or an index of several; then those of which a folder has a
/// form alone.
inline constexpr std::string_view kWeightFiles[] = {
    kTensorFile,
    kShardIndex,
    "model.fp32.safetensors",
    "model.bf16.safetensors",
    "model.fp16.safetensors",
    "model.safetensors.index.fp32.json",
    "model.safetensors.index.bf16.json",
    "model.safetensors.index.fp16.json",
};
/// Keys of a configuration of this program's own: where words come from that are not in the vocabulary, and how often an
/// answer of some weight was right.
inline constexpr std::string_view kOtherWords = "other_words", kOfMeanings = "meanings", kSure = "sure";
inline constexpr std::size_t kMostSure = 100;
inline constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;

/// A folder of the cache of Hugging Face's hub keeps each revision of a model in a folder of its own: the one that refs/main
/// names, or the only one. Any other folder is itself.
std::filesystem::path snapshot_of(const std::filesystem::path& folder);

}  // namespace attn
