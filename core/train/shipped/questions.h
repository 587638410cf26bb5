#pragma once
// The layer whose numbers can all be read: sixteen columns (the eight named meanings, and eight for positions) and four
// heads, each trained to answer one question about sentences of the grammar. Only the answer is in the loss, never
// where a head attends.
//
// A head's answer is its output through its own part of W_O: eight numbers, compared by cosine with the words of the
// sentence. Words without an answer have themselves as the answer, with a small weight.

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

inline constexpr int kQuestionsWidth = 16, kQuestionsMeanings = 8, kQuestionsHeads = 4, kQuestionsHeadWidth = 4;

/// One head's question.
struct Question {
    std::string_view id;
    std::string_view english, chinese;
    std::vector<Relation> relations;  ///< empty: the previous word
};
const std::array<Question, kQuestionsHeads>& questions();

struct QuestionOptions {
    std::uint64_t seed = 0;
    int batch = 48;
    int parts = 8;                      ///< must divide batch
    int first_steps = 4000, second_steps = 800;
    float rate = 0.02f, decay = 0.05f;
    float without_answer = 0.05f;       ///< loss weight of a word without an answer
    float spread_penalty = 0.3f;        ///< on the entropy of the weights, relative to its maximum
    double masked = 0.5;                ///< share of the sentences under a causal mask
    bool scaled = true;                 ///< scores are divided by √d_k
    bool placed = true;                 ///< positions are added to the words
};

/// The factor on the answers' cosines during training; not part of the layer.
inline constexpr std::string_view kAnswerScale = "answer_scale";

/// W_Q and W_K first, then W_V and W_O; the order of the weights is query, key, value, output, answer_scale.
Course questions_course(const QuestionOptions& options);

/// The vector of a word in this layer, without its position: the meaning, then zeros.
Matrix questions_vectors(const std::vector<std::string>& tokens);
const PositionWaves& questions_waves();
/// n×16: zeros, then sines and cosines of positions with wavelengths 4, 8, 16 and 32.
Matrix questions_positions(int n);

/// Measurements of a layer on sentences.
struct HeadFigures {
    struct Row {
        Relation relation;
        int head = 0;       ///< the head with that question
        double share = 0;   ///< weight of that head on the right word
        double chance = 0;  ///< 1 / number of words
        int count = 0;
    };
    std::vector<Row> rows;
    double previous = 0;  ///< weight of the last head on the previous word
    std::array<double, kQuestionsHeads> right{}, right_off{};  ///< right answers per question, with its head and without
    std::array<double, kQuestionsHeads> resting{};  ///< of words without an answer: weight on themselves or the first word
    std::array<Surety, kQuestionsHeads> sure{};
    double worst() const;                       ///< the smallest share over all relations
    double mean() const;
};
/// `weights` as in the course; only the form's options matter. `causal`: with a causal mask; relations to later words
/// are left out.
HeadFigures measure_questions(const std::vector<Weight>& weights, std::uint64_t seed, Unseen unseen, int sentences, bool causal,
                              const QuestionOptions& options = {});

/// The weights of each head on one sentence.
std::vector<Matrix> questions_attention(const std::vector<Weight>& weights, const std::vector<std::string>& tokens, bool causal);

}  // namespace attn::train
