#pragma once
// What `attenscope next` found, as text and in JSON.

#include <string>
#include <vector>

#include "core/analysis/next_word.h"

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
    std::vector<LensLine> layers;
};
/// The `top` likeliest at each place; with `lens`, which adds its steps to the run, after each layer too.
std::vector<Expectation> expectations(attn::Run& run, const std::vector<attn::ExpectedAt>& places, int top, bool lens);
std::string expected_text(const std::vector<Expectation>& said);
std::string expected_json(const std::vector<Expectation>& said);

/// What was added, as it is read.
std::string text_of(const attn::Document& document, const std::vector<attn::SampledWord>& words);
std::string sampled_text(const std::string& text, const std::vector<attn::SampledWord>& words);
std::string sampled_json(const std::string& text, const std::vector<attn::SampledWord>& words);

}  // namespace app
