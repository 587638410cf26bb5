#pragma once
// Text from the world on its way into a file or a message: bad bytes and characters that act rather than show. Unlike
// visible() in core/text, which makes a short label, this keeps all that can be kept.

#include <string>
#include <string_view>

namespace attn {

/// True for what acts instead of showing: control characters, bidirectional overrides and isolates, and the Unicode
/// line separators. They can turn a terminal's or a spreadsheet's line into something else than was written.
bool is_active(char32_t code_point);

/// `text` as UTF-8 that only shows: control characters become their pictures (U+2400 on), other active characters
/// "<U+202E>", bytes that are not UTF-8 U+FFFD. With `keep_breaks`, tab, line feed and carriage return stay.
std::string visible_text(std::string_view text, bool keep_breaks = false);

/// An address that may become a link: http:// or https://, a host behind it, and nothing that acts or breaks out of an
/// attribute. Every address from a file is asked about here before anything is made of it.
bool is_web_address(std::string_view text);

/// A name from a file inside a message: visible, in double quotes, cut with "…" after `max_characters`.
std::string in_quotes(std::string_view text, int max_characters = 40);

}  // namespace attn
