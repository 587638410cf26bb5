// What a run of a real checkpoint's shape holds. The file has a header and no numbers behind it, and only shapes are run.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/document/fields.h"
#include "core/model/model.h"
#include "core/ops/measure.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

struct Tensor {
    std::string name;
    std::vector<int> shape;
};

constexpr int kLayers = 12, kHeads = 12, kWidth = 768, kWords = 50257, kPlaces = 1024;

std::vector<Tensor> gpt2_small() {
    std::vector<Tensor> out = {{"wte.weight", {kWords, kWidth}}, {"wpe.weight", {kPlaces, kWidth}}};
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::string h = "h." + std::to_string(layer) + ".";
        for (const char* norm : {"ln_1", "ln_2"})
            for (const char* part : {".weight", ".bias"}) out.push_back({h + norm + part, {kWidth}});
        const auto linear = [&](const char* name, int rows, int cols) {
            out.push_back({h + name + ".weight", {rows, cols}});
            out.push_back({h + name + ".bias", {cols}});
        };
        linear("attn.c_attn", kWidth, 3 * kWidth);
        linear("attn.c_proj", kWidth, kWidth);
        linear("mlp.c_fc", kWidth, 4 * kWidth);
        linear("mlp.c_proj", 4 * kWidth, kWidth);
    }
    out.push_back({"ln_f.weight", {kWidth}});
    out.push_back({"ln_f.bias", {kWidth}});
    return out;
}

/// Half a gigabyte that no disk has to hold.
void write_numbers(const std::filesystem::path& path) {
    std::string header = "{";
    std::uint64_t at = 0;
    for (const Tensor& tensor : gpt2_small()) {
        std::uint64_t bytes = sizeof(float);
        std::string shape;
        for (const int size : tensor.shape) {
            bytes *= static_cast<std::uint64_t>(size);
            shape += (shape.empty() ? "" : ",") + std::to_string(size);
        }
        header += (header.size() > 1 ? "," : "") + ("\"" + tensor.name) + R"(":{"dtype":"F32","shape":[)" + shape + R"(],"data_offsets":[)" +
                  std::to_string(at) + "," + std::to_string(at + bytes) + "]}";
        at += bytes;
    }
    header += "}";
    header.append((8 - header.size() % 8) % 8, ' ');
    const std::uint64_t length = header.size();
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << header;
    file.close();
    std::filesystem::resize_file(path, sizeof length + length + at);
}

std::filesystem::path write_checkpoint_without_numbers() {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "gpt2-small-shaped";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "config.json") << R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024,
        "n_inner": null, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-05, "vocab_size": 50257})";
    std::ofstream words(folder / "vocab.json");
    for (int i = 0; i < kWords; ++i) words << (i == 0 ? "{" : ",") << "\"w" << i << "\":" << i;
    words << "}";
    words.close();
    write_numbers(folder / "model.safetensors");
    return folder;
}

/// At 1,024 tokens a run holds less than 0.15 of what it would with every matrix of n×n numbers and every layer's insides.
TEST(CheckpointBudget, ARunHoldsASmallPartOfItsValues) {
    const std::filesystem::path folder = write_checkpoint_without_numbers();
    auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    doc.tokenizer = "words";
    doc.text = "w0";
    for (int i = 1; i < kPlaces; ++i) doc.text += " w" + std::to_string(i * 37 % kWords);
    const Cost cost = cost_of(doc);
    const double weights = static_cast<double>((*model)->numbers()) * sizeof(float);
    const double all = cost.bytes - weights, held = cost.held - weights;
    EXPECT_GT(all, 4e9) << "12 layers of 12 heads are four times 1024×1024 numbers each, and more";
    EXPECT_GT(held, 0);
    EXPECT_LT(held, 0.15 * all) << held / all;
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace attn::test
