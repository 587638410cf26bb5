#pragma once
// The data of the prediction screen, computed here and never in a view: the likeliest tokens at a position, the chosen
// one, the probabilities of the tokens of the text, and what each layer predicts.

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/screens/prediction/logit_parts.h"
#include "app/screens/prediction/look.h"
#include "app/state/computed.h"
#include "core/analysis/residual.h"

namespace app {

/// A candidate for the next token, or for a masked position.
struct PredictedToken {
    attn::LikelyWord word;  ///< with the model's own probability
    float logit = 0;
    float drawn_by = 0;  ///< its probability in the sampling; 0: it was cut off
    // Without the changes made by hand, if there are any (PredictionData::divergence).
    float probability_before = 0, logit_before = 0;
};

/// The probability that the model gave a token of the text, from those before it.
struct GivenToken {
    float probability = 0;
    int rank = 0;  ///< from 1; 0: nothing was predicted for it
};

/// A neuron of a feed-forward layer, and the tokens whose logits its row of W_down raises and lowers most, at an
/// activation of its sign.
struct ReadNeuron {
    attn::Neuron neuron;
    std::vector<attn::LikelyWord> raises, lowers;
};

struct PredictionData {
    bool computing = false;        ///< newer data is being computed
    std::uint64_t generation = 0;  ///< of the run; 0: nothing has been computed
    int rows = 0, above = 0;       ///< of the logits; number of tokens before the first of them
    int row = -1;                  ///< the selected one; −1: none (no position is masked)
    bool looks_back = true;        ///< no token sees a later one: a row predicts the next token
    bool own_place = false;        ///< each row predicts its own token, which it has not read, from those before it
    bool labels = false;           ///< for a picture: the class token's row predicts labels; no token can be inserted
    bool masked = false;           ///< the row's token is a mask
    std::vector<int> masks;        ///< rows
    std::optional<attn::LikelyWord> mask;  ///< the mask token; none: the vocabulary has none
    std::vector<int> ids;                  ///< of the text's tokens; −1: not in the vocabulary
    std::vector<GivenToken> given;          ///< for each token; empty: they see later ones, or there are too many
    int written = 0;                       ///< how many of the last tokens were written here

    int vocabulary = 0, candidates = 0;  ///< number of tokens; number of those that can be drawn
    double entropy = 0;            ///< of the model's probabilities, in bits
    std::vector<PredictedToken> words;   ///< likeliest first
    PredictedToken taken;                ///< the one chosen by the current sampling
    std::optional<PredictedToken> actual;  ///< inside the text: the actual next token
    int actual_rank = 0;
    std::string refused;  ///< why nothing more can be appended to the text; empty: it can

    std::optional<double> divergence;  ///< KL(before ‖ after) of the changes made by hand, in nats; none: no changes

    // The page of the lens.
    attn::LensGrid lens;
    int lens_row = 0;  ///< index of the selected row in it
    attn::LikelyWord target;  ///< used by the pages of parts and of interventions, too
    std::vector<attn::LensRank> ranks;  ///< of the target, at that row

    // The pages of parts and of interventions.
    std::optional<attn::LikelyWord> against;  ///< its logit is subtracted

    // The page of parts.
    std::optional<LogitParts> parts;          ///< of the target's logit; with gradient × value, only the heads
    std::string no_parts;                     ///< why there are none
    std::vector<ReadNeuron> neurons;          ///< the largest contributions first; empty: not asked for, or there are none

    // The page of the residual stream: of the text whose tokens are predicted.
    std::optional<attn::ResidualStack> stream;
    int stream_row = 0;  ///< index of the selected row in it

    const GivenToken* given_of(int token) const {
        return given.empty() ? nullptr : &given[static_cast<std::size_t>(token)];
    }
};

/// Keeps in `out` what the choice does not affect: the followed token and the page do not change the words. `before`:
/// the run without the changes made by hand; null: there are none.
void make_prediction(const Computed& run, const Computed* before, const attn::Document& document, const PredictionLook& look, PredictionData& out,
                     const std::stop_token& stop = {});

/// Whether the document names a file with a residual stream, which is then the only page.
bool has_given_stream(const attn::Document& document);

/// Changes the document: appends the token to its text, or puts it in place of the mask.
void take_predicted(attn::Document& document, const PredictionData& data, const attn::LikelyWord& word);

}  // namespace app
