#pragma once
// A document as one line of text: "attenscope:1:…", short, safe in addresses and chats, with a checksum.

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/document/document.h"

namespace attn {

/// "attenscope:"
inline constexpr std::string_view kLinkScheme = "attenscope:";

/// The scheme, the format's version, and in base64url (RFC 4648, section 5, without padding): four bytes of CRC-32 of
/// the JSON, then the document's compact JSON, deflated (RFC 1951). The same document gives the same link.
std::string document_link(const Document& document);
/// The same, for sending. A link contains no files, so it is an error if the document's model, picture or attention is
/// a file.
Result<std::string> link_to_send(const Document& document);

/// Whether a text is meant as a link: begins with the scheme, ignoring blanks.
bool is_link(std::string_view text);

/// Blanks and line breaks inside are ignored, because mail programs insert them. Errors, each with its own sentence: no
/// link, another version, characters that no link contains, damaged (the checksum differs), a document that cannot be
/// read.
Result<Document> document_from_link(std::string_view text);

}  // namespace attn
