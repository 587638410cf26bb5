#include <fmt/format.h>

#include "core/tokenizers/byte_letters.h"
#include "core/tokenizers/pipeline.h"

namespace attn::tokenizing {

namespace {

/// Inserts a blank after a piece mark, before what follows ("早 2/2 好").
void add_after_mark(std::string& text, std::string_view more, bool& marked) {
    if (marked && !more.empty() && more.front() != ' ') text += ' ';
    text += more;
    marked = false;
}

/// A run of tokens whose bytes form characters together.
struct Run {
    std::vector<ModelToken>& pieces;
    const std::vector<std::string>& bytes;
    std::size_t first, last;  ///< tokens [first, last)
    std::string all;
    std::vector<std::size_t> owner;  ///< the token of each byte

    void gather() {
        for (std::size_t i = first; i < last; ++i) {
            all += bytes[i];
            owner.resize(all.size(), i);
            pieces[i].text.clear();
        }
    }

    void tell() {
        std::vector<bool> marked(last - first);
        for (std::size_t at = 0; at < all.size();) {
            count_step();
            const CodePoint point = decode_utf8(all, at);
            const std::size_t end = at + point.length;
            const std::string_view shown = std::string_view(all).substr(at, point.length);
            std::vector<std::size_t> owners;
            for (std::size_t i = at; i < end; ++i)
                if (owners.empty() || owners.back() != owner[i]) owners.push_back(owner[i]);
            for (std::size_t k = 0; k < owners.size(); ++k) {
                ModelToken& piece = pieces[owners[k]];
                bool mark = marked[owners[k] - first];
                if (!point.valid) {
                    std::string own;
                    for (std::size_t i = at; i < end; ++i)
                        if (owner[i] == owners[k]) own += all[i];
                    add_after_mark(piece.text, text_or_hex(own), mark);
                    mark = true;
                } else if (owners.size() == 1) {
                    add_after_mark(piece.text, shown, mark);
                } else {
                    if (!piece.text.empty() && piece.text.back() != ' ') piece.text += ' ';
                    piece.text += fmt::format("{} {}/{}", shown, k + 1, owners.size());
                    mark = true;
                    if (piece.parts == 0) {
                        piece.part = static_cast<int>(k) + 1;
                        piece.parts = static_cast<int>(owners.size());
                    }
                }
                marked[owners[k] - first] = mark;
            }
            at = end;
        }
    }
};

}  // namespace

std::string text_or_hex(std::string_view bytes) {
    std::string out;
    bool marked = false;
    for (std::size_t at = 0; at < bytes.size();) {
        const CodePoint point = decode_utf8(bytes, at);
        if (point.valid) {
            add_after_mark(out, bytes.substr(at, point.length), marked);
        } else {
            for (std::size_t i = at; i < at + point.length; ++i) {
                if (!out.empty() && out.back() != ' ') out += ' ';
                out += fmt::format("{:02X}", static_cast<unsigned char>(bytes[i]));
            }
            marked = true;
        }
        at += point.length;
    }
    return out;
}

void tell_parts(std::vector<ModelToken>& pieces, const std::vector<std::string>& bytes) {
    const auto is_alone = [&](std::size_t i) { return pieces[i].special || pieces[i].unknown; };
    for (std::size_t first = 0; first < pieces.size();) {
        if (is_alone(first)) {
            pieces[first].text = text_or_hex(bytes[first]);
            ++first;
            continue;
        }
        std::size_t last = first + 1;
        while (last < pieces.size() && !is_alone(last)) ++last;
        Run run{pieces, bytes, first, last, {}, {}};
        run.gather();
        run.tell();
        first = last;
    }
}

std::string bytes_of(const Pipeline& pipeline, int id) {
    const std::string_view token = pipeline.vocabulary->token(id);
    if (pipeline.added.find(id)) return std::string(token);
    const Spelling& spelling = pipeline.spelling;
    if (spelling.byte_tokens)
        if (const auto byte = fallback_byte(token)) return std::string(1, static_cast<char>(*byte));
    if (spelling.byte_letters) return bytes_of_letters(token).value_or(std::string(token));
    std::string_view rest = token;
    if (!spelling.prefix.empty() && rest.starts_with(spelling.prefix)) rest.remove_prefix(spelling.prefix.size());
    if (!spelling.suffix.empty() && rest.ends_with(spelling.suffix)) rest.remove_suffix(spelling.suffix.size());
    if (spelling.space.empty()) return std::string(rest);
    std::string out;
    std::size_t at = 0;
    for (std::size_t found = rest.find(spelling.space); found != std::string_view::npos;
         found = rest.find(spelling.space, at)) {
        out.append(rest, at, found - at).append(" ");
        at = found + spelling.space.size();
    }
    return out.append(rest.substr(at));
}

}  // namespace attn::tokenizing
