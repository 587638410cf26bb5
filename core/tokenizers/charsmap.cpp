#include "core/tokenizers/charsmap.h"

#include <fmt/format.h>

#include <algorithm>

namespace attn::tokenizing {

namespace {

// The fields of a trie unit, as darts-clone packs them.
bool has_leaf(std::uint32_t unit) { return ((unit >> 8) & 1U) == 1; }
std::uint32_t value_of(std::uint32_t unit) { return unit & 0x7FFFFFFFU; }
std::uint32_t label_of_unit(std::uint32_t unit) { return unit & 0x800000FFU; }
std::uint32_t offset_of(std::uint32_t unit) { return (unit >> 10) << ((unit & 0x200U) >> 6); }

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < 4; ++i)
        out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return out;
}

constexpr std::size_t kLargestGrapheme = 6;  // bytes; in a grapheme of this size or more, each character is looked up

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.size() % 4 != 0) return std::nullopt;
    std::string out;
    for (std::size_t at = 0; at < text.size(); at += 4) {
        std::uint32_t bits = 0;
        std::size_t padding = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const char c = text[at + i];
            const std::size_t digit = kDigits.find(c);
            if (c == '=' && at + 4 == text.size() && i >= 2)
                ++padding;
            else if (digit == std::string_view::npos || padding > 0)
                return std::nullopt;
            bits = (bits << 6) | static_cast<std::uint32_t>(c == '=' ? 0 : digit);
        }
        for (std::size_t i = 0; i + padding < 3; ++i) out += static_cast<char>((bits >> (16 - 8 * i)) & 255U);
    }
    return out;
}

Result<Charsmap> Charsmap::read(std::string_view bytes) {
    Charsmap out;
    if (bytes.size() < 4) return Error{"the table of replacements is shorter than 4 bytes", "", "", 0};
    const std::size_t size = little_endian(bytes, 0);
    if (size % 4 != 0 || size > bytes.size() - 4)
        return Error{
            fmt::format("the table of replacements says that its trie has {} bytes; {} follow", size, bytes.size() - 4),
            "", "", 0};
    for (std::size_t at = 4; at < 4 + size; at += 4) out.units_.push_back(little_endian(bytes, at));
    out.texts_ = std::string(bytes.substr(4 + size));
    if (!out.texts_.empty() && out.texts_.back() != '\0')
        return Error{"the last text of the table of replacements does not end", "", "", 0};
    return out;
}

std::optional<Charsmap::Found> Charsmap::find(std::string_view text, bool longest) const {
    std::optional<Found> out;
    if (units_.empty()) return out;
    std::size_t node = offset_of(units_[0]);
    for (std::size_t i = 0; i < text.size(); ++i) {
        count_step();
        const auto byte = static_cast<unsigned char>(text[i]);
        node ^= byte;
        if (byte == 0 || node >= units_.size() || label_of_unit(units_[node]) != byte) return out;
        const std::uint32_t unit = units_[node];
        node ^= offset_of(unit);
        if (!has_leaf(unit)) continue;
        if (node >= units_.size()) return out;
        const std::size_t at = value_of(units_[node]);
        if (at >= texts_.size()) return out;
        out = Found{i + 1, std::string_view(texts_.c_str() + at)};
        if (!longest) return out;
    }
    return out;
}

AlignedText Charsmap::longest(const AlignedText& text, std::size_t most) const {
    AlignedText out;
    const std::string_view all = text.text;
    for (std::size_t at = 0; at < all.size() && out.text.size() <= most;) {
        if (const auto found = find(all.substr(at), true)) {
            out.append(clean_utf8(found->replacement).text, text.span(at, at + found->length));
            at += found->length;
            // A key of the table normally ends at the end of a character, but a malformed file's may not.
            while (at < all.size() && (static_cast<unsigned char>(all[at]) & 0xC0U) == 0x80U) ++at;
            continue;
        }
        const std::size_t length = decode_utf8(all, at).length;
        out.append(text, at, at + length);
        at += length;
    }
    return out;
}

AlignedText Charsmap::by_grapheme(const AlignedText& text, std::size_t most) const {
    AlignedText out;
    std::size_t at = 0;
    const auto take = [&](std::string_view what) {
        const auto found = find(what, false);
        if (found) out.append(clean_utf8(found->replacement).text, text.span(at, at + what.size()));
        return found.has_value();
    };
    for (const std::string_view grapheme : graphemes(text.text)) {
        const std::size_t end = at + grapheme.size();
        if (out.text.size() > most) break;
        if (grapheme.size() < kLargestGrapheme && take(grapheme)) at = end;
        while (at < end) {
            const std::size_t length = decode_utf8(text.text, at).length;
            if (!take(std::string_view(text.text).substr(at, length))) out.append(text, at, at + length);
            at += length;
        }
    }
    return out;
}

}  // namespace attn::tokenizing
