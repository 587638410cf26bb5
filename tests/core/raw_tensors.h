#pragma once
// Tensors of a safetensors file as bytes, so that tests can write them again under other names and in other files.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/io/files.h"
#include "core/model/stored_weights.h"

namespace attn::test {

/// A tensor as the file stores it; tests change it before they write it again.
struct RawTensor {
    std::string name, type;
    std::vector<std::uint64_t> shape;
    std::string bytes;
};
inline std::vector<RawTensor> raw_tensors(const std::filesystem::path& path) {
    const std::string bytes = *read_file(path, std::size_t{1} << 20);
    const auto header = *read_tensor_header(bytes, bytes.size());
    std::vector<RawTensor> out;
    for (const TensorPlace& t : header.tensors) out.push_back({t.name, t.type, t.shape, bytes.substr(header.data_begin + t.begin, t.end - t.begin)});
    return out;
}
/// `metadata`: a JSON member that is written before the tensors.
inline void write_raw(const std::filesystem::path& path, const std::vector<RawTensor>& tensors, const std::string& metadata = "") {
    std::string header = "{" + metadata, data;
    for (const RawTensor& t : tensors) {
        std::string shape;
        for (const std::uint64_t size : t.shape) shape += (shape.empty() ? "" : ",") + std::to_string(size);
        header += (header.size() > 1 ? ",\"" : "\"") + t.name + R"(":{"dtype":")" + t.type + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
                  std::to_string(data.size()) + "," + std::to_string(data.size() + t.bytes.size()) + "]}";
        data += t.bytes;
    }
    header += "}";
    std::string out(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>(header.size() >> (8 * i));
    std::ofstream(path, std::ios::binary) << out << header << data;
}

}  // namespace attn::test
