#pragma once
// The letters with which byte-level vocabularies write bytes: printable Latin ones stand for themselves, the 68 others
// are mapped to U+0100 and up, in order ("Ġ" is the space, "Ċ" the line feed). From GPT-2's encoder.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/tokenizers/aligned_text.h"

namespace attn::tokenizing {

char32_t byte_letter(std::uint8_t byte);
std::optional<std::uint8_t> byte_of_letter(char32_t letter);

/// Each byte as its letter, with the span of its character.
AlignedText to_byte_letters(const AlignedText& text);

/// The bytes of a token; nullopt if one of its characters is not such a letter.
std::optional<std::string> bytes_of_letters(std::string_view token);

/// The byte E6 for "<0xE6>"; nullopt for any other token.
std::optional<std::uint8_t> fallback_byte(std::string_view token);
std::string fallback_token(std::uint8_t byte);

}  // namespace attn::tokenizing
