#include "core/attention/parts/training.h"

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/rounds.h"

namespace attn {
namespace {

constexpr float kBaselineTakes = 0.1f;  // weight of the newest reward [Xu et al. 2015, 4.1]

/// n×V, with a 1 at each query's target word.
Matrix one_hot(const Inputs& in, const std::vector<std::string>& target, Eigen::Index queries) {
    Matrix out = Matrix::Zero(queries, static_cast<Eigen::Index>(in.words.size()));
    for (Eigen::Index i = 0; i < queries; ++i) {
        const std::string& word = target[target.size() == 1 ? 0 : static_cast<std::size_t>(i)];
        const auto at = std::find(in.words.begin(), in.words.end(), word);
        if (at != in.words.end()) out(i, at - in.words.begin()) = 1;
    }
    return out;
}

/// p(y_t|s): n×m.
StepId shares_of_targets(Trace& t, const Attend& a, StepId weights, StepId values) {
    const StepId logits = matmul(t, values, words_above(t, a.in), a.tag.as(Role::PlaceLogits));
    const StepId shares = softmax(t, logits, 1, a.tag.as(Role::PlaceShares));
    const StepId above = transpose(t, shares, a.tag.as(Role::PlaceSharesTransposed));
    const Eigen::Index queries = t[weights].value.rows();
    const StepId words = input(
        t, queries, a.in.word_vectors.rows(), [&] { return one_hot(a.in, a.config.target, queries); },
        a.tag.as(Role::TargetWords), t[weights].rows, {Axis::Kind::Words}, {Source::Given});
    return matmul(t, words, above, a.tag.as(Role::TargetShares));
}

/// L_s and log p(y|a), n×1 each. A row whose keys are all masked has no weights to average by, so its empty sum is no
/// bound and gets a note.
void bound_of(Trace& t, const Attend& a, StepId weights, StepId shares, StepId logs) {
    const StepId bound = row_sum(t, multiply(t, weights, logs, a.tag.as(Role::BoundTerms)), a.tag.as(Role::Bound));
    for (int row = 0; !t.shapes && row < static_cast<int>(t[bound].value.rows()); ++row)
        if (row_state(t, weights, row) == RowState::AllMasked) t.notes.push_back({bound, row, RowState::AllMasked});
    const StepId whole = row_sum(t, multiply(t, weights, shares, a.tag.as(Role::LikelihoodTerms)), a.tag.as(Role::Likelihood));
    activate(t, whole, Activation::Log, a.tag.as(Role::LogLikelihood));
}

Tag at_draw(const Attend& a, Role role, int draw) {
    Tag tag = a.tag.as(role);
    tag.time = draw;
    return tag;
}

/// The state carried from draw to draw.
struct Sums {
    StepId baseline = kNoStep, gradient = kNoStep;
};

Sums one_draw(Trace& t, const Attend& a, StepId weights, StepId minus_weights, StepId logs, std::uint64_t seed, int k, Sums so_far) {
    const auto tag = [&](Role role) { return at_draw(a, role, k); };
    const StepId one = draw(t, weights, 1, seed, tag(Role::OneDraw), k);
    const StepId said = row_sum(t, multiply(t, one, logs, tag(Role::DrawnLogTerms)), tag(Role::DrawnLog));
    const StepId reward = add(t, said, scale(t, so_far.baseline, -1, tag(Role::MinusBaseline)), tag(Role::Reward));
    const StepId change = add(t, one, minus_weights, tag(Role::DrawChange));
    const StepId term = multiply(t, change, reward, tag(Role::GradientTerm));
    Sums out;
    out.gradient = so_far.gradient == kNoStep ? term : add(t, so_far.gradient, term, tag(Role::GradientSum));
    const StepId taken = scale(t, reward, kBaselineTakes, tag(Role::BaselineChange));
    out.baseline = add(t, so_far.baseline, taken, at_draw(a, Role::Baseline, k + 1));
    return out;
}

}  // namespace

StepId words_of(Trace& t, const Inputs& in) {
    if (const StepId there = find_id(t, {Role::Vocabulary}); there != kNoStep) return there;
    return input(t, in.word_vectors, {Role::Vocabulary}, {Axis::Kind::Words}, {Axis::Kind::Features}, in.word_sources);
}

StepId words_above(Trace& t, const Inputs& in) {
    if (const StepId there = find_id(t, {Role::VocabularyTransposed}); there != kNoStep) return there;
    return transpose(t, words_of(t, in), {Role::VocabularyTransposed});
}

void train_hard(Trace& t, const Attend& a, StepId weights, StepId values, std::uint64_t seed) {
    const StepId shares = shares_of_targets(t, a, weights, values);
    const StepId logs = activate(t, shares, Activation::Log, a.tag.as(Role::TargetLogs));
    bound_of(t, a, weights, shares, logs);
    const StepId minus_weights = scale(t, weights, -1, a.tag.as(Role::MinusWeights));
    const Eigen::Index queries = t[weights].value.rows();
    Sums sums;
    sums.baseline = input(
        t, queries, 1, [&] { return Matrix(Matrix::Zero(queries, 1)); }, at_draw(a, Role::Baseline, 0), t[weights].rows, {},
        {Source::Formula});
    rounds(t, a.config.draws, [&](int k) {
        sums = one_draw(t, a, weights, minus_weights, logs, seed, k, sums);
        return sums.gradient;
    });
    // ∂ log α_s / ∂ scores = (s − α) / τ, because the softmax divides the scores by the temperature.
    scale(t, sums.gradient, 1 / static_cast<float>(a.config.draws) / a.config.temperature, a.tag.as(Role::ScoreGradient));
}

}  // namespace attn
