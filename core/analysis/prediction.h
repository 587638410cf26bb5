#pragma once
// Which word a model expects: of the text to come, or at a place that is masked; and after each of its layers.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/document.h"

namespace attn {

struct LikelyWord {
    int id = 0;  ///< its row in the vocabulary, from 0
    std::string text;
    float probability = 0;
};
/// The `count` largest of a row of shares of words; of equal ones those that stand first in the vocabulary.
std::vector<LikelyWord> likeliest(const Trace& trace, StepId shares, int row, int count);

/// Of a row of logits the share that its softmax gives one word, in float64.
double share_of(const Eigen::Ref<const RowVector>& logits, int word);

/// A place that a word is expected at.
struct ExpectedAt {
    int row = 0;          ///< of the logits
    bool masked = false;  ///< else the word behind that row's token
};
/// Where no token sees a later one: behind the last. Else at each [MASK]; none, where the text has none.
std::vector<ExpectedAt> expected_places(const Document& document, const Run& run);
/// No token of it sees a later one.
bool looks_back_only(const AttentionConfig& config);
/// Each row of a recurrent decoder says the word at its own place, made of those before it.
bool says_own_place(const AttentionConfig& config);
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

/// What is asked of one row of the logits, and what is taken there: steps of 1 × words, recorded behind the run's.
struct PredictionSteps {
    StepId logits = kNoStep;  ///< as the model says them
    StepId own = kNoStep;     ///< their softmax: the model's probabilities
    StepId shares = kNoStep;  ///< what is drawn from: after the temperature and the cuts; 1 for the likeliest where none is drawn
    StepId choice = kNoStep;  ///< 1 for the word that is taken
};
/// As predict_written() does at any row: the draw of `time` is the one that the form "generate" makes at that time.
PredictionSteps predict_at(Run& run, int row, const Sampling& how, int time);

/// It has a matrix from its outputs to words, and is no attention from a file.
bool says_words(const Document& document);
/// The document with a word that it may say behind its text. The text stays a text where it is cut into the same tokens
/// again; else (a token that would join the one before it) the tokens are given by hand.
Document with_predicted(Document document, const LikelyWord& next);
/// The same in place of the token of a row: a mask is filled in, or a word is hidden.
Document with_replaced(Document document, int row, const LikelyWord& by);
/// What hides a token; nothing: the vocabulary of the model has no such word.
std::optional<LikelyWord> mask_word(const Document& document);

/// A model that writes what it says of a second text behind its text: an encoder and decoder.
bool writes_of_source(const Document& document);
/// What such a one writes behind its text, a word at a time. Where its places allow (goes_on), each word's row is made by
/// itself and recorded behind the run's steps: the encoder, and the rows of the words before, are not computed again.
class Writing {
public:
    /// Of a run of the document, which is there for as long as this.
    Writing(Run& run, const Sampling& how);
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    /// Whether words can be written so; else the document with each is run again (predict_written, with_written).
    static bool suits(const AttentionConfig& config);

    /// The word that comes next, taken as `how` says.
    SampledWord next();
    /// 1 × words: what the last one was taken from; kNoStep: none was.
    StepId logits() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};
/// What a run of it says next, taken as `how` says; `time`: how many words were taken before, as each draws on its own.
SampledWord predict_written(Run& run, const Sampling& how, int time);
/// Whether what it writes is at its end with this word: the token that its files name, or, of a model that was trained here, the
/// full stop of its sentences.
bool ends_with(const Document& document, const LikelyWord& word);
/// The document with that word behind its text.
Document with_written(Document document, int id);

/// The words that are read off after so many layers; 0: off what the first one reads.
struct LensReading {
    int layers = 0;
    StepId logits = kNoStep, shares = kNoStep;  ///< 1 × words
};
/// A word at one row after so many layers: how probable it is, and the how manieth likeliest, from 1 (of equal ones the
/// one that stands first in the vocabulary).
struct LensRank {
    int layers = 0;
    float probability = 0;
    int rank = 0;
};
std::vector<LensRank> ranks_in_lens(const Trace& trace, const std::vector<LensReading>& lens, int id);

/// The logit lens of several rows: the likeliest words of each after each layer.
struct LensGrid {
    int first = 0, rows = 0;                      ///< of the logits
    int layers = 0;                               ///< of the model: there is a reading more
    std::vector<std::vector<LikelyWord>> cells;   ///< layers + 1 times `rows`
    const std::vector<LikelyWord>& at(int layer, int row) const {
        return cells[static_cast<std::size_t>(layer * rows + row)];
    }
};
/// `top` words of each cell. Each layer's numbers are let go of before the next one's are made. Empty where read_lens() is,
/// or where a stop was asked for.
LensGrid lens_grid(const Run& run, int first, int rows, int top, const std::stop_token& stop = {});

/// The logit lens: what each layer leaves of one row (of the logits) goes through the final norm and the unembedding,
/// as the last layer's does. The steps are recorded behind the run's. Empty: the form has no layers or says no words.
/// [nostalgebraist 2020]
std::vector<LensReading> read_lens(Run& run, int row);

}  // namespace attn
