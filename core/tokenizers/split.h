#pragma once
// Splitting chunks at matches.

#include "core/tokenizers/pre_tokenizers.h"

namespace attn::tokenizing {

/// The stretches of a whole text, in order: matches and what lies between them.
struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool found = false;
};

std::vector<Stretch> stretches_of(const std::vector<Match>& matches, std::size_t size, bool invert);

/// The parts into which a text is split, none of them empty.
std::vector<Match> parts_of(const std::vector<Stretch>& stretches, Behavior behavior);

/// Splits each chunk that is not an added token; find(text) returns its matches.
template <class Find>
Result<Done> split_chunks(Chunks& chunks, Behavior behavior, bool invert, Find find) {
    Chunks out;
    out.reserve(chunks.size());
    for (Chunk& chunk : chunks) {
        if (chunk.id >= 0) {
            out.push_back(std::move(chunk));
            continue;
        }
        const Result<std::vector<Match>> matches = find(std::string_view(chunk.text.text));
        if (!matches) return matches.error();
        const auto parts = parts_of(stretches_of(*matches, chunk.text.text.size(), invert), behavior);
        if (parts.size() == 1 && parts[0].begin == 0 && parts[0].end == chunk.text.text.size())
            out.push_back(std::move(chunk));
        else
            for (const Match& part : parts) out.push_back({chunk.text.part(part.begin, part.end)});
    }
    chunks = std::move(out);
    return Done{};
}

/// Each character for which `is` holds is a match.
template <class Is>
std::vector<Match> characters_that(std::string_view text, Is is) {
    std::vector<Match> out;
    each_character(text, [&](char32_t code, std::size_t begin, std::size_t end) {
        if (is(code)) out.push_back({begin, end});
    });
    return out;
}

}  // namespace attn::tokenizing
