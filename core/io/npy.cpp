#include "core/io/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/io/npy_header.h"
#include "core/text/unicode.h"

namespace attn {

namespace {

constexpr std::size_t kAlignment = 64;  // NumPy pads the header so that the data can be memory-mapped

template <class T>
T byte_swapped(T value) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
}

template <class T>
T load(const char* at, bool swap) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return swap ? byte_swapped(value) : value;
}

/// True if the float equals the value; NaN of either width counts as equal.
bool is_exact(double value, float narrowed) { return std::isnan(value) || static_cast<double>(narrowed) == value; }

/// Compares as integers, because a double cannot tell 2^53 from 2^53 + 1. A float of 2^63 or more may be just outside
/// the integer's range, where converting back would be undefined.
template <class Integer>
bool is_exact_integer(Integer value, float narrowed) {
    constexpr float kBeyond = std::is_signed_v<Integer> ? 0x1p63F : 0x1p64F;
    return narrowed >= -kBeyond && narrowed < kBeyond && static_cast<Integer>(narrowed) == value;
}

struct Narrowed {
    float value;
    bool exact;
};

template <class Integer>
Narrowed narrow_integer(Integer value) {
    const auto narrowed = static_cast<float>(value);
    return {
        narrowed,
        is_exact_integer(static_cast<std::conditional_t<std::is_signed_v<Integer>, std::int64_t, std::uint64_t>>(value),
                         narrowed)};
}

Narrowed narrow(double value) {
    // Converting a double beyond float's range is undefined in C++, though IEEE gives infinity: do it explicitly.
    constexpr double kBeyond = 0x1.ffffffp127;  // halfway from the largest float to the next power of two
    if (std::abs(value) >= kBeyond && std::isfinite(value))
        return {std::copysign(std::numeric_limits<float>::infinity(), value > 0 ? 1.0F : -1.0F), false};
    const auto narrowed = static_cast<float>(value);
    return {narrowed, is_exact(value, narrowed)};
}

float widen_half(std::uint16_t bits) { return static_cast<float>(std::bit_cast<Eigen::half>(bits)); }

/// One number of the file's type.
Narrowed read_item(const NpyHeader& header, const char* at, bool swap) {
    switch (header.kind) {
        case 'b':
            return {*at != 0 ? 1.0F : 0.0F, true};
        case 'f':
            if (header.item_bytes == 2) return {widen_half(load<std::uint16_t>(at, swap)), true};
            if (header.item_bytes == 4) return {std::bit_cast<float>(load<std::uint32_t>(at, swap)), true};
            return narrow(std::bit_cast<double>(load<std::uint64_t>(at, swap)));
        case 'V':  // bfloat16: the upper half of a float
            return {std::bit_cast<float>(static_cast<std::uint32_t>(load<std::uint16_t>(at, swap)) << 16U), true};
        case 'i':
            if (header.item_bytes == 1) return narrow_integer(load<std::int8_t>(at, swap));
            if (header.item_bytes == 2) return narrow_integer(load<std::int16_t>(at, swap));
            if (header.item_bytes == 4) return narrow_integer(load<std::int32_t>(at, swap));
            return narrow_integer(load<std::int64_t>(at, swap));
        default:
            if (header.item_bytes == 1) return narrow_integer(load<std::uint8_t>(at, swap));
            if (header.item_bytes == 2) return narrow_integer(load<std::uint16_t>(at, swap));
            if (header.item_bytes == 4) return narrow_integer(load<std::uint32_t>(at, swap));
            return narrow_integer(load<std::uint64_t>(at, swap));
    }
}

/// The product of the shape, or nullopt if its size in bytes would overflow.
std::optional<std::size_t> count_items(const std::vector<std::size_t>& shape, std::size_t item_bytes) {
    if (std::find(shape.begin(), shape.end(), std::size_t{0}) != shape.end()) return 0;
    std::size_t count = 1;
    for (const std::size_t side : shape) {
        if (count > std::numeric_limits<std::size_t>::max() / item_bytes / side) return std::nullopt;
        count *= side;
    }
    return count;
}

/// The positions of the array's items in the file, in C order: the last index advances first and carries leftwards.
class FortranWalk {
public:
    explicit FortranWalk(const std::vector<std::size_t>& shape)
        : shape_(shape), strides_(shape.size()), index_(shape.size(), 0) {
        std::size_t stride = 1;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            strides_[axis] = stride;
            stride *= shape[axis];
        }
    }

    std::size_t place() const { return place_; }

    void advance() {
        for (std::size_t axis = shape_.size(); axis-- > 0;) {
            place_ += strides_[axis];
            if (++index_[axis] < shape_[axis]) return;
            place_ -= strides_[axis] * shape_[axis];
            index_[axis] = 0;
        }
    }

private:
    const std::vector<std::size_t>& shape_;
    std::vector<std::size_t> strides_, index_;
    std::size_t place_ = 0;
};

void read_values(const NpyHeader& header, std::string_view data, NpyArray& array) {
    const bool big_file = header.byte_order == '>';
    const bool swap = big_file != (std::endian::native == std::endian::big);
    FortranWalk walk(header.shape);
    for (std::size_t i = 0; i < array.values.size(); ++i) {
        const std::size_t place = header.fortran_order ? walk.place() : i;
        const Narrowed item = read_item(header, data.data() + place * header.item_bytes, swap);
        array.values[i] = item.value;
        if (!item.exact) ++array.rounded;
        if (header.fortran_order) walk.advance();
    }
}

std::string shape_text(std::span<const std::size_t> shape) {
    std::string text = "(";
    for (const std::size_t side : shape) fmt::format_to(std::back_inserter(text), "{}, ", side);
    if (shape.size() == 1) text.pop_back();  // (3,)
    if (shape.size() > 1) text.resize(text.size() - 2);
    return text + ')';
}

}  // namespace

std::string npy_bytes(std::span<const std::size_t> shape, std::span<const float> values) {
    assert(count_items({shape.begin(), shape.end()}, sizeof(float)) == values.size());
    std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape_text(shape) + ", }";
    constexpr std::size_t kBefore = 10;  // magic, version, length
    const std::size_t unpadded = kBefore + dictionary.size() + 1;
    dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
    dictionary += '\n';
    std::string out("\x93NUMPY\x01\x00", 8);
    out += static_cast<char>(dictionary.size() & 0xFF);
    out += static_cast<char>(dictionary.size() >> 8);
    out += dictionary;
    const std::size_t data_at = out.size();
    out.resize(data_at + values.size() * sizeof(float));
    if constexpr (std::endian::native == std::endian::little) {
        if (!values.empty()) std::memcpy(out.data() + data_at, values.data(), values.size_bytes());
    } else {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const float swapped = byte_swapped(values[i]);
            std::memcpy(out.data() + data_at + i * sizeof(float), &swapped, sizeof(float));
        }
    }
    return out;
}

std::string npy_bytes(const Matrix& matrix) {
    const std::array shape = {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())};
    return npy_bytes(shape, {matrix.data(), static_cast<std::size_t>(matrix.size())});
}

namespace {

/// The data after the header: exactly as many bytes as the shape says.
Result<std::string_view> items_of(std::string_view bytes, const NpyHeader& header) {
    const std::string_view data = bytes.substr(header.data_offset);
    const auto count = count_items(header.shape, header.item_bytes);
    if (!count) return npy_error(fmt::format("The shape {} is too large to be real.", shape_text(header.shape)));
    const std::size_t wanted = *count * header.item_bytes;
    if (data.size() != wanted)
        return npy_error(fmt::format("The shape {} of type '{}' needs {} bytes, but {} follow: the file is {}.",
                                     shape_text(header.shape), header.dtype, wanted, data.size(),
                                     data.size() < wanted ? "cut short" : "longer than it should be"));
    return data;
}

/// A NumPy character is a four-byte code point; a text ends where only zeros follow.
std::optional<std::string> text_of_letters(std::string_view item, bool swap) {
    constexpr std::uint32_t kLast = 0x10FFFF, kHighSurrogate = 0xD800, kPastSurrogates = 0xE000;
    std::string out;
    std::size_t zeros = 0;
    for (std::size_t at = 0; at < item.size(); at += sizeof(std::uint32_t)) {
        const auto letter = load<std::uint32_t>(item.data() + at, swap);
        if (letter == 0) {
            ++zeros;
            continue;
        }
        out.append(zeros, '\0');
        zeros = 0;
        if (letter > kLast || (letter >= kHighSurrogate && letter < kPastSurrogates)) return std::nullopt;
        out += encode_utf8(static_cast<char32_t>(letter));
    }
    return out;
}

}  // namespace

Result<std::vector<std::string>> read_npy_texts(std::string_view bytes) {
    const Result<NpyHeader> header = read_npy_header(bytes, NpyItems::Texts);
    if (!header) return header.error();
    if (header->shape.size() != 1)
        return npy_error(fmt::format("A list of texts is wanted here; this array has the shape {}.", shape_text(header->shape)));
    const auto data = items_of(bytes, *header);
    if (!data) return data.error();
    const bool swap = (header->byte_order == '>') != (std::endian::native == std::endian::big);
    std::vector<std::string> out;
    for (std::size_t at = 0; at < data->size(); at += header->item_bytes) {
        const std::string_view item = data->substr(at, header->item_bytes);
        std::optional<std::string> text =
            header->kind == 'U' ? text_of_letters(item, swap) : std::string(item.substr(0, item.find_last_not_of('\0') + 1));
        if (!text || clean_utf8(*text).replaced > 0)
            return npy_error(fmt::format("Text {} of the list is not Unicode.", out.size() + 1));
        out.push_back(*std::move(text));
    }
    return out;
}

Result<NpyArray> read_npy(std::string_view bytes) {
    const Result<NpyHeader> header = read_npy_header(bytes);
    if (!header) return header.error();
    const auto items = items_of(bytes, *header);
    if (!items) return items.error();
    const std::string_view data = *items;
    const auto count = count_items(header->shape, header->item_bytes);
    NpyArray array{header->shape, std::vector<float>(*count), header->dtype, 0};
    read_values(*header, data, array);
    return array;
}

Result<Matrix> matrix_from_npy(const NpyArray& array, std::string_view name) {
    if (array.shape.size() > 2)
        return Error{
            fmt::format("A matrix has two axes; this array has {}: {}.", array.shape.size(), shape_text(array.shape)),
            {},
            std::string(name),
            0};
    if (array.values.empty())
        return Error{
            fmt::format("The array is empty: its shape is {}.", shape_text(array.shape)), {}, std::string(name), 0};
    const std::size_t columns = array.shape.empty() ? 1 : array.shape.back();
    const std::size_t rows = array.values.size() / columns;
    Matrix matrix(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
    std::copy(array.values.begin(), array.values.end(), matrix.data());
    return matrix;
}

}  // namespace attn
