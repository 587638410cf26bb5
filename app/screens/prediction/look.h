#pragma once
// How the screen of predictions is looked at: its page, how a token is taken, and what of the logit lens is shown.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/prediction.h"

namespace app {

/// The pages of the screen, in the order of the switch.
inline constexpr std::string_view kPredictionPages[] = {"words", "lens", "parts", "stream"};
/// What a part of the model has in a logit, as the page of parts tells it.
inline constexpr std::string_view kPartMeasures[] = {"direct", "gradient"};
/// In place of a token that the answer is held against.
inline constexpr int kRunnerUp = -1, kNoOther = -2;
/// The page asked for where it is one; else the first.
std::string_view prediction_page(std::string_view asked);

inline constexpr float kLeastTemperature = 0.1f, kMostTemperature = 3;
inline constexpr int kMostTopK = 1000;

struct PredictionLook {
    std::string page{kPredictionPages[0]};
    bool draw = false;  ///< else the likeliest token is taken
    float temperature = 1;
    int top_k = 0;  ///< 0: all
    float top_p = 1;
    std::uint64_t seed = 1;
    int place = -1;   ///< a row of the logits, from 0; −1: behind the text, or the first mask
    int target = -1;  ///< the token that is followed through the layers, by its row in the vocabulary; −1: the model's answer
    std::string measure{kPartMeasures[0]};
    int against = kRunnerUp;  ///< of the parts: the token that the followed one is held against, or kNoOther
    int layers = -1;  ///< of the lens: after so many the likeliest are listed; −1: after all
    /// The ids of the text before anything was written here, and what was, in order: the draw of each has a number.
    std::vector<int> base, written;

    attn::Sampling sampling() const { return {1, draw, temperature, top_k, top_p, seed}; }
    /// How many tokens of a text were written here: 0 where it is another text, or was changed since.
    int written_of(const std::vector<int>& ids) const;
    /// A token is put behind a text of these ids.
    void write(const std::vector<int>& ids, int id);
    bool operator==(const PredictionLook&) const = default;
};

}  // namespace app
