#pragma once
// What the opening shows of a text: one row of one head's weights, the scores that it was made of, what the other heads give
// the same word, and which single words can be exchanged.

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/state/text_question.h"
#include "app/state/word_changes.h"
#include "core/document/document.h"

namespace app {

/// How the opening is looked at.
struct Opening {
    double seconds = 0;         ///< since it was asked, answered or left
    int guess = -1;             ///< the word that was guessed; −1: none
    int word = -1;              ///< the word that was clicked to ask with it; −1: the one of the question
    std::vector<float> before;  ///< what each word's arc showed before another row took its place …
    double swing = 1;           ///< … and how far it has come since, 0 … 1
    bool why = false;           ///< in place of the heads the features that made the score
    bool operator==(const Opening&) const = default;
};

/// What a head gives the word that asks.
struct HeadAnswer {
    attn::StepId weights = attn::kNoStep;
    int key = 0;
    float weight = 0;
    bool operator==(const HeadAnswer&) const = default;
};

/// Why a word answers: what pairs of features of the two words add to q·k, each in words; they and the rest add up to it.
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

/// Why an answer is not told as one, though its numbers were computed.
enum class Doubt : std::uint8_t {
    None,
    Blank,   ///< the text has a word of which nothing is known: it may be the one that is meant
    Long,    ///< the text is longer than any that trained
    Strange, ///< the pronoun, or a word that holds the sentence together, was in none that trained: it is of another kind
    Unsure,  ///< when it was tested, fewer than half of the answers with such a weight were right
};

struct OpeningData {
    attn::StepId weights = attn::kNoStep;  ///< of the head that is shown
    int query = 0, key = 0;                ///< the word that asks, and where its largest weight lies
    std::vector<std::string> words;
    std::vector<float> shares, scores;     ///< the row, and what its softmax read
    std::vector<bool> blank;               ///< words of which nothing is known
    std::vector<int> strange;              ///< those for which the text is of another kind than what trained (Doubt::Strange)
    int second = -1;                       ///< the word that shares the attention with `key`; −1: none comes near
    Doubt doubt = Doubt::None;
    int longest = 0;                       ///< words of the longest text that trained
    std::string title;
    std::vector<OpeningWhy> why;           ///< of what answers and of the next; empty: the scores are no q·k of projected vectors
    std::vector<HeadAnswer> heads;         ///< empty: the model's heads have no questions of their own
};

/// What can be done about a word of which nothing is known: the text with a known word in its place, the closest first.
std::vector<WordChange> repairs_of(const attn::Document& document, const attn::Run& run);

/// Of a text that has a question; `word`: asked with that word in its place, −1 with its own.
std::optional<OpeningData> opening_data(const attn::Document& document, const attn::Run& run, int head, Language language,
                                        const std::optional<TextQuestion>& question, int word);

/// The exchanges of one word that move the answer, what moves it most first: each is run and compared.
std::vector<WordChange> telling_changes(const attn::Document& document, const attn::Trace& trace, const TextQuestion& question, int head,
                                        Language language, const std::stop_token& stop = {});

/// What the arc of a word shows now: its share, or on the way there from what it showed before.
float shown_share(const OpeningData& data, const Opening& opening, std::size_t word);

}  // namespace app
