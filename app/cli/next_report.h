#pragma once
// The result of `attenscope next`, as text and as JSON.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/prediction.h"
#include "core/trace/counting.h"

namespace app {

struct LensLine {
    int layers = 0;  ///< layers before the readout; 0: none
    std::vector<attn::LikelyWord> words;
};
/// The prediction at one place of the text.
struct Expectation {
    int place = 0;  ///< from 1
    std::string token;
    bool masked = false;  ///< the word at the place; else the one after it
    std::vector<attn::LikelyWord> words;
    std::vector<float> logits;  ///< of these words: what their probabilities were made of
    std::vector<LensLine> layers;
    std::optional<attn::LikelyWord> target;  ///< followed through the layers
    std::vector<attn::LensRank> ranks;       ///< of the target
};
attn::Error no_such_word(std::string_view text, const char* option);
/// An error that says what the model outputs instead of words.
attn::Error says_no_words(const attn::Run& run);
/// The requested rows of the logits: that of token `at`, from 1, or with 0 the places where the model predicts a word.
attn::Result<std::vector<attn::ExpectedAt>> requested_places(int at, const attn::Document& document, const attn::Run& run);
/// The `top` likeliest words at each place; with `lens`, which adds steps to the run, also after each layer. `target`:
/// another token that the lens follows.
std::vector<Expectation> expectations(attn::Run& run, const std::vector<attn::ExpectedAt>& places, int top, bool lens,
                                      const std::optional<attn::LikelyWord>& target = {});
std::string expected_text(const std::vector<Expectation>& said, attn::CountFrom count);
std::string expected_json(const std::vector<Expectation>& said);

/// The generated words as text.
std::string text_of(const attn::Document& document, const std::vector<attn::SampledWord>& words);
std::string sampled_text(const std::string& text, const std::vector<attn::SampledWord>& words);
std::string sampled_json(const std::string& text, const std::vector<attn::SampledWord>& words);

}  // namespace app
