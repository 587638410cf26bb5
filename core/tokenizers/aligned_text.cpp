#include "core/tokenizers/aligned_text.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace attn::tokenizing {

void AlignedText::append(std::string_view bytes, Span origin) {
    text += bytes;
    from.resize(text.size(), origin);
}

void AlignedText::append(const AlignedText& other, std::size_t begin, std::size_t end) {
    text.append(other.text, begin, end - begin);
    from.insert(from.end(), other.from.begin() + static_cast<std::ptrdiff_t>(begin),
                other.from.begin() + static_cast<std::ptrdiff_t>(end));
}

AlignedText AlignedText::part(std::size_t begin, std::size_t end) const {
    AlignedText out;
    out.append(*this, begin, end);
    return out;
}

Span AlignedText::span(std::size_t begin, std::size_t end) const {
    assert(begin < end && end <= from.size());
    Span out = from[begin];
    bool typed = false;
    for (std::size_t i = begin; i < end; ++i) {
        const Span one = from[i];
        if (one.begin == one.end) continue;
        out = typed ? Span{std::min(out.begin, one.begin), std::max(out.end, one.end)} : one;
        typed = true;
    }
    return out;
}

void AlignedText::prepend(std::string_view bytes) {
    const std::uint32_t at = from.empty() ? 0 : from.front().begin;
    text.insert(0, bytes);
    from.insert(from.begin(), bytes.size(), Span{at, at});
}

AlignedText align(std::string_view typed) {
    assert(typed.size() <= std::numeric_limits<std::int32_t>::max());
    AlignedText out;
    out.text.reserve(typed.size());
    out.from.reserve(typed.size());
    for (std::size_t at = 0; at < typed.size();) {
        const CodePoint point = decode_utf8(typed, at);
        const Span span{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + point.length)};
        out.append(point.valid ? typed.substr(at, point.length) : std::string_view("\uFFFD"), span);
        at += point.length;
        count_step();
    }
    return out;
}

}  // namespace attn::tokenizing
