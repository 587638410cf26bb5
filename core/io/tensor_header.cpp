// The header of a safetensors file: JSON read by parser events, so that a million tensors need no tree.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "core/base/effort.h"
#include "core/io/safetensors.h"
#include "core/io/sniff.h"
#include "core/text/unicode.h"

namespace attn {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::size_t kMaxTensorRank = 8;
constexpr std::string_view kMetadata = "__metadata__";

struct TensorType {
    std::string_view id;
    std::uint64_t bytes;  ///< per number; 0: less than a byte, which is refused
};
constexpr std::array kTensorTypes = {
    TensorType{"F32", 4}, TensorType{"F16", 2}, TensorType{"BF16", 2},    TensorType{"F64", 8},     TensorType{"I64", 8},
    TensorType{"I32", 4}, TensorType{"I16", 2}, TensorType{"I8", 1},      TensorType{"U64", 8},     TensorType{"U32", 4},
    TensorType{"U16", 2}, TensorType{"U8", 1},  TensorType{"BOOL", 1},    TensorType{"F8_E4M3", 1}, TensorType{"F8_E5M2", 1},
    TensorType{"F4", 0},  TensorType{"F6_E2M3", 0}, TensorType{"F6_E3M2", 0}};

const TensorType* type_of(std::string_view id) {
    const auto at = std::find_if(kTensorTypes.begin(), kTensorTypes.end(), [&](const TensorType& type) { return type.id == id; });
    return at == kTensorTypes.end() ? nullptr : &*at;
}

Error header_error(std::string message, std::string_view tensor = {}) {
    return {std::move(message), "", std::string(tensor), 0};
}

std::string shown_name(std::string_view name) {
    constexpr std::size_t kShown = 80;
    return visible(name.substr(0, kShown)) + (name.size() > kShown ? "…" : "");
}

/// Parser events. Depth 1 holds tensors, depth 2 their fields, depth 3 the two lists.
class HeaderEvents {
public:
    using Json = nlohmann::json;
    TensorHeader header;
    Error error;

    bool null() { return wrong("null"); }
    bool boolean(bool) { return wrong("true or false"); }
    bool number_integer(Json::number_integer_t value) { return wrong(fmt::format("{}", value)); }
    bool number_float(Json::number_float_t, const std::string& text) { return wrong(text); }
    bool binary(Json::binary_t&) { return wrong("bytes"); }
    bool number_unsigned(Json::number_unsigned_t value) {
        count_step();
        if (depth_ != 3) return wrong("a number");
        std::vector<std::uint64_t>& list = field_ == Field::Shape ? tensor_.shape : offsets_;
        if (list.size() >= (field_ == Field::Shape ? kMaxTensorRank : std::size_t{2}))
            return fail(field_ == Field::Shape ? "it has more than 8 dimensions" : "data_offsets must have two numbers");
        list.push_back(value);
        return true;
    }
    bool string(std::string& value) {
        if (depth_ == 2 && in_metadata_) {
            header.metadata[field_key_] = value;
            return true;
        }
        if (depth_ != 2 || field_ != Field::Type) return wrong("a text");
        tensor_.type = value;
        return true;
    }
    bool start_object(std::size_t) {
        if (depth_ == 2 || depth_ == 3) return fail("an object is where none is allowed");
        ++depth_;
        if (depth_ == 2 && !in_metadata_) {
            tensor_ = {};
            tensor_.name = name_;
            offsets_.clear();
            seen_type_ = seen_shape_ = seen_offsets_ = false;
        }
        return true;
    }
    bool start_array(std::size_t) {
        if (depth_ != 2 || in_metadata_ || field_ == Field::Type) return fail("a list is where none is allowed");
        ++depth_;
        return true;
    }
    bool end_array() {
        --depth_;
        return true;
    }
    bool key(std::string& value) {
        count_steps(value.size() + 1);
        if (depth_ == 1) {
            name_ = value;
            in_metadata_ = value == kMetadata;
            if (!names_.insert(value).second) return fail("the name occurs twice; two readers could read two different tensors");
            return true;
        }
        field_key_ = value;
        if (in_metadata_) return !header.metadata.contains(value) || fail(fmt::format("\"{}\" occurs twice", shown_name(value)));
        bool* seen = nullptr;
        if (value == "dtype") field_ = Field::Type, seen = &seen_type_;
        if (value == "shape") field_ = Field::Shape, seen = &seen_shape_;
        if (value == "data_offsets") field_ = Field::Offsets, seen = &seen_offsets_;
        if (!seen) return fail(fmt::format("there is no field \"{}\"", shown_name(value)));
        if (*seen) return fail(fmt::format("\"{}\" occurs twice", value));
        return *seen = true;
    }
    bool end_object() {
        --depth_;
        if (depth_ == 1 && in_metadata_) in_metadata_ = false;
        else if (depth_ == 1) return take_tensor();
        return true;
    }
    bool parse_error(std::size_t offset, const std::string&, const nlohmann::detail::exception&) {
        if (error.message.empty()) error = header_error(fmt::format("The header is no JSON at byte {} of it.", offset));
        return false;
    }

private:
    enum class Field : std::uint8_t { Type, Shape, Offsets };

    bool fail(std::string message) {
        error = header_error(std::move(message), shown_name(name_));
        return false;
    }
    bool wrong(std::string_view what) {
        if (depth_ == 0) return fail("The header must be an object.");
        if (in_metadata_) return fail("__metadata__ may hold texts alone");
        return fail(fmt::format("found {} where {} is expected", what,
                                depth_ == 3 ? "a whole number from 0 on" : depth_ == 1 ? "a tensor" : "a field of another kind"));
    }
    bool take_tensor() {
        if (!seen_type_ || !seen_shape_ || !seen_offsets_) return fail("dtype, shape and data_offsets must all be there");
        const TensorType* type = type_of(tensor_.type);
        if (!type) return fail(fmt::format("the type \"{}\" is not known", shown_name(tensor_.type)));
        if (type->bytes == 0) return fail(fmt::format("the type {} does not fill whole bytes and is not read", type->id));
        if (offsets_.size() != 2) return fail("data_offsets must have two numbers");
        tensor_.begin = offsets_[0];
        tensor_.end = offsets_[1];
        if (tensor_.end < tensor_.begin) return fail("it ends before it begins");
        std::uint64_t bytes = type->bytes;
        for (const std::uint64_t size : tensor_.shape)
            if (__builtin_mul_overflow(bytes, size, &bytes)) return fail("the product of its shape is beyond 64 bits");
        if (tensor_.end - tensor_.begin != bytes)
            return fail(fmt::format("its shape takes {} bytes, its place has {}", bytes, tensor_.end - tensor_.begin));
        header.tensors.push_back(std::move(tensor_));
        return true;
    }

    int depth_ = 0;
    bool in_metadata_ = false, seen_type_ = false, seen_shape_ = false, seen_offsets_ = false;
    Field field_ = Field::Type;
    std::string name_, field_key_;
    TensorPlace tensor_;
    std::vector<std::uint64_t> offsets_;
    std::unordered_set<std::string> names_;
};

/// The first byte that is not UTF-8, or npos.
std::size_t first_ill_formed(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        count_step();
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at;
            continue;
        }
        const CodePoint point = decode_utf8(text, at);
        if (!point.valid) return at;
        at += static_cast<std::size_t>(point.length);
    }
    return std::string_view::npos;
}

/// Tensors must follow each other without gaps, from the header's end to the file's.
Result<Done> check_places(TensorHeader& header, std::uint64_t data_bytes) {
    std::stable_sort(header.tensors.begin(), header.tensors.end(), [](const TensorPlace& a, const TensorPlace& b) {
        count_step();
        return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
    });
    std::uint64_t at = 0;
    for (const TensorPlace& tensor : header.tensors) {
        if (tensor.begin < at) return header_error("its bytes belong to another tensor as well", shown_name(tensor.name));
        if (tensor.begin > at)
            return header_error(fmt::format("{} bytes before it belong to no tensor", tensor.begin - at), shown_name(tensor.name));
        at = tensor.end;
    }
    if (at > data_bytes)
        return header_error(fmt::format("The file is cut: its tensors take {} bytes, it has {}. Download it again.", at, data_bytes));
    if (at < data_bytes) return header_error(fmt::format("{} bytes follow the last tensor and belong to none.", data_bytes - at));
    return Done{};
}

}  // namespace

std::uint64_t TensorPlace::count() const {
    std::uint64_t n = 1;
    for (const std::uint64_t size : shape) n *= size;
    return n;
}

const TensorPlace* TensorHeader::find(std::string_view name) const {
    const auto at = std::find_if(tensors.begin(), tensors.end(), [&](const TensorPlace& t) { return t.name == name; });
    return at == tensors.end() ? nullptr : &*at;
}

Result<TensorHeader> read_tensor_header(std::string_view bytes, std::uint64_t file_bytes) {
    // A header of 640 bytes begins like a pickle, so a file that looks like safetensors is not tested for other kinds.
    const bool ours = bytes.size() > kLengthBytes && bytes[kLengthBytes] == '{';
    if (const auto other = ours ? std::nullopt : recognise_other(bytes.substr(0, 4096), "weights in safetensors"))
        return header_error(*other);
    if (file_bytes < kLengthBytes || bytes.size() < kLengthBytes)
        return header_error(fmt::format("The file has {} bytes: shorter than 8 bytes, so it is no safetensors file.", file_bytes));
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i)
        length |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    if (length == 0) return header_error("The header's length is 0.");
    if (length > kMaxTensorHeader)
        return header_error(fmt::format("The header's length is {} bytes; at most {} are read.", length, kMaxTensorHeader));
    if (length > file_bytes - kLengthBytes)
        return header_error(fmt::format("The header's length is {} bytes, but the file has {}.", length, file_bytes));
    if (bytes.size() - kLengthBytes < length) return header_error("The header was not read whole.");
    const std::string_view text = bytes.substr(kLengthBytes, length);
    if (text.front() != '{') return header_error("The header must begin with '{' at byte 8.");
    if (const std::size_t at = first_ill_formed(text); at != std::string_view::npos)
        return header_error(fmt::format("The header is not UTF-8 at byte {} of it.", at));
    HeaderEvents events;
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &events)) return events.error;
    events.header.data_begin = kLengthBytes + length;
    const auto checked = check_places(events.header, file_bytes - events.header.data_begin);
    if (!checked) return checked.error();
    return std::move(events.header);
}

}  // namespace attn
