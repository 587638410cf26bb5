#pragma once
// Chooses the frames of an animation of the whole walk before any is drawn.

#include <optional>
#include <vector>

#include "app/timeline/timeline.h"
#include "core/base/result.h"

namespace app {

/// One frame: a stop of the walk, the time in the walk in seconds, and how long it is shown, in 1/100 s.
struct AnimationFrame {
    int stop = 0;
    double time = 0;
    int delay = 10;
};

/// The number of frames beyond which an animation is thinned out, and the pixels of all frames together beyond which it
/// is refused.
inline constexpr int kMaxAnimationFrames = 1500;
inline constexpr double kMaxAnimationPixels = 4e9;
/// Frames per second: the desired rate, and the lowest that still looks like motion.
inline constexpr double kAnimationRate = 12;
inline constexpr double kMinAnimationRate = 4;

struct AnimationPlan {
    std::vector<AnimationFrame> frames;
    double rate = kAnimationRate;  ///< frames per second while something moves; lower for a long walk
    double seconds = 0;
};

/// Every motion at an even rate, its last frame held while the stop rests. `width`, `height` in pixels. `seconds`: the
/// length of the animation, if it should be faster or slower than the walk. Errors: a walk without stops, or one that
/// is too long or too large; the message has the figures and says what to change.
attn::Result<AnimationPlan> plan_animation(const Timeline& timeline, int width, int height, std::optional<double> seconds = {});

}  // namespace app
