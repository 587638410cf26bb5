// Files of queries and keys, and of the residual stream: the weights that a run computes from them against float64, what is
// read when, and what is refused by name.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "core/analysis/heads.h"
#include "core/analysis/residual.h"
#include "core/analysis/telling.h"
#include "core/document/fields.h"
#include "core/document/take.h"
#include "core/model/attention_file/given_attention.h"
#include "core/ops/explain.h"
#include "core/remake/remake.h"

namespace attn {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

using CapturedShape = std::vector<std::size_t>;
struct CapturedTensor {
    std::string name;
    CapturedShape shape;
    std::vector<float> values;
};

/// Numbers of both signs, different for each seed.
std::vector<float> captured_numbers(const CapturedShape& shape, std::uint32_t seed) {
    std::size_t count = 1;
    for (const std::size_t side : shape) count *= side;
    std::vector<float> out;
    std::uint32_t state = seed * 2654435761U + 1;
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 1664525U + 1013904223U;
        out.push_back(static_cast<float>(state >> 8) / 8388608.0f - 1.0f);
    }
    return out;
}

CapturedTensor captured(const std::string& name, const CapturedShape& shape, std::uint32_t seed) { return {name, shape, captured_numbers(shape, seed)}; }

std::string captured_bytes(const std::vector<CapturedTensor>& all, const std::string& metadata) {
    std::string header = "{\"__metadata__\": {" + metadata + "}", data;
    for (const CapturedTensor& one : all) {
        const std::size_t begin = data.size();
        for (const float value : one.values) data.append(reinterpret_cast<const char*>(&value), sizeof value);
        std::string sides;
        for (const std::size_t side : one.shape) sides += (sides.empty() ? "" : ", ") + std::to_string(side);
        header += fmt::format(R"(, "{}": {{"dtype": "F32", "shape": [{}], "data_offsets": [{}, {}]}})", one.name, sides, begin, data.size());
    }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    std::string length(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 255);
    return length + header + data;
}

constexpr const char* kCausalSaid = R"("scale": "0.3", "causal": "true")";

/// [heads, queries, keys] of softmax(Q Kᵀ · scale) in float64, over the keys that are seen.
std::vector<Eigen::MatrixXd> weights_in_double(const CapturedTensor& queries, const CapturedTensor& keys, double scale,
                                               const std::function<bool(int, int)>& seen) {
    const auto heads = queries.shape[0], groups = heads / keys.shape[0], n = queries.shape[1], m = keys.shape[1], d = queries.shape[2];
    std::vector<Eigen::MatrixXd> out;
    for (std::size_t h = 0; h < heads; ++h) {
        Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(m));
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < m; ++j) {
                if (!seen(static_cast<int>(i), static_cast<int>(j))) continue;
                double score = 0;
                for (std::size_t c = 0; c < d; ++c)
                    score += static_cast<double>(queries.values[(h * n + i) * d + c]) * static_cast<double>(keys.values[(h / groups * m + j) * d + c]);
                const double e = std::exp(score * scale);
                weights(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = e;
                sum += e;
            }
            if (sum > 0) weights.row(static_cast<Eigen::Index>(i)) /= sum;
        }
        out.push_back(std::move(weights));
    }
    return out;
}

bool sees_before(int i, int j) { return j <= i; }

class QueriesAndKeys : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) / ("queries-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::create_directories(folder_);
    }
    void TearDown() override {
        set_held_attention(held_before_);
        fs::remove_all(folder_);
    }
    void write(const std::string& name, const std::string& bytes) const { std::ofstream(folder_ / name, std::ios::binary) << bytes; }
    Result<Document> open(const std::string& name) const {
        return document_from_json(R"({"attention": ")" + (folder_ / name).string() + "\"}", "", {.folders = true});
    }
    Document opened(const std::string& name) const {
        auto doc = open(name);
        EXPECT_TRUE(doc) << (doc ? "" : doc.error().text());
        return doc ? *doc : Document{};
    }
    std::string refusal(const std::vector<CapturedTensor>& all, const std::string& metadata = kCausalSaid) const {
        write("wrong.safetensors", captured_bytes(all, metadata));
        const auto doc = open("wrong.safetensors");
        EXPECT_FALSE(doc);
        return doc ? "" : doc.error().text();
    }

    fs::path folder_;
    const double held_before_ = held_attention();
};

void expect_weights(const Trace& t, int layer, const std::vector<Eigen::MatrixXd>& wanted, Part part = Part::Main) {
    for (std::size_t h = 0; h < wanted.size(); ++h) {
        const PinScope pins;
        const Step* weights = find(t, {Role::Weights, wanted.size() > 1 ? static_cast<int>(h) : kNoHead, layer, kNoTime, part});
        ASSERT_TRUE(weights);
        const double apart = (weights->value.matrix().cast<double>() - wanted[h]).cwiseAbs().maxCoeff();
        EXPECT_LT(apart, 1e-6) << "head " << h << " of layer " << layer;
    }
}

TEST_F(QueriesAndKeys, WeightsAreThoseOfFloat64) {
    // 150² numbers a map are evicted, 5² are held.
    for (const std::size_t n : {std::size_t{5}, std::size_t{150}}) {
        const std::vector<CapturedTensor> all = {captured("queries_0", {4, n, 3}, 1), captured("keys_0", {2, n, 3}, 2),
                                                 captured("queries_1", {4, n, 3}, 3), captured("keys_1", {2, n, 3}, 4)};
        const char* const said = R"("scale": "{\"queries_0\": 0.3, \"queries_1\": 1.5}", "causal": "{\"queries_0\": true, \"queries_1\": false}")";
        write("a.safetensors", captured_bytes(all, said));
        for (const double held : {held_before_, 0.0}) {
            set_held_attention(held);
            const Document doc = opened("a.safetensors");
            ASSERT_TRUE(doc.attention);
            EXPECT_EQ(doc.attention->held, held > 0);
            EXPECT_TRUE(problems(doc).empty());
            EXPECT_EQ(work_of(doc) < cost_of(doc).work, n == 150) << "what is computed when it is looked at is not waited for";
            EXPECT_EQ(doc.config.form, "from_queries");
            EXPECT_EQ(doc.config.heads, 4);
            const auto made = run(doc);
            ASSERT_TRUE(made) << made.error().text();
            const Trace& t = made->trace;
            expect_weights(t, 0, weights_in_double(all[0], all[1], 0.3, sees_before));
            expect_weights(t, 1, weights_in_double(all[2], all[3], 1.5, [](int, int) { return true; }));
            EXPECT_EQ(attention_maps(t).size(), 8U);
            EXPECT_EQ(find(t, {Role::Keys, 1, 0})->value.rows(), static_cast<Eigen::Index>(n));
            EXPECT_FALSE(find(t, {Role::Keys, 2, 0})) << "two heads share the keys of one";
            EXPECT_EQ(t[find_id(t, {Role::Weights, 3, 1})].value.recipe() != nullptr, n == 150);
            EXPECT_TRUE(doc.attention->checked().of_all());
            EXPECT_EQ(document_from_json(document_to_json(doc), "", {.folders = true})->attention->layers, 2);
        }
    }
}

TEST_F(QueriesAndKeys, AWeightIsExplainedFromQueryAndKey) {
    const std::vector<CapturedTensor> all = {captured("queries_0", {2, 4, 3}, 1), captured("keys_0", {1, 4, 3}, 2)};
    write("a.safetensors", captured_bytes(all, kCausalSaid));
    const auto made = run(opened("a.safetensors"));
    ASSERT_TRUE(made);
    const Trace& t = made->trace;
    const StepId scores = find_id(t, {Role::Scores, 1, kNoLayer});
    const Explanation said = explain(t, {scores, 2, 1});
    ASSERT_EQ(said.terms.size(), 3U) << "a product for each column";
    EXPECT_EQ(t[said.terms[0].left.step].tag.role, Role::Queries);
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += static_cast<double>(all[0].values[(4 + 2) * 3 + c]) * static_cast<double>(all[1].values[3 + c]);
    EXPECT_NEAR(static_cast<double>(t[scores].value(2, 1)), sum, 1e-6);
    const StepId weights = find_id(t, {Role::Weights, 1, kNoLayer});
    EXPECT_EQ(t[weights].value(1, 3), 0.0f) << "it sees no later key";
    EXPECT_NEAR(recompute(t, explain(t, {weights, 3, 1})), static_cast<double>(t[weights].value(3, 1)), 1e-6);
}

TEST_F(QueriesAndKeys, AMaskMaySayWhichKeysAreSeen) {
    const std::vector<CapturedTensor> all = {captured("queries_0", {2, 4, 3}, 1), captured("keys_0", {2, 4, 3}, 2),
                                             {"seen_0", {4, 2}, {0, 0, 0, 2, 1, 3, 2, 4}}, captured("queries_1", {2, 4, 3}, 3),
                                             captured("keys_1", {2, 4, 3}, 4)};
    write("a.safetensors", captured_bytes(all, R"("scale": "0.3", "causal": "{\"queries_0\": false, \"queries_1\": true}")"));
    const auto made = run(opened("a.safetensors"));
    ASSERT_TRUE(made) << made.error().text();
    expect_weights(made->trace, 0, weights_in_double(all[0], all[1], 0.3, [](int i, int j) { return i > 0 && j >= i - 1 && j <= i; }));
    expect_weights(made->trace, 1, weights_in_double(all[3], all[4], 0.3, sees_before));
    EXPECT_EQ(row_state(made->trace, find_id(made->trace, {Role::Weights, 0, 0}), 0), RowState::AllMasked);
    const auto with = [&](std::vector<float> seen, CapturedShape shape = {4, 2}) {
        return refusal({all[0], all[1], {"seen_0", std::move(shape), std::move(seen)}}, R"("scale": "0.3", "causal": "false")");
    };
    EXPECT_THAT(with({0, 1, 0, 2, 0, 3, 0, 5}), HasSubstr("row 4 is 0 to 5; whole numbers are expected"));
    EXPECT_THAT(with({0, 1, 0, 2, 0, 3, 0, 1.5f}), HasSubstr("row 4 is 0 to 1.5"));
    EXPECT_THAT(with({0, 1, 0, 2, 0, 3, NAN, 4}), HasSubstr("row 4 is nan to 4"));
    EXPECT_THAT(with({0, 1, 0, 2, 0, 3}, {3, 2}), HasSubstr("are 3 × 2; 4 × 2 is expected"));
}

TEST_F(QueriesAndKeys, TwoTextsOfABatchAndTwoOfAModel) {
    const std::vector<CapturedTensor> batch = {captured("queries_0", {2, 2, 3, 4}, 1), captured("keys_0", {2, 1, 3, 4}, 2),
                                               captured("residual_input", {2, 3, 5}, 3), captured("residual_0", {2, 3, 5}, 4)};
    const char* const named = R"(, "texts": "2", "tokens": "[[\"a\", \"b\", \"c\"], [\"d\", \"e\", \"f\"]]")";
    write("batch.safetensors", captured_bytes(batch, kCausalSaid + std::string(named)));
    Document doc = opened("batch.safetensors");
    ASSERT_TRUE(set_field(doc, "attention_text", "2", {.folders = true}));
    EXPECT_EQ(tokens_of(doc).front(), "d");
    const CapturedTensor queries{"", {2, 3, 4}, {batch[0].values.begin() + 24, batch[0].values.end()}};
    const CapturedTensor keys{"", {1, 3, 4}, {batch[1].values.begin() + 12, batch[1].values.end()}};
    const auto made = run(doc);
    ASSERT_TRUE(made) << made.error().text();
    expect_weights(made->trace, kNoLayer, weights_in_double(queries, keys, 0.3, sees_before));
    EXPECT_EQ(find(made->trace, {Role::Residual, kNoHead, 0})->value(0, 0), batch[3].values[15]);

    const std::vector<CapturedTensor> pair = {captured("encoder_queries_0", {2, 4, 3}, 1), captured("encoder_keys_0", {2, 4, 3}, 2),
                                              captured("decoder_queries_0", {2, 3, 3}, 3), captured("decoder_keys_0", {2, 3, 3}, 4),
                                              captured("cross_queries_0", {2, 3, 3}, 5), captured("cross_keys_0", {2, 4, 3}, 6)};
    write("pair.safetensors", captured_bytes(pair, R"("scale": "0.3", "causal": "{\"encoder_queries_0\": false, )"
                                                   R"(\"decoder_queries_0\": true, \"cross_queries_0\": false}")"));
    const auto both = run(opened("pair.safetensors"));
    ASSERT_TRUE(both) << both.error().text();
    const auto all = [](int, int) { return true; };
    expect_weights(both->trace, kNoLayer, weights_in_double(pair[0], pair[1], 0.3, all), Part::Encoder);
    expect_weights(both->trace, kNoLayer, weights_in_double(pair[2], pair[3], 0.3, sees_before));
    expect_weights(both->trace, kNoLayer, weights_in_double(pair[4], pair[5], 0.3, all), Part::Cross);
    EXPECT_EQ(find(both->trace, {Role::Weights, 0, kNoLayer, kNoTime, Part::Cross})->cols.kind, Axis::Kind::SourceTokens);
}

TEST_F(QueriesAndKeys, WhatDoesNotFitIsRefusedByName) {
    const CapturedTensor q = captured("queries_0", {2, 4, 3}, 1), k = captured("keys_0", {2, 4, 3}, 2);
    EXPECT_THAT(refusal({q}), HasSubstr("keys_0: it is missing, and there is \"queries_0\""));
    EXPECT_THAT(refusal({k}), HasSubstr("queries_0: it is missing, and there is \"keys_0\""));
    EXPECT_THAT(refusal({q, captured("keys_0", {2, 4, 2}, 2)}), HasSubstr("queries have 3 columns and keys 2"));
    EXPECT_THAT(refusal({captured("queries_0", {3, 4, 3}, 1), k}), HasSubstr("it has 3 heads and \"keys_0\" has 2"));
    EXPECT_THAT(refusal({q, captured("keys_0", {4, 3}, 2)}), HasSubstr("keys_0: its shape is (4, 3); [heads, keys, width] is expected"));
    EXPECT_THAT(refusal({q, captured("keys_0", {2, 5, 3}, 2)}), HasSubstr("it is causal, and 4 queries and 5 keys are not of one text"));
    EXPECT_THAT(refusal({q, k, captured("queries_1", {2, 5, 3}, 1), captured("keys_1", {2, 5, 3}, 1)}), HasSubstr("the layers of one attention have as many"));
    EXPECT_THAT(refusal({q, k, captured("attention_1", {2, 4, 4}, 1)}), HasSubstr("attention_1: it lies beside queries and keys"));
    EXPECT_THAT(refusal({q, k}, R"("causal": "true")"), HasSubstr("scale: it is missing in the metadata"));
    EXPECT_THAT(refusal({q, k}, R"("scale": "0.3")"), HasSubstr("causal: it is missing in the metadata"));
    EXPECT_THAT(refusal({q, k}, R"("scale": "0.3", "causal": "1")"), HasSubstr("true or false is expected for \"queries_0\""));
    EXPECT_THAT(refusal({q, k}, R"("scale": "{}", "causal": "true")"), HasSubstr("a number other than 0 is expected for \"queries_0\""));
    EXPECT_THAT(refusal({q, k}, R"("scale": "0", "causal": "true")"), HasSubstr("a number other than 0 is expected"));
    EXPECT_THAT(refusal({q, k}, R"("scale": "nan", "causal": "true")"), HasSubstr("scale: in the metadata"));
    EXPECT_THAT(refusal({captured("queries_0", {2, 2, 4, 3}, 1), k}, std::string(kCausalSaid) + R"(, "texts": "2")"), HasSubstr("of each of the 2 texts is expected"));
    EXPECT_THAT(refusal({q, k}, std::string(kCausalSaid) + R"(, "tokens": "[\"a\"]")"), HasSubstr("1 named"));
    for (const float bad : {NAN, INFINITY, -INFINITY}) {
        CapturedTensor wrong = q;
        wrong.values[(4 + 2) * 3 + 1] = bad;
        EXPECT_THAT(refusal({wrong, k}), HasSubstr(fmt::format("queries_0: head 2, row 3, column 2 is {}", bad)));
        wrong = k;
        wrong.values[3] = bad;
        EXPECT_THAT(refusal({q, wrong}), HasSubstr(fmt::format("queries_0: keys of head 1, row 2, column 1 is {}", bad)));
    }
}

/// What can no longer be read is NaN, and reported for the row, as of maps.
TEST_F(QueriesAndKeys, AFileThatIsCutShortIsNotShownAsNumbers) {
    write("a.safetensors", captured_bytes({captured("keys_0", {1, 150, 4}, 2), captured("queries_0", {1, 150, 4}, 1)}, kCausalSaid));
    set_held_attention(0);
    const Document doc = opened("a.safetensors");
    fs::resize_file(folder_ / "a.safetensors", fs::file_size(folder_ / "a.safetensors") - 2);
    const auto made = run(doc);
    ASSERT_TRUE(made) << made.error().text();
    const StepId weights = find_id(made->trace, {Role::Weights});
    const PinScope pins;
    EXPECT_FALSE(made->trace[weights].value.matrix().allFinite());
    EXPECT_TRUE(row_state(made->trace, weights, 3).has_value());
}

TEST_F(QueriesAndKeys, TheResidualStreamIsMeasured) {
    std::vector<CapturedTensor> all = {captured("queries_0", {1, 3, 2}, 1), captured("keys_0", {1, 3, 2}, 2), captured("residual_input", {3, 6}, 3),
                                       captured("residual_0", {3, 6}, 4), captured("residual_1", {3, 6}, 5)};
    write("a.safetensors", captured_bytes(all, kCausalSaid));
    for (const double held : {held_before_, 0.0}) {
        set_held_attention(held);
        const auto made = run(opened("a.safetensors"));
        ASSERT_TRUE(made) << made.error().text();
        const auto stacks = residual_stacks(*made);
        ASSERT_TRUE(stacks) << stacks.error().text();
        ASSERT_EQ(stacks->size(), 1U);
        const auto& points = stacks->front().points;
        ASSERT_EQ(points.size(), 3U);
        const auto row = [&](std::size_t at, int token) {
            return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXf>(all[2 + at].values.data() + token * 6, 6).cast<double>());
        };
        const auto cosine = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return a.dot(b) / a.norm() / b.norm(); };
        for (int token = 0; token < 3; ++token)
            for (std::size_t at = 0; at < 3; ++at) {
                const auto i = static_cast<std::size_t>(token);
                EXPECT_NEAR(points[at].norm[i], row(at, token).norm(), 1e-12);
                EXPECT_NEAR(points[at].cosine_end[i], cosine(row(at, token), row(2, token)), 1e-12);
                if (at == 0) continue;
                EXPECT_EQ(points[at].after, StreamAfter::Layer);
                EXPECT_NEAR(points[at].cosine_before[i], cosine(row(at, token), row(at - 1, token)), 1e-12);
                EXPECT_NEAR(points[at].added_norm[i], (row(at, token) - row(at - 1, token)).norm(), 1e-12);
                EXPECT_NEAR(points[at].added_cosine[i], cosine(row(at, token) - row(at - 1, token), row(at - 1, token)), 1e-12);
            }
    }
    // Beside weights, too.
    const CapturedTensor weights{"attention_0", {1, 3, 3}, {1, 0, 0, 0.5f, 0.5f, 0, 0.25f, 0.25f, 0.5f}};
    write("weights.safetensors", captured_bytes({weights, all[2], all[3]}, R"("format": "pt")"));
    const auto made = run(opened("weights.safetensors"));
    ASSERT_TRUE(made) << made.error().text();
    ASSERT_TRUE(residual_stacks(*made));
    EXPECT_EQ(residual_stacks(*made)->front().points.size(), 2U);
    set_held_attention(held_before_);
    write("none.safetensors", captured_bytes({weights}, R"("format": "pt")"));
    EXPECT_THAT(residual_stacks(*run(opened("none.safetensors"))).error().text(), HasSubstr("residual=True"));
    EXPECT_THAT(refusal({all[2], all[3]}), HasSubstr("there is a residual stream in it and no attention"));
    EXPECT_THAT(refusal({all[0], all[1], all[2], all[4]}), HasSubstr("residual_1: it is there, and residual_0 is not"));
    EXPECT_THAT(refusal({all[0], all[1], all[3]}), HasSubstr("residual_0: it is there, and residual_input is not"));
    EXPECT_THAT(refusal({all[0], all[1], all[2]}), HasSubstr("residual_input: it is there, and residual_0 is not"));
    EXPECT_THAT(refusal({all[0], all[1], captured("residual_input", {4, 6}, 3), captured("residual_0", {4, 6}, 3)}),
                HasSubstr("the residual stream has 4 tokens and attention has 3"));
    EXPECT_THAT(refusal({all[0], all[1], all[2], captured("residual_0", {3, 5}, 3)}),
                HasSubstr("residual_0: it is 3 × 5, and \"residual_input\" is 3 × 6"));
    all[3].values[7] = NAN;
    EXPECT_THAT(refusal(all), HasSubstr("residual_0: row 2, column 2 is nan"));
}

TEST_F(QueriesAndKeys, AnIndexJoinsThePiecesOfSeveralProcesses) {
    // Heads 0 and 1 share one head of keys, 2 and 3 another; one process has two heads each.
    const CapturedTensor q = captured("", {4, 3, 2}, 1), k = captured("", {2, 3, 2}, 2);
    const auto half = [](const CapturedTensor& of, const std::string& name, std::size_t which) {
        const auto count = static_cast<std::ptrdiff_t>(of.values.size() / 2), first = static_cast<std::ptrdiff_t>(which) * count;
        return CapturedTensor{name, {1, of.shape[0] / 2, of.shape[1], of.shape[2]}, {of.values.begin() + first, of.values.begin() + first + count}};
    };
    const std::string own = R"("texts": "1", "index": "a.index.json")";
    const CapturedTensor input = captured("residual_input", {1, 3, 5}, 3), behind = captured("residual_0", {1, 3, 5}, 4);
    write("one.safetensors", captured_bytes({half(q, "queries_0", 0), half(k, "keys_0", 0), input, behind}, own));
    write("two.safetensors", captured_bytes({half(q, "queries_0", 1), half(k, "keys_0", 1)}, own));
    const auto piece = [](const std::string& file, int first, const std::string& scale = "0.3") {
        return R"({"file": ")" + file + R"(.safetensors", "tensor": "queries_0", "keys": "keys_0", "part": "", "layer": 0, "first_head": )" +
               std::to_string(first) + R"(, "first_text": 0, "shape": [1, 2, 3, 2], "key_shape": [1, 1, 3, 2], "scale": )" + scale +
               R"(, "causal": true})";
    };
    const auto stream = [](const std::string& tensor, int layer) {
        return R"({"file": "one.safetensors", "tensor": ")" + tensor + R"(", "part": "", "layer": )" + std::to_string(layer) +
               R"(, "first_text": 0, "shape": [1, 3, 5]})";
    };
    const std::string streams = stream("residual_input", -1) + ", " + stream("residual_0", 0);
    const auto index = [&](const std::string& pieces, const std::string& of_stream) {
        write("a.index.json", R"({"heads": 4, "texts": 1, "attention_pieces": [)" + pieces + R"(], "stream_pieces": [)" + of_stream + "]}");
    };
    index(piece("two", 2) + ", " + piece("one", 0), streams);
    for (const double held : {held_before_, 0.0}) {
        set_held_attention(held);
        const auto made = run(opened("a.index.json"));
        ASSERT_TRUE(made) << made.error().text();
        expect_weights(made->trace, kNoLayer, weights_in_double(q, k, 0.3, sees_before));
        EXPECT_EQ(residual_stacks(*made)->front().points.size(), 2U);
    }
    const auto wrong = [&] { return open("a.index.json").error().text(); };
    index(piece("one", 0) + ", " + piece("two", 2, "0.4"), streams);
    EXPECT_THAT(wrong(), HasSubstr("hold heads of it that do not fit together"));
    index(piece("one", 0), streams);
    EXPECT_THAT(wrong(), HasSubstr("in no file"));
    index(piece("one", 0) + ", " + piece("two", 2, "true"), streams);
    EXPECT_THAT(wrong(), HasSubstr("scale: a number other than 0 is expected"));
    index(piece("one", 0) + ", " + piece("two", 2), stream("residual_0", 0));
    EXPECT_THAT(wrong(), HasSubstr("residual_input is not"));
    index(piece("one", 0) + ", " + piece("two", 2), stream("residual_7", 7));
    EXPECT_THAT(wrong(), HasSubstr("there is no such tensor"));
}

/// Models of 128 heads a layer.
TEST_F(QueriesAndKeys, ALayerMayHave128Heads) {
    write("a.safetensors", captured_bytes({captured("queries_0", {128, 3, 2}, 1), captured("keys_0", {8, 3, 2}, 2)}, kCausalSaid));
    const Document doc = opened("a.safetensors");
    EXPECT_EQ(doc.config.heads, 128);
    EXPECT_TRUE(problems(doc).empty());
    ASSERT_TRUE(run(doc));
    EXPECT_EQ(attention_maps(run(doc)->trace).size(), 128U);
    EXPECT_THAT(refusal({captured("queries_0", {129, 3, 2}, 1), captured("keys_0", {1, 3, 2}, 2)}), HasSubstr("it has 129 heads; 1 to 128 are shown"));
    const std::vector<float> even(128 * 4, 0.5f);
    write("maps.safetensors", captured_bytes({{"attention_0", {128, 2, 2}, even}}, R"("format": "pt")"));
    EXPECT_EQ(opened("maps.safetensors").config.heads, 128);
    EXPECT_THAT(refusal({{"attention_0", {129, 2, 2}, std::vector<float>(129 * 4, 0.5f)}}), HasSubstr("129 heads; 1 to 128 are shown"));
}

/// Some rows of a map are read without the others, and a map is checked when all of it is.
TEST_F(QueriesAndKeys, SomeRowsOfAMapOnDiskAreReadAlone) {
    std::vector<float> maps(2 * 6 * 6, 0.0f);
    for (std::size_t i = 0; i < 12; ++i) maps[i * 6 + i % 6] = 0.75f, maps[i * 6 + (i + 1) % 6] = 0.25f;
    write("a.safetensors", captured_bytes({{"attention_0", {2, 6, 6}, maps}}, R"("format": "pt")"));
    set_held_attention(0);
    const Document doc = opened("a.safetensors");
    const auto made = run(doc);
    ASSERT_TRUE(made);
    const Trace& t = made->trace;
    const Matrix some = t[1].value.some_rows(2, 2);
    EXPECT_EQ(some(0, 2), 0.75f);
    EXPECT_EQ(some(1, 4), 0.25f);
    EXPECT_TRUE(telling_pair(t, 0, 1).has_value());
    EXPECT_EQ(visible_keys(t, attention_maps(t)[1], 5), (std::vector<bool>{true, false, false, false, false, true}));
    EXPECT_EQ(row_state(t, 1, 3), std::nullopt);
    EXPECT_EQ(doc.attention->checked().maps, 0) << "no map was read whole";
    EXPECT_EQ(t[1].value(3, 3), 0.75f);
    EXPECT_EQ(doc.attention->checked().maps, 1);
}

}  // namespace
}  // namespace attn
