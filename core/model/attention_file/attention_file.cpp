// Reads the supported formats of attention into arrays.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safe_text.h"
#include "core/io/safetensors.h"
#include "core/io/sniff.h"
#include "core/model/attention_file/attention_parts.h"

namespace attn {
namespace {

constexpr std::string_view kWanted = "attention as .npz, .npy, .safetensors or JSON";
constexpr std::string_view kTokens = "tokens";
constexpr std::string_view kNpyEnding = ".npy";
constexpr std::array<std::string_view, 4> kSourceTokens = {"source_tokens", "key_tokens", "encoder_tokens", "keys_tokens"};

bool names_source(std::string_view key) {
    return std::find(kSourceTokens.begin(), kSourceTokens.end(), key) != kSourceTokens.end();
}

/// Stores a list of names by its key.
void take_names(TokenNames& into, std::string_view key, std::vector<std::string> names) {
    if (key == kTokens) into.tokens = std::move(names);
    else if (names_source(key)) into.source_tokens = std::move(names);
}

double tolerance_of_npy(const NpyArray& array) {
    if (array.dtype.ends_with("V2")) return kSumOfBrains;
    return array.dtype.ends_with("f2") ? kSumOfHalves : kSumOfFloats;
}

AttentionArray from_npy(std::string name, NpyArray array) {
    const double tolerance = tolerance_of_npy(array);
    return {std::move(name), std::move(array.shape), std::move(array.values), tolerance};
}

Result<AttentionParts> parts_of_npy(std::string_view bytes) {
    auto array = read_npy(bytes);
    if (!array) return array.error();
    AttentionParts out;
    out.arrays.push_back(from_npy("", std::move(*array)));
    return out;
}

Result<AttentionParts> parts_of_npz(std::string_view bytes) {
    AttentionParts out;
    NpzLimits limits;
    limits.max_unpacked = static_cast<std::size_t>(kMaxBytes);
    bool of_torch = false;
    const auto is_array = [&](std::string_view name) {
        of_torch = of_torch || name.ends_with("data.pkl");
        return name.ends_with(kNpyEnding);
    };
    const auto take = [&](std::string_view name, const std::string& file) -> Result<Done> {
        const std::string key(name.substr(0, name.size() - kNpyEnding.size()));
        if (key == kTokens || names_source(key)) {
            auto names = read_npy_texts(file);
            if (!names) return attention_error(names.error().message, name);
            take_names(out.named, key, std::move(*names));
            return Done{};
        }
        auto array = read_npy(file);
        if (!array) return attention_error(array.error().message, name);
        out.arrays.push_back(from_npy(key, std::move(*array)));
        return Done{};
    };
    if (auto done = each_npz_file(bytes, limits, take, is_array); !done) return done.error();
    if (of_torch)
        return attention_error("This is a PyTorch file with a Python pickle in it, which can run code and is never opened. In Python: "
                               "np.savez(\"attention.npz\", **{f\"attention_{i}\": a.float().numpy() for i, a in enumerate(attentions)})");
    return out;
}

double tolerance_of_type(std::string_view type) {
    if (type == "F16") return kSumOfHalves;
    return type == "BF16" ? kSumOfBrains : kSumOfFloats;
}

/// The metadata's "tokens", a JSON list, since metadata are text.
Result<Done> take_metadata(const TensorHeader& header, TokenNames& into) {
    for (const auto& [key, text] : header.metadata) {
        if (key != kTokens && !names_source(key)) continue;
        const auto list = parse_json(text);
        auto names = list ? token_names_from(*list) : Result<TokenNames>(list.error());
        if (!names) return attention_error("in the metadata: " + names.error().message, key);
        take_names(into, key, std::move(names->tokens));
    }
    return Done{};
}

Result<AttentionParts> parts_of_safetensors(std::string_view bytes) {
    auto file = TensorFile::in_memory(bytes, "");
    if (!file) return file.error();
    AttentionParts out;
    if (auto done = take_metadata(file->header(), out.named); !done) return done.error();
    double numbers = 0;
    for (const TensorPlace& place : file->header().tensors) {
        if (place.name.ends_with(".weight"))
            return attention_error("these are the weights of a model, not its attention; open the folder that the file lies in",
                                   place.name);
        numbers += static_cast<double>(place.count());
    }
    if (numbers * sizeof(float) > kMaxBytes)
        return attention_error(fmt::format("it holds {:.0f} numbers, more than the {:.0f} that {:.1f} GB hold; save fewer layers or tokens",
                                           numbers, kMaxBytes / sizeof(float), kMaxBytes / 1e9));
    for (const TensorPlace& place : file->header().tensors) {
        auto read = file->read(place);
        if (!read) return read.error();
        AttentionArray array{place.name, {}, std::move(read->values), tolerance_of_type(place.type)};
        for (const std::uint64_t side : place.shape) array.shape.push_back(static_cast<std::size_t>(side));
        out.arrays.push_back(std::move(array));
    }
    return out;
}

/// Whether the length at the beginning fits the file and a brace follows.
bool looks_like_safetensors(std::string_view bytes) {
    constexpr std::size_t kBegin = 8;
    if (bytes.size() <= kBegin || bytes[kBegin] != '{') return false;
    std::uint64_t length = 0;
    for (std::size_t i = kBegin; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
    return length <= bytes.size() - kBegin;
}

bool looks_like_json(std::string_view bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (bytes[first] == '[' || bytes[first] == '{');
}

}  // namespace

bool is_attention_name(std::string_view name) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower.ends_with(".npz") || lower.ends_with(".npy") || lower.ends_with(".safetensors");
}

Result<AttentionParts> attention_parts(std::string_view bytes, std::string_view name) {
    if (bytes.empty()) return attention_error("The file is empty.");
    if (bytes.starts_with("\x93NUMPY")) return parts_of_npy(bytes);
    if (looks_like_safetensors(bytes)) return parts_of_safetensors(bytes);
    if (bytes.starts_with("PK")) return parts_of_npz(bytes);
    if (looks_like_json(bytes)) return attention_parts_of_json(bytes);
    if (auto other = recognise_other(bytes, kWanted)) return attention_error(*std::move(other));
    if (name.ends_with(".safetensors")) return parts_of_safetensors(bytes);
    if (name.ends_with(".npy")) return parts_of_npy(bytes);
    if (name.ends_with(".npz")) return parts_of_npz(bytes);
    return attention_error(fmt::format("This is no file of attention. What is wanted here is {}.", kWanted));
}

std::string shape_words(const std::vector<std::size_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");  // in NumPy's notation
}

}  // namespace attn
