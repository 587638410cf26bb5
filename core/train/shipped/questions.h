#pragma once
// The layer whose numbers can all be read: sixteen columns (the eight named meanings, and eight of position), four
// heads, each asked a question of its own about sentences of the grammar. Only the answer is marked, never where a head
// looks.
//
// What a head's own part of W_O makes of what it mixed is its answer: eight numbers, compared by their angle with the
// words of the sentence. Words without an answer point to themselves, with little weight.

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.h"
#include "core/train/shipped/grammar.h"
#include "core/train/surety.h"
#include "core/train/trainer.h"

namespace attn::train {

inline constexpr int kAskedWidth = 16, kAskedMeanings = 8, kAskedHeads = 4, kAskedHeadWidth = 4;

/// One head's question.
struct Question {
    std::string_view id;
    std::string_view english, chinese;
    std::vector<Relation> relations;  ///< empty: the word before
};
const std::array<Question, kAskedHeads>& questions();

struct QuestionOptions {
    std::uint64_t seed = 0;
    int batch = 48;
    int parts = 8;                      ///< divides batch
    int first_steps = 4000, second_steps = 800;
    float rate = 0.02f, decay = 0.05f;
    float without_answer = 0.05f;       ///< weight of a word that has none
    float spread_penalty = 0.3f;        ///< on the entropy of the weights, by its largest
    double masked = 0.5;                ///< share of the sentences under a causal mask
    bool scaled = true;                 ///< scores are divided by √d_k
    bool placed = true;                 ///< positions are added to the words
};

/// The weight that the answers' cosines are multiplied by while it is trained; no part of the layer.
inline constexpr std::string_view kAnswerScale = "answer_scale";

/// W_Q and W_K first, W_V and W_O after; see Weight::name for the order query, key, value, output, answer_scale.
Course questions_course(const QuestionOptions& options);

/// The vector of a word in this layer, without its position: meaning, then zeros.
Matrix asked_vectors(const std::vector<std::string>& tokens);
const PositionWaves& asked_waves();
/// n×16: zeros, then sines and cosines of places with wavelengths 4, 8, 16 and 32.
Matrix asked_positions(int n);

/// What a layer does with sentences.
struct HeadFigures {
    struct Row {
        Relation relation;
        int head = 0;       ///< whose question it is
        double share = 0;   ///< of that head's weight, on the right word
        double chance = 0;  ///< 1 / number of words
        int count = 0;
    };
    std::vector<Row> rows;
    double previous = 0;  ///< share of the last head on the word before
    std::array<double, kAskedHeads> right{}, right_off{};  ///< answers of each question, with its head and without
    std::array<double, kAskedHeads> resting{};  ///< of words without an answer: weight on themselves or the first word
    std::array<Surety, kAskedHeads> sure{};
    double worst() const;                       ///< the smallest share of all relations
    double mean() const;
};
/// `weights` as in the course; of the options only the form matters. `causal`: under a mask; relations that point ahead are left out.
HeadFigures measure_questions(const std::vector<Weight>& weights, std::uint64_t seed, Unseen unseen, int sentences, bool causal,
                              const QuestionOptions& options = {});

/// The attention of each head on one sentence.
std::vector<Matrix> asked_attention(const std::vector<Weight>& weights, const std::vector<std::string>& tokens, bool causal);

}  // namespace attn::train
