#pragma once
// What `attenscope next` found, as text and in JSON.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/prediction.h"
#include "core/trace/counting.h"

namespace app {

struct LensLine {
    int layers = 0;  ///< passed through; 0: none
    std::vector<attn::LikelyWord> words;
};
/// At one place of the text.
struct Expectation {
    int place = 0;  ///< from 1
    std::string token;
    bool masked = false;  ///< the word at the place; else behind it
    std::vector<attn::LikelyWord> words;
    std::vector<float> logits;  ///< of these words: what their probabilities were made of
    std::vector<LensLine> layers;
    std::optional<attn::LikelyWord> target;  ///< followed through the layers
    std::vector<attn::LensRank> ranks;       ///< of the target
};
/// A token as a person writes it, or its id: "bank", " bank", "4117". Of two that are written alike the one behind a space.
std::optional<attn::LikelyWord> find_word(const attn::Trace& trace, std::string_view text);
attn::Error no_such_word(std::string_view text, const char* option);
/// What there is in place of words, as an error.
attn::Error says_no_words(const attn::Run& run);
/// The rows of the logits that are asked for: that of token `at`, from 1; 0: where the model expects a word.
attn::Result<std::vector<attn::ExpectedAt>> asked_places(int at, const attn::Document& document, const attn::Run& run);
/// The `top` likeliest at each place; with `lens`, which adds its steps to the run, after each layer too.
/// `target`: the token that the lens follows besides.
std::vector<Expectation> expectations(attn::Run& run, const std::vector<attn::ExpectedAt>& places, int top, bool lens,
                                      const std::optional<attn::LikelyWord>& target = {});
std::string expected_text(const std::vector<Expectation>& said, attn::CountFrom count);
std::string expected_json(const std::vector<Expectation>& said);

/// What was added, as it is read.
std::string text_of(const attn::Document& document, const std::vector<attn::SampledWord>& words);
std::string sampled_text(const std::string& text, const std::vector<attn::SampledWord>& words);
std::string sampled_json(const std::string& text, const std::vector<attn::SampledWord>& words);

}  // namespace app
