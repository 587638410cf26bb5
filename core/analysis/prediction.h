#pragma once
// The words that a model predicts: the next word of a text, or a masked one; and the predictions after each of its
// layers.

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
/// Finds a word of the vocabulary as a person writes it, or by its id: "bank", " bank", "4117". If two are written alike,
/// the one after a space.
std::optional<LikelyWord> find_word(const Trace& trace, std::string_view text);

/// The `count` largest entries of a row of probabilities; ties in the order of the vocabulary.
std::vector<LikelyWord> likeliest(const Trace& trace, StepId shares, int row, int count);

/// The softmax probability of one word in a row of logits, in float64.
double share_of(const Eigen::Ref<const RowVector>& logits, int word);

/// A position for which a word is predicted.
struct ExpectedAt {
    int row = 0;          ///< of the logits
    bool masked = false;  ///< at the row's own token; else the word after it
};
/// If no token sees a later one: after the last token. Otherwise at each [MASK]; none if the text has none.
std::vector<ExpectedAt> expected_places(const Document& document, const Run& run);
/// Whether no token sees a later one.
bool looks_back_only(const AttentionConfig& config);
/// Whether each row predicts the word at its own position from the previous words, as in a recurrent decoder.
bool says_own_place(const AttentionConfig& config);
/// The document as it is run for a prediction: a generating form generates one word, greedily and at temperature 1.
Document for_prediction(Document document);
/// n × words, the first logits of the run; kNoStep: it predicts no words.
StepId logits_step(const Trace& trace);

/// How words are chosen, one after the other.
struct Sampling {
    int words = 1;
    bool draw = false;  ///< else the most probable
    float temperature = 1;
    int top_k = 0;
    float top_p = 1;
    std::uint64_t seed = 1;
};
/// The same model in the form that continues its text. Errors: it predicts no words, or sees later tokens.
Result<Document> going_on(Document document, const Sampling& how);

struct SampledWord {
    LikelyWord word;     ///< with the model's own probability: at temperature 1, before any cut
    float drawn_by = 0;  ///< its probability in the distribution that was drawn from
};
/// The words that a run of going_on() chose, in order; records the probabilities at temperature 1 after its steps.
std::vector<SampledWord> sampled_words(Trace& trace, int words);

/// The prediction from one row of logits, and the chosen word: steps of 1 × words, recorded after the run's.
struct PredictionSteps {
    StepId logits = kNoStep;  ///< of the model, unchanged
    StepId own = kNoStep;     ///< their softmax: the model's probabilities
    StepId shares = kNoStep;  ///< drawn from: after temperature and cuts; 1 for the likeliest word if nothing is drawn
    StepId choice = kNoStep;  ///< 1 for the chosen word
};
/// Like predict_written(), at any row: the draw of `time` is the one that the form "generate" makes at that time.
PredictionSteps predict_at(Run& run, int row, const Sampling& how, int time);

/// Whether it has a matrix from its outputs to words, and is not attention from a file.
bool says_words(const Document& document);
/// The document with a predicted word appended to its text. The text remains text if it is tokenized into the same
/// tokens again; otherwise (a token would merge with the one before it) the tokens are given explicitly.
Document with_predicted(Document document, const LikelyWord& next);
/// The same, replacing the token of a row: fills in a mask, or hides a word.
Document with_replaced(Document document, int row, const LikelyWord& by);
/// The word that hides a token; nothing: the model's vocabulary has none.
std::optional<LikelyWord> mask_word(const Document& document);

/// Whether the model generates from a second text: an encoder and decoder.
bool writes_of_source(const Document& document);
/// Appends what such a model generates to its text, one word at a time. If its positions allow it (goes_on), each
/// word's row is computed alone and recorded after the run's steps: the encoder and the rows of previous words are not
/// computed again.
class Writing {
public:
    /// `run` is a run of the document, and must outlive this object.
    Writing(Run& run, const Sampling& how);
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    /// Whether words can be generated in this way; otherwise the document is run again with each word (predict_written,
    /// with_written).
    static bool suits(const AttentionConfig& config);

    /// The next word, chosen according to `how`.
    SampledWord next();
    /// 1 × words: the logits of the last word; kNoStep: there was none.
    StepId logits() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};
/// The next word of its run, chosen according to `how`; `time`: the number of words chosen before, since each has its
/// own draw.
SampledWord predict_written(Run& run, const Sampling& how, int time);
/// Whether the generated text ends with this word: the end token of the model's files, or, for a model trained by this
/// program, the full stop of its sentences.
bool ends_with(const Document& document, const LikelyWord& word);
/// The document with that word appended to its text.
Document with_written(Document document, int id);

/// The prediction after so many layers; 0: from the input of the first one.
struct LensReading {
    int layers = 0;
    StepId logits = kNoStep, shares = kNoStep;  ///< 1 × words
};
/// A word at one row after so many layers: its probability, and its rank by probability, from 1 (ties in the order of
/// the vocabulary).
struct LensRank {
    int layers = 0;
    float probability = 0;
    int rank = 0;
};
std::vector<LensRank> ranks_in_lens(const Trace& trace, const std::vector<LensReading>& lens, int id);

/// The logit lens for several rows: the most probable words of each row after each layer.
struct LensGrid {
    int first = 0, rows = 0;                      ///< of the logits
    int layers = 0;                               ///< of the model; there is one reading more
    std::vector<std::vector<LikelyWord>> cells;   ///< layers + 1 times `rows`
    const std::vector<LikelyWord>& at(int layer, int row) const {
        return cells[static_cast<std::size_t>(layer * rows + row)];
    }
};
/// `top` words per cell. Each layer's values are released before the next layer's are computed. Empty if read_lens()
/// is, or if a stop was requested.
LensGrid lens_grid(const Run& run, int first, int rows, int top, const std::stop_token& stop = {});

/// The logit lens: the output of each layer at one row (of the logits) passes through the final norm and the
/// unembedding, like the last layer's. The steps are recorded after the run's. Empty: the form has no layers or
/// predicts no words. [nostalgebraist 2020]
std::vector<LensReading> read_lens(Run& run, int row);

}  // namespace attn
