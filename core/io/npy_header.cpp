#include "core/io/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "core/io/literal_reader.h"
#include "core/io/safe_text.h"
#include "core/io/sniff.h"

namespace attn {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 10'000;  // NumPy's own max_header_size
constexpr std::size_t kMaxRank = 32;        // NumPy's NPY_MAXDIMS
constexpr std::size_t kMaxSide = 1U << 31;  // next to an axis of length 0, nothing else limits an axis

/// Why a type is refused, for the kinds that NumPy has and this program does not compute with.
std::string describe_kind(std::string_view dtype, char kind) {
    const std::string name = in_quotes(dtype);
    switch (kind) {
        case 'O':
            return fmt::format(
                "The type {} is Python objects: they are stored as a pickle, which can run code, and are "
                "never opened. Save the array as numbers.",
                name);
        case 'c':
            return fmt::format("The type {} is complex numbers; attention computes with real ones.", name);
        case 'S':
        case 'a':
        case 'U':
            return fmt::format("The type {} is text, not numbers.", name);
        case 'M':
        case 'm':
            return fmt::format("The type {} is dates or times, not numbers.", name);
        case 'V':
            return fmt::format("The type {} is raw or structured bytes, not numbers.", name);
        default:
            return fmt::format("The type {} is not one that is read: floats, integers and booleans are.", name);
    }
}

bool is_read(char kind, std::size_t item_bytes) {
    const bool power = item_bytes == 1 || item_bytes == 2 || item_bytes == 4 || item_bytes == 8;
    switch (kind) {
        case 'f':
            return power && item_bytes > 1;
        case 'i':
        case 'u':
            return power;
        case 'b':
            return item_bytes == 1;
        case 'V':
            return item_bytes == 2;  // bfloat16, for which NumPy has no name: ml_dtypes and JAX write two raw bytes
        default:
            return false;
    }
}

/// "<U5": five characters of four bytes; "|S5": five bytes.
std::optional<Error> read_text_type(std::string_view dtype, std::string_view bare, NpyHeader& header) {
    constexpr std::size_t kLetterBytes = 4, kLongest = 1 << 16;
    const char* const end = bare.data() + bare.size();
    const auto read = std::from_chars(bare.data() + 1, end, header.item_bytes);
    const bool texts = header.kind == 'U' || header.kind == 'S';
    if (!texts || read.ec != std::errc{} || read.ptr != end || header.item_bytes == 0 || header.item_bytes > kLongest)
        return npy_error(fmt::format("The type {} is not text; a list of texts is wanted here.", in_quotes(dtype)));
    if (header.kind == 'U') header.item_bytes *= kLetterBytes;
    return std::nullopt;
}

std::optional<Error> read_dtype(std::string_view dtype, NpyItems wanted, NpyHeader& header) {
    header.dtype = std::string(dtype);
    const bool ordered = !dtype.empty() && std::string_view("<>=|").find(dtype.front()) != std::string_view::npos;
    const std::string_view bare = dtype.substr(ordered ? 1 : 0);
    if (bare.empty()) return npy_error(describe_kind(dtype, '\0'));
    header.byte_order = ordered ? dtype.front() : '<';
    header.kind = bare.front();
    if (wanted == NpyItems::Texts) return read_text_type(dtype, bare, header);
    const char* const end = bare.data() + bare.size();
    const auto read = std::from_chars(bare.data() + 1, end, header.item_bytes);
    if (read.ec != std::errc{} || read.ptr != end || !is_read(header.kind, header.item_bytes))
        return npy_error(describe_kind(dtype, header.kind));
    // '|' means that order does not matter, '=' the writer's native order, which the file does not record.
    const bool unknown_order = header.byte_order == '=' || (header.byte_order == '|' && header.item_bytes > 1 && header.kind != 'V');
    if (unknown_order) return npy_error(fmt::format("The type {} does not tell its byte order.", in_quotes(dtype)));
    return std::nullopt;
}

std::optional<Error> read_shape(LiteralReader& reader, NpyHeader& header) {
    auto shape = reader.tuple();
    if (!shape) return npy_error("The header's shape is not a tuple of whole numbers such as (3, 4).");
    if (shape->size() > kMaxRank)
        return npy_error(fmt::format("The array has {} axes; at most {} are read.", shape->size(), kMaxRank));
    for (const std::size_t side : *shape)
        if (side > kMaxSide)
            return npy_error(fmt::format("The shape has an axis of length {}, too long to be real.", side));
    header.shape = *std::move(shape);
    return std::nullopt;
}

std::optional<Error> read_entry(std::string_view key, LiteralReader& reader, NpyItems wanted, NpyHeader& header) {
    if (key == "shape") return read_shape(reader, header);
    if (key == "fortran_order") {
        const auto truth = reader.truth();
        if (!truth) return npy_error("The header's fortran_order is neither True nor False.");
        header.fortran_order = *truth;
        return std::nullopt;
    }
    if (reader.next_is('['))
        return npy_error("The array has structured records; save one column of numbers as an array of its own.");
    const auto dtype = reader.text();
    if (!dtype) return npy_error("The header's descr is not a type name such as '<f4'.");
    return read_dtype(*dtype, wanted, header);
}

/// The dictionary { 'descr': …, 'fortran_order': …, 'shape': … }: each key once, in any order, and no others.
std::optional<Error> read_dictionary(std::string_view text, NpyItems wanted, NpyHeader& header) {
    constexpr std::array<std::string_view, 3> kKeys = {"descr", "fortran_order", "shape"};
    std::array<bool, 3> seen{};
    LiteralReader reader(text);
    if (!reader.take('{')) return npy_error("The header is not a dictionary with descr, fortran_order and shape.");
    while (!reader.take('}')) {
        const auto key = reader.text();
        if (!key || !reader.take(':'))
            return npy_error("The header is not a dictionary with descr, fortran_order and shape.");
        const auto known = std::find(kKeys.begin(), kKeys.end(), *key);
        if (known == kKeys.end())
            return npy_error(fmt::format("The header has a key it must not have: {}.", in_quotes(*key)));
        bool& again = seen[static_cast<std::size_t>(known - kKeys.begin())];
        if (again) return npy_error(fmt::format("The header's key {} appears twice.", in_quotes(*key)));
        again = true;
        if (auto error = read_entry(*key, reader, wanted, header)) return error;
        if (!reader.take(',') && !reader.next_is('}'))
            return npy_error("The header's dictionary lacks a ',' or its closing '}'.");
    }
    if (!reader.at_end()) return npy_error("Something follows the header's dictionary.");
    for (std::size_t i = 0; i < kKeys.size(); ++i)
        if (!seen[i]) return npy_error(fmt::format("The header lacks {}.", in_quotes(kKeys[i])));
    return std::nullopt;
}

/// A little-endian number of `count` bytes.
std::size_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    std::size_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::optional<Error> check_magic(std::string_view bytes) {
    if (bytes.empty()) return npy_error("The file is empty.");
    if (bytes.starts_with(kMagic)) return std::nullopt;
    if (auto other = recognise_other(bytes, "an .npy array")) return npy_error(*std::move(other));
    return npy_error("This is not an .npy file: it does not begin with \\x93NUMPY.");
}

}  // namespace

Result<NpyHeader> read_npy_header(std::string_view bytes, NpyItems wanted) {
    if (auto error = check_magic(bytes)) return *std::move(error);
    if (bytes.size() < kMagic.size() + 2) return npy_error("The file ends within its first 8 bytes.");
    const int major = static_cast<unsigned char>(bytes[kMagic.size()]);
    const int minor = static_cast<unsigned char>(bytes[kMagic.size() + 1]);
    if (major < 1 || major > 3 || minor != 0)
        return npy_error(fmt::format("The file is of .npy version {}.{}; 1.0, 2.0 and 3.0 are read.", major, minor));
    const std::size_t length_at = kMagic.size() + 2;
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    const std::size_t text_at = length_at + length_bytes;
    if (bytes.size() < text_at) return npy_error("The file ends within the length of its header.");
    const std::size_t length = little_endian(bytes, length_at, length_bytes);
    if (length > kMaxHeader)
        return npy_error(fmt::format("The header claims {} bytes; at most {} are read.", length, kMaxHeader));
    if (bytes.size() - text_at < length)
        return npy_error(
            fmt::format("The header claims {} bytes, but the file ends after {}.", length, bytes.size() - text_at));
    NpyHeader header;
    if (auto error = read_dictionary(bytes.substr(text_at, length), wanted, header)) return *std::move(error);
    header.data_offset = text_at + length;
    return header;
}

}  // namespace attn
