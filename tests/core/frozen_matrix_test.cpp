#include "core/base/frozen_matrix.h"

#include <gtest/gtest.h>

#include <iterator>
#include <thread>
#include <vector>

#include "tests/core/support.h"

namespace attn::test {
namespace {

TEST(FrozenMatrix, ReadsAsItsSourceMatrix) {
    const Matrix m = seeded_matrix(1, 3, 5);
    const FrozenMatrix frozen = m;
    EXPECT_TRUE(same_bits(frozen, m));
    EXPECT_EQ(frozen(2, 4), m(2, 4));
    const Matrix& held = frozen;
    EXPECT_EQ(held.data(), frozen.data()) << "asking for the matrix copies nothing";
    EXPECT_NE(frozen.data(), m.data()) << "a matrix that is kept is copied once";
    EXPECT_TRUE(same_bits(Matrix(frozen * m.transpose()), Matrix(m * m.transpose())));
    EXPECT_EQ(FrozenMatrix().size(), 0);
    EXPECT_EQ(FrozenMatrix().matrix().size(), 0);
}

TEST(FrozenMatrix, CopiesShareOneMatrix) {
    FrozenMatrix a = seeded_matrix(1, 3, 5), b = seeded_matrix(2, 4, 2);
    const FrozenMatrix first = a, second = b;
    a = b;
    EXPECT_EQ(a.data(), second.data());
    EXPECT_EQ(a.rows(), 4);
    EXPECT_EQ(a.cols(), 2);
    const FrozenMatrix& alias = a;
    a = alias;
    EXPECT_EQ(a.data(), second.data());
    b = std::move(a);
    EXPECT_EQ(b.data(), second.data());
    EXPECT_EQ(a.size(), 0) << "what was moved from is empty";  // NOLINT: that is what is asked
    a = first;
    b = FrozenMatrix();
    EXPECT_EQ(a.data(), first.data());
    EXPECT_EQ(b.size(), 0);
    EXPECT_TRUE(same(a, first));
    EXPECT_TRUE(same(a, FrozenMatrix(first.matrix())));
    EXPECT_FALSE(same(first, second));
}

/// A document with every kind of given matrix: vectors, projection weights, parameters by name.
Document all_given() {
    Document doc = numbers_document(seeded_matrix(1, 4, 6), "multi_head");
    doc.config.score = "additive";
    doc.given[static_cast<std::size_t>(Given::W_Q)] = seeded_matrix(2, 6, 6);
    doc.parameters = {{{Role::ScoreWeight}, seeded_matrix(3, 6, 6)}};
    return doc;
}

TEST(FrozenMatrix, TheTraceHoldsTheDocumentsOwnNumbers) {
    const Document doc = all_given();
    const attn::Run made = run_valid(doc);
    const auto held = [&](Role role) { return find(made.trace, {role})->value.held(); };
    EXPECT_EQ(held(Role::Embeddings), doc.matrix(Given::X)->held());
    EXPECT_EQ(held(Role::QueryWeight), doc.matrix(Given::W_Q)->held());
    Document encoder = numbers_document(seeded_matrix(1, 4, 6), "encoder");
    encoder.parameters = {{{Role::UpWeight, kNoHead, 0}, seeded_matrix(3, 6, 24)}};
    EXPECT_EQ(find(run_valid(encoder).trace, encoder.parameters[0].tag)->value.held(), encoder.parameters[0].value.held());
}

TEST(FrozenMatrix, SeededWeightsAreOneMatrixInEveryRun) {
    Document doc = numbers_document(seeded_matrix(1, 4, 6), "encoder");
    doc.weights = "random";
    const attn::Run a = run_valid(doc), b = run_valid(doc);
    for (const Step& step : a.trace.steps) {
        if (step.op != Op::Input || step.as<InputParams>().sources != std::vector{Source::Seeded}) continue;
        EXPECT_EQ(step.value.held(), find(b.trace, step.tag)->value.held()) << step_name(step.tag);
    }
}

TEST(FrozenMatrix, TypingOverLeavesTheDocumentsMatrixUnchanged) {
    Document doc = all_given();
    const Matrix before = doc.matrix(Given::W_Q)->matrix();
    doc.edits = {{{Role::QueryWeight}, 1, 2, 9.0f}};
    const attn::Run made = run_valid(doc);
    const Step* step = find(made.trace, {Role::QueryWeight});
    EXPECT_EQ(step->value(1, 2), 9.0f);
    EXPECT_TRUE(same_bits(*doc.matrix(Given::W_Q), before));
    EXPECT_NE(step->value.held(), doc.matrix(Given::W_Q)->held());
    EXPECT_EQ(find(made.trace, {Role::Embeddings})->value.held(), doc.matrix(Given::X)->held()) << "only what is typed into is copied";
}

/// Reference counters of matrices are pooled, until it ends, by the thread that frees them, whichever allocated them.
TEST(FrozenMatrix, MayBeFreedByAnotherThreadThanItsMaker) {
    constexpr int kMany = 1000;  // more than a thread pools
    const auto made = [] {
        std::vector<FrozenMatrix> out;
        for (int i = 0; i < kMany; ++i) out.emplace_back(Matrix::Constant(1, 1, static_cast<float>(i)));
        return out;
    };
    for (int round = 0; round < 3; ++round) {
        std::vector<FrozenMatrix> here = made(), there;
        std::thread([&] { here.clear(), there = made(); }).join();
        const std::vector<FrozenMatrix> again = made();
        for (int i = 0; i < kMany; ++i) {
            const auto at = static_cast<std::size_t>(i);
            EXPECT_EQ(there[at](0, 0), static_cast<float>(i));
            EXPECT_EQ(again[at](0, 0), static_cast<float>(i));
        }
    }
}

/// Small, empty and large shapes (the largest is too large to be reused), allocated and freed in turn: matrices that are
/// held keep their numbers.
TEST(FrozenMatrix, HeldMatricesKeepTheirMemory) {
    constexpr int kShapes[][2] = {{1, 31}, {2, 0}, {2, 61}, {8, 64}, {64, 64}, {65, 64}};
    std::vector<FrozenMatrix> held;
    for (int round = 0; round < 60; ++round) {
        std::vector<FrozenMatrix> going;
        for (const auto& [rows, cols] : kShapes)
            for (int i = 0; i < 3; ++i) {
                Matrix made = unwritten(rows, cols);
                ASSERT_EQ(made.rows(), rows);
                ASSERT_EQ(made.cols(), cols);
                made.setConstant(static_cast<float>(held.size()));
                (i == 0 ? held : going).emplace_back(std::move(made));
            }
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
        const auto [rows, cols] = kShapes[i % std::size(kShapes)];
        EXPECT_TRUE(same_bits(held[i], Matrix(Matrix::Constant(rows, cols, static_cast<float>(i))))) << i;
    }
}

}  // namespace
}  // namespace attn::test
