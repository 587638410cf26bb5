// Any bytes as an attention file: .npz, .npy, .safetensors or JSON. Oracle: what is read is consistent, and its stacks,
// written as an archive, read back as the same numbers. The first byte is the length of a list of token names that
// precedes the file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/npz.h"
#include "core/model/attention_file/given_attention.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

std::string name_of(attn::Part part) {
    return part == attn::Part::Encoder ? "encoder_attention" : part == attn::Part::Cross ? "cross_attention" : "attention";
}

void require_same(const attn::FrozenMatrix& a, const attn::FrozenMatrix& b) {
    require(a.rows() == b.rows() && a.cols() == b.cols());
    require(std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    if (size == 0) return 0;
    const std::string_view rest = all.substr(1);
    const std::size_t names = std::min<std::size_t>(static_cast<std::size_t>(data[0]), rest.size());
    attn::TokenNames beside;
    if (auto read = attn::read_token_names(rest.substr(0, names), data[0] % 2 ? "a.json" : "a.txt")) beside = *read;
    static_cast<void>(attn::is_attention_json(rest.substr(names)));
    const auto read = attn::read_attention(rest.substr(names), "fuzz.npz", beside);
    if (!read) {
        require(!read.error().message.empty());
        return 0;
    }
    const attn::GivenAttention& a = **read;
    require(a.heads > 0 && a.layers > 0 && a.queries > 0 && !a.stacks.empty());
    require(a.tokens.empty() || static_cast<int>(a.tokens.size()) == a.queries);
    for (const attn::GivenStream& stream : a.streams)
        for (const attn::StepValue& layer : stream.layers) require(layer.rows() == stream.input.rows() && layer.matrix().allFinite());
    if (a.is_compared()) {
        for (const attn::AttentionStack& stack : a.stacks)
            for (const attn::ComparedLayer& layer : stack.compared)
                for (std::size_t head = 0; head < layer.queries.size(); ++head) {
                    const attn::StepValue &queries = layer.queries[head], &keys = layer.keys[static_cast<std::size_t>(layer.keys_of[head])];
                    require(queries.rows() == stack.rows && keys.rows() == stack.cols && queries.cols() == keys.cols());
                    require(queries.matrix().allFinite() && keys.matrix().allFinite());
                    require(layer.pattern.size() == 0 || (layer.pattern.rows() == stack.rows && layer.pattern.cols() == stack.cols));
                }
        return 0;
    }
    std::vector<attn::NpzFile> files;
    for (const attn::AttentionStack& stack : a.stacks) {
        const auto side = [](int n) { return static_cast<std::size_t>(n); };
        const std::size_t shape[] = {side(stack.layers), side(stack.heads), side(stack.rows), side(stack.cols)};
        std::vector<float> values;
        for (const attn::StepValue& map : stack.maps) values.insert(values.end(), map.data(), map.data() + map.size());
        files.push_back({name_of(stack.part) + ".npy", attn::npy_bytes(shape, values)});
    }
    const auto bytes = attn::npz_bytes(files);
    require(bytes.ok());
    const auto again = attn::read_attention(*bytes, "again.npz", {a.tokens, a.source_tokens, ""});
    // Rounded weights may sum to 1 where exact ones are expected: then only the order of the axes is in doubt.
    if (!again) return require(again.error().message.find("another order") != std::string::npos), 0;
    require((*again)->stacks.size() == a.stacks.size());
    for (std::size_t s = 0; s < a.stacks.size(); ++s)
        for (std::size_t m = 0; m < a.stacks[s].maps.size(); ++m) require_same(a.stacks[s].maps[m], (*again)->stacks[s].maps[m]);
    return 0;
}
