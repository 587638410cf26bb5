#pragma once
// The data of the opening, which asks a question about a text: one row of one head's weights, the scores behind it,
// what the other heads give the same word, and which single words can be exchanged.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/state/text_question.h"
#include "app/state/word_changes.h"
#include "core/document/document.h"

namespace app {

/// The view of the opening.
struct Opening {
    double seconds = 0;         ///< since the question was asked, answered or left
    int guess = -1;             ///< the word that was guessed; −1: none
    int word = -1;              ///< the word that was clicked as the query; −1: the question's own
    std::vector<float> before;  ///< the arcs' shares before the last change of row …
    double swing = 1;           ///< … and how far the arcs have moved since, 0 … 1
    bool why = false;           ///< show the features that made the score instead of the heads
    bool operator==(const Opening&) const = default;
};

/// Where one head's largest weight lies for the query word.
struct HeadAnswer {
    attn::StepId weights = attn::kNoStep;
    int key = 0;
    float weight = 0;
    bool operator==(const HeadAnswer&) const = default;
};

/// Why a word is the answer: what pairs of features of the two words add to q·k, each in words; these and `rest` add up
/// to the score.
struct OpeningWhy {
    struct Line {
        std::string asks, answers;
        float value = 0;
        bool operator==(const Line&) const = default;
    };
    int key = 0;
    float score = 0;
    std::vector<Line> lines;
    float rest = 0;
    bool operator==(const OpeningWhy&) const = default;
};

/// Why an answer is not stated as such, although its numbers were computed.
enum class Doubt : std::uint8_t {
    None,
    Blank,   ///< the text has an unknown word, which may be the one that is meant
    Long,    ///< the text is longer than any training text
    Strange, ///< the pronoun, or a function word of the sentence, was in no training text: the text is of another kind
    Unsure,  ///< in the test, fewer than half of the answers with such a weight were right
};

struct OpeningData {
    attn::StepId weights = attn::kNoStep;  ///< of the shown head
    int query = 0, key = 0;                ///< the query word, and the word with its largest weight
    std::vector<std::string> words;
    std::vector<float> shares, scores;     ///< the row of weights, and the scores that its softmax read
    std::vector<bool> blank;               ///< which words are unknown
    std::vector<int> strange;              ///< the words that make the text unlike the training texts (Doubt::Strange)
    int second = -1;                       ///< the word that shares the attention with `key`; −1: no other comes near
    Doubt doubt = Doubt::None;
    int longest = 0;                       ///< length of the longest training text, in words
    std::string title;
    /// For the answer and the runner-up; empty: the scores are no q·k of projected vectors.
    std::vector<OpeningWhy> why;
    std::vector<HeadAnswer> heads;         ///< empty: the model's heads were not trained on a question each
};

/// Repairs of a text with an unknown word: the text with a known word in its place, the closest first.
std::vector<WordChange> repairs_of(const attn::Document& document, const attn::Run& run);

/// For a text that has a question. `word`: the query in place of the question's own; −1: its own.
std::optional<OpeningData> opening_data(const attn::Document& document, const attn::Run& run, int head, Language language,
                                        const std::optional<TextQuestion>& question, int word);

/// The single-word exchanges that move the answer, the most effective first; each one is run and compared.
std::vector<WordChange> telling_changes(const attn::Document& document, const attn::Trace& trace, const TextQuestion& question, int head,
                                        Language language, const std::stop_token& stop = {});

/// The share that the arc of a word shows now, interpolated while the arcs move.
float shown_share(const OpeningData& data, const Opening& opening, std::size_t word);

}  // namespace app
