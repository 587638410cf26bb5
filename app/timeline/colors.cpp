#include "app/timeline/colors.h"

#include <algorithm>

#include "app/timeline/reverse.h"
#include "app/timeline/roles.h"

namespace app {
namespace {

using attn::Role;

/// Weights that are all below this would be hard to see on a scale up to 1.
constexpr float kPaleShare = 0.4f;

ValueFamily family_of(attn::Tag tag) { return is_reverse(tag) ? ValueFamily::Gradients : look_of(tag.role).family; }

}  // namespace

Hue hue_of(Role role) { return look_of(role).hue; }

ColorScale color_scale(const attn::Trace& trace, const StepRanges& ranges, attn::StepId id, bool shared, bool afar, bool whole) {
    const Role role = trace[id].tag.role;
    const ValueFamily family = family_of(trace[id].tag);
    ColorScale scale;
    scale.hue = hue_of(trace, id);
    // The keys of softmax(X Xᵀ) X are the vectors themselves.
    if (role == Role::KeysTransposed && family == ValueFamily::Vectors && family_of(trace[trace[id].inputs[0]].tag) == ValueFamily::Vectors)
        scale.hue = hue_of(trace[trace[id].inputs[0]].tag);
    // Its value or range is not available yet: it is drawn once it is.
    const bool there = afar && is_gone_through(trace[id].value) ? ranges.known(static_cast<std::size_t>(id)) : ranges.at_hand(static_cast<std::size_t>(id));
    if (!there) {
        scale.diverging = family != ValueFamily::Shares;
        return scale;
    }
    if (family == ValueFamily::Shares) {
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
