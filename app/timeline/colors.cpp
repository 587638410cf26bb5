#include "app/timeline/colors.h"

#include <algorithm>

#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

using attn::Role;

/// Steps whose values are compared with each other: they can share one colour range.
enum class Family { Vectors, Weights, Scores, Shares, Gradients };

/// Weights that are all below this would be hard to see on a scale up to 1.
constexpr float kPaleShare = 0.4f;

Family family_of(attn::Tag tag) {
    if (is_reverse(tag)) return Family::Gradients;
    switch (tag.role) {
        case Role::Scores:
        case Role::RelativeScores:
        case Role::ScoreSum:
        case Role::Scaled:
        case Role::Biased:
        case Role::BucketBiased:
        case Role::Capped:
        case Role::Windowed:
        case Role::Masked:
        case Role::Kept:
            return Family::Scores;
        case Role::Weights:
        case Role::MaskPattern:
        case Role::PatternTile:
        case Role::ScopePattern:
        case Role::Gaussian:
        case Role::LocalWeights:
        case Role::Drawn:
        case Role::OneDraw:
        case Role::TargetWords:
        case Role::PlaceShares:
        case Role::PlaceSharesTransposed:
        case Role::TargetShares:
        case Role::RelativeWeights:
        case Role::CenterShares:
        case Role::Gate:
        case Role::Shifted:
        case Role::Decay:
        case Role::Probabilities:
        case Role::Choice:
            return Family::Shares;
        case Role::QueryWeight:
        case Role::KeyWeight:
        case Role::ValueWeight:
        case Role::OutputWeight:
        case Role::ScoreWeight:
        case Role::ScoreKeyWeight:
        case Role::StateWeight:
        case Role::RecurrentWeight:
        case Role::ContextWeight:
        case Role::CombineWeight:
        case Role::CenterWeight:
        case Role::GateWeight:
        case Role::UpWeight:
        case Role::SideWeight:
        case Role::DownWeight:
            return Family::Weights;
        default:
            return Family::Vectors;
    }
}

}  // namespace

Hue hue_of(Role role) { return look_of(role).hue; }

ColorScale color_scale(const attn::Trace& trace, const StepRanges& ranges, attn::StepId id, bool shared, bool afar, bool whole) {
    const Role role = trace[id].tag.role;
    const Family family = family_of(trace[id].tag);
    ColorScale scale;
    scale.hue = hue_of(trace, id);
    // The keys of softmax(X Xᵀ) X are the vectors themselves.
    if (role == Role::KeysTransposed && family == Family::Vectors && family_of(trace[trace[id].inputs[0]].tag) == Family::Vectors)
        scale.hue = hue_of(trace[trace[id].inputs[0]].tag);
    // Its value or range is not available yet: it is drawn once it is.
    const bool there = afar && is_gone_through(trace[id].value) ? ranges.known(static_cast<std::size_t>(id)) : ranges.at_hand(static_cast<std::size_t>(id));
    if (!there) {
        scale.diverging = family != Family::Shares;
        return scale;
    }
    if (family == Family::Shares) {
        // Where many tokens share 1 between them, the weights get their own range, which the legend states.
        const StepRange& range = ranges[static_cast<std::size_t>(id)];
        const float largest = whole ? range.largest() : range.shown();
        if (shared || !(largest > 0) || largest >= kPaleShare) return scale;
        scale.high = largest;
        scale.beyond = largest < range.high;
        return scale;
    }
    scale.diverging = true;
    const StepRange& own = ranges[static_cast<std::size_t>(id)];
    float largest = shared || whole ? own.largest() : own.shown();
    scale.beyond = largest < own.largest();
    if (shared)
        for (attn::StepId other = 0; other < trace.size(); ++other)
            if (family_of(trace[other].tag) == family && ranges.at_hand(static_cast<std::size_t>(other)))
                largest = std::max(largest, ranges[static_cast<std::size_t>(other)].largest());
    if (largest == 0) largest = 1;
    scale.low = -largest;
    scale.high = largest;
    return scale;
}

}  // namespace app
