#pragma once
// The shipped language model with as many words as GPT-2: what grows with the vocabulary is tested and measured with it.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/io/safetensors.h"

namespace attn::test {

inline constexpr int kLargeVocabulary = 50257;

/// Copies the model from `from` into `to`. The vectors of the added words are those of its own words, shifted by some
/// columns, so that no two words are equally likely.
inline void write_large_vocabulary(const std::filesystem::path& from, const std::filesystem::path& to) {
    const auto text_of = [](const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    std::filesystem::create_directories(to);
    std::string config = text_of(from / "config.json");
    const std::string size = "\"vocab_size\": ";
    const std::size_t at = config.find(size) + size.size();
    const int words = std::stoi(config.substr(at));
    config.replace(at, config.find(',', at) - at, std::to_string(kLargeVocabulary));
    std::ofstream(to / "config.json") << config;
    std::filesystem::copy_file(from / "tokenizer.json", to / "tokenizer.json", std::filesystem::copy_options::overwrite_existing);

    const std::string bytes = text_of(from / "model.safetensors");
    const auto tensors = read_tensor_header(bytes, bytes.size());
    std::string header = "{", numbers;
    for (const TensorPlace& tensor : tensors->tensors) {
        const std::size_t begin = numbers.size();
        numbers += bytes.substr(tensors->data_begin + tensor.begin, tensor.end - tensor.begin);
        std::uint64_t rows = tensor.shape[0];
        if (tensor.name == "model.embed_tokens.weight") {
            const std::size_t row = 2 * tensor.shape[1];  // float16
            for (int word = words; word < kLargeVocabulary; ++word) {
                const std::string own = numbers.substr(begin + row * static_cast<std::size_t>(word % words), row);
                const std::size_t shift = 14 * static_cast<std::size_t>(word / words) % row;
                numbers += own.substr(shift) + own.substr(0, shift);
            }
            rows = kLargeVocabulary;
        }
        const std::string more = tensor.shape.size() > 1 ? "," + std::to_string(tensor.shape[1]) : "";
        header += (header.size() > 1 ? ",\"" : "\"") + tensor.name + R"(":{"dtype":")" + tensor.type + R"(","shape":[)" + std::to_string(rows) + more +
                  R"(],"data_offsets":[)" + std::to_string(begin) + "," + std::to_string(numbers.size()) + "]}";
    }
    header += "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    const std::uint64_t length = header.size();
    std::ofstream file(to / "model.safetensors", std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << header << numbers;
}

}  // namespace attn::test
