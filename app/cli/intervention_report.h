#pragma once
// What `attenscope ablate` and `attenscope patch` found, as text and in JSON.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/asked_word.h"
#include "core/analysis/patching.h"
#include "core/trace/counting.h"

namespace app {

/// What a logit becomes when a place is replaced, for one place after the other.
struct SweepReport {
    struct Place {
        attn::Intervention put;
        double logit = 0;
        std::optional<double> estimate;  ///< of the change, to first order
    };
    AskedWord asked;
    attn::PutBy by = attn::PutBy::Zero;
    std::string from;             ///< the text that is patched from
    double here = 0;              ///< the logit of the run itself …
    std::optional<double> there;  ///< … and of the text that is patched from
    std::vector<Place> places;
    attn::CountFrom count = attn::CountFrom::One;  ///< in the text

    /// Of a place: the share of the way to the other text's logit, or the change.
    double measure(double logit) const { return there ? attn::recovered(logit, here, *there) : logit - here; }
};
/// A table of all places, then the `top` that change the logit most.
std::string sweep_text(const attn::Trace& trace, const SweepReport& report, int top);
std::string sweep_json(const attn::Trace& trace, const SweepReport& report);

/// A prediction without and with some interventions.
struct ChangeReport {
    struct Word {
        attn::LikelyWord word;  ///< with its probability before
        float before = 0, after = 0;  ///< logits
        float probability_after = 0;
    };
    AskedWord asked;
    std::vector<attn::Intervention> put;
    double before = 0, after = 0;  ///< the logit that is asked for
    double divergence = 0;         ///< KL(before ‖ after), nats
    attn::CountFrom count = attn::CountFrom::One;  ///< in the text
    std::vector<Word> words;       ///< those that were likeliest and those that are now, by their old probability
};
ChangeReport change_report(const attn::Run& before, const attn::Run& after, const AskedWord& asked, const std::vector<attn::Intervention>& put, int top);
std::string change_text(const ChangeReport& report);
std::string change_json(const attn::Trace& trace, const ChangeReport& report);

}  // namespace app
