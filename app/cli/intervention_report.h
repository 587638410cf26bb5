#pragma once
// The results of `attenscope ablate` and `attenscope patch`, as text and as JSON.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/target_word.h"
#include "core/analysis/patching.h"
#include "core/trace/counting.h"

namespace app {

/// The logit after replacing a place, for each of several places.
struct SweepReport {
    struct Place {
        attn::Intervention put;
        double logit = 0;
        std::optional<double> estimate;  ///< first-order estimate of the change
    };
    TargetWord target;
    attn::PutBy by = attn::PutBy::Zero;
    std::string from;             ///< the source text of patching
    double here = 0;              ///< the logit of the run itself …
    std::optional<double> there;  ///< … and of the source text
    std::vector<Place> places;
    attn::CountFrom count = attn::CountFrom::One;  ///< in the text output

    /// For one place: the recovered share of the difference to the other text's logit, or the change.
    double measure(double logit) const { return there ? attn::recovered(logit, here, *there) : logit - here; }
};
/// A table of all places, then the `top` ones that change the logit most.
std::string sweep_text(const attn::Trace& trace, const SweepReport& report, int top);
std::string sweep_json(const attn::Trace& trace, const SweepReport& report);

/// A prediction without and with some interventions.
struct ChangeReport {
    struct Word {
        attn::LikelyWord word;  ///< with its probability before the interventions
        float before = 0, after = 0;  ///< logits
        float probability_after = 0;
    };
    TargetWord target;
    std::vector<attn::Intervention> put;
    double before = 0, after = 0;  ///< the logit of the target
    double divergence = 0;         ///< KL(before ‖ after), in nats
    attn::CountFrom count = attn::CountFrom::One;  ///< in the text output
    std::vector<Word> words;       ///< the likeliest words before and after, ordered by probability before
};
ChangeReport change_report(const attn::Run& before, const attn::Run& after, const TargetWord& predicted, const std::vector<attn::Intervention>& put, int top);
std::string change_text(const ChangeReport& report);
std::string change_json(const attn::Trace& trace, const ChangeReport& report);

}  // namespace app
