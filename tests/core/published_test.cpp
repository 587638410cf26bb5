// Cross-checks with numbers that were not made by this project: worked examples of books and articles.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/attention/parts/position.h"
#include "core/document/fields.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

Matrix value_of(std::string_view json, Role role) {
    const attn::Run run = run_valid(document_of(json));
    const Step* step = find(run.trace, {role});
    EXPECT_NE(step, nullptr);
    return step ? step->value.matrix() : Matrix{};
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

/// Four decimals are printed, of weights that were printed to four decimals, too: two of them go into each product.
constexpr float kPrintedTwice = 2e-4f;

/// S. Raschka, "Build a Large Language Model (From Scratch)", section 3.4: the same six words with trainable weights,
/// torch.manual_seed(123). The notebook (rasbt/LLMs-from-scratch, ch03.ipynb) prints query, scores, weights and context
/// vectors; the three weights are printed in readers' notes of that cell.
TEST(Published, RaschkaTrainableWeights) {
    constexpr std::string_view kDocument = R"({
        "X": [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64],
              [0.22, 0.58, 0.33], [0.77, 0.25, 0.10], [0.05, 0.80, 0.55]],
        "W_Q": [[0.2961, 0.5166], [0.2517, 0.6886], [0.0740, 0.8665]],
        "W_K": [[0.1366, 0.1025], [0.1841, 0.7264], [0.3153, 0.6871]],
        "W_V": [[0.0756, 0.1966], [0.3164, 0.4017], [0.1186, 0.8274]]})";
    expect_near(value_of(kDocument, Role::Queries).row(1), {{0.4306f, 1.4551f}}, kPrintedTwice);
    expect_near(value_of(kDocument, Role::Scores).row(1), {{1.2705f, 1.8524f, 1.8111f, 1.0795f, 0.5577f, 1.5440f}},
                kPrintedTwice);
    expect_near(value_of(kDocument, Role::Weights).row(1), {{0.1500f, 0.2264f, 0.2199f, 0.1311f, 0.0906f, 0.1820f}},
                kPrintedTwice);
    expect_near(value_of(kDocument, Role::HeadOutput),
                {{0.2996f, 0.8053f},
                 {0.3061f, 0.8210f},
                 {0.3058f, 0.8203f},
                 {0.2948f, 0.7939f},
                 {0.2927f, 0.7891f},
                 {0.2990f, 0.8040f}},
                kPrintedTwice);
}

/// The same notebook, section 3.5: scores as they are printed under the mask, and their softmax after division by √2.
/// Here the scores come from queries times the identity, and the division is the temperature.
TEST(Published, RaschkaCausalMask) {
    constexpr std::string_view kDocument = R"({"score": "dot", "mask": "causal", "temperature": 1.4142135,
        "X": [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0],
              [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]],
        "W_Q": [[0.2899, 9, 9, 9, 9, 9], [0.4656, 0.1723, 9, 9, 9, 9], [0.4594, 0.1703, 0.1731, 9, 9, 9],
                [0.2642, 0.1024, 0.1036, 0.0186, 9, 9], [0.2183, 0.0874, 0.0882, 0.0177, 0.0786, 9],
                [0.3408, 0.1270, 0.1290, 0.0198, 0.1290, 0.0078]]})";
    EXPECT_EQ(value_of(kDocument, Role::Masked)(4, 5), -kInfinity);
    expect_near(value_of(kDocument, Role::Weights),
                {{1.0000f, 0.0000f, 0.0000f, 0.0000f, 0.0000f, 0.0000f},
                 {0.5517f, 0.4483f, 0.0000f, 0.0000f, 0.0000f, 0.0000f},
                 {0.3800f, 0.3097f, 0.3103f, 0.0000f, 0.0000f, 0.0000f},
                 {0.2758f, 0.2460f, 0.2462f, 0.2319f, 0.0000f, 0.0000f},
                 {0.2175f, 0.1983f, 0.1984f, 0.1888f, 0.1971f, 0.0000f},
                 {0.1935f, 0.1663f, 0.1666f, 0.1542f, 0.1666f, 0.1529f}},
                1e-4f);
}

/// A. Zhang, Z. Lipton, M. Li, A. Smola, "Dive into Deep Learning", 11.3 (10.3 in the first edition): ten keys of ones,
/// values 0 … 39 in rows of four, valid lengths 2 and 6; additive and scaled dot-product attention both print
/// [2, 3, 4, 5] and [10, 11, 12, 13], whatever the weights.
TEST(Published, DiveIntoDeepLearningValidLengths) {
    for (const std::string_view score : {"additive", "scaled_dot"})
        for (const int valid : {2, 6}) {
            Document doc = numbers_document(seeded_matrix(1, 1, 4), "cross");
            Matrix values(10, 4);
            for (int i = 0; i < 40; ++i) values(i / 4, i % 4) = static_cast<float>(i);
            doc.source.clear();
            doc.given[static_cast<std::size_t>(Given::X_source)] = values;
            doc.given[static_cast<std::size_t>(Given::W_Q)] = seeded_matrix(2, 4, 2);
            doc.given[static_cast<std::size_t>(Given::W_K)] = Matrix::Zero(4, 2);
            doc.given[static_cast<std::size_t>(Given::b_K)] = Matrix::Ones(1, 2);
            doc.config.score = score;
            doc.config.mask = "padding";
            doc.padding = 10 - valid;
            if (score == "additive")
                doc.parameters = {{{Role::ScoreWeight}, seeded_matrix(3, 2, 2)},
                                  {{Role::ScoreVector}, seeded_matrix(4, 2, 1)}};
            const attn::Run run = run_valid(doc);
            const Matrix& output = find(run.trace, {Role::HeadOutput})->value;
            if (valid == 2)
                expect_near(output, {{2, 3, 4, 5}}, 1e-5f);
            else
                expect_near(output, {{10, 11, 12, 13}}, 1e-5f);
        }
}

/// The value of one operation on one row.
template <class Operation>
Matrix made(std::initializer_list<float> row, const Operation& operation) {
    Matrix x(1, static_cast<Eigen::Index>(row.size()));
    std::copy(row.begin(), row.end(), x.data());
    Trace t = trace_of(x);
    return t[operation(t)].value.matrix();
}
Matrix activation(std::initializer_list<float> row, Activation f) {
    return made(row, [f](Trace& t) { return activate(t, 0, f, {Role::Activated}); });
}

/// TensorFlow's API documentation prints these: tf.nn.gelu, tf.keras.ops.silu and sigmoid, tf.keras.ops.elu.
TEST(Published, TensorFlowActivations) {
    constexpr float kPrinted = 5e-7f;
    expect_near(activation({-3, -1, 0, 1, 3}, Activation::Gelu),
                {{-0.00404951f, -0.15865529f, 0, 0.8413447f, 2.9959507f}}, kPrinted);
    expect_near(activation({-3, -1, 0, 1, 3}, Activation::GeluTanh),
                {{-0.00363752f, -0.15880796f, 0, 0.841192f, 2.9963627f}}, kPrinted);
    expect_near(activation({-6, 1, 0, 1, 6}, Activation::Sigmoid),
                {{0.00247262f, 0.7310586f, 0.5f, 0.7310586f, 0.9975274f}}, kPrinted);
    expect_near(activation({-6, 1, 0, 1, 6}, Activation::Silu), {{-0.0148357f, 0.7310586f, 0, 0.7310586f, 5.9851646f}},
                kPrinted);
    expect_near(activation({-1, 0, 1}, Activation::EluPlusOne), {{1 - 0.63212055f, 1, 2}}, kPrinted);
}

/// TensorFlow Addons' documentation of tfa.activations.sparsemax, and tf.keras.ops.sparsemax.
TEST(Published, TensorFlowSparsemax) {
    const auto sparse = [](std::initializer_list<float> row) {
        return made(row, [](Trace& t) { return sparsemax(t, 0, 1, {Role::Weights}); });
    };
    expect_near(sparse({-1, 0, 1}), {{0, 0, 1}}, 0);
    expect_near(sparse({-5, 1, 2}), {{0, 0, 1}}, 0);
}

/// M. Rieke, riekelib (R), softmax(seq(from = 0, to = 1, by = 0.25)).
TEST(Published, RiekeSoftmax) {
    expect_near(made({0, 0.25f, 0.5f, 0.75f, 1}, [](Trace& t) { return softmax(t, 0, 1, {Role::Weights}); }),
                {{0.1140507f, 0.1464440f, 0.1880379f, 0.2414454f, 0.3100220f}}, 1e-7f);
}

/// S. Raschka, "Build a Large Language Model (From Scratch)", section 5.3: nine logits, their three largest and the
/// softmax of these as printed; and the solution of its exercise 5.1, which says what temperature 5 makes of the
/// seventh.
TEST(Published, RaschkaTopKAndTemperature) {
    const std::initializer_list<float> logits = {4.51f, 0.89f, -1.90f, 6.75f, 1.63f, -1.62f, -1.89f, 6.28f, 1.79f};
    const Matrix kept = made(logits, [](Trace& t) { return top_k(t, 0, 3, {Role::LogitsTopK}); });
    constexpr float kOut = -kInfinity;
    EXPECT_EQ(kept, (RowVector(9) << 4.51f, kOut, kOut, 6.75f, kOut, kOut, kOut, 6.28f, kOut).finished());
    expect_near(
        made(logits, [](Trace& t) { return softmax(t, top_k(t, 0, 3, {Role::LogitsTopK}), 1, {Role::Probabilities}); }),
        {{0.0615f, 0, 0, 0.5775f, 0, 0, 0, 0.3610f, 0}}, 0.5e-4f);
    EXPECT_NEAR(made(logits, [](Trace& t) { return softmax(t, 0, 5, {Role::Probabilities}); })(0, 6), 0.043f, 0.0005f);
}

Matrix plain_layer_norm(std::initializer_list<float> row) {
    return made(row, [](Trace& t) {
        const auto d = static_cast<int>(t[0].value.cols());
        const StepId gain = input(t, Matrix::Ones(1, d), {Role::NormGain}, {}, {}, {Source::Given});
        const StepId bias = input(t, Matrix::Zero(1, d), {Role::NormBias}, {}, {}, {Source::Given});
        return layer_norm(t, 0, gain, bias, {Role::Normed});
    });
}

/// W3C web-platform-tests, webnn layer_normalization, "2D tensor default options" (ε = 1e-5): two of the four rows. And
/// tf.keras.ops.layer_normalization of 0 … 4, whose ε is 1e-7: the difference is 4e-6.
TEST(Published, WebNeuralNetworkLayerNormalization) {
    expect_near(plain_layer_norm({-35.51446620394829f, 54.735407789317094f, 19.65901979009459f, -15.882677905820188f,
                                  65.48657727565143f, 25.818493353057278f}),
                {{-1.5257738828659058f, 0.997844934463501f, 0.017018765211105347f, -0.9768186211585999f,
                  1.2984753847122192f, 0.18925349414348602f}},
                1e-6f);
    expect_near(plain_layer_norm({97.5530279802174f, -8.057161374785466f, 62.941297318740425f, -48.91555566709158f,
                                  91.90643767958213f, 46.67098666459884f}),
                {{1.0812907218933105f, -0.915019690990448f, 0.4270379841327667f, -1.6873507499694824f,
                  0.9745554327964783f, 0.11948632448911667f}},
                1e-6f);
    expect_near(plain_layer_norm({0, 1, 2, 3, 4}), {{-1.4142135f, -0.70710677f, 0, 0.7071067f, 1.4142135f}}, 5e-6f);
}

/// AMD's composable_kernel, test/position_embedding/position_embedding.cpp: slopes of ALiBi for 1, 8 and 16 heads.
TEST(Published, ComposableKernelAlibiSlopes) {
    const std::vector<float> one = {0.00390625f},
                             eight = {0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f, 0.015625f, 0.0078125f, 0.00390625f};
    const std::vector<float> sixteen = {0.7071067811865476f,   0.5f,
                                        0.35355339059327384f,  0.25000000000000006f,
                                        0.17677669529663692f,  0.12500000000000006f,
                                        0.08838834764831849f,  0.06250000000000004f,
                                        0.044194173824159244f, 0.03125000000000002f,
                                        0.022097086912079626f, 0.01562500000000001f,
                                        0.011048543456039816f, 0.007812500000000007f,
                                        0.005524271728019908f, 0.003906250000000004f};
    for (const std::vector<float>& slopes : {one, eight, sixteen})
        for (std::size_t h = 0; h < slopes.size(); ++h) {
            const Matrix bias = distance_bias(3, 3, 0, static_cast<int>(h), static_cast<int>(slopes.size()));
            EXPECT_FLOAT_EQ(bias(1, 0), -slopes[h]);
            EXPECT_FLOAT_EQ(bias(0, 2), -2 * slopes[h]);
        }
}

/// onenoughtone.com, "Transformer position embedding generator": length 2, width 8, printed from float16.
TEST(Published, SinusoidalPositionsOfTwoTokens) {
    expect_near(sinusoidal(2, 8),
                {{0, 1, 0, 1, 0, 1, 0, 1},
                 {0.84130859375f, 0.54052734375f, 0.099853515625f, 0.9951171875f, 0.01000213623046875f, 1,
                  0.0010004043579101562f, 1}},
                2.5e-4f);
}

/// prof.lexailabs.com, "Rotary Position Embedding", example 2, checked by hand there: [1, 0, 1, 0] at position 1.
TEST(Published, LexaiRotation) {
    Matrix x = Matrix::Zero(2, 4);
    x.row(1) << 1, 0, 1, 0;
    Trace t = trace_of(x);
    expect_near(t[rotate(t, 0, 0, false, {Role::RotatedQueries})].value.row(1), {{0.5403f, 0.8415f, 0.99995f, 0.01f}},
                0.5e-4f);
}

}  // namespace
}  // namespace attn::test
