// Every formula of the catalogue against the reference: its text is read as mathematics over NumPy's numbers of what it
// names, and must come to NumPy's result. No kernel of ours has a part in it.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/attention.h"
#include "tests/core/formula_value.h"
#include "tests/core/support.h"

namespace attn::test {
namespace {

constexpr double kNoScore = -std::numeric_limits<double>::infinity();

/// A document of the reference, and its numbers by the names of steps.
struct Sample {
    Document doc;
    const JsonValue* steps = nullptr;

    const AttentionConfig& config() const { return doc.config; }
    bool has(const std::string& name) const { return steps->find(name) != nullptr; }
    Numbers at(const std::string& name) const {
        if (!has(name)) throw std::runtime_error("the reference has no step " + name);
        return numbers_of(*steps->find(name));
    }
    /// The first of them that is there.
    Numbers first(std::initializer_list<std::string> names) const {
        for (const std::string& name : names)
            if (has(name)) return at(name);
        throw std::runtime_error("the reference has none of " + *names.begin() + " …");
    }
};

std::vector<Sample> samples(std::initializer_list<std::string_view> variants) {
    std::vector<Sample> out;
    for (const JsonValue& one : reference_cases()) {
        Document doc = document_of(text_of(*one.find("document")));
        if (std::find(variants.begin(), variants.end(), doc.config.variant) != variants.end())
            out.push_back({std::move(doc), one.find("steps")});
    }
    return out;
}

/// Tokens as columns: everything that has tokens lies on its side.
Numbers shown(const Numbers& m, Convention convention) { return convention == Convention::Columns ? Numbers(m.transpose()) : m; }

template <class Row>
Numbers row_by_row(const Numbers& m, const Row& row) {
    Numbers out(m.rows(), m.cols());
    for (Eigen::Index i = 0; i < m.rows(); ++i) out.row(i) = row(Eigen::RowVectorXd(m.row(i)));
    return out;
}

Eigen::RowVectorXd softmax_of(const Eigen::RowVectorXd& x) {
    if (x.maxCoeff() == kNoScore) return Eigen::RowVectorXd::Zero(x.size());
    const Eigen::RowVectorXd e = (x.array() - x.maxCoeff()).exp();
    return e / e.sum();
}

/// The nearest point of the simplex, by halving the interval that the threshold lies in.
Eigen::RowVectorXd sparsemax_of(const Eigen::RowVectorXd& x) {
    if (x.maxCoeff() == kNoScore) return Eigen::RowVectorXd::Zero(x.size());
    double low = x.maxCoeff() - 1, high = x.maxCoeff();
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        ((x.array() - middle).max(0).sum() > 1 ? low : high) = middle;
    }
    return (x.array() - low).max(0);
}

Eigen::RowVectorXd largest_of(const Eigen::RowVectorXd& x, int k) {
    std::vector<double> sorted(x.begin(), x.end());
    std::sort(sorted.rbegin(), sorted.rend());
    const double least = sorted[std::min(sorted.size(), static_cast<std::size_t>(k)) - 1];
    return (x.array() >= least).select(x, kNoScore);
}

Numbers additive_mask(const Numbers& pattern) {
    return pattern.unaryExpr([](double seen) { return seen != 0 ? 0.0 : kNoScore; });
}

bool scores_pairs(const AttentionConfig& c) {
    const auto score = score_of(c);
    return score == "additive" || score == "concat" || score == "gat";
}

/// The letters of one attention: which queries, keys and values, of which head, and where the names of its steps begin
/// and end ("l1.", ".h2").
struct Letters {
    std::string query = "Q", key = "K", value = "V";
    std::string before, after, key_after;
    int head = 0;
};

/// Scores of pairs are written as the papers have them: of one query and one key, each a column, in both conventions.
Numbers pair_scores(const Sample& s, const FormulaNames& names, const Letters& l, std::string_view text) {
    const Numbers q = s.first({l.before + "rotated_queries" + l.after, l.before + "queries" + l.after});
    const Numbers k = s.first({l.before + "rotated_keys" + l.after, l.before + "keys" + l.key_after});
    Numbers out(q.rows(), k.rows());
    FormulaNames pair = names;
    pair.semicolon_stacks = true;
    const std::string weight = l.before + "score_weight" + l.after;
    for (const char* name : {"W_a", "W"}) pair.values[name] = s.at(weight).transpose();
    if (s.has(l.before + "score_key_weight" + l.after))
        pair.values["U_a"] = s.at(l.before + "score_key_weight" + l.after).transpose();
    for (const char* name : {"v_a", "a"}) pair.values[name] = s.at(l.before + "score_vector" + l.after);
    const Numbers relative = names.values.contains("R") ? names.values.find("R")->second : Numbers();
    for (Eigen::Index i = 0; i < q.rows(); ++i)
        for (Eigen::Index j = 0; j < k.rows(); ++j) {
            pair.values[l.query] = q.row(i).transpose();
            pair.values[l.key] = k.row(j).transpose();
            out(i, j) = formula_value(text, pair)(0, 0);
        }
    return out;
}

FormulaNames functions_of(Convention convention) {
    FormulaNames names;
    names.semicolon_stacks = convention == Convention::Columns;
    // Of each query's scores: a row, or a column.
    const auto each = [convention](auto function) {
        return [convention, function](const Numbers& m) { return shown(row_by_row(shown(m, convention), function), convention); };
    };
    names.functions["\\word{softmax}"] = each(softmax_of);
    names.functions["\\word{sparsemax}"] = each(sparsemax_of);
    names.functions["\\word{tanh}"] = [](const Numbers& m) { return Numbers(m.array().tanh()); };
    names.functions["\\tanh"] = names.functions["\\word{tanh}"];
    names.functions["\\word{LeakyReLU}"] = [](const Numbers& m) { return Numbers(m.cwiseMax(0.2 * m)); };
    names.functions["\\word{ReLU}"] = [](const Numbers& m) { return Numbers(m.cwiseMax(0.0)); };
    names.functions["\\word{SiLU}"] = [](const Numbers& m) { return Numbers(m.array() / (1 + (-m.array()).exp())); };
    for (int k = 1; k < 20; ++k)
        names.functions[fmt::format("\\word{{top}}_{{{}}}", k)] =
            each([k](const Eigen::RowVectorXd& x) { return largest_of(x, k); });
    return names;
}

/// What the letters of softmax(…) V stand for, of one head.
FormulaNames names_of(const Sample& s, Convention convention, const Letters& l) {
    const AttentionConfig& c = s.config();
    FormulaNames names = functions_of(convention);
    const auto set = [&](const std::string& name, const Numbers& m) { names.values[name] = shown(m, convention); };
    const bool raw = c.variant == "raw";
    const Numbers x = raw ? s.first({"inputs", "embeddings"}) : Numbers();
    const Numbers q = raw ? x : s.first({l.before + "rotated_queries" + l.after, l.before + "queries" + l.after});
    const Numbers k = raw ? x : s.first({l.before + "rotated_keys" + l.after, l.before + "keys" + l.key_after});
    set(l.query, q);
    set(l.key, k);
    set(l.value, raw ? x : s.at(l.before + "values" + l.key_after));
    for (const char* width : {"d", "d_k"}) names.values[width] = Numbers::Constant(1, 1, static_cast<double>(k.cols()));
    names.values["\\tau"] = Numbers::Constant(1, 1, static_cast<double>(c.temperature));
    if (s.has("mask_pattern")) set("M", additive_mask(s.at("mask_pattern")));
    if (s.has(l.before + "scope_pattern")) set("D", additive_mask(s.at(l.before + "scope_pattern")));
    if (s.has(l.before + "gaussian")) set("G", s.at(l.before + "gaussian"));
    if (s.has(l.before + "relative_scores" + l.after)) set("R", s.at(l.before + "relative_scores" + l.after));
    // All layers of a stack share the bias by bucket.
    const std::size_t layer = l.before.find("l1.");
    const std::string stack = layer == std::string::npos ? l.before : l.before.substr(0, layer) + l.before.substr(layer + 3);
    if (s.has(stack + "bucket_bias" + l.after)) set("B_i", s.at(stack + "bucket_bias" + l.after));
    if (s.has(l.before + "gate")) set("\\beta", s.at(l.before + "gate"));
    if (s.has(l.before + "score_weight" + l.after)) names.values["W_a"] = s.at(l.before + "score_weight" + l.after);
    names.values["m_i"] = Numbers::Constant(1, 1, std::pow(2.0, -8.0 * (l.head + 1) / c.heads));
    Numbers own(q.rows(), k.rows()), other(q.rows(), k.rows());
    for (Eigen::Index i = 0; i < q.rows(); ++i)
        for (Eigen::Index j = 0; j < k.rows(); ++j) own(i, j) = static_cast<double>(i), other(i, j) = static_cast<double>(j);
    set("p", own);
    set("p'", other);
    const std::string drawn = l.before + "drawn_shares" + l.after;
    names.functions["\\word{draw}"] = [&s, drawn, convention](const Numbers&) { return shown(s.at(drawn), convention); };
    if (scores_pairs(c)) {
        names.parts["scores"] = [&s, l, convention, names](std::string_view text) {
            // "+ R" is of all pairs at once.
            const std::size_t relative = text.find(" + R");
            const Numbers pairs = shown(pair_scores(s, names, l, text.substr(0, relative)), convention);
            return relative == std::string_view::npos ? pairs : Numbers(pairs + names.values.find("R")->second);
        };
    }
    return names;
}

/// What no formula says: a temperature of 0 or of more than numbers can, and heads that are switched off.
bool is_told(const Sample& s) {
    const AttentionConfig& c = s.config();
    return c.temperature >= 0.1f && c.temperature <= 100 && c.heads_off.empty();
}

void expect_equal(const Numbers& found, const Numbers& expected, const std::string& what) {
    ASSERT_EQ(found.rows(), expected.rows()) << what;
    ASSERT_EQ(found.cols(), expected.cols()) << what;
    for (Eigen::Index i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(found.data()[i], expected.data()[i], 1e-5 * std::max(1.0, expected.cwiseAbs().maxCoeff())) << what;
}

/// Writes the heads' value in the place of \word{Concat}_i( … ), which is evaluated once for each head.
std::string with_heads_joined(std::string text, FormulaNames& names, Convention convention, int heads,
                              const std::function<Numbers(std::string_view, int)>& head_value) {
    const std::string call = text.find("\\word{Concat}_h(") != std::string::npos ? "\\word{Concat}_h(" : "\\word{Concat}_i(";
    const std::size_t at = text.find(call);
    if (at == std::string::npos) {
        EXPECT_EQ(heads, 1) << text;
        return text;
    }
    std::size_t end = at + call.size();
    for (int open = 1; open > 0; ++end) {
        if (text.at(end) == '(') ++open;
        if (text.at(end) == ')') --open;
    }
    const std::string inner = text.substr(at + call.size(), end - 1 - at - call.size());
    Numbers joined;
    for (int h = 0; h < heads; ++h) {
        const Numbers own = shown(head_value(inner, h), convention);  // tokens as rows
        Numbers wider(own.rows(), joined.cols() + own.cols());
        if (h > 0) wider.leftCols(joined.cols()) = joined;
        wider.rightCols(own.cols()) = own;
        joined = wider;
    }
    names.values["J"] = shown(joined, convention);
    return text.replace(at, end - at, "J");
}

Letters letters_of_head(const AttentionConfig& c, int head) {
    Letters l;
    l.head = head;
    if (c.heads == 1) return l;
    l.query = "Q_i", l.key = "K_i", l.value = "V_i";
    l.after = fmt::format(".h{}", head + 1);
    // Heads that share keys and values name the same step; those of one are not cut.
    if (c.key_heads() > 1) l.key_after = fmt::format(".h{}", head * c.key_heads() / c.heads + 1);
    return l;
}

const Convention kConventions[] = {Convention::Rows, Convention::Columns};

/// What the formula leaves unsaid, to be added to what it comes to: the values of distances [Shaw et al. 2018, eq. 3].
Numbers unsaid(const Sample& s, const Letters& l, const Numbers& value) {
    const std::string name = l.before + "relative_context" + l.after;
    if (!s.has(name)) return Numbers::Zero(value.rows(), value.cols());
    Numbers relative = s.at(name);
    if (s.has(l.before + "gate")) relative = s.at(l.before + "gate").col(0).asDiagonal() * relative;
    return relative;
}

TEST(Formula, OfRawVectorsComesToTheOutput) {
    int told = 0;
    for (const Sample& s : samples({"raw"})) {
        // One letter for queries, keys and values: pairs of them and turned ones cannot be told apart by it.
        if (!is_told(s) || scores_pairs(s.config()) || s.has("rotated_queries")) continue;
        for (const Convention convention : kConventions) {
            Letters l;
            l.query = l.key = l.value = "X";
            const auto equations = equations_of(find_variant("raw")->formula(s.config(), convention));
            ASSERT_EQ(equations.size(), 1u);
            EXPECT_EQ(equations[0].first, "Y");
            const Numbers value = shown(formula_value(equations[0].second, names_of(s, convention, l)), convention);
            expect_equal(value + unsaid(s, l, value), s.at("output"), equations[0].second);
            ++told;
        }
    }
    EXPECT_GE(told, 16);
}

TEST(Formula, OfHeadsComesToTheOutput) {
    std::set<std::string, std::less<>> scores, positions, scopes, selections, masks, gates;
    for (const Sample& s : samples({"multi_head", "sliced_input", "cross"})) {
        const AttentionConfig& c = s.config();
        if (!is_told(s)) continue;
        scores.emplace(score_of(c)), positions.insert(c.position), scopes.insert(c.scope);
        selections.insert(c.selection), masks.insert(c.mask), gates.insert(c.gate);
        for (const Convention convention : kConventions) {
            const auto equations = equations_of(find_variant(c.variant)->formula(c, convention));
            ASSERT_EQ(equations.size(), 1u);
            EXPECT_EQ(equations[0].first, "Y");
            SCOPED_TRACE(equations[0].second + "\n" + std::string(s.doc.config.position));
            // Each head's mixture, then what joins them.
            const auto head = [&](std::string_view text, int h) {
                const Letters l = letters_of_head(c, h);
                const Numbers value = formula_value(text, names_of(s, convention, l));
                const Numbers rows = shown(value, convention), all = rows + unsaid(s, l, rows);
                expect_equal(all, s.at("head_output" + l.after), std::string(text));
                return shown(all, convention);
            };
            FormulaNames names = names_of(s, convention, letters_of_head(c, 0));
            std::string text = with_heads_joined(equations[0].second, names, convention, c.heads, head);
            names.values["W_O"] = s.at("output_weight");
            names.values["W^o"] = s.at("output_weight").transpose();
            if (c.heads == 1) names.parts["mix"] = [&](std::string_view mix) { return head(mix, 0); };
            const std::string made = s.has("output_products") ? "output_products" : "output";
            expect_equal(shown(formula_value(text, names), convention), s.at(made), text);
            if (HasFailure()) return;
        }
    }
    EXPECT_EQ(scores.size(), 8u);
    EXPECT_GE(positions.size(), 6u);
    EXPECT_EQ(scopes.size(), 3u);
    EXPECT_EQ(selections.size(), 4u);
    EXPECT_GE(masks.size(), 5u);
    EXPECT_EQ(gates.size(), 2u);
}

/// Q = X W_Q and its like.
TEST(Formula, OfProjectionsComesToThem) {
    for (const Sample& s : samples({"multi_head", "sliced_input", "cross", "linear"})) {
        const AttentionConfig& c = s.config();
        const bool sliced = c.variant == "sliced_input" && c.heads > 1;
        const std::string after = sliced ? ".h1" : "";
        for (const Convention convention : kConventions) {
            FormulaNames names = functions_of(convention);
            const Numbers x = sliced ? s.at("input_slice.h1") : s.first({"inputs", "embeddings"});
            names.values["X"] = names.values["X_i"] = shown(x, convention);
            if (c.variant == "cross") names.values["S"] = shown(s.first({"source.inputs", "source.embeddings"}), convention);
            int checked = 0;
            for (const auto& [left, right] : equations_of(find_variant(c.variant)->where(c, convention))) {
                const std::string role = left == "Q" ? "query" : left == "K" ? "key" : left == "V" ? "value" : "";
                if (role.empty()) continue;
                const std::string letter = role == "query" ? "q" : role == "key" ? "k" : "v", plural = role == "query" ? "queries" : role + "s";
                names.values["W_" + left] = s.at(role + "_weight" + after);
                names.values["W^" + letter] = s.at(role + "_weight" + after).transpose();
                expect_equal(shown(formula_value(right, names), convention),
                             s.first({role + "_products" + after, plural + after}), right);
                ++checked;
            }
            EXPECT_EQ(checked, 3);
        }
    }
}

/// Two formulas that stand for functions of their own: what is read gives what is made.
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

/// Where a block's norms stand, as the tests know it.
struct Norms {
    bool first, sum, made, parallel;
    explicit Norms(const std::string& block)
        : first(block == "pre_norm" || block == "both_norms" || block == "parallel"),
          sum(block == "post_norm"),
          made(block == "output_norm" || block == "both_norms"),
          parallel(block == "parallel") {}
};

/// x + f(LN x), LN(x + f(x)) …: which is of which, by what the reference read and made.
TEST(Formula, OfEncoderBlocksComesToTheirOutput) {
    int told = 0, predicted = 0;
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
        const auto equations = equations_of(find_variant("encoder")->formula(c, Convention::Rows));
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
        ++told;
        if (!predicts || s.has("unembedding_bias")) continue;
        names.values["Y"] = s.at("output");
        names.values[c.unembedding == "own" ? "W_U" : "E"] = s.at(c.unembedding == "own" ? "unembedding_weight" : "vocabulary");
        EXPECT_EQ(equations[2].first, "P");
        expect_equal(formula_value(equations[2].second, names), s.at("probabilities"), equations[2].second);
        ++predicted;
    }
    EXPECT_GE(told, 4);
    EXPECT_GE(predicted, 2);
}

/// FFN(x) = ReLU(x W_1 + b_1) W_2 + b_2 and its like, in both conventions.
TEST(Formula, OfFeedForwardComesToIt) {
    std::set<std::string> activations;
    for (const Sample& s : samples({"encoder", "decoder"})) {
        const AttentionConfig& c = s.config();
        // The formula is the published layer's: a gated one has no biases there, and a document may give it some.
        const bool biased = s.has("l1.up_bias") || s.has("l1.side_bias") || s.has("l1.down_bias");
        const bool gated = c.activation == "swiglu" || c.activation == "geglu" || c.activation == "geglu_tanh";
        if (c.layers != 1 || (gated && biased)) continue;
        activations.insert(c.activation);
        const Norms has(c.block);
        const std::string part = c.variant == "decoder" ? "cross.l1." : "l1.";
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
            // Two of that name: the exact one and its approximation by tanh.
            names.functions["\\word{GELU}"] = [&](const Numbers& m) {
                return Numbers(m.unaryExpr([&](double v) {
                    return c.activation == "gelu" || c.activation == "geglu" ? v * std::erfc(-v / std::sqrt(2.0)) / 2
                                                  : v / 2 * (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
                }));
            };
            int checked = 0;
            for (const auto& [left, right] : equations_of(find_variant(c.variant)->where(c, convention))) {
                if (left != "\\word{FFN}(x)") continue;
                expect_equal(shown(formula_value(right, names), convention), s.at("l1.down"), right);
                ++checked;
            }
            EXPECT_EQ(checked, 1);
        }
    }
    EXPECT_EQ(activations.size(), 7u);
}

// The reader of formulas itself.

TEST(FormulaValue, ReadsWhatMathematicsSays) {
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
