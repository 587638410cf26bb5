#pragma once
// The clock of the opening: what of the answer is there after so many seconds. Pure, as `pose_at` is: it can be scrubbed,
// played backwards and tested.

#include <cstdint>

namespace app {

/// What the opening shows.
enum class Asking : std::uint8_t {
    None,      ///< nothing: the screens as always
    Asked,     ///< the sentence and its question: a word can be guessed
    Answered,  ///< the answer, from its first second on
    Leaving,   ///< the shares drop into their row of the matrix, and what stands around the stage comes
};

/// Seconds: of the answer, of the way into the matrix, of arcs that swing to other weights, and until the word that asks has
/// drawn breath twice.
inline constexpr double kAnswerSeconds = 3.6, kLeavingSeconds = 0.6, kSwingSeconds = 0.35, kBreathSeconds = 2.0;

/// Shares from 0 to 1, eased where something moves.
struct AnswerPose {
    double ring = 0;     ///< around the word that asks
    double fill = 0;     ///< glasses fill to the scores
    double softmax = 0;  ///< scores become shares, and the arcs swell
    double says = 0;     ///< the sentence below
};
AnswerPose answer_at(double seconds);

/// How far the line to a word has come: all leave together and land in order of their distance, `rank` 0 the nearest of
/// `count`.
double line_at(double seconds, int rank, int count);

/// Cards rise one after the other.
double card_at(double seconds, int card, int count);

/// How large the word that asks is while nothing has been answered: 1, and twice a little more.
double breath_at(double seconds);

/// Slow at both ends.
double eased(double share);

}  // namespace app
