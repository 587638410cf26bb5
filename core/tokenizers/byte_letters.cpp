#include "core/tokenizers/byte_letters.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace attn::tokenizing {

namespace {

constexpr char32_t kFirstOther = 0x100;

constexpr bool stands_for_itself(int byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr std::array<char32_t, 256> make_letters() {
    std::array<char32_t, 256> out{};
    char32_t next = kFirstOther;
    for (int byte = 0; byte < 256; ++byte)
        out[static_cast<std::size_t>(byte)] = stands_for_itself(byte) ? static_cast<char32_t>(byte) : next++;
    return out;
}
constexpr std::array<char32_t, 256> kLetters = make_letters();

}  // namespace

char32_t byte_letter(std::uint8_t byte) { return kLetters[byte]; }

std::optional<std::uint8_t> byte_of_letter(char32_t letter) {
    if (letter < kFirstOther)
        return stands_for_itself(static_cast<int>(letter)) ? std::optional(static_cast<std::uint8_t>(letter))
                                                           : std::nullopt;
    for (std::size_t byte = 0; byte < kLetters.size(); ++byte)
        if (kLetters[byte] == letter) return static_cast<std::uint8_t>(byte);
    return std::nullopt;
}

AlignedText to_byte_letters(const AlignedText& text) {
    AlignedText out;
    out.text.reserve(2 * text.text.size());
    out.from.reserve(2 * text.text.size());
    for (std::size_t i = 0; i < text.text.size(); ++i) {
        count_step();
        out.append(encode_utf8(byte_letter(static_cast<std::uint8_t>(text.text[i]))), text.from[i]);
    }
    return out;
}

std::optional<std::string> bytes_of_letters(std::string_view token) {
    std::string out;
    bool all = true;
    each_character(token, [&](char32_t code, std::size_t, std::size_t) {
        const auto byte = byte_of_letter(code);
        all = all && byte.has_value();
        out += static_cast<char>(byte.value_or(0));
    });
    return all ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::uint8_t> fallback_byte(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') return std::nullopt;
    unsigned value = 0;
    const char* const end = token.data() + 5;
    const auto read = std::from_chars(token.data() + 3, end, value, 16);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return static_cast<std::uint8_t>(value);
}

std::string fallback_token(std::uint8_t byte) { return fmt::format("<0x{:02X}>", byte); }

}  // namespace attn::tokenizing
