#pragma once
// JSON written as a stream into a string: the same bytes for the same values on every machine and in every locale.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/matrix.h"

namespace attn {

/// The fewest digits that read back as the same float ("0.1", "1e-07", "-0.0"); "inf", "-inf" and "nan" otherwise.
std::string shortest(float value);
/// The same for a double.
std::string shortest(double value);

/// Compact has no blanks at all; Indented puts every member and item on its own line, and each row of numbers on one
/// line.
enum class JsonLayout : std::uint8_t { Compact, Indented };

/// Call in the order of the text: begin_object, key, a value, …, end_object. Calls out of order fail an assertion.
/// Infinities and NaN, which JSON numbers cannot express, are written as the strings "inf", "-inf", "nan". Strings that
/// are not UTF-8 are repaired (U+FFFD); control and direction characters are written as \u escapes.
class JsonWriter {
public:
    explicit JsonWriter(JsonLayout layout = JsonLayout::Indented) : layout_(layout) {}

    void begin_object();
    void end_object();
    void begin_array();
    /// An array on one line, with everything in it; closed by end_array().
    void begin_row();
    void end_array();
    void key(std::string_view name);

    void null();
    void boolean(bool value);
    void integer(std::int64_t value);
    void natural(std::uint64_t value);
    void number(float value);
    void number(double value);
    void string(std::string_view text);
    void strings(std::span<const std::string> texts);  ///< on one line
    void numbers(std::span<const float> values);       ///< on one line
    void matrix(const Matrix& values);                 ///< a list of rows, one line each

    /// The text, ending in a line feed if indented. The writer is empty afterwards.
    std::string take();

private:
    struct Level {
        bool object;
        bool one_line;
        bool empty = true;
    };

    void before_value();
    void new_line();
    void begin(char bracket, bool object, bool one_line);
    void end(char bracket, bool object);
    void append_string(std::string_view text);

    JsonLayout layout_;
    std::string out_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

}  // namespace attn
