#pragma once
// Which word a model expects: of the text to come, or at a place that is masked; and after each of its layers.

#include <string>
#include <vector>

#include "core/document.h"

namespace attn {

struct LikelyWord {
    int id = 0;  ///< its row in the vocabulary, from 0
    std::string text;
    float probability = 0;
};
/// The `count` largest of a row of shares of words; of equal ones those that stand first in the vocabulary.
std::vector<LikelyWord> likeliest(const Trace& trace, StepId shares, int row, int count);

/// A place that a word is expected at.
struct ExpectedAt {
    int row = 0;          ///< of the logits
    bool masked = false;  ///< else the word behind that row's token
};
/// Where no token sees a later one: behind the last. Else at each [MASK]; none, where the text has none.
std::vector<ExpectedAt> expected_places(const Document& document, const Run& run);
/// No token of it sees a later one.
bool looks_back_only(const AttentionConfig& config);
/// The document as it is run to be asked for words: one that generates chooses one word, by shares of temperature 1.
Document asked_once(Document document);
/// n × words, the first there are; kNoStep: it says no words.
StepId logits_step(const Trace& trace);

/// How one word after the other is taken.
struct Sampling {
    int words = 1;
    bool draw = false;  ///< else the likeliest
    float temperature = 1;
    int top_k = 0;
    float top_p = 1;
    std::uint64_t seed = 1;
};
/// The same model as the form that goes on with its text. Refused: it says no words, or sees what comes later.
Result<Document> going_on(Document document, const Sampling& how);

struct SampledWord {
    LikelyWord word;     ///< with the model's own probability: at temperature 1, before anything is cut
    float drawn_by = 0;  ///< its share in what was drawn from
};
/// What a run of going_on() took, in order; the shares at temperature 1 are recorded behind its steps.
std::vector<SampledWord> sampled_words(Trace& trace, int words);

/// It writes what it says of a second text behind a token of its own: an encoder and decoder of a checkpoint. Such a one
/// is run again for each word.
bool writes_of_source(const Document& document);
/// What a run of it says next, taken as `how` says; `time`: how many words were taken before, as each draws on its own.
SampledWord next_written(Run& run, const Sampling& how, int time);
/// The document with that word behind its text.
Document with_written(Document document, int id);

/// The words that are read off after so many layers; 0: off what the first one reads.
struct LensReading {
    int layers = 0;
    StepId logits = kNoStep, shares = kNoStep;  ///< 1 × words
};
/// The logit lens: what each layer leaves of one row (of the logits) goes through the final norm and the unembedding,
/// as the last layer's does. The steps are recorded behind the run's. Empty: the form has no layers or says no words.
/// [nostalgebraist 2020]
std::vector<LensReading> read_lens(Run& run, int row);

}  // namespace attn
