// Attention between recurrent networks: Bahdanau's and Luong's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/attention/forms/attention.h"
#include "core/attention/parts/score.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kRecurrentAgreement = 1e-5;

Document two_texts(std::string_view form, int n, int m, int d) {
    Document doc = numbers_document(seeded_matrix(31, n, d), form);
    doc.source.clear();
    doc.given[static_cast<std::size_t>(Given::X_source)] = seeded_matrix(32, m, d);
    doc.weights = "random";
    return doc;
}

Eigen::MatrixXd wide(const attn::Run& run, Tag tag) {
    const Step* step = find(run.trace, tag);
    EXPECT_NE(step, nullptr) << step_name(tag);
    return step ? Eigen::MatrixXd(step->value.cast<double>()) : Eigen::MatrixXd();
}

Eigen::MatrixXd tanh_of(const Eigen::MatrixXd& m) { return m.array().tanh(); }

Eigen::RowVectorXd shares(const Eigen::RowVectorXd& scores) {
    const Eigen::RowVectorXd e = (scores.array() - scores.maxCoeff()).exp();
    return e / e.sum();
}

Eigen::MatrixXd recurrent(const Eigen::MatrixXd& z, const Eigen::MatrixXd& u, bool backward) {
    Eigen::MatrixXd h(z.rows(), z.cols());
    Eigen::RowVectorXd before = Eigen::RowVectorXd::Zero(z.cols());
    for (Eigen::Index i = 0; i < z.rows(); ++i) {
        const Eigen::Index r = backward ? z.rows() - 1 - i : i;
        h.row(r) = before = tanh_of(z.row(r) + before * u);
    }
    return h;
}

Document saying(const char* text) {
    return test::document_of(std::string(R"({"variant": "bahdanau", "unit": "gru", "unembedding": "own", "weights": "random", )"
                                         R"("tokenizer": "words", "gradient": "loss", "source": "d e", "text": ")") +
                             text + "\"}");
}

/// p(y_i | y_<i, x): the probabilities at a position do not depend on the word there or after it; the loss has no row
/// for the first word, and for each other word one row with that word as target.
TEST(Bahdanau, PredictsEachWordFromThoseBeforeIt) {
    const attn::Run one = run_valid(saying("a b c c")), other = run_valid(saying("a b c a"));
    const Step *p = find(one.trace, {Role::Probabilities}), *q = find(other.trace, {Role::Probabilities});
    ASSERT_TRUE(p && q);
    EXPECT_EQ(p->value.rows(), 4);
    EXPECT_TRUE(test::same_bits(p->value, q->value));
    const attn::Run third = run_valid(saying("a b a c"));
    EXPECT_FALSE(test::same_bits(p->value, find(third.trace, {Role::Probabilities})->value)) << "the last row has read the third word";
    const Step* targets = find(one.trace, {Role::LossTargets});
    ASSERT_TRUE(targets);
    ASSERT_EQ(targets->value.rows(), 3);
    const auto of = [&](const char* word) {
        return std::find(one.inputs.words.begin(), one.inputs.words.end(), word) - one.inputs.words.begin();
    };
    EXPECT_EQ(targets->value(0, of("b")), 1);
    EXPECT_EQ(targets->value(1, of("c")), 1);
    EXPECT_EQ(targets->value(2, of("c")), 1);
}

/// The paper's appendices A.1.2 and A.2.2 in full, written again with plain tanh units.
TEST(Bahdanau, EqualsThePaperWrittenOut) {
    constexpr int kWords = 4, kSource = 5, kWidth = 3;
    const attn::Run run = run_valid(two_texts("bahdanau", kWords, kSource, kWidth));
    constexpr Part kFrom = Part::Source;
    const auto weight = [&](Role role, Part part = Part::Main) {
        return wide(run, {role, kNoHead, kNoLayer, kNoTime, part});
    };
    const Eigen::MatrixXd x = run.inputs.source_x.cast<double>(), y = run.inputs.x.cast<double>();
    Eigen::MatrixXd h(kSource, 2 * kWidth);
    const Eigen::MatrixXd backward =
        recurrent(x * weight(Role::BackwardWeight, kFrom), weight(Role::BackwardRecurrentWeight, kFrom), true);
    h << recurrent(x * weight(Role::StateWeight, kFrom), weight(Role::RecurrentWeight, kFrom), false), backward;
    Eigen::RowVectorXd state = tanh_of(backward.row(0) * weight(Role::InitialWeight));
    Eigen::MatrixXd alignment(kWords, kSource), output(kWords, kWidth);
    for (int i = 0; i < kWords; ++i) {
        Eigen::RowVectorXd scores(kSource);
        for (int j = 0; j < kSource; ++j)
            scores[j] = (tanh_of(state * weight(Role::ScoreWeight) + h.row(j) * weight(Role::ScoreKeyWeight)) *
                         weight(Role::ScoreVector))(0, 0);
        alignment.row(i) = shares(scores);
        const Eigen::RowVectorXd context = alignment.row(i) * h;
        const Eigen::RowVectorXd before = i > 0 ? y.row(i - 1).eval() : Eigen::RowVectorXd::Zero(kWidth).eval();
        state = tanh_of(before * weight(Role::StateWeight) + state * weight(Role::RecurrentWeight) +
                        context * weight(Role::ContextWeight));
        Eigen::RowVectorXd both(3 * kWidth);
        both << context, state;
        output.row(i) = both * weight(Role::CombineWeight);
    }
    EXPECT_TRUE(close(find(run.trace, {Role::Weights})->value, alignment.cast<float>(), kRecurrentAgreement));
    EXPECT_TRUE(close(find(run.trace, {Role::Output})->value, output.cast<float>(), kRecurrentAgreement));
}

TEST(Bahdanau, TheAlignmentIsAllTheTimesTogether) {
    Document doc = two_texts("bahdanau", 4, 3, 4);
    doc.config.penalty = 1;
    const attn::Run run = run_valid(doc);
    const Matrix& alignment = find(run.trace, {Role::Weights})->value;
    ASSERT_EQ(alignment.rows(), 4);
    for (int i = 0; i < 4; ++i) {
        const Step* one = find(run.trace, {Role::Weights, kNoHead, kNoLayer, i});
        ASSERT_NE(one, nullptr);
        EXPECT_TRUE(same_bits(alignment.row(i), one->value));
        EXPECT_EQ(axis_label(run.trace, one->rows, 0), run.trace.tokens[static_cast<std::size_t>(i)]);
    }
    int coverages = 0;
    for (const Step& step : run.trace.steps) coverages += step.tag.role == Role::Coverage ? 1 : 0;
    EXPECT_EQ(coverages, 1);
    EXPECT_TRUE(close(find(run.trace, {Role::Coverage})->value, alignment.colwise().sum(), kRecurrentAgreement));
}

/// A word is predicted from the words before it, not from itself or later ones.
TEST(Bahdanau, LaterWordsChangeNothingBefore) {
    Document doc = two_texts("bahdanau", 5, 4, 4);
    const FrozenMatrix before = find(run_valid(doc).trace, {Role::Output})->value;
    Matrix x(*doc.matrix(Given::X));
    x.row(3).setConstant(2);
    doc.given[static_cast<std::size_t>(Given::X)] = x;
    const FrozenMatrix after = find(run_valid(doc).trace, {Role::Output})->value;
    EXPECT_TRUE(same_bits(after.topRows(4), before.topRows(4)));
    EXPECT_FALSE(same_bits(after.row(4), before.row(4)));
}

/// The states after a typed-over one are computed from it, in both directions.
TEST(Recur, ContinuesFromATypedOverState) {
    for (const bool backward : {false, true}) {
        Trace t = trace_of(seeded_matrix(33, 4, 2));
        const Tag states{Role::States};
        t.edits = {{states, 1, 0, 0.5f}};
        const StepId weight = input(t, seeded_matrix(34, 2, 2), {Role::RecurrentWeight}, {}, {}, {Source::Given});
        const Step& step = t[recur(t, 0, weight, backward, states)];
        const Eigen::MatrixXd h = step.value.cast<double>(), u = t[weight].value.cast<double>(), z = t[0].value.cast<double>();
        EXPECT_EQ(step.value(1, 0), 0.5f);
        const int next = backward ? 0 : 2;
        EXPECT_TRUE(close(step.value.row(next), tanh_of(z.row(next) + h.row(1) * u).cast<float>(), kRecurrentAgreement));
    }
}

/// h̃ = tanh([c; h] W_c) with the context c = softmax(h W_a h̄ᵀ) h̄.
TEST(Luong, EqualsThePaperWrittenOut) {
    const attn::Run run = run_valid(two_texts("luong", 4, 6, 3));
    const auto weight = [&](Role role, Part part = Part::Main) {
        return wide(run, {role, kNoHead, kNoLayer, kNoTime, part});
    };
    const Eigen::MatrixXd keys = recurrent(run.inputs.source_x.cast<double>() * weight(Role::StateWeight, Part::Source),
                                           weight(Role::RecurrentWeight, Part::Source), false);
    const Eigen::MatrixXd states =
        recurrent(run.inputs.x.cast<double>() * weight(Role::StateWeight), weight(Role::RecurrentWeight), false);
    const Eigen::MatrixXd scores = states * weight(Role::ScoreWeight) * keys.transpose();
    Eigen::MatrixXd output(4, 3);
    for (int i = 0; i < 4; ++i) {
        Eigen::RowVectorXd both(6);
        both << shares(scores.row(i)) * keys, states.row(i);
        output.row(i) = tanh_of(both * weight(Role::CombineWeight));
    }
    EXPECT_TRUE(close(find(run.trace, {Role::Output})->value, output.cast<float>(), kRecurrentAgreement));
}

TEST(Luong, EveryScoreAndScopeRuns) {
    int runs = 0;
    for (const Score& score : scores())
        for (const std::string_view scope : {"global", "local_m", "local_p"}) {
            Document doc = two_texts("luong", 3, 5, 4);
            doc.config.score = score.id;
            doc.config.scope = scope;
            doc.config.window = 1;
            drop_unread(doc);
            SCOPED_TRACE(name_of(doc));
            const attn::Run run = run_valid(doc);
            ASSERT_NE(find(run.trace, {Role::Output}), nullptr);
            EXPECT_EQ(find(run.trace, {scope == "local_p" ? Role::LocalWeights : Role::Weights})->value.rows(), 3);
            ++runs;
        }
    EXPECT_EQ(runs, 24);
}

}  // namespace
}  // namespace attn::test
