// The formulas of blocks and of their parts, and the parser of formulas itself.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/attention/forms/attention.h"
#include "tests/core/formula_samples.h"

namespace attn::test {
namespace {

/// An input and an output of the reference that belong to one function of a formula.
struct Known {
    Numbers from, to;
};
std::function<Numbers(const Numbers&)> one_of(std::vector<Known> known, std::string name, Convention convention) {
    return [known = std::move(known), name, convention](const Numbers& argument) {
        for (const Known& k : known)
            if (k.from.rows() == shown(argument, convention).rows() && k.from.cols() == shown(argument, convention).cols() &&
                (k.from - shown(argument, convention)).cwiseAbs().maxCoeff() < 1e-5)
                return shown(k.to, convention);
        throw std::runtime_error(name + " of something that it is not taken of");
    };
}

/// Where the norms of a block are, written independently of the engine.
struct Norms {
    bool first, sum, made, parallel;
    explicit Norms(const std::string& block)
        : first(block == "pre_norm" || block == "both_norms" || block == "parallel"),
          sum(block == "post_norm"),
          made(block == "output_norm" || block == "both_norms"),
          parallel(block == "parallel") {}
};

/// x + f(LN x), LN(x + f(x)) …: each function is identified by what the reference read and made.
TEST(Formula, OfEncoderBlocksGivesTheirOutput) {
    int covered = 0, predicted = 0;
    for (const Sample& s : samples({"encoder"})) {
        const AttentionConfig& c = s.config();
        if (c.layers != 1) continue;
        const Norms has(c.block);
        const Numbers x = s.first({"inputs", "embeddings"}), residual = s.at("l1.residual"), last = s.at("ffn.l1.residual");
        const Numbers z = has.sum ? s.at("l1.normed") : residual;
        FormulaNames names = functions_of(Convention::Rows);
        names.values["X"] = x;
        names.values["Z"] = z;
        const std::string norm = c.norm == "rms_norm" ? "\\word{RMS}" : "\\word{LN}";
        std::vector<Known> before;
        if (has.first) before.push_back({x, s.at("l1.normed")});
        if (has.sum) before.push_back({residual, s.at("l1.normed")});
        if (has.made) before.push_back({s.at("l1.attended"), s.at("l1.outer_normed")});
        names.functions[norm] = one_of(before, norm, Convention::Rows);
        names.functions["\\word{MHA}"] = one_of({{has.first ? s.at("l1.normed") : x, s.at("l1.attended")}}, "MHA", Convention::Rows);
        names.functions["\\word{FFN}"] = one_of({{has.first ? s.at("ffn.l1.normed") : z, s.at("l1.down")}}, "FFN", Convention::Rows);
        const auto equations = equations_of(find_form("encoder")->formula(c, Convention::Rows));
        const bool predicts = c.unembedding != "by_form";
        ASSERT_EQ(equations.size(), predicts ? 3u : 2u);
        EXPECT_EQ(equations[0].first, "Z");
        expect_equal(formula_value(equations[0].second, names), z, equations[0].second);
        EXPECT_EQ(equations[1].first, "Y");
        std::vector<Known> norms{{last, s.at("output")}};
        if (has.first) norms.push_back({has.parallel ? x : residual, s.at("ffn.l1.normed")});
        if (has.made) norms.push_back({s.at("l1.down"), s.at("ffn.l1.outer_normed")});
        names.functions[norm] = one_of(norms, norm, Convention::Rows);
        expect_equal(formula_value(equations[1].second, names), s.at("output"), equations[1].second);
        ++covered;
        if (!predicts || s.has("unembedding_bias")) continue;
        names.values["Y"] = s.at("output");
        names.values[c.unembedding == "own" ? "W_U" : "E"] = s.at(c.unembedding == "own" ? "unembedding_weight" : "vocabulary");
        EXPECT_EQ(equations[2].first, "P");
        expect_equal(formula_value(equations[2].second, names), s.at("probabilities"), equations[2].second);
        ++predicted;
    }
    EXPECT_GE(covered, 4);
    EXPECT_GE(predicted, 2);
}

/// FFN(x) = ReLU(x W_1 + b_1) W_2 + b_2 and its variants, in both conventions.
TEST(Formula, OfFeedForwardGivesItsOutput) {
    std::set<std::string> activations;
    for (const Sample& s : samples({"encoder", "decoder"})) {
        const AttentionConfig& c = s.config();
        // The formula is that of the published layer: a gated one has no biases there, but may in a document.
        const bool biased = s.has("l1.up_bias") || s.has("l1.side_bias") || s.has("l1.down_bias");
        const bool gated = c.activation == "swiglu" || c.activation == "geglu" || c.activation == "geglu_tanh";
        if (c.layers != 1 || (gated && biased)) continue;
        activations.insert(c.activation);
        const Norms has(c.block);
        const std::string part = c.form == "decoder" ? "cross.l1." : "l1.";
        const Numbers x = s.at(has.first ? "ffn.l1.normed" : part + (has.sum ? "normed" : "residual"));
        for (const Convention convention : kConventions) {
            FormulaNames names = functions_of(convention);
            const auto weight = [&](const std::string& name) { return shown(s.at("l1." + name + "_weight"), convention); };
            names.values["x"] = shown(x, convention);
            names.values["W_1"] = weight("up");
            names.values["W_2"] = weight("down");
            if (gated) {
                names.values["W_3"] = weight("side");
            } else {
                names.values["b_1"] = shown(s.at("l1.up_bias"), convention);
                names.values["b_2"] = shown(s.at("l1.down_bias"), convention);
            }
            // Both the exact GELU and its tanh approximation have this name.
            names.functions["\\word{GELU}"] = [&](const Numbers& m) {
                return Numbers(m.unaryExpr([&](double v) {
                    return c.activation == "gelu" || c.activation == "geglu" ? v * std::erfc(-v / std::sqrt(2.0)) / 2
                                                  : v / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
                }));
            };
            names.functions["\\word{QuickGELU}"] = [](const Numbers& m) { return Numbers(m.unaryExpr([](double v) { return v / (1 + std::exp(-1.702 * v)); })); };
            int checked = 0;
            for (const auto& [left, right] : equations_of(find_form(c.form)->where(c, convention))) {
                if (left != "\\word{FFN}(x)") continue;
                expect_equal(shown(formula_value(right, names), convention), s.at("l1.down"), right);
                ++checked;
            }
            EXPECT_EQ(checked, 1);
        }
    }
    EXPECT_EQ(activations.size(), 7u);
}

// The parser of formulas itself.

TEST(FormulaValue, ReadsMathematicalNotation) {
    FormulaNames names;
    names.values["A"] = Numbers{{1, 2}, {3, 4}};
    names.values["B_i"] = Numbers{{0, 1}, {1, 0}};
    names.values["d"] = Numbers{{4}};
    names.functions["\\tanh"] = [](const Numbers& m) { return Numbers(m.array().tanh()); };
    const auto value = [&](std::string_view text) { return formula_value(text, names); };
    EXPECT_EQ(value("{\\q A}{\\k B_i}^T"), (Numbers{{2, 1}, {4, 3}}));
    EXPECT_EQ(value("\\frac{A + B_i}{\\sqrt{d}}"), (Numbers{{0.5, 1.5}, {2, 2}}));
    EXPECT_EQ(value("\\part{mix}{A \\odot B_i}\\,A"), (Numbers{{6, 8}, {3, 6}}));
    EXPECT_EQ(value("[A; B_i]").cols(), 4);
    EXPECT_THROW(value("A C"), std::runtime_error);
    EXPECT_THROW(value("(A"), std::runtime_error);
    EXPECT_THROW(value("A + d"), std::runtime_error);
    const auto equations = equations_of("{\\o Y} = \\frac{A}{2}\\quad Z' = [A = B]");
    ASSERT_EQ(equations.size(), 2u);
    EXPECT_EQ(equations[0].first, "Y");
    EXPECT_EQ(equations[1].first, "Z'");
}

}  // namespace
}  // namespace attn::test
