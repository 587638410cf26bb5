#pragma once
// A document as one line of text: "attenscope:1:…", short, safe in addresses and chats, checked when it is read.

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
/// The same to be sent. A link holds no files: an error where the document takes a model, a picture or attention from one.
Result<std::string> link_to_send(const Document& document);

/// Whether a text is meant as a link: begins with the scheme, blanks aside.
bool is_link(std::string_view text);

/// Blanks and line breaks inside are overlooked: mail programs put them there. Errors, each with its sentence: no link,
/// another version, characters that are none of a link's, damaged (the check fails), a document that cannot be read.
Result<Document> document_from_link(std::string_view text);

}  // namespace attn
