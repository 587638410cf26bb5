#pragma once
// What the screen of predictions shows, computed here and never in a view: the likeliest tokens at a place, the one that is
// taken, what the model gave the tokens that are there, and what each layer leaves of the answer.

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/screens/prediction/logit_parts.h"
#include "app/screens/prediction/look.h"
#include "app/state/computed.h"
#include "core/analysis/residual.h"

namespace app {

/// A token that may come, or stand at a masked place.
struct PredictedToken {
    attn::LikelyWord word;  ///< with the model's own probability
    float logit = 0;
    float drawn_by = 0;  ///< its share in what is drawn from; 0: it was cut
    // Without what was changed by hand, where something was (PredictionData::divergence).
    float probability_before = 0, logit_before = 0;
};

/// What the model gave a token of the text, from those before it.
struct GivenToken {
    float probability = 0;
    int rank = 0;  ///< from 1; 0: nothing was asked for it
};

struct PredictionData {
    bool computing = false;        ///< something newer is on its way
    std::uint64_t generation = 0;  ///< of the run; 0: nothing has been made
    int rows = 0, above = 0;       ///< of the logits; tokens before the first of them
    int row = -1;                  ///< that is asked; −1: none is (no place is masked)
    bool looks_back = true;        ///< no token sees a later one: what is asked for comes behind a token
    bool own_place = false;        ///< each row says the token at its own place, which it has not read: of those before it
    bool labels = false;           ///< of a picture: the class token's row says them, and nothing can be put anywhere
    bool masked = false;           ///< the row's token is a mask
    std::vector<int> masks;        ///< rows
    std::optional<attn::LikelyWord> mask;  ///< what hides a token; none: the vocabulary has no such word
    std::vector<int> ids;                  ///< of the text's tokens; −1: not in the vocabulary
    std::vector<GivenToken> given;          ///< of each token; empty: they see later ones, or there are too many numbers
    int written = 0;                       ///< so many of the last tokens were written here

    int vocabulary = 0, kept = 0;  ///< tokens; those that can be drawn
    double entropy = 0;            ///< of the model's probabilities, in bits
    std::vector<PredictedToken> words;   ///< the likeliest first
    PredictedToken taken;                ///< by the sampling that was asked for
    std::optional<PredictedToken> actual;  ///< inside the text: the token that does come next
    int actual_rank = 0;
    std::string refused;  ///< why nothing more can be put behind the text; empty: it can

    std::optional<double> divergence;  ///< KL(before ‖ after) of what was changed by hand, nats; none: nothing was

    // The page of the lens.
    attn::LensGrid lens;
    int lens_row = 0;  ///< of its rows, the one that is asked
    attn::LikelyWord target;  ///< of the parts as well
    std::vector<attn::LensRank> ranks;  ///< of the target, at that row

    // The page of parts.
    std::optional<LogitParts> parts;          ///< of the target's logit; of gradient × value the heads alone
    std::optional<attn::LikelyWord> against;  ///< its logit is subtracted
    std::string no_parts;                     ///< why there are none

    // The page of the residual stream: that of the text whose tokens are asked.
    std::optional<attn::ResidualStack> stream;
    int stream_row = 0;  ///< of its rows, the one that is asked

    const GivenToken* given_of(int token) const {
        return given.empty() ? nullptr : &given[static_cast<std::size_t>(token)];
    }
};

/// What nothing but the choice makes another one: the token that is followed, and the page, do not change the words. `before`: the
/// run without what was changed by hand; null: nothing was.
void make_prediction(const Computed& run, const Computed* before, const attn::Document& document, const PredictionLook& look, PredictionData& out,
                     const std::stop_token& stop = {});

/// The document with the token taken: behind its text, or in place of the mask.
void take_predicted(attn::Document& document, const PredictionData& data, const attn::LikelyWord& word);

}  // namespace app
