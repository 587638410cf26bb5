#pragma once
// Untrusted text on its way into a file or a message: repairs bad bytes and characters that act rather than show.
// Unlike visible() in core/text, which makes a short label, this preserves as much as possible.

#include <string>
#include <string_view>

namespace attn {

/// True for characters that act instead of showing: control characters, bidirectional overrides and isolates, and the
/// Unicode line separators. They can make a line in a terminal or spreadsheet look different from what was written.
bool is_active(char32_t code_point);

/// `text` as UTF-8 without active characters: control characters become their pictures (U+2400 on), other active
/// characters "<U+202E>", bytes that are not UTF-8 U+FFFD. With `keep_breaks`, tab, line feed and carriage return stay.
std::string visible_text(std::string_view text, bool keep_breaks = false);

/// Whether an address may become a link: http:// or https://, followed by a host, and nothing active or able to break
/// out of an attribute. Every address from a file is checked with this before it is used.
bool is_web_address(std::string_view text);

/// A name from a file for use inside a message: visible, in double quotes, cut with "…" after `max_characters`.
std::string in_quotes(std::string_view text, int max_characters = 40);

}  // namespace attn
