#include "core/tokenizers/added_tokens.h"

#include <algorithm>

#include "core/tokenizers/character_rules.h"

namespace attn::tokenizing {

namespace {

/// The start of the character that ends before byte `at`; `at` is not 0.
std::size_t before(std::string_view text, std::size_t at) {
    do --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
    return at;
}

bool is_alone(std::string_view text, std::size_t begin, std::size_t end) {
    const bool left = begin == 0 || !is_word(decode_utf8(text, before(text, begin)).value);
    return left && (end == text.size() || !is_word(decode_utf8(text, end).value));
}

std::size_t blanks_begin(std::string_view text, std::size_t at, std::size_t not_before) {
    while (at > not_before) {
        const std::size_t last = before(text, at);
        if (last < not_before || !is_white(decode_utf8(text, last).value)) break;
        at = last;
    }
    return at;
}

std::size_t blanks_end(std::string_view text, std::size_t at) {
    while (at < text.size()) {
        const CodePoint point = decode_utf8(text, at);
        if (!is_white(point.value)) break;
        at += point.length;
    }
    return at;
}

}  // namespace

Result<AddedTokens> AddedTokens::make(std::vector<AddedToken> tokens, const Normalizer& normalizer) {
    AddedTokens out;
    out.tokens_ = std::move(tokens);
    std::vector<std::pair<std::string, int>> raw, normalized;
    for (std::size_t i = 0; i < out.tokens_.size(); ++i) {
        const AddedToken& token = out.tokens_[i];
        out.by_id_.try_emplace(token.id, i);
        if (!token.normalized) {
            raw.emplace_back(token.content, static_cast<int>(i));
            continue;
        }
        AlignedText text = align(token.content);
        Effort effort(text.text.size());
        if (auto done = normalizer(text, effort); !done) return done.error();
        normalized.emplace_back(std::move(text.text), static_cast<int>(i));
    }
    out.raw_ = SortedTokens(std::move(raw));
    out.normalized_ = SortedTokens(std::move(normalized));
    return out;
}

const AddedToken* AddedTokens::find(int id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &tokens_[found->second];
}

Result<Chunks> AddedTokens::split(const AlignedText& typed, const TakeFirst& take, const Normalizer& normalizer, Effort& effort) const {
    Chunks raw, out;
    split_at_tokens(typed, raw_, raw);
    for (Chunk& chunk : raw) {
        if (chunk.id >= 0) {
            out.push_back(std::move(chunk));
            continue;
        }
        if (take)
            if (auto done = take(chunk.text, out); !done) return done.error();
        if (auto done = normalizer(chunk.text, effort); !done) return done.error();
        split_at_tokens(std::move(chunk.text), normalized_, out);
    }
    return out;
}

void AddedTokens::split_at_tokens(AlignedText text, const SortedTokens& tokens, Chunks& out) const {
    const std::string_view all = text.text;
    std::size_t done = 0;
    const auto take = [&](std::size_t begin, std::size_t end, int id) {
        if (begin < end) out.push_back({text.part(begin, end), id});
    };
    for (std::size_t at = 0; !tokens.empty() && at < all.size();) {
        count_step();
        std::size_t length = 0;
        int place = 0;
        tokens.each_prefix(all.substr(at), [&](std::size_t n, int found) {
            length = n;
            place = found;
        });
        if (length == 0) {
            at += decode_utf8(all, at).length;
            continue;
        }
        const AddedToken& token = tokens_[static_cast<std::size_t>(place)];
        const std::size_t end = at + length;
        if (!token.single_word || is_alone(all, at, end)) {
            const std::size_t begin = token.lstrip ? blanks_begin(all, at, done) : at;
            const std::size_t stop = token.rstrip ? blanks_end(all, end) : end;
            take(done, begin, -1);
            take(begin, stop, token.id);
            done = stop;
        }
        at = std::max(done, end);
    }
    if (done == 0 && !text.empty())
        out.push_back({std::move(text), -1});
    else
        take(done, all.size(), -1);
}

}  // namespace attn::tokenizing
