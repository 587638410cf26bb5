#include "core/io/json_writer.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "core/io/safe_text.h"
#include "core/text/unicode.h"

namespace attn {

namespace {

constexpr std::size_t kIndent = 2;

/// Shortest round trip; -0.0 keeps its fraction, because JSON readers take "-0" for the integer 0 and lose the sign.
template <class Real>
std::string_view write_shortest(std::array<char, 32>& buffer, Real value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0 && std::signbit(value)) return "-0.0";
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data())};
}

template <class Real>
void append_number(std::string& out, Real value) {
    std::array<char, 32> buffer;
    const std::string_view text = write_shortest(buffer, value);
    if (std::isfinite(value))
        out += text;
    else
        out.append(1, '"').append(text).append(1, '"');
}

void append_escape(std::string& out, char32_t c) {
    switch (c) {
        case '\b':
            out += "\\b";
            return;
        case '\f':
            out += "\\f";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));  // none is above U+FFFF
    }
}

}  // namespace

std::string shortest(float value) {
    std::array<char, 32> buffer;
    return std::string(write_shortest(buffer, value));
}

std::string shortest(double value) {
    std::array<char, 32> buffer;
    return std::string(write_shortest(buffer, value));
}

void JsonWriter::new_line() {
    if (layout_ == JsonLayout::Compact) return;
    out_ += '\n';
    out_.append(levels_.size() * kIndent, ' ');
}

void JsonWriter::before_value() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (levels_.empty()) {
        assert(out_.empty() && "one value a document");
        return;
    }
    Level& level = levels_.back();
    assert(!level.object && "a key comes before a value in an object");
    if (!level.empty) out_ += ',';
    if (!level.one_line)
        new_line();
    else if (!level.empty && layout_ == JsonLayout::Indented)
        out_ += ' ';
    level.empty = false;
}

void JsonWriter::key(std::string_view name) {
    assert(!levels_.empty() && levels_.back().object && !after_key_);
    Level& level = levels_.back();
    if (!level.empty) out_ += ',';
    if (!level.one_line)
        new_line();
    else if (!level.empty && layout_ == JsonLayout::Indented)
        out_ += ' ';
    level.empty = false;
    append_string(name);
    out_ += layout_ == JsonLayout::Indented ? ": " : ":";
    after_key_ = true;
}

void JsonWriter::begin(char bracket, bool object, bool one_line) {
    const bool inherited = !levels_.empty() && levels_.back().one_line;
    before_value();
    out_ += bracket;
    levels_.push_back({object, one_line || inherited});
}

void JsonWriter::end(char bracket, bool object) {
    assert(!levels_.empty() && levels_.back().object == object && !after_key_);
    (void)object;
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty && !level.one_line) new_line();
    out_ += bracket;
}

void JsonWriter::begin_object() { begin('{', true, false); }
void JsonWriter::end_object() { end('}', true); }
void JsonWriter::begin_array() { begin('[', false, false); }
void JsonWriter::begin_row() { begin('[', false, true); }
void JsonWriter::end_array() { end(']', false); }

void JsonWriter::null() {
    before_value();
    out_ += "null";
}

void JsonWriter::boolean(bool value) {
    before_value();
    out_ += value ? "true" : "false";
}

void JsonWriter::integer(std::int64_t value) {
    before_value();
    fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonWriter::natural(std::uint64_t value) {
    before_value();
    fmt::format_to(std::back_inserter(out_), "{}", value);
}

void JsonWriter::number(float value) {
    before_value();
    append_number(out_, value);
}

void JsonWriter::number(double value) {
    before_value();
    append_number(out_, value);
}

void JsonWriter::string(std::string_view text) {
    before_value();
    append_string(text);
}

void JsonWriter::append_string(std::string_view text) {
    out_ += '"';
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = decode_utf8(text, at);
        if (!c.valid)
            out_ += "\xEF\xBF\xBD";
        else if (is_active(c.value))
            append_escape(out_, c.value);
        else if (c.value == '"' || c.value == '\\')
            out_.append(1, '\\').append(text.substr(at, c.length));
        else
            out_ += text.substr(at, c.length);
        at += c.length;
    }
    out_ += '"';
}

void JsonWriter::strings(std::span<const std::string> texts) {
    begin_row();
    for (const std::string& text : texts) string(text);
    end_array();
}

void JsonWriter::numbers(std::span<const float> values) {
    begin_row();
    for (const float value : values) number(value);
    end_array();
}

void JsonWriter::matrix(const Matrix& values) {
    begin_array();
    for (Eigen::Index row = 0; row < values.rows(); ++row)
        numbers({values.data() + row * values.cols(), static_cast<std::size_t>(values.cols())});
    end_array();
}

std::string JsonWriter::take() {
    assert(levels_.empty() && !after_key_ && "an object or array is still open");
    if (layout_ == JsonLayout::Indented) out_ += '\n';
    std::string taken = std::move(out_);
    out_.clear();
    return taken;
}

}  // namespace attn
