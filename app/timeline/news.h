#pragma once
// How much a step of a run has to tell, judged from its numbers, and how long the story stays on it.

#include <cstdint>
#include <vector>

#include "core/trace/trace.h"

namespace app {

enum class News : std::uint8_t {
    Nothing,  ///< every number equals the one that was read: a product with the identity, an empty mask, a scale by 1
    Again,    ///< the same step of another block, time or tile has been shown
    Echo,     ///< the same, but who attends to whom, or which word comes, differs
    Carried,  ///< its numbers are moved, not new
    Usual,
    Telling,  ///< scores, weights, mixing or probabilities, shown for the first time
};

/// The news of each of these steps, in their order. Compares all numbers of a step only if it may equal what it read.
std::vector<News> news_of(const attn::Trace& trace, const std::vector<attn::StepId>& steps);

/// A product whose first factor is weights, so that values are mixed.
bool mixes_values(const attn::Trace& trace, attn::StepId step);

struct StorySeconds {
    double motion = 0, rest = 0;
};
/// The time of each step. The total is between kStoryLeast and kStoryMost seconds (kStoryMostOfMany with several blocks
/// or times) where possible: blinks are shortened only if they are over a third of it, few steps are stretched by at
/// most kStoryStretch, and with several blocks the Telling steps are shortened last.
inline constexpr double kStoryLeast = 18, kStoryMost = 21, kStoryMostOfMany = 28, kStoryStretch = 1.6, kBlink = 0.6;
std::vector<StorySeconds> story_seconds(const attn::Trace& trace, const std::vector<attn::StepId>& steps,
                                        const std::vector<News>& news);

}  // namespace app
