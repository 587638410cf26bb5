#include "core/train/shipped/questions.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/analysis/symmetric_eigen.h"
#include "core/attention/inputs.h"
#include "core/kernels/softmax.h"
#include "core/ops/ops.h"
#include "core/text/meaning.h"

namespace attn::train {
namespace {

constexpr int kRows = kLongestSentence;

/// A prepared sentence: vectors, and for each head and word the position of the answer (its own position: none).
struct PreparedSentence {
    int length = 0;
    bool causal = false;
    Matrix x;                                                     ///< length × 16, with positions
    Matrix words;                                                 ///< length × 8, unit vectors
    std::array<std::array<int, kRows>, kQuestionsHeads> answer{};
    std::array<int, kRows> same{};                                ///< the first position of the same word
};

bool asks(const Question& question, Relation relation) {
    return std::find(question.relations.begin(), question.relations.end(), relation) != question.relations.end();
}

PreparedSentence prepare(const Sentence& sentence, bool causal, bool placed) {
    PreparedSentence out;
    out.length = static_cast<int>(sentence.tokens.size());
    out.causal = causal;
    const Matrix vectors = questions_vectors(sentence.tokens);
    out.x = placed ? Matrix(vectors + questions_positions(out.length)) : vectors;
    out.words = vectors.leftCols(kQuestionsMeanings).rowwise().normalized();
    for (int i = 0; i < out.length; ++i) {
        const auto same = std::find(sentence.tokens.begin(), sentence.tokens.end(), sentence.tokens[static_cast<std::size_t>(i)]);
        out.same[static_cast<std::size_t>(i)] = static_cast<int>(same - sentence.tokens.begin());
        for (auto& answer : out.answer) answer[static_cast<std::size_t>(i)] = i;
        if (i > 0) out.answer[kQuestionsHeads - 1][static_cast<std::size_t>(i)] = i - 1;
    }
    for (std::size_t h = 0; h + 1 < kQuestionsHeads; ++h)
        for (const Sentence::Link& link : sentence.links) {
            if (!asks(questions()[h], link.relation) || (causal && link.to > link.from)) continue;
            int& answer = out.answer[h][static_cast<std::size_t>(link.from)];
            // A noun with an adjective and a classifier has the adjective as its answer; a second verb has its pronoun.
            if (link.relation == Relation::NounClassifier && answer != link.from) continue;
            answer = link.to;
        }
    return out;
}

/// The four directions along which the words of the grammar differ most, as columns.
Matrix principal_directions() {
    const Matrix e = questions_vectors(grammar_words()).leftCols(kQuestionsMeanings);
    const Eigen::MatrixXd squares = e.transpose().lazyProduct(e).cast<double>();
    Matrix out = symmetric_eigen(squares).vectors.rightCols(kQuestionsHeadWidth).rowwise().reverse().cast<float>();
    for (Eigen::Index c = 0; c < out.cols(); ++c)
        if (out.col(c).sum() < 0) out.col(c) *= -1;
    return out;
}

Matrix normal_matrix(Random& random, int rows, int cols, float spread) {
    Matrix out(rows, cols);
    for (Eigen::Index i = 0; i < out.size(); ++i) out.data()[i] = spread * random.normal();
    return out;
}

std::vector<Weight> first_weights(const QuestionOptions& options) {
    constexpr float kSpread = 0.7f, kApart = 0.1f, kNoise = 0.05f * 0.35f, kScale = 12;
    constexpr int kSecondPhase = 1;
    Random random(options.seed * 1000003 + 17);
    const Matrix query = normal_matrix(random, kQuestionsWidth, kQuestionsWidth, kSpread);
    const Matrix key = query + normal_matrix(random, kQuestionsWidth, kQuestionsWidth, kApart);
    Matrix value = normal_matrix(random, kQuestionsWidth, kQuestionsWidth, kNoise), output = normal_matrix(random, kQuestionsWidth, kQuestionsWidth, kNoise);
    const Matrix directions = principal_directions();
    for (int h = 0; h < kQuestionsHeads; ++h) {
        value.block(0, h * kQuestionsHeadWidth, kQuestionsMeanings, kQuestionsHeadWidth) += directions;
        output.block(h * kQuestionsHeadWidth, 0, kQuestionsHeadWidth, kQuestionsMeanings) += directions.transpose();
    }
    std::vector<Weight> out = {{"query_weight", query, options.decay},
                               {"key_weight", key, options.decay},
                               {"value_weight", value, options.decay},
                               {"output_weight", output, options.decay},
                               {std::string(kAnswerScale), Matrix::Constant(1, 1, kScale), 0}};
    out[0].to_phase = out[1].to_phase = 0;
    out[2].from_phase = out[3].from_phase = kSecondPhase;
    return out;
}

/// The layer as steps, with each head's answers and weights for the loss.
struct Layer {
    Trace trace;
    StepId x, pattern, words;
    std::vector<StepId> weights;  ///< in the order of the course
    std::array<StepId, kQuestionsHeads> attention{}, answers{};
};

Layer make_layer(bool scales_scores) {
    Layer l;
    Trace& t = l.trace;
    const Axis tokens{Axis::Kind::Tokens}, none{};
    for (int i = 0; i < kRows; ++i) t.tokens.push_back("w" + std::to_string(i));
    Random random(1);
    const auto numbers = [&](int rows, int cols, Role role) {
        return input(t, normal_matrix(random, rows, cols, 1), {role}, none, none, {Source::Given});
    };
    l.x = numbers(kRows, kQuestionsWidth, Role::Embeddings);
    l.pattern = input(t, Matrix::Ones(kRows, kRows), {Role::MaskPattern}, tokens, tokens, {Source::Formula});
    l.words = numbers(kQuestionsMeanings, kRows, Role::VocabularyTransposed);
    for (const Role role : {Role::QueryWeight, Role::KeyWeight, Role::ValueWeight, Role::OutputWeight})
        l.weights.push_back(numbers(kQuestionsWidth, kQuestionsWidth, role));
    l.weights.push_back(numbers(1, 1, Role::GateWeight));
    const StepId one = input(t, Matrix::Ones(kRows, 1), {Role::Gate}, none, none, {Source::Formula});
    const StepId scales = matmul(t, one, l.weights[4], {Role::GateLogits});
    const StepId q = matmul(t, l.x, l.weights[0], {Role::QueryProducts}), k = matmul(t, l.x, l.weights[1], {Role::KeyProducts}),
                 v = matmul(t, l.x, l.weights[2], {Role::ValueProducts});
    for (int h = 0; h < kQuestionsHeads; ++h) {
        const Tag tag{Role::Queries, h};
        const auto part = [&](StepId whole, Role role) {
            return slice(t, whole, h * kQuestionsHeadWidth, kQuestionsHeadWidth, tag.as(role));
        };
        const StepId queries = part(q, Role::Queries), keys = part(k, Role::Keys), values = part(v, Role::Values);
        const StepId scores = matmul(t, queries, transpose(t, keys, tag.as(Role::KeysTransposed)), tag.as(Role::Scores));
        const StepId scaled = scales_scores ? scale(t, scores, 1 / std::sqrt(static_cast<float>(kQuestionsHeadWidth)), tag.as(Role::Scaled)) : scores;
        const StepId masked = mask(t, scaled, l.pattern, tag.as(Role::Masked));
        l.attention[static_cast<std::size_t>(h)] = softmax(t, masked, 1, tag.as(Role::Weights));
        const StepId mixed = matmul(t, l.attention[static_cast<std::size_t>(h)], values, tag.as(Role::HeadOutput));
        const StepId own = slice_rows(t, l.weights[3], h * kQuestionsHeadWidth, kQuestionsHeadWidth, tag.as(Role::OutputWeight));
        const StepId made = matmul(t, mixed, own, tag.as(Role::OutputProducts));
        const StepId answer = unit(t, slice(t, made, 0, kQuestionsMeanings, tag.as(Role::Output)), tag.as(Role::UnitQueries));
        const StepId cosines = matmul(t, answer, l.words, tag.as(Role::Logits));
        l.answers[static_cast<std::size_t>(h)] = multiply(t, cosines, scales, tag.as(Role::LogitsTopK));
    }
    return l;
}

/// State shared by the hooks of one course.
struct Classroom {
    QuestionOptions options;
    Layer layer;
    std::shared_ptr<const Plan> plan;
    std::vector<PreparedSentence> batch;
    std::array<double, kQuestionsHeads> answered{}, silent{};  ///< words with and without an answer in the whole batch
    double words = 0;

    int each() const { return options.batch / options.parts; }

    void draw(std::int64_t step) {
        Grammar grammar(options.seed * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(step) * 2 + 1);
        Random random(options.seed * 7919 + static_cast<std::uint64_t>(step));
        batch.clear();
        answered.fill(0);
        silent.fill(0);
        words = 0;
        for (int i = 0; i < options.batch; ++i) {
            const bool causal = random.uniform() < options.masked;
            batch.push_back(prepare(grammar.next(), causal, options.placed));
            const PreparedSentence& one = batch.back();
            words += one.length;
            for (std::size_t h = 0; h < kQuestionsHeads; ++h)
                for (int w = 0; w < one.length; ++w) ++(one.answer[h][static_cast<std::size_t>(w)] == w ? silent : answered)[h];
        }
    }

    void fill(PlanMemory& memory, int part) const {
        for (int i = 0; i < each(); ++i) {
            const PreparedSentence& one = batch[static_cast<std::size_t>(part * each() + i)];
            Eigen::Map<Matrix> x(plan->example(memory, layer.x, i), kRows, kQuestionsWidth);
            Eigen::Map<Matrix> pattern(plan->example(memory, layer.pattern, i), kRows, kRows);
            Eigen::Map<Matrix> transposed(plan->example(memory, layer.words, i), kQuestionsMeanings, kRows);
            x.setZero();
            pattern.setZero();
            transposed.setZero();
            x.topRows(one.length) = one.x;
            transposed.leftCols(one.length) = one.words.transpose();
            for (int r = 0; r < one.length; ++r) pattern.row(r).head(one.causal ? r + 1 : one.length).setOnes();
        }
    }

    Tally judge(PlanMemory& memory, int part, std::int64_t step) const {
        Tally tally;
        for (int i = 0; i < each(); ++i)
            for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
                const PreparedSentence& one = batch[static_cast<std::size_t>(part * each() + i)];
                judge_answers(memory, i, h, one, tally);
                judge_spread(memory, i, h, one, step, tally);
            }
        return tally;
    }

    /// Cross-entropy over the words of the sentence; repeated words are the same answer.
    void judge_answers(PlanMemory& memory, int i, std::size_t h, const PreparedSentence& one, Tally& tally) const {
        const Eigen::Map<const Matrix> logits(plan->value(memory, layer.answers[h], i), kRows, kRows);
        Eigen::Map<Matrix> gradient(plan->objective(memory, layer.answers[h], i), kRows, kRows);
        gradient.setZero();
        const double none = static_cast<double>(options.without_answer), share = 1 / ((1 + none) * kQuestionsHeads);
        std::array<double, kRows> p{};
        for (int r = 0; r < one.length; ++r) {
            const int answer = one.answer[h][static_cast<std::size_t>(r)], word = one.same[static_cast<std::size_t>(answer)];
            const bool has = answer != r;
            const double weight = share * (has ? 1 / std::max(answered[h], 1.0) : none / std::max(silent[h], 1.0));
            double most = -1e30, sum = 0, mass = 0;
            int best = 0;
            for (int j = 0; j < one.length; ++j) {
                if (static_cast<double>(logits(r, j)) > most) best = j;
                most = std::max(most, static_cast<double>(logits(r, j)));
            }
            for (int j = 0; j < one.length; ++j) {
                auto& own = p[static_cast<std::size_t>(j)];
                sum += own = std::exp(static_cast<double>(logits(r, j)) - most);
                if (one.same[static_cast<std::size_t>(j)] == word) mass += own;
            }
            for (int j = 0; j < one.length; ++j) {
                const double own = p[static_cast<std::size_t>(j)] / sum;
                const double target = one.same[static_cast<std::size_t>(j)] == word ? p[static_cast<std::size_t>(j)] / mass : 0;
                gradient(r, j) = static_cast<float>(weight * (own - target));
            }
            tally.loss -= weight * std::log(mass / sum);
            if (!has) continue;
            ++tally.targets;
            if (one.same[static_cast<std::size_t>(best)] == word) ++tally.right;
        }
    }

    /// Penalises attention that is spread over many words; the penalty grows during training.
    void judge_spread(PlanMemory& memory, int i, std::size_t h, const PreparedSentence& one, std::int64_t step, Tally& tally) const {
        constexpr double kWarm = 500;
        const Eigen::Map<const Matrix> weights(plan->value(memory, layer.attention[h], i), kRows, kRows);
        Eigen::Map<Matrix> gradient(plan->objective(memory, layer.attention[h], i), kRows, kRows);
        gradient.setZero();
        if (one.length < 2) return;
        const double penalty = static_cast<double>(options.spread_penalty) * std::min(1.0, static_cast<double>(step) / kWarm);
        const double each_word = penalty / (words * kQuestionsHeads * std::log(static_cast<double>(one.length)));
        for (int r = 0; r < one.length; ++r)
            for (int j = 0; j < one.length; ++j) {
                const auto w = static_cast<double>(weights(r, j));
                if (!(w > 0)) continue;
                tally.loss -= each_word * w * std::log(w);
                gradient(r, j) = static_cast<float>(-each_word * (std::log(w) + 1));
            }
    }
};

}  // namespace

const std::array<Question, kQuestionsHeads>& questions() {
    using enum Relation;
    static const std::array<Question, kQuestionsHeads> kQuestions = {{
        {"meaning", "Which noun is this about?", "它说的是哪个名词？", {PronounNoun, PredicateNoun, SecondVerbNoun}},
        {"back", "Who does it, and what is it like?", "谁做的？它什么样？", {VerbSubject, SecondVerbPronoun, NounAdjective, NounClassifier}},
        {"ahead", "What does this word describe?", "它形容什么？", {AdjectiveNoun, ClassifierNoun, ArticleNoun, DegreeAdjective, VerbObject}},
        {"previous", "Which word came before?", "前一个词是什么？", {}},
    }};
    return kQuestions;
}

Matrix questions_vectors(const std::vector<std::string>& tokens) {
    std::vector<Source> sources;
    const Matrix meanings = meaning_vectors(tokens, sources);
    Matrix out = Matrix::Zero(meanings.rows(), kQuestionsWidth);
    out.leftCols(kQuestionsMeanings) = meanings;
    return out;
}

const PositionWaves& questions_waves() {
    static const PositionWaves kWaves = {kQuestionsMeanings, {4, 8, 16, 32}};
    return kWaves;
}
Matrix questions_positions(int n) { return wave_positions(n, kQuestionsWidth, questions_waves()); }

Course questions_course(const QuestionOptions& options) {
    assert(options.batch % options.parts == 0);
    const auto room = std::make_shared<Classroom>();
    room->options = options;
    room->layer = make_layer(options.scaled);
    PlanRequest request;
    request.trace = &room->layer.trace;
    request.per_example = {room->layer.x, room->layer.pattern, room->layer.words};
    request.weights = room->layer.weights;
    request.wanted = room->layer.weights;
    for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
        request.objectives.push_back(room->layer.answers[h]);
        request.objectives.push_back(room->layer.attention[h]);
    }
    request.batch = room->each();
    auto plan = Plan::make(request);
    assert(plan.ok());
    room->plan = std::make_shared<const Plan>(std::move(*plan));
    Course course;
    course.weights = first_weights(options);
    course.weight_steps = room->layer.weights;
    course.plan = room->plan;
    course.parts = options.parts;
    course.phases = {{options.first_steps, options.rate, 0, 0.02f, false}, {options.second_steps, options.rate / 2, 0, 1, true}};
    course.clip = 0;
    course.draw = [room](std::int64_t step) { room->draw(step); };
    course.fill = [room](PlanMemory& memory, const std::vector<Weight>&, int part) { room->fill(memory, part); };
    course.judge = [room](PlanMemory& memory, int part, std::int64_t step) { return room->judge(memory, part, step); };
    return course;
}

namespace {

std::vector<Matrix> attention_of(const std::vector<Weight>& weights, const Matrix& x, bool causal, bool scaled = true) {
    const Matrix q = x.lazyProduct(weights[0].value), k = x.lazyProduct(weights[1].value);
    std::vector<Matrix> out;
    for (int h = 0; h < kQuestionsHeads; ++h) {
        const auto columns = [h](const Matrix& m) { return m.middleCols(h * kQuestionsHeadWidth, kQuestionsHeadWidth); };
        Matrix scores = columns(q).lazyProduct(columns(k).transpose()) / (scaled ? std::sqrt(static_cast<float>(kQuestionsHeadWidth)) : 1.0f);
        for (Eigen::Index r = 0; causal && r < scores.rows(); ++r)
            for (Eigen::Index j = r + 1; j < scores.cols(); ++j) scores(r, j) = -std::numeric_limits<float>::infinity();
        out.push_back(softmax_rows(scores, 1, std::vector<bool>(static_cast<std::size_t>(scores.rows()), false)));
    }
    return out;
}

}  // namespace

std::vector<Matrix> questions_attention(const std::vector<Weight>& weights, const std::vector<std::string>& tokens, bool causal) {
    return attention_of(weights, questions_vectors(tokens) + questions_positions(static_cast<int>(tokens.size())), causal);
}

HeadFigures measure_questions(const std::vector<Weight>& weights, std::uint64_t seed, Unseen unseen, int sentences, bool causal,
                              const QuestionOptions& options) {
    HeadFigures out;
    for (int r = 0; r < kRelationCount; ++r)
        for (int h = 0; h + 1 < kQuestionsHeads; ++h)
            if (asks(questions()[static_cast<std::size_t>(h)], static_cast<Relation>(r))) out.rows.push_back({static_cast<Relation>(r), h});
    Grammar grammar(seed, unseen);
    std::array<double, kQuestionsHeads> answered{}, silent{};
    double before = 0;
    for (int s = 0; s < sentences; ++s) {
        const Sentence sentence = grammar.next();
        const PreparedSentence one = prepare(sentence, causal, options.placed);
        const std::vector<Matrix> attention = attention_of(weights, one.x, causal, options.scaled);
        for (const Sentence::Link& link : sentence.links)
            for (HeadFigures::Row& row : out.rows) {
                if (row.relation != link.relation || (causal && link.to > link.from)) continue;
                row.share += static_cast<double>(attention[static_cast<std::size_t>(row.head)](link.from, link.to));
                row.chance += 1.0 / (causal ? link.from + 1 : one.length);
                ++row.count;
            }
        for (int i = 1; i < one.length; ++i, ++before) out.previous += static_cast<double>(attention.back()(i, i - 1));
        for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
            const auto column = static_cast<Eigen::Index>(h) * kQuestionsHeadWidth;
            const Matrix values = one.x.lazyProduct(weights[2].value.middleCols(column, kQuestionsHeadWidth));
            const Matrix mixed = attention[h].lazyProduct(values);
            const Matrix made = mixed.lazyProduct(weights[3].value.block(column, 0, kQuestionsHeadWidth, kQuestionsMeanings));
            const Matrix cosines = made.lazyProduct(one.words.transpose());
            for (int r = 0; r < one.length; ++r) {
                const int answer = one.answer[h][static_cast<std::size_t>(r)];
                if (answer == r) {
                    ++silent[h];
                    out.resting[h] += static_cast<double>(attention[h](r, r) + (r > 0 ? attention[h](r, 0) : 0.0f));
                    continue;
                }
                ++answered[h];
                out.sure[h].add(attention[h].row(r), one.same, answer);
                Eigen::Index best = 0;
                cosines.row(r).maxCoeff(&best);
                const auto word = [&](Eigen::Index place) { return one.same[static_cast<std::size_t>(place)]; };
                out.right[h] += word(best) == word(answer) ? 1 : 0;
                out.right_off[h] += word(0) == word(answer) ? 1 : 0;  // without the head all words tie: the first wins
            }
        }
    }
    for (HeadFigures::Row& row : out.rows) {
        row.share /= std::max(row.count, 1);
        row.chance /= std::max(row.count, 1);
    }
    out.previous /= std::max(before, 1.0);
    for (std::size_t h = 0; h < kQuestionsHeads; ++h) {
        out.right[h] /= std::max(answered[h], 1.0);
        out.right_off[h] /= std::max(answered[h], 1.0);
        out.resting[h] /= std::max(silent[h], 1.0);
    }
    return out;
}

double HeadFigures::worst() const {
    double out = previous;
    for (const Row& row : rows)
        if (row.count > 0) out = std::min(out, row.share);
    return out;
}

double HeadFigures::mean() const {
    double sum = previous, count = 1;
    for (const Row& row : rows)
        if (row.count > 0) sum += row.share, ++count;
    return sum / count;
}

}  // namespace attn::train
