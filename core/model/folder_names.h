#pragma once
// The files in a model's folder: their names, size limits, bytes and location.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace attn {

inline constexpr std::string_view kConfigFile = "config.json", kTensorFile = "model.safetensors",
                                  kShardIndex = "model.safetensors.index.json", kVocabularyFile = "vocab.json",
                                  kTokenizerFile = "tokenizer.json", kPreprocessorFile = "preprocessor_config.json", kGenerationFile = "generation_config.json", kOwnFamily = "attenscope";
/// Files that may contain the weights, in order of preference: one file, or an index of several; then the names used by
/// folders that have only one number format.
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
/// Keys of this program's own configurations: the source of words that are not in the vocabulary, and how often an
/// answer of a given weight was right.
inline constexpr std::string_view kOtherWords = "other_words", kOfMeanings = "meanings", kSure = "sure";
inline constexpr std::size_t kMostSure = 100;
inline constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;

/// The bytes of a model's files.
struct ModelFiles {
    std::string name;   ///< of the model
    std::string where;  ///< the folder, for messages
    std::string vocabulary_name = "vocab.json";
    std::string config, vocabulary, tensors;
};

/// In the cache of Hugging Face's hub, a model's folder has one folder per revision: returns the one that refs/main
/// names, or the only one. Any other folder is returned unchanged.
std::filesystem::path snapshot_of(const std::filesystem::path& folder);

}  // namespace attn
