#pragma once
// The view state of the prediction screen: its page, how a token is chosen, and the parameters of the logit lens.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/prediction.h"
#include "core/document/intervention.h"

namespace app {

/// The pages of the screen, in the order of the switch.
inline constexpr std::string_view kPredictionPages[] = {"words", "lens", "parts", "stream", "interventions"};
/// How the contribution of a part to a logit is measured on the page of parts, or the feed-forward layers taken apart.
inline constexpr std::string_view kPartMeasures[] = {"direct", "gradient", "integrated", "neurons"};
/// Special values instead of a token that the answer is compared with.
inline constexpr int kRunnerUp = -1, kNoOther = -2;
/// Where another text is patched in, on the page of interventions.
inline constexpr std::string_view kPatchedPlaces[] = {"residual", "parts"};
/// The requested page, if there is one; else the first.
std::string_view prediction_page(std::string_view requested);

inline constexpr float kLeastTemperature = 0.1f, kMostTemperature = 3;
inline constexpr int kMostTopK = 1000;

/// The page of interventions, on which every part is replaced in turn.
struct SweepLook {
    std::string by{attn::kPutBy[0]};
    std::string from;                       ///< the text that is patched from
    std::string places{kPatchedPlaces[0]};  ///< with another text; otherwise it is always the parts
    bool stopped = false;                   ///< nothing more is computed until the user says so
    std::optional<attn::Intervention> place = {};  ///< the chosen place, other than a head; only where it is counts
    attn::PutBy put_by() const;
    bool residual() const { return put_by() == attn::PutBy::Text && places != kPatchedPlaces[1]; }
    bool operator==(const SweepLook&) const = default;
};

/// Integrated gradients, on the page of parts.
inline constexpr std::string_view kIntegratedFrom[] = {"mean", "zero"};
inline constexpr int kIntegratedPoints[] = {16, 32, 64, 256}, kMostIntegratedPoints = 10000;
struct IntegratedLook {
    std::string baseline{kIntegratedFrom[0]};
    int points = kIntegratedPoints[1];
    bool stopped = false;  ///< nothing more is computed until the user says so
    attn::PutBy from() const { return baseline == kIntegratedFrom[1] ? attn::PutBy::Zero : attn::PutBy::Mean; }
    bool operator==(const IntegratedLook&) const = default;
};

struct PredictionLook {
    std::string page{kPredictionPages[0]};
    bool draw = false;  ///< else the likeliest token is chosen
    float temperature = 1;
    int top_k = 0;  ///< 0: all
    float top_p = 1;
    std::uint64_t seed = 1;
    int place = -1;   ///< a row of the logits; −1: the one after the text, or the first mask
    int target = -1;  ///< the token that is followed through the layers, by its vocabulary row; −1: the answer
    std::string measure{kPartMeasures[0]};
    int against = kRunnerUp;  ///< parts: the token that the followed one is compared with, or kNoOther
    SweepLook sweep;
    IntegratedLook integrated;
    bool integrates() const { return measure == kPartMeasures[2]; }
    int layers = -1;  ///< lens: list the likeliest tokens after this many layers; −1: after all
    /// The ids of the text before anything was written here, and those written since, in order: the random draw of each
    /// depends on its index.
    std::vector<int> base, written;

    attn::Sampling sampling() const { return {1, draw, temperature, top_k, top_p, seed}; }
    /// How many tokens of a text were written here; 0 if it is another text, or has been changed since.
    int written_of(const std::vector<int>& ids) const;
    /// Records that a token is appended to a text with these ids.
    void write(const std::vector<int>& ids, int id);
    bool operator==(const PredictionLook&) const = default;
};

}  // namespace app
