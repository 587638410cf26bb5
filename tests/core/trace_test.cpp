// Names, labels and tables of the trace.
#include <gtest/gtest.h>

#include <cmath>

#include <limits>
#include <set>

#include "core/attention/forms/attention.h"
#include "core/attention/parts/mask.h"
#include "core/attention/parts/position.h"
#include "core/attention/parts/score.h"
#include "core/kernels/multiply.h"
#include "core/ops/explain.h"
#include "core/ops/measure.h"
#include "core/ops/ops.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

TEST(StepNames, OfEveryTagRoundTrip) {
    for (int role = 0; role < kRoleCount; ++role)
        for (const int head : {kNoHead, 0, 1, 15})
            for (const int layer : {kNoLayer, 0, 11}) {
                const Tag tag{static_cast<Role>(role), head, layer};
                EXPECT_EQ(parse_step_name(step_name(tag)), tag) << step_name(tag);
            }
    // The largest numbers that each part can hold.
    const Tag far{Role::Weights, 2'000'000'000, 32'766, 2'000'000'000, Part::Cross, 32'767};
    EXPECT_EQ(parse_step_name(step_name(far)), far) << step_name(far);
    EXPECT_EQ(step_name({Role::Weights}), "weights");
    EXPECT_EQ(step_name({Role::Weights, 1}), "weights.h2");
    EXPECT_EQ(step_name({Role::Weights, 1, 0}), "l1.weights.h2");
}

TEST(StepNames, OfNoStepAreRefused) {
    for (const char* name : {"", "l1", "l1.", "weight", "Weights", "weights.", "weights.h", "weights.h0", "weights.h-1",
                             "weights.hx", "weights.h1x", "weights.h99999999999", "weights.h1.h2", "l0.weights",
                             "l1.l2.weights", "l32768.weights", "l65537.weights", "t1.t2.weights", "t99999999999.weights", "grad32768.weights", ".h1", " weights", "weights "})
        EXPECT_EQ(parse_step_name(name), std::nullopt) << name;
}

TEST(StepNames, FindByNumberAndByRoleAlone) {
    Document doc;
    doc.config.heads = 2;
    const Trace t = run_valid(doc).trace;
    EXPECT_EQ(find_step(t, "1"), 0);
    EXPECT_EQ(find_step(t, std::to_string(t.size())), t.size() - 1);
    for (const char* none : {"0", "-1", "999999", "1.5", "weights.h3", "nonsense", "masked", ""})
        EXPECT_EQ(find_step(t, none), kNoStep) << none;
    EXPECT_EQ(find_step(t, "weights"), find_id(t, {Role::Weights, 0}));
}

template <class Table>
void expect_proper_ids(const Table& table) {
    std::set<std::string_view> ids;
    for (const auto& row : table) {
        EXPECT_FALSE(row.id.empty());
        EXPECT_TRUE(ids.insert(row.id).second) << row.id << " twice";
        EXPECT_EQ(row.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string_view::npos) << row.id;
    }
}

TEST(Tables, HaveUniquePlainIds) {
    expect_proper_ids(forms());
    expect_proper_ids(scores());
    expect_proper_ids(masks());
    expect_proper_ids(positions());
    for (const Form& v : forms()) {
        EXPECT_EQ(find_score(v.score) != nullptr, has(v.reads, Reads::Score)) << v.id;
    }
    EXPECT_EQ(find_form("none such"), nullptr);
    EXPECT_EQ(find_score(""), nullptr);
}

TEST(Ids, OfOpsRolesAndSourcesExistAndDiffer) {
    std::set<std::string_view> ops, roles;
    for (int i = 0; i < kOpCount; ++i) ops.insert(op_id(static_cast<Op>(i)));
    for (int i = 0; i < kRoleCount; ++i) {
        const auto role = static_cast<Role>(i);
        roles.insert(role_id(role));
        EXPECT_EQ(find_role(role_id(role)), role);
    }
    EXPECT_EQ(ops.size(), static_cast<std::size_t>(kOpCount));
    EXPECT_EQ(roles.size(), static_cast<std::size_t>(kRoleCount));
    EXPECT_EQ(find_role("no role"), std::nullopt);
}

/// Older files call the rotated part of queries and keys "turned"; new files use the current name.
TEST(Ids, FormerOnesOfRolesAreRead) {
    EXPECT_EQ(find_role("turned_queries"), Role::RotatedQueryPairs);
    EXPECT_EQ(find_role("turned_keys"), Role::RotatedKeyPairs);
    EXPECT_EQ(role_id(Role::RotatedQueryPairs), "rotated_query_pairs");
    EXPECT_EQ(parse_step_name("l2.turned_keys.h3"), (Tag{Role::RotatedKeyPairs, 2, 1}));
}

TEST(Labels, ComeFromTokensFeaturesOrNumbers) {
    Trace t;
    t.tokens = {"the", "cat"};
    t.features = {"living", "person"};
    EXPECT_EQ(axis_label(t, {Axis::Kind::Tokens, 0}, 1), "cat");
    EXPECT_EQ(axis_label(t, {Axis::Kind::Features, 0}, 0), "living");
    EXPECT_EQ(axis_label(t, {Axis::Kind::Features, 1}, 0), "person");
    EXPECT_EQ(axis_label(t, {Axis::Kind::Units, 4}, 0), "5");
    EXPECT_EQ(axis_label(t, {Axis::Kind::Tokens, 0}, 7), "8");
}

/// The order of a sum must not depend on the cell's place, or equal tokens would differ in their last bits.
TEST(Multiply, OrdersEverySumTheSameWay) {
    for (int n = 1; n <= 21; ++n)
        for (const int inner : {1, 2, 3, 8, 13, 64, 100}) {
            const Matrix one = seeded_matrix(static_cast<std::uint64_t>(inner), 1, inner);
            const Matrix x = one.replicate(n, 1);
            const Matrix products = multiply(x, x.transpose());
            float expected = 0;
            for (int f = 0; f < inner; ++f) expected = std::fma(one(0, f), one(0, f), expected);
            ASSERT_EQ(products, Matrix::Constant(n, n, expected)) << n << " rows, " << inner << " terms";
        }
}

TEST(Multiply, AgreesWithFloat64) {
    for (const auto& [n, inner, m] : {std::tuple{1, 1, 1}, {3, 5, 7}, {4, 8, 8}, {5, 64, 9}, {17, 33, 65}, {2, 0, 3}}) {
        const Matrix a = seeded_matrix(1, n, inner), b = seeded_matrix(2, inner, m);
        const Matrix expected = (a.cast<double>() * b.cast<double>()).cast<float>();
        EXPECT_TRUE(close(multiply(a, b), expected, 1e-6)) << n << "x" << inner << "x" << m;
    }
    EXPECT_EQ(multiply(Matrix(0, 4), Matrix(4, 3)).rows(), 0);
    EXPECT_EQ(multiply(Matrix(2, 3), Matrix(3, 0)).cols(), 0);
}

TEST(Measure, EntropyOfARow) {
    Matrix w(4, 4);
    w << 0.25f, 0.25f, 0.25f, 0.25f, 1, 0, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0.5f, 0;
    EXPECT_NEAR(entropy(w, 0), std::log(4.0), 1e-12);
    EXPECT_EQ(entropy(w, 1), 0.0);
    EXPECT_EQ(entropy(w, 2), 0.0);
    EXPECT_NEAR(entropy(w, 3), std::log(2.0), 1e-12);
}

TEST(Measure, CostOfAProduct) {
    const Trace t = run_valid({}).trace;  // three tokens of eight features
    const Cost c = cost(t, find_step(t, "scores"));
    EXPECT_EQ(c.multiply_adds, 3 * 3 * 8);
    EXPECT_EQ(c.bytes, 3 * 3 * 4);
}

TEST(Explain, WritesTheWholeChain) {
    Matrix scores(1, 2);
    scores << 1, 3;
    Trace t = trace_of(scores);
    const StepId scaled = scale(t, 0, 0.5f, {Role::Scaled});
    const StepId weights = softmax(t, scaled, 2, {Role::Weights});
    EXPECT_EQ(explain_text(t, explain(t, {0, 0, 1})), "scores[1, 2] = 3 (given)");
    EXPECT_EQ(explain_text(t, explain(t, {scaled, 0, 1})), "scaled[1, 2] = 3*0.5 = 1.5");
    EXPECT_EQ(explain_text(t, explain(t, {weights, 0, 1})),
              "weights[1, 2] = exp((1.5 - 1.5)/2) / (0.606531 + 1) = 1 / 1.60653 = 0.622459");
}

}  // namespace
}  // namespace attn::test
