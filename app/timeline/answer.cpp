#include "app/timeline/answer.h"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

/// Where each part begins and ends. Between `kFilled` and `kSoftmax` nothing moves: the viewer sees the nearly equal
/// scores and can guess what comes next.
constexpr double kRing = 0.3, kLanded = 1.1, kFilled = 1.7, kSoftmax = 1.95, kShared = 2.85, kSays = 3.2, kSaid = 3.4;
constexpr double kLandingGap = 0.04, kLandings = 0.4;  // between two landings; at most for all of them together
constexpr double kCardGap = 0.09, kCardRise = 0.13;
constexpr double kBreathFrom = 0.4, kDeepest = 0.04;

double share(double seconds, double from, double to) { return eased((seconds - from) / (to - from)); }

}  // namespace

double eased(double share) {
    const double t = std::clamp(share, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

AnswerPose answer_at(double seconds) {
    return {share(seconds, 0, kRing), share(seconds, kLanded, kFilled), share(seconds, kSoftmax, kShared), share(seconds, kSays, kSaid)};
}

double line_at(double seconds, int rank, int count) {
    const int later = std::max(count - 1 - rank, 0);
    const double gap = std::min(kLandingGap, kLandings / std::max(count - 1, 1));
    return share(seconds, kRing, kLanded - gap * later);
}

double card_at(double seconds, int card, int count) {
    const double all = kAnswerSeconds - kSays - kCardRise;
    const double from = kSays + std::min(kCardGap, all / std::max(count - 1, 1)) * card;
    return share(seconds, from, from + kCardRise);
}

double breath_at(double seconds) {
    const double t = (seconds - kBreathFrom) / (kBreathSeconds - kBreathFrom);
    if (t <= 0 || t >= 1) return 1;
    const double wave = std::sin(2 * 3.14159265358979323846 * t);
    return 1 + kDeepest * wave * wave;
}

}  // namespace app
