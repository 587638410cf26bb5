// The memory of a run of a real checkpoint's shape. The file has only a header, without numbers, and only shapes are run.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/base/memory.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/model.h"
#include "core/model/stored_weights.h"
#include "core/ops/measure.h"
#include "core/remake/remake.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

using testing::HasSubstr;

struct Tensor {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// How numbers are stored in the file: their type in its header, and the bytes of one.
struct Stored {
    const char* type;
    std::uint64_t bytes;
};

constexpr int kLayers = 12, kHeads = 12, kWidth = 768, kWords = 50257, kPlaces = 1024;

std::vector<Tensor> gpt2_small() {
    std::vector<Tensor> out = {{"wte.weight", {kWords, kWidth}}, {"wpe.weight", {kPlaces, kWidth}}};
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::string h = "h." + std::to_string(layer) + ".";
        for (const char* norm : {"ln_1", "ln_2"})
            for (const char* part : {".weight", ".bias"}) out.push_back({h + norm + part, {kWidth}});
        const auto linear = [&](const char* name, std::int64_t rows, std::int64_t cols) {
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

/// Gigabytes that are never written to a disk.
void write_numbers(const std::filesystem::path& path, const std::vector<Tensor>& tensors, Stored as) {
    std::string header = "{";
    std::uint64_t at = 0;
    for (const Tensor& tensor : tensors) {
        std::uint64_t bytes = as.bytes;
        std::string shape;
        for (const std::int64_t size : tensor.shape) {
            bytes *= static_cast<std::uint64_t>(size);
            shape += (shape.empty() ? "" : ",") + std::to_string(size);
        }
        header += (header.size() > 1 ? "," : "") + ("\"" + tensor.name) + R"(":{"dtype":")" + as.type + R"(","shape":[)" + shape + R"(],"data_offsets":[)" +
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
    write_numbers(folder / "model.safetensors", gpt2_small(), {"F32", 4});
    return folder;
}

/// At 1,024 tokens a run holds less than 0.15 of what it would with all n×n matrices and intermediate values.
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

std::vector<Tensor> llama(int layers, std::int64_t width, std::int64_t inner, std::int64_t words) {
    std::vector<Tensor> out = {{"model.embed_tokens.weight", {words, width}}, {"model.norm.weight", {width}}, {"lm_head.weight", {words, width}}};
    for (int layer = 0; layer < layers; ++layer) {
        const std::string of = "model.layers." + std::to_string(layer) + ".";
        for (const char* norm : {"input_layernorm", "post_attention_layernorm"}) out.push_back({of + norm + ".weight", {width}});
        for (const char* part : {"q_proj", "k_proj", "v_proj", "o_proj"}) out.push_back({of + "self_attn." + part + ".weight", {width, width}});
        for (const char* part : {"gate_proj", "up_proj"}) out.push_back({of + "mlp." + part + ".weight", {inner, width}});
        out.push_back({of + "mlp.down_proj.weight", {width, inner}});
    }
    return out;
}

std::filesystem::path write_llama(const std::string& name, int layers, int width, int inner, int heads = 32) {
    constexpr int kFew = 1000;
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / name;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "config.json") << R"({"model_type": "llama", "hidden_size": )" << width << R"(, "num_hidden_layers": )" << layers
        << R"(, "num_attention_heads": )" << heads << R"(, "intermediate_size": )" << inner << R"(, "max_position_embeddings": 2048, "hidden_act": "silu",
        "rms_norm_eps": 1e-06, "tie_word_embeddings": false, "vocab_size": )" << kFew << "}";
    std::ofstream words(folder / "vocab.json");
    for (int i = 0; i < kFew; ++i) words << (i == 0 ? "{" : ",") << "\"w" << i << "\":" << i;
    words << "}";
    words.close();
    write_numbers(folder / "model.safetensors", llama(layers, width, inner, kFew), {"BF16", 2});
    return folder;
}

/// A model larger than the memory is listed, and its weights would stay on disk; what cannot be there is what a run holds
/// beside them.
TEST(CheckpointBudget, AModelLargerThanTheMemoryIsListedAndItsRunNamesItsNeed) {
    const std::filesystem::path folder = write_llama("llama-beyond-memory", 64, 8192, 65536);
    auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_GT((*model)->numbers(), std::int64_t{100'000'000'000});
    Document doc;
    take_model(doc, *model);
    doc.tokenizer = "words";
    doc.text = "w0 w1";
    EXPECT_TRUE(problems(doc).empty()) << problems(doc).front().text();
    constexpr int kLong = 2000;
    for (int i = 2; i < kLong; ++i) doc.text += " w" + std::to_string(i % 1000);
    const std::optional<double> free = available_memory();
    ASSERT_TRUE(free);
    const double held = cost_of(doc).held - 4.0 * static_cast<double>((*model)->numbers());
    const double largest = 4.0 * 8192 * 65536;
    EXPECT_EQ(4.0 * static_cast<double>((*model)->stored->largest()), largest);
    ASSERT_GT(held, *free) << "this machine could compute it: the test needs a larger model";
    set_memory_budget(4 * held);
    const auto refused = run(doc);
    set_memory_budget(usual_memory_budget());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().text(), HasSubstr("a run of \"" + folder.string() + "\" needs "));
    EXPECT_THAT(refused.error().text(), HasSubstr(fmt::format("{:.1f} GB for the largest of its weights", largest / 1e9)));
    std::filesystem::remove_all(folder);
}

/// Fills the numbers of a file with brain floats between 1/128 and 1/64, of both signs, from a seed.
void fill_with_brain_floats(const std::filesystem::path& path) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    std::uint64_t header = 0;
    file.read(reinterpret_cast<char*>(&header), sizeof header);
    const std::uint64_t begin = sizeof header + header, bytes = std::filesystem::file_size(path) - begin;
    std::vector<std::uint16_t> numbers(bytes / 2);
    std::uint32_t seed = 1;
    for (std::uint16_t& number : numbers) {
        seed = seed * 1664525U + 1013904223U;
        number = static_cast<std::uint16_t>((seed >> 31 << 15) | 0x3C00U | (seed >> 16 & 0x7FU));
    }
    file.seekp(static_cast<std::streamoff>(begin));
    file.write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(bytes));
}

/// A file that becomes unreadable while a run reads its weights one at a time is an error that names it, not NaN.
TEST(CheckpointBudget, WeightsThatCanNoLongerBeReadEndTheRun) {
    const std::filesystem::path folder = write_llama("llama-cut-short", 3, 128, 384), file = folder / "model.safetensors";
    fill_with_brain_floats(file);
    auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    doc.tokenizer = "words";
    doc.text = "w0 w1 w2 w1";
    set_memory_budget(2.0 * static_cast<double>((*model)->stored->numbers_to_read()));
    const auto whole = run(doc);
    ASSERT_TRUE(whole) << whole.error().text();
    const std::uintmax_t bytes = std::filesystem::file_size(file);
    std::filesystem::resize_file(file, bytes - 2);  // within the last matrix of the last layer
    const auto cut = run(doc);
    ASSERT_FALSE(cut);
    EXPECT_THAT(cut.error().text(), HasSubstr("model.safetensors"));
    EXPECT_THAT(cut.error().text(), HasSubstr("has become shorter"));
    std::filesystem::resize_file(file, bytes);  // its last number is 0 now
    const auto again = run(doc);
    ASSERT_TRUE(again) << "a file that is whole again is read again: " << again.error().text();
    const StepId end = find_id(again->trace, {Role::Output});
    ASSERT_NE(end, kNoStep);
    const PinScope pins;
    EXPECT_TRUE(again->trace[end].value.matrix().allFinite());
    set_memory_budget(usual_memory_budget());
    std::filesystem::remove_all(folder);
}

/// As many heads as the largest published models have in a layer.
TEST(CheckpointBudget, ALayerMayHave128Heads) {
    const std::filesystem::path folder = write_llama("llama-many-heads", 1, 256, 64, 128);
    fill_with_brain_floats(folder / "model.safetensors");
    auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    doc.tokenizer = "words";
    doc.text = "w0 w1 w2";
    EXPECT_EQ(doc.config.heads, 128);
    const auto made = run(doc);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_NE(find_id(made->trace, {Role::Weights, 127, 0}), kNoStep);
    std::filesystem::remove_all(folder);
}

/// A run whose weights exceed the memory reads them one at a time, and gives the same bytes.
TEST(CheckpointBudget, WeightsThatDoNotFitStayOnDisk) {
    const std::filesystem::path folder = write_llama("llama-on-disk", 3, 128, 384);
    fill_with_brain_floats(folder / "model.safetensors");
    auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    doc.tokenizer = "words";
    doc.text = "w0 w1 w2 w1";
    const std::int64_t all = (*model)->stored->numbers_to_read();
    set_memory_budget(2.0 * static_cast<double>(all));
    const auto on_disk = run(doc);
    ASSERT_TRUE(on_disk) << on_disk.error().text();
    EXPECT_GT((*model)->stored->numbers_to_read(), all * 9 / 10) << "the run holds the gains of the norms alone";
    set_memory_budget(usual_memory_budget());
    const auto held = run(doc);
    ASSERT_TRUE(held) << held.error().text();
    EXPECT_EQ((*model)->stored->numbers_to_read(), 0);
    ASSERT_EQ(on_disk->trace.steps.size(), held->trace.steps.size());
    for (std::size_t i = 0; i < held->trace.steps.size(); ++i) {
        const PinScope pins;
        EXPECT_TRUE(on_disk->trace.steps[i].value == held->trace.steps[i].value) << step_name(held->trace.steps[i].tag);
    }
    EXPECT_GT(held->trace.steps.back().value.matrix().cwiseAbs().maxCoeff(), 0);
    std::filesystem::remove_all(folder);
}

/// Weights that one run holds are shared with the next and need no reading: they are not counted again.
TEST(CheckpointBudget, LoadedWeightsAreNotCountedAgain) {
    const std::filesystem::path folder = write_llama("llama-small", 2, 64, 128);
    auto model = find_model(folder.string(), {.folders = true});
    ASSERT_TRUE(model) << model.error().text();
    Document doc;
    take_model(doc, *model);
    doc.tokenizer = "words";
    doc.text = "w0 w1";
    const std::int64_t tables = 2 * std::int64_t{1000} * 64;
    EXPECT_EQ((*model)->stored->numbers_to_read(), (*model)->numbers() - tables);
    const auto first = run(doc);
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_EQ((*model)->stored->numbers_to_read(), 0);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace attn::test
