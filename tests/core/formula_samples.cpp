#include "tests/core/formula_samples.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/attention/forms/attention.h"

namespace attn::test {
namespace {

constexpr double kNoScore = -std::numeric_limits<double>::infinity();

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

/// The nearest point of the simplex, by bisection on the threshold.
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

/// Papers write the score of a pair for one query and one key, each a column; here in both conventions.
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

}  // namespace

std::vector<Sample> samples(std::initializer_list<std::string_view> forms) {
    std::vector<Sample> out;
    for (const JsonValue& one : reference_cases()) {
        Document doc = document_of(text_of(*one.find("document")));
        if (std::find(forms.begin(), forms.end(), doc.config.form) != forms.end())
            out.push_back({std::move(doc), one.find("steps")});
    }
    return out;
}

/// Tokens as columns if the convention says so: matrices with a token axis are transposed.
Numbers shown(const Numbers& m, Convention convention) { return convention == Convention::Columns ? Numbers(m.transpose()) : m; }

bool scores_pairs(const AttentionConfig& c) {
    const auto score = score_of(c);
    return score == "additive" || score == "concat" || score == "gat";
}

FormulaNames functions_of(Convention convention) {
    FormulaNames names;
    names.semicolon_stacks = convention == Convention::Columns;
    // Applied to each query's scores: a row, or a column.
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

/// What the letters of softmax(…) V stand for in one head.
FormulaNames names_of(const Sample& s, Convention convention, const Letters& l) {
    const AttentionConfig& c = s.config();
    FormulaNames names = functions_of(convention);
    const auto set = [&](const std::string& name, const Numbers& m) { names.values[name] = shown(m, convention); };
    const bool raw = c.form == "raw";
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
    // All layers of a stack share the bucket bias.
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
            // "+ R" is added to all pairs at once.
            const std::size_t relative = text.find(" + R");
            const Numbers pairs = shown(pair_scores(s, names, l, text.substr(0, relative)), convention);
            return relative == std::string_view::npos ? pairs : Numbers(pairs + names.values.find("R")->second);
        };
    }
    return names;
}

/// Whether the formula covers the document: it covers neither extreme temperatures nor heads that are switched off.
bool is_covered(const Sample& s) {
    const AttentionConfig& c = s.config();
    return c.temperature >= 0.1f && c.temperature <= 100 && c.heads_off.empty();
}

void expect_equal(const Numbers& found, const Numbers& expected, const std::string& what) {
    ASSERT_EQ(found.rows(), expected.rows()) << what;
    ASSERT_EQ(found.cols(), expected.cols()) << what;
    for (Eigen::Index i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(found.data()[i], expected.data()[i], 1e-5 * std::max(1.0, expected.cwiseAbs().maxCoeff())) << what;
}

}  // namespace attn::test
