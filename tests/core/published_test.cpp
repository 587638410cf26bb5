// Cross-checks with numbers that were not made by this project: worked examples of books and articles.
#include <gtest/gtest.h>

#include "core/document_fields.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

Matrix value_of(std::string_view json, Role role) {
    const attn::Run run = run_valid(document_of(json));
    const Step* step = find(run.trace, {role});
    EXPECT_NE(step, nullptr);
    return step ? step->value : Matrix{};
}

void expect_near(const Matrix& actual, std::initializer_list<std::initializer_list<float>> rows, float tolerance) {
    Eigen::Index r = 0;
    for (const auto& row : rows) {
        Eigen::Index c = 0;
        for (const float expected : row) {
            EXPECT_NEAR(actual(r, c), expected, tolerance) << "[" << r << ", " << c << "]";
            ++c;
        }
        ++r;
    }
}

/// S. Raschka, "Build a Large Language Model (From Scratch)", Manning 2024, section 3.3: "Your journey starts with one
/// step" as six vectors of three numbers, self-attention without weights. The book prints four decimals.
TEST(Published, RaschkaSelfAttentionWithoutWeights) {
    constexpr std::string_view kDocument = R"({"variant": "raw",
        "tokens": ["Your", "journey", "starts", "with", "one", "step"],
        "X": [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
              [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]]})";
    constexpr float kPrinted = 0.5e-4f + 1e-6f;
    const Matrix scores = value_of(kDocument, Role::Scores), weights = value_of(kDocument, Role::Weights);
    expect_near(scores.row(1), {{0.9544f, 1.4950f, 1.4754f, 0.8434f, 0.7070f, 1.0865f}}, kPrinted);
    expect_near(weights.row(1), {{0.1385f, 0.2379f, 0.2333f, 0.1240f, 0.1082f, 0.1581f}}, kPrinted);
    expect_near(value_of(kDocument, Role::Output),
                {{0.4421f, 0.5931f, 0.5790f},
                 {0.4419f, 0.6515f, 0.5683f},
                 {0.4431f, 0.6496f, 0.5671f},
                 {0.4304f, 0.6298f, 0.5510f},
                 {0.4671f, 0.5910f, 0.5266f},
                 {0.4177f, 0.6503f, 0.5645f}},
                kPrinted);
}

/// R. Karim, "Illustrated: Self-Attention", Towards Data Science 2019: three inputs of four numbers, integer weights,
/// unscaled dot products.
TEST(Published, KarimIllustratedSelfAttention) {
    constexpr std::string_view kDocument = R"({"score": "dot",
        "X": [[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]],
        "W_Q": [[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]],
        "W_K": [[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]],
        "W_V": [[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]]})";
    expect_near(value_of(kDocument, Role::Queries), {{1, 0, 2}, {2, 2, 2}, {2, 1, 3}}, 0);
    expect_near(value_of(kDocument, Role::Keys), {{0, 1, 1}, {4, 4, 0}, {2, 3, 1}}, 0);
    expect_near(value_of(kDocument, Role::Values), {{1, 2, 3}, {2, 8, 0}, {2, 6, 3}}, 0);
    expect_near(value_of(kDocument, Role::Scores).row(0), {{2, 4, 4}}, 0);
    expect_near(value_of(kDocument, Role::Output),
                {{1.9366f, 6.6831f, 1.5951f}, {2.0000f, 7.9640f, 0.0540f}, {1.9997f, 7.7599f, 0.3584f}},
                0.5e-4f + 1e-6f);
}

/// J. Alammar, "The Illustrated Transformer", 2018: scores 112 and 96, divided by √64 = 8 give 14 and 12, and the
/// softmax 0.88 and 0.12.
TEST(Published, AlammarScaledScores) {
    Document doc = numbers_document(Matrix::Identity(2, 2), "multi_head");
    Matrix queries = Matrix::Zero(2, 64), keys = Matrix::Zero(2, 64);
    queries(0, 0) = 1;
    keys(0, 0) = 112;
    keys(1, 0) = 96;
    doc.given[static_cast<std::size_t>(Given::W_Q)] = queries;
    doc.given[static_cast<std::size_t>(Given::W_K)] = keys;
    const attn::Run run = run_valid(doc);
    expect_near(find(run.trace, {Role::Scores})->value.row(0), {{112, 96}}, 0);
    expect_near(find(run.trace, {Role::Scaled})->value.row(0), {{14, 12}}, 0);
    expect_near(find(run.trace, {Role::Weights})->value.row(0), {{0.88f, 0.12f}}, 0.005f);
}

/// S. Cristina, "The Attention Mechanism from Scratch", Machine Learning Mastery 2021: four words, weights from NumPy's
/// random.seed(42) and randint(3), scaled dot products.
TEST(Published, CristinaFourWords) {
    constexpr std::string_view kDocument = R"({"X": [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]],
        "W_Q": [[2, 0, 2], [2, 0, 0], [2, 1, 2]], "W_K": [[2, 2, 2], [0, 2, 1], [0, 1, 1]], "W_V": [[1, 1, 0], [0, 1, 1], [0, 0, 0]]})";
    expect_near(value_of(kDocument, Role::Output),
                {{0.98522025f, 1.74174051f, 0.75652026f},
                 {0.90965265f, 1.40965265f, 0.5f},
                 {0.99851226f, 1.75849334f, 0.75998108f},
                 {0.99560386f, 1.90407309f, 0.90846923f}},
                1e-6f);
}

}  // namespace
}  // namespace attn::test
