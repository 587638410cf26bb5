#pragma once
// What the files of a model's folder are called, and how large they may be. Internal to core/model.

#include <cstddef>
#include <string_view>

namespace attn {

inline constexpr std::string_view kConfigFile = "config.json", kTensorFile = "model.safetensors",
                                  kShardIndex = "model.safetensors.index.json", kVocabularyFile = "vocab.json",
                                  kTokenizerFile = "tokenizer.json", kPreprocessorFile = "preprocessor_config.json", kOwnFamily = "attenscope";
inline constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;

}  // namespace attn
