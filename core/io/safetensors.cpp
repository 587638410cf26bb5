#include "core/io/safetensors.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/io/json_writer.h"
#include "core/io/tensor_lists.h"

namespace attn {
namespace {

static_assert(std::endian::native == std::endian::little, "the numbers of the file are taken as they lie");

constexpr std::uint64_t kHeaderStart = 8;

template <class Number>
Number number_at(const char* bytes, std::uint64_t index) {
    Number out;
    std::memcpy(&out, bytes + index * sizeof(Number), sizeof(Number));
    return out;
}

/// Bytes per number; 0: the type is not supported.
std::uint64_t bytes_of(std::string_view type) {
    return type == "F32" ? 4 : type == "F64" ? 8 : type == "F16" || type == "BF16" ? 2 : 0;
}

/// Widens a type other than float32.
void widen(std::string_view type, const char* bytes, float* out, std::uint64_t count) {
    const auto each = [&](const auto& number) {
        for (std::uint64_t i = 0; i < count; ++i) out[i] = number(i);
    };
    if (type == "F64") return each([&](std::uint64_t i) { return static_cast<float>(number_at<double>(bytes, i)); });
    if (type == "F16")
        return each([&](std::uint64_t i) { return static_cast<float>(std::bit_cast<Eigen::half>(number_at<std::uint16_t>(bytes, i))); });
    each([&](std::uint64_t i) { return std::bit_cast<float>(static_cast<std::uint32_t>(number_at<std::uint16_t>(bytes, i)) << 16); });
}

}  // namespace

TensorFile::TensorFile(TensorFile&& other) noexcept { *this = std::move(other); }

TensorFile& TensorFile::operator=(TensorFile&& other) noexcept {
    std::swap(header_, other.header_);
    std::swap(name_, other.name_);
    std::swap(file_, other.file_);
    std::swap(memory_, other.memory_);
    return *this;
}

TensorFile::~TensorFile() {
    if (file_ >= 0) ::close(file_);
}

Result<Done> TensorFile::bytes_into(std::uint64_t offset, std::uint64_t count, char* out) const {
    const auto cut = [&] { return Error{"The file has become shorter while it was read.", name_, "", 0}; };
    if (file_ < 0) {
        if (offset > memory_.size() || count > memory_.size() - offset) return cut();
        if (count > 0) std::memcpy(out, memory_.data() + offset, count);
        return Done{};
    }
    for (std::uint64_t done = 0; done < count;) {
        const ssize_t got = ::pread(file_, out + done, count - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return Error{fmt::format("It cannot be read: {}.", std::strerror(errno)), name_, "", 0};
        if (got == 0) return cut();
        done += static_cast<std::uint64_t>(got);
    }
    return Done{};
}

Result<std::string> TensorFile::bytes_at(std::uint64_t offset, std::uint64_t count) const {
    std::string out(count, '\0');
    if (auto read = bytes_into(offset, count, out.data()); !read) return read.error();
    return out;
}

Result<TensorFile> TensorFile::open(const std::string& path) {
    TensorFile out;
    out.name_ = path;
    out.file_ = ::open(std::filesystem::path(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (out.file_ < 0) return Error{fmt::format("It cannot be opened: {}.", std::strerror(errno)), path, "", 0};
    struct stat about {};
    if (::fstat(out.file_, &about) != 0 || !S_ISREG(about.st_mode)) return Error{"It is no ordinary file.", path, "", 0};
    const auto size = static_cast<std::uint64_t>(about.st_size);
    constexpr std::uint64_t kFirst = 4096;
    auto first = out.bytes_at(0, std::min(size, kFirst));
    if (!first) return first.error();
    std::uint64_t length = 0;
    if (first->size() >= kHeaderStart) std::memcpy(&length, first->data(), kHeaderStart);
    // Reads only a length that the file can hold.
    if (length > 0 && length <= kMaxTensorHeader && size >= kHeaderStart && length <= size - kHeaderStart) {
        first = out.bytes_at(0, std::max<std::uint64_t>(first->size(), kHeaderStart + length));
        if (!first) return first.error();
    }
    auto header = read_tensor_header(*first, size);
    if (!header) {
        Error error = header.error();
        error.where = path;
        return error;
    }
    out.header_ = std::move(*header);
    return out;
}

Result<TensorFile> TensorFile::in_memory(std::string_view bytes, std::string name) {
    auto header = read_tensor_header(bytes, bytes.size());
    if (!header) {
        Error error = header.error();
        error.where = name;
        return error;
    }
    TensorFile out;
    out.header_ = std::move(*header);
    out.name_ = std::move(name);
    out.memory_ = bytes;
    return out;
}

Result<Done> TensorFile::check_type(const TensorPlace& place) const {
    if (bytes_of(place.type) > 0) return Done{};
    return Error{fmt::format("its type is {}; F32, F16, BF16 and F64 are read", place.type), name_, place.name, 0};
}

Result<Done> TensorFile::read_into(const TensorPlace& place, std::uint64_t first, std::uint64_t count, float* out) const {
    if (auto known = check_type(place); !known) return known;
    const std::uint64_t each = bytes_of(place.type), begin = header_.data_begin + place.begin + first * each;
    if (place.type == "F32") return bytes_into(begin, count * each, reinterpret_cast<char*>(out));
    // A little at a time: as many bytes again as the numbers have would be fresh memory for every map of a file.
    constexpr std::uint64_t kAtOnce = 1 << 16;
    std::string bytes(std::min(count, kAtOnce) * each, '\0');
    for (std::uint64_t done = 0; done < count; done += kAtOnce) {
        const std::uint64_t some = std::min(kAtOnce, count - done);
        if (auto read = bytes_into(begin + done * each, some * each, bytes.data()); !read) return read;
        widen(place.type, bytes.data(), out + done, some);
    }
    return Done{};
}

Result<std::vector<float>> TensorFile::read_part(const TensorPlace& place, std::uint64_t first, std::uint64_t count) const {
    std::vector<float> out(count);
    if (auto read = read_into(place, first, count, out.data()); !read) return read.error();
    return out;
}

Result<TensorFile::Numbers> TensorFile::read(const TensorPlace& place) const {
    auto values = read_part(place, 0, place.count());
    if (!values) return values.error();
    Numbers out{place.shape, std::move(*values), 0, 0};
    for (std::uint64_t i = 0; i < out.values.size(); ++i) {
        if (std::isfinite(out.values[i])) continue;
        if (out.not_finite++ == 0) out.first_bad = i;
    }
    return out;
}

Result<bool> TensorFile::same(const TensorFile& a, const TensorPlace& of_a, const TensorFile& b, const TensorPlace& of_b) {
    constexpr std::uint64_t kAtOnce = 1 << 18;
    if (of_a.shape != of_b.shape) return false;
    for (std::uint64_t first = 0, all = of_a.count(); first < all; first += kAtOnce) {
        const std::uint64_t count = std::min(kAtOnce, all - first);
        const auto left = a.read_part(of_a, first, count), right = b.read_part(of_b, first, count);
        if (!left) return left.error();
        if (!right) return right.error();
        // Bitwise, so that a NaN equals itself.
        if (std::memcmp(left->data(), right->data(), count * sizeof(float)) != 0) return false;
    }
    return true;
}

Result<Matrix> TensorFile::matrix(std::string_view tensor) const {
    const TensorPlace* place = header_.find(tensor);
    if (!place) return Error{"there is no such tensor", name_, std::string(tensor), 0};
    if (place->shape.size() > 2)
        return Error{fmt::format("it has {} dimensions; a matrix has two", place->shape.size()), name_, place->name, 0};
    constexpr std::uint64_t kLongest = std::numeric_limits<int>::max();
    for (const std::uint64_t size : place->shape)
        if (size > kLongest) return Error{"it is too large for a matrix", name_, place->name, 0};
    auto numbers = read(*place);
    if (!numbers) return numbers.error();
    const auto rank = place->shape.size();
    const auto rows = static_cast<Eigen::Index>(rank == 2 ? place->shape[0] : 1);
    const auto cols = static_cast<Eigen::Index>(rank == 0 ? 1 : place->shape[rank - 1]);
    return Matrix(Eigen::Map<const Matrix>(numbers->values.data(), rows, cols));
}

std::string tensor_file_bytes(std::span<const NamedTensor> tensors, const std::map<std::string, std::string>& metadata,
                              TensorNumbers numbers) {
    return tensor_file_bytes(tensors, metadata, numbers, {});
}

std::string tensor_file_bytes(std::span<const NamedTensor> tensors, const std::map<std::string, std::string>& metadata,
                              TensorNumbers numbers, const std::set<std::string>& lists) {
    const bool half = numbers == TensorNumbers::F16;
    JsonWriter header(JsonLayout::Compact);
    header.begin_object();
    if (!metadata.empty()) {
        header.key("__metadata__");
        header.begin_object();
        for (const auto& [key, value] : metadata) {
            header.key(key);
            header.string(value);
        }
        header.end_object();
    }
    std::uint64_t at = 0;
    for (const NamedTensor& tensor : tensors) {
        const std::uint64_t size = static_cast<std::uint64_t>(tensor.value.size()) * (half ? 2 : 4);
        header.key(tensor.name);
        header.begin_object();
        header.key("dtype");
        header.string(half ? "F16" : "F32");
        header.key("shape");
        header.begin_row();
        const bool list = lists.contains(tensor.name);
        assert(!list || tensor.value.rows() == 1);
        if (!list) header.integer(tensor.value.rows());
        header.integer(tensor.value.cols());
        header.end_array();
        header.key("data_offsets");
        header.begin_row();
        header.integer(static_cast<std::int64_t>(at));
        header.integer(static_cast<std::int64_t>(at + size));
        header.end_array();
        header.end_object();
        at += size;
    }
    header.end_object();
    std::string text = header.take();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    text.resize((text.size() + kHeaderStart - 1) / kHeaderStart * kHeaderStart, ' ');
    std::string out(kHeaderStart, '\0');
    const std::uint64_t length = text.size();
    std::memcpy(out.data(), &length, kHeaderStart);
    out += text;
    for (const NamedTensor& tensor : tensors) {
        if (!half) {
            out.append(reinterpret_cast<const char*>(tensor.value.data()), static_cast<std::size_t>(tensor.value.size()) * 4);
            continue;
        }
        for (Eigen::Index i = 0; i < tensor.value.size(); ++i) {
            const auto bits = std::bit_cast<std::uint16_t>(Eigen::half(tensor.value.data()[i]));
            out.append(reinterpret_cast<const char*>(&bits), 2);
        }
    }
    return out;
}

}  // namespace attn
