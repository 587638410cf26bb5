// Reads the supported formats of attention into arrays.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstring>

#include "core/base/limits.h"
#include "core/base/random.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safe_text.h"
#include "core/io/safetensors.h"
#include "core/io/sniff.h"
#include "core/model/attention_file/attention_parts.h"

namespace attn {
namespace {

constexpr std::string_view kWanted = "attention as .npz, .npy, .safetensors or JSON";
constexpr std::string_view kTokens = "tokens", kTexts = "texts", kIndex = "index", kScale = "scale", kCausal = "causal";
constexpr std::string_view kNpyEnding = ".npy";
constexpr std::array<std::string_view, 4> kSourceTokens = {"source_tokens", "key_tokens", "encoder_tokens", "keys_tokens"};

bool names_source(std::string_view key) {
    return std::find(kSourceTokens.begin(), kSourceTokens.end(), key) != kSourceTokens.end();
}

double tolerance_of_npy(const NpyArray& array) {
    if (array.dtype.ends_with("V2")) return kSumOfBrains;
    return array.dtype.ends_with("f2") ? kSumOfHalves : kSumOfFloats;
}

AttentionArray from_npy(std::string name, NpyArray array) {
    const double tolerance = tolerance_of_npy(array);
    return AttentionArray::of(std::move(name), std::move(array.shape), std::move(array.values), tolerance);
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
            take_names(out.named, key, {std::move(*names)});
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

/// The metadata's "tokens", a JSON list, since metadata are text; a list of lists names the tokens of each text.
Result<Done> take_metadata(const TensorHeader& header, AttentionParts& into) {
    for (const auto& [key, text] : header.metadata) {
        if (key == kTexts) {
            std::size_t texts = 0;
            const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), texts);
            if (problem != std::errc{} || end != text.data() + text.size() || texts < 1 || texts > kMaxTexts)
                return attention_error(fmt::format("in the metadata: a number from 1 to {} is expected", kMaxTexts), key);
            into.said_texts = texts;
        }
        if (key == kScale || key == kCausal) into.said[key] = text;
        if (key != kTokens && !names_source(key)) continue;
        const auto list = parse_json(text);
        auto names = list ? token_lists_from(*list, "") : Result<std::vector<std::vector<std::string>>>(list.error());
        if (!names) return attention_error("in the metadata: " + names.error().message, key);
        take_names(into.named, key, std::move(*names));
    }
    return Done{};
}

std::uint64_t joined_hash(std::uint64_t one, std::uint64_t two) { return one * 31 + two; }

/// Without the numbers, which may be many: where they are, and when they were written.
std::uint64_t fingerprint_of(const TensorFile& file, std::uint64_t written) {
    std::uint64_t out = written;
    for (const TensorPlace& place : file.header().tensors) {
        out = joined_hash(joined_hash(out, hash_bytes(place.name)), hash_bytes(place.type));
        for (const std::uint64_t side : place.shape) out = joined_hash(out, side);
        out = joined_hash(out, place.end);
    }
    return out;
}

Result<AttentionParts> parts_of_tensors(const std::shared_ptr<const TensorFile>& file, bool held, std::uint64_t written) {
    AttentionParts out;
    out.held = held;
    out.fingerprint = fingerprint_of(*file, written);
    if (auto done = take_metadata(file->header(), out); !done) return done.error();
    for (const TensorPlace& place : file->header().tensors)
        if (place.name.ends_with(".weight"))
            return attention_error("these are the weights of a model, not its attention; open the folder that the file lies in",
                                   place.name);
    for (const TensorPlace& place : file->header().tensors) {
        auto source = source_of(file, place, held);
        if (!source) return source.error();
        std::vector<std::size_t> shape(place.shape.begin(), place.shape.end());
        out.arrays.push_back(AttentionArray::of(place.name, std::move(shape), std::move(*source), tolerance_of_type(place.type)));
    }
    return out;
}

double numbers_of(const TensorHeader& header) {
    double out = 0;
    for (const TensorPlace& place : header.tensors) out += static_cast<double>(place.count());
    return out;
}

Result<AttentionParts> parts_of_safetensors(std::string_view bytes) {
    auto file = TensorFile::in_memory(bytes, "");
    if (!file) return file.error();
    const double numbers = numbers_of(file->header());
    if (numbers * sizeof(float) > kMaxBytes)
        return attention_error(fmt::format("it holds {:.0f} numbers, more than the {:.0f} that {:.1f} GB hold; save fewer layers or tokens",
                                           numbers, kMaxBytes / sizeof(float), kMaxBytes / 1e9));
    return parts_of_tensors(std::make_shared<const TensorFile>(std::move(*file)), true, hash_bytes(bytes));
}


bool looks_like_json(std::string_view bytes) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (bytes[first] == '[' || bytes[first] == '{');
}

constexpr std::uint64_t kLengthBytes = 8;  // bytes with the length of the header

std::atomic<double> held_bytes = double{1 << 28};

}  // namespace

void take_names(std::vector<TokenNames>& into, std::string_view key, std::vector<std::vector<std::string>> names) {
    if (into.size() < names.size()) into.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) (key == kTokens ? into[i].tokens : into[i].source_tokens) = std::move(names[i]);
}

bool looks_like_safetensors(std::string_view begin, std::uint64_t size) {
    if (begin.size() <= kLengthBytes || begin[kLengthBytes] != '{') return false;
    std::uint64_t length = 0;
    for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(begin[i]);
    return length <= size - kLengthBytes;
}

double held_attention() { return held_bytes; }
void set_held_attention(double bytes) { held_bytes = bytes; }
bool are_held(double numbers) { return numbers * sizeof(float) <= held_bytes; }

double tolerance_of_type(std::string_view type) {
    if (type == "F16") return kSumOfHalves;
    return type == "BF16" ? kSumOfBrains : kSumOfFloats;
}

Result<NumberSourcePtr> source_of(const std::shared_ptr<const TensorFile>& file, const TensorPlace& place, bool held) {
    auto out = std::make_shared<NumberSource>();
    if (held) {
        auto read = file->read(place);
        if (!read) return read.error();
        out->held = std::move(read->values);
    } else {
        if (auto known = file->check_type(place); !known) return known.error();
        out->file = file;
        out->place = place;
    }
    return NumberSourcePtr(std::move(out));
}

std::uint64_t time_written(const std::filesystem::path& path) {
    std::error_code problem;
    const auto written = std::filesystem::last_write_time(path, problem);
    return problem ? 0 : static_cast<std::uint64_t>(written.time_since_epoch().count());
}

Result<AttentionParts> attention_parts_of_tensors(const std::string& path) {
    auto file = TensorFile::open(path);
    if (!file) return file.error();
    if (const auto index = file->header().metadata.find(std::string(kIndex)); index != file->header().metadata.end())
        return attention_error(fmt::format("this file holds only what one process of the run computed; open {}, which lies beside it",
                                           in_quotes(index->second)));
    const bool held = are_held(numbers_of(file->header()));
    return parts_of_tensors(std::make_shared<const TensorFile>(std::move(*file)), held, time_written(path));
}

bool is_attention_name(std::string_view name) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower.ends_with(".npz") || lower.ends_with(".npy") || lower.ends_with(".safetensors");
}

namespace {

Result<AttentionParts> parts_of(std::string_view bytes, std::string_view name) {
    if (bytes.empty()) return attention_error("The file is empty.");
    if (bytes.starts_with("\x93NUMPY")) return parts_of_npy(bytes);
    if (looks_like_safetensors(bytes, bytes.size())) return parts_of_safetensors(bytes);
    if (bytes.starts_with("PK")) return parts_of_npz(bytes);
    if (looks_like_json(bytes)) return attention_parts_of_json(bytes);
    if (auto other = recognise_other(bytes, kWanted)) return attention_error(*std::move(other));
    if (name.ends_with(".safetensors")) return parts_of_safetensors(bytes);
    if (name.ends_with(".npy")) return parts_of_npy(bytes);
    if (name.ends_with(".npz")) return parts_of_npz(bytes);
    return attention_error(fmt::format("This is no file of attention. What is wanted here is {}.", kWanted));
}

}  // namespace

Result<AttentionParts> attention_parts(std::string_view bytes, std::string_view name) {
    auto parts = parts_of(bytes, name);
    if (parts) parts->fingerprint = hash_bytes(bytes);
    return parts;
}

std::string shape_words(const std::vector<std::size_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");  // in NumPy's notation
}

}  // namespace attn
