#include "core/document/link.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "core/document/fields.h"
#include "core/io/safe_text.h"

namespace attn {
namespace {

constexpr std::string_view kVersion = "1:";
constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kWhere = "the link";
/// Negative: raw deflate, without zlib's header and checksum.
constexpr int kBareWindow = -15;
constexpr std::size_t kCheckBytes = 4;
/// Limits of a link's text and of its JSON: as large as a document may be.
constexpr std::size_t kMostText = std::size_t{24} << 20, kMostJson = std::size_t{16} << 20;

Error bad(std::string message) { return {std::move(message), std::string(kWhere), "", 0}; }
Error damaged() { return bad("characters are missing or changed; copy the whole link again"); }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string to_base64(std::string_view bytes) {
    std::string out;
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : bytes) {
        held = held << 8 | static_cast<unsigned char>(c);
        for (bits += 8; bits >= 6; bits -= 6) out += kAlphabet[held >> (bits - 6) & 63];
    }
    if (bits > 0) out += kAlphabet[held << (6 - bits) & 63];
    return out;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string out;
    std::uint32_t held = 0;
    int bits = 0;
    for (const char c : text) {
        if (is_blank(c)) continue;
        const std::size_t digit = kAlphabet.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        held = held << 6 | static_cast<std::uint32_t>(digit);
        if ((bits += 6) >= 8) out += static_cast<char>(held >> (bits -= 8) & 255);
    }
    // The remaining bits are padding: fewer than one digit, and all zero.
    if (bits >= 6 || (held & ((1u << bits) - 1)) != 0) return std::nullopt;
    return out;
}

Bytef* bytes_of(std::string& text) { return reinterpret_cast<Bytef*>(text.data()); }
Bytef* bytes_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

std::string check_of(std::string_view json) {
    const auto sum = static_cast<std::uint32_t>(crc32(0, bytes_of(json), static_cast<uInt>(json.size())));
    std::string out;
    for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(sum >> shift & 255);
    return out;
}

std::string deflated(std::string_view json) {
    z_stream stream{};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kBareWindow, 9, Z_DEFAULT_STRATEGY) != Z_OK) return {};
    std::string out(deflateBound(&stream, static_cast<uLong>(json.size())), '\0');
    stream.next_in = bytes_of(json);
    stream.avail_in = static_cast<uInt>(json.size());
    stream.next_out = bytes_of(out);
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

/// Nothing if the bytes are damaged, followed by something, or unpack to more than a document may have.
std::optional<std::string> inflated(std::string_view bytes) {
    z_stream stream{};
    if (inflateInit2(&stream, kBareWindow) != Z_OK) return std::nullopt;
    stream.next_in = bytes_of(bytes);
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string out;
    std::array<char, 65536> block;
    int state = Z_OK;
    while (state == Z_OK && out.size() <= kMostJson) {
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        state = inflate(&stream, Z_NO_FLUSH);
        const std::size_t made = block.size() - stream.avail_out;
        out.append(block.data(), made);
        if (state == Z_OK && made == 0 && stream.avail_in == 0) break;  // truncated
    }
    const bool whole = state == Z_STREAM_END && stream.avail_in == 0 && out.size() <= kMostJson;
    inflateEnd(&stream);
    if (!whole) return std::nullopt;
    return out;
}

std::string_view without_blanks_around(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

std::string document_link(const Document& document) {
    const std::string json = document_to_json(document, JsonLayout::Compact);
    return std::string(kLinkScheme).append(kVersion).append(to_base64(check_of(json) + deflated(json)));
}

Result<std::string> link_to_send(const Document& document) {
    std::string link = document_link(document);
    if (const auto again = document_from_link(link); !again)
        return Error{fmt::format("nobody could open this link, because it holds no files: {}. Send the document's JSON together with the files",
                                 again.error().message),
                     "", again.error().key, 0};
    return link;
}

bool is_link(std::string_view text) { return without_blanks_around(text).starts_with(kLinkScheme); }

Result<Document> document_from_link(std::string_view text) {
    text = without_blanks_around(text);
    if (!text.starts_with(kLinkScheme)) return bad(fmt::format("a link begins with \"{}\"", kLinkScheme));
    if (text.size() > kMostText) return bad(fmt::format("more than {} MB; that is no link", kMostText >> 20));
    text.remove_prefix(kLinkScheme.size());
    if (!text.starts_with(kVersion)) {
        const std::string_view version = text.substr(0, std::min<std::size_t>(text.find(':'), 8));
        return bad(fmt::format("version {} is not known; this program reads version 1", in_quotes(version)));
    }
    const auto bytes = from_base64(text.substr(kVersion.size()));
    if (!bytes || bytes->size() < kCheckBytes) return damaged();
    const auto json = inflated(std::string_view(*bytes).substr(kCheckBytes));
    if (!json || check_of(*json) != bytes->substr(0, kCheckBytes)) return damaged();
    return document_from_json(*json, kWhere);
}

}  // namespace attn
