#pragma once
// What `attenscope ablate` and `attenscope patch` found, as text and in JSON.

#include <optional>
#include <string>
#include <vector>

#include "app/cli/asked_word.h"
#include "core/analysis/patching.h"

namespace app {

/// What a logit became with each place replaced by itself.
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

    /// What is told of a place: how far the logit came to that of the other text, or by how much it changed.
    double measure(double logit) const { return there ? attn::recovered(logit, here, *there) : logit - here; }
};
/// A map of all places, then the `top` that change most.
std::string sweep_text(const attn::Trace& trace, const SweepReport& report, int top);
std::string sweep_json(const attn::Trace& trace, const SweepReport& report);

/// A prediction before and after what is put somewhere.
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
    std::vector<Word> words;       ///< the likeliest of before and of after, by their probability before
};
ChangeReport change_report(const attn::Run& before, const attn::Run& after, const AskedWord& asked, const std::vector<attn::Intervention>& put, int top);
std::string change_text(const ChangeReport& report);
std::string change_json(const attn::Trace& trace, const ChangeReport& report);

}  // namespace app
