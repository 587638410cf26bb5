#pragma once
// The clock of the opening: how far the answer has come after so many seconds. Pure, like `pose_at`, so that it can be
// scrubbed, played backwards and tested.

#include <cstdint>

namespace app {

/// What the opening shows.
enum class Asking : std::uint8_t {
    None,      ///< nothing: the screens are shown as usual
    Asked,     ///< the sentence and its question: a word can be guessed
    Answered,  ///< the answer, from its first second on
    Leaving,   ///< the shares drop into their row of the matrix, and the surroundings of the stage appear
};

/// Seconds: of the answer, of the way into the matrix, of the arcs' swing to other weights, and until the query word
/// has pulsed twice.
inline constexpr double kAnswerSeconds = 3.6, kLeavingSeconds = 0.6, kSwingSeconds = 0.35, kBreathSeconds = 2.0;

/// Progress of each part, from 0 to 1, eased where something moves.
struct AnswerPose {
    double ring = 0;     ///< around the query word
    double fill = 0;     ///< the glasses fill up to the scores
    double softmax = 0;  ///< the scores become shares, and the arcs swell
    double says = 0;     ///< the sentence below
};
AnswerPose answer_at(double seconds);

/// How far the line to a word has come: all start together and land in order of distance. `rank` is 0 for the nearest
/// of `count` words.
double line_at(double seconds, int rank, int count);

/// How far a card has risen: they rise one after the other.
double card_at(double seconds, int card, int count);

/// Scale of the query word before the answer: 1, and slightly more during two pulses.
double breath_at(double seconds);

/// Slow at both ends.
double eased(double share);

}  // namespace app
