#pragma once
// What a step of a run has to tell: decided from its numbers, and how long the story stays with it.

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace app {

enum class News : std::uint8_t {
    Nothing,  ///< every number is the one that was read: a product with the identity, a mask of nothing, a scale by 1
    Again,    ///< the same step of another block, time or tile was told
    Echo,     ///< the same, but who looks at whom, or which word comes, is another
    Carried,  ///< its numbers are old ones in another place
    Usual,
    Telling,  ///< who asks, who answers, what is taken along: for the first time
};

/// Of each of these steps in their order. Compares every number of a step only where it equals what it read.
std::vector<News> news_of(const attn::Trace& trace, const std::vector<attn::StepId>& steps);

/// A product whose first factor is weights: values are mixed.
bool mixes_values(const attn::Trace& trace, attn::StepId step);

struct StorySeconds {
    double motion = 0, rest = 0;
};
/// Of each step, so that the whole is from kStoryLeast to kStoryMost seconds (kStoryMostOfMany with several blocks or
/// times) where that is possible: a blink stays one, few steps are not drawn out beyond kStoryStretch, and of several
/// blocks what tells gives way after all else.
inline constexpr double kStoryLeast = 18, kStoryMost = 21, kStoryMostOfMany = 28, kStoryStretch = 1.6, kBlink = 0.6;
std::vector<StorySeconds> story_seconds(const attn::Trace& trace, const std::vector<attn::StepId>& steps,
                                        const std::vector<News>& news);

}  // namespace app
