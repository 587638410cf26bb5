#pragma once
// Lines and columns of JSON tokens, counted while the library's lexer consumes the text. Internal to json.cpp.

#include <cstddef>
#include <iterator>

#include "core/base/effort.h"

namespace attn {

/// The place of a character: its address, and line and column counted from 1.
struct Place {
    const char* at = nullptr;
    int line = 1;
    int column = 0;
};

/// Follows the characters that the lexer consumes and records where the last tokens began. Scalars (numbers, strings,
/// words) and punctuation are recorded separately because the lexer reads one character past a number before it reports
/// it.
class PlaceTracker {
public:
    void advance(const char* at) {
        count_step();
        const char c = *at;
        here_.at = at;
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++here_.column;  // continuation bytes are no new column
        if (in_string_)
            follow_string(c);
        else
            follow_token(c);
        if (c == '\n') {
            ++here_.line;
            here_.column = 0;
        }
    }

    const Place& here() const { return here_; }
    const Place& scalar() const { return scalar_; }
    const Place& punctuation() const { return punctuation_; }

private:
    void follow_string(char c) {
        if (escaped_)
            escaped_ = false;
        else if (c == '\\')
            escaped_ = true;
        else if (c == '"')
            in_string_ = false;
    }

    void follow_token(char c) {
        switch (c) {
            case ' ':
            case '\t':
            case '\r':
            case '\n':
                in_word_ = false;
                break;
            case '[':
            case ']':
            case '{':
            case '}':
            case ',':
            case ':':
                punctuation_ = here_;
                in_word_ = false;
                break;
            case '"':
                scalar_ = here_;
                in_string_ = true;
                in_word_ = false;
                break;
            default:
                if (!in_word_) scalar_ = here_;
                in_word_ = true;
        }
    }

    Place here_, scalar_, punctuation_;
    bool in_string_ = false;
    bool escaped_ = false;
    bool in_word_ = false;
};

/// Input iterator that reports every consumed character to a tracker.
class TrackedIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    TrackedIterator(const char* at, PlaceTracker* tracker) : at_(at), tracker_(tracker) {}

    reference operator*() const { return *at_; }
    TrackedIterator& operator++() {
        tracker_->advance(at_++);
        return *this;
    }
    TrackedIterator operator++(int) {
        TrackedIterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }

private:
    const char* at_;
    PlaceTracker* tracker_;
};

}  // namespace attn
