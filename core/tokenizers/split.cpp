#include "core/tokenizers/split.h"

#include <algorithm>

namespace attn::tokenizing {

namespace {

/// Merges neighbouring stretches where join(left, right) holds.
template <class Join>
std::vector<Match> joined(const std::vector<Stretch>& stretches, Join join) {
    std::vector<Match> out;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
        if (i > 0 && join(i - 1, i))
            out.back().end = stretches[i].end;
        else
            out.push_back({stretches[i].begin, stretches[i].end});
    }
    return out;
}

}  // namespace

std::vector<Stretch> stretches_of(const std::vector<Match>& matches, std::size_t size, bool invert) {
    std::vector<Stretch> out;
    std::size_t at = 0;
    for (const Match& match : matches) {
        if (match.begin > at) out.push_back({at, match.begin, invert});
        if (match.end > match.begin) out.push_back({match.begin, match.end, !invert});
        at = match.end;
    }
    if (size > at) out.push_back({at, size, invert});
    return out;
}

std::vector<Match> parts_of(const std::vector<Stretch>& s, Behavior behavior) {
    switch (behavior) {
        case Behavior::Removed: {
            std::vector<Match> out;
            for (const Stretch& one : s)
                if (!one.found) out.push_back({one.begin, one.end});
            return out;
        }
        case Behavior::Isolated:
            return joined(s, [](std::size_t, std::size_t) { return false; });
        case Behavior::Contiguous:
            return joined(s, [&](std::size_t a, std::size_t b) { return s[a].found == s[b].found; });
        case Behavior::MergedWithPrevious:
            return joined(s, [&](std::size_t a, std::size_t b) { return s[b].found && !s[a].found; });
        case Behavior::MergedWithNext:
            return joined(s, [&](std::size_t a, std::size_t b) { return s[a].found && !s[b].found; });
    }
    return {};
}

}  // namespace attn::tokenizing
